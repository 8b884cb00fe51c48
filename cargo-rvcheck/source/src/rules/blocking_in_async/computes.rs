//! Loops that occupy the thread of a task for as long as a caller-supplied number says, or until some time has passed.
//!
//! A single loop is assumed to be short, and so is one over a collection: what is reported has a nested loop, itself or in what it calls,
//! and both run by numbers that no constant limits.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::agents::outcome::goes_by_outcome;
use crate::mir::{BlockId, Made, Operand, Place, Rvalue, Terminator};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::trip_count::items;
use crate::ty::Ty;
use std::collections::BTreeSet;

/// Functions that go through an iterator.
const CONSUMES: [&str; 15] = [
    "all", "any", "collect", "count", "find", "fold", "for_each", "last", "max", "min", "next", "position",
    "product", "reduce", "sum",
];
/// How deep calls are followed.
const DEEPEST: usize = 4;

/// Finds such loops in a body that a task polls.
pub(super) fn check(program: &Program, id: FunctionId) -> Vec<Hit> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let suspended: BTreeSet<BlockId> = function.suspensions.iter().map(|it| it.block).collect();
    let mut hits = Vec::new();
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let around = paths.loop_around(block);
        if around.is_empty() || !around.is_disjoint(&suspended) || calls_away(program, function, &around) {
            continue;
        }
        if let Some(place) = goes_by_time(program, id, block) {
            hits.push(hit(
                place,
                "this loop busy-waits on the clock: no other task on the thread can run meanwhile",
                "wait with `tokio::time::sleep` or another timer that can be awaited",
            ));
        } else if let Some(place) = goes_by_number(program, id, block)
            && !runs_out(function, block, &around)
            && inner_loop(program, function, paths, block, &around)
        {
            hits.push(hit(
                place,
                "these nested loops never suspend, and a caller decides how long they run: they starve \
                 every other task on the thread",
                "run it with `spawn_blocking`, or yield now and then, for example with `tokio::task::yield_now`",
            ));
        }
    }
    hits
}

fn hit(place: CodeRef, message: &str, advice: &str) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: message.to_owned(),
        primary: (place, "this loop".to_owned()),
        related: Vec::new(),
        advice: advice.to_owned(),
    }
}

/// Whether something in a loop may run elsewhere, or is looked at by other rules: what polls and what blocks.
fn calls_away(program: &Program, function: &Function, around: &BTreeSet<BlockId>) -> bool {
    around.iter().any(|it| {
        function.call(*it).is_some_and(|(_, callee)| {
            callee.spawns()
                || callee.blocks_in_place()
                || callee.is_poll() && program.called(function, *it).is_none()
        })
    })
}

/// The place of a loop that ends by a comparison with how much time is over.
fn goes_by_time(program: &Program, id: FunctionId, exit: BlockId) -> Option<CodeRef> {
    let function = program.function(id);
    let asked = compared(function, exit)?.into_iter().find_map(|it| {
        let asked = source(function, &Slot::at(it))?;
        let (_, callee) = function.call(asked)?;
        matches!(callee.name(), "elapsed" | "now" | "duration_since").then_some(asked)
    })?;
    let around = Paths::of(function).loop_around(exit);
    // What does something in between is more than a wait.
    let is_idle = around.iter().all(|it| {
        function.call(*it).is_none_or(|(_, callee)| {
            callee.hands_on()
                || matches!(
                    callee.name(),
                    "elapsed"
                        | "now"
                        | "duration_since"
                        | "lt"
                        | "le"
                        | "gt"
                        | "ge"
                        | "spin_loop"
                        | "yield_now"
                        | "sub"
                        | "add"
                )
        })
    });
    (around.contains(&asked) && is_idle).then(|| call_ref(program, id, asked))
}

/// What is compared at the branch at the end of a block.
fn compared(function: &Function, block: BlockId) -> Option<Vec<&Place>> {
    let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
        function.body.block(block).map(|it| &it.terminator)
    else {
        return None;
    };
    let mut place = on;
    for _ in 0..8 {
        match function.definition(&Slot::at(place))? {
            Definition::Called(made) => {
                let (call, callee) = function.call(made)?;
                if callee.hands_on() {
                    place = call.place(0)?;
                    continue;
                }
                let compares = matches!(callee.name(), "lt" | "le" | "gt" | "ge");
                return compares.then(|| call.places().collect());
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) => place = from,
                Rvalue::Made(Made::By(it), parts) if it.compares() => {
                    return Some(parts.iter().filter_map(Operand::place).collect());
                }
                _ => return None,
            },
        }
    }
    None
}

/// The place of a loop that ends where a number is reached that the body was given.
fn goes_by_number(program: &Program, id: FunctionId, exit: BlockId) -> Option<CodeRef> {
    let function = program.function(id);
    let next = asked(function, exit)?;
    let (call, callee) = function.call(next).filter(|(_, callee)| callee.is_next())?;
    let iterator = call.place(0)?;
    if !is_of_range(callee.self_type()?) || items(program, function, iterator).is_some() {
        return None;
    }
    let made = source(function, &Slot::at(iterator));
    let (range, place) = match made {
        Some(made) => (function.call(made)?.0.arguments.first()?.place()?, Some(made)),
        None => (iterator, None),
    };
    let ends = range_ends(function, range)?;
    let given = ends.iter().any(|it| is_given_number(function, it));
    given.then(|| call_ref(program, id, place.unwrap_or(next)))
}

/// Whether a loop is also left where a call gives nothing more: the number only limits it, as for what is in a queue.
fn runs_out(function: &Function, exit: BlockId, around: &BTreeSet<BlockId>) -> bool {
    around.iter().filter(|it| **it != exit && goes_by_outcome(function, **it)).any(|it| {
        function
            .successors(*it)
            .iter()
            .any(|next| !around.contains(next) && function.body.block(*next).is_some_and(|it| !it.cleanup))
    })
}

/// The call whose result the branch at the end of a block looks at, itself.
fn asked(function: &Function, exit: BlockId) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), .. } = &function.body.block(exit)?.terminator else {
        return None;
    };
    let mut place = on;
    for _ in 0..8 {
        match function.definition(&Slot::at(place))? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if !callee.hands_on() {
                    return Some(block);
                }
                place = call.place(0)?;
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Discriminant(from) | Rvalue::Use(Operand::Place(from)) => place = from,
                _ => return None,
            },
        }
    }
    None
}

/// The operands that a range is made of.
fn range_ends<'a>(function: &'a Function, range: &'a Place) -> Option<Vec<&'a Place>> {
    let mut place = range;
    for _ in 0..8 {
        match function.definition(&Slot::at(place))? {
            Definition::Called(made) => {
                let (call, callee) = function.call(made)?;
                if callee.name() == "new" && callee.path().contains("RangeInclusive") {
                    return Some(call.places().collect());
                }
                place = call.place(0)?;
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _) => place = from,
                Rvalue::Made(Made::Value(by), parts) if by.text().contains("Range") => {
                    return Some(parts.iter().filter_map(Operand::place).collect());
                }
                _ => return None,
            },
        }
    }
    None
}

/// Whether a type is a range of numbers, or is made of one.
fn is_of_range(ty: Ty) -> bool {
    ty.has(|it| it.head().starts_with("std::ops::Range"))
}

/// Whether a number is one that the body was given as it is.
fn is_given_number(function: &Function, place: &Place) -> bool {
    let mut place = place;
    for _ in 0..8 {
        let slot = Slot::at(place);
        let is_number = function.type_of(place).is_some_and(Ty::is_integer);
        if function.is_argument(&slot) || function.captured(&slot).is_some() {
            return is_number;
        }
        match function.definition(&slot).and_then(|it| function.assigned(it)).and_then(Rvalue::moved_from) {
            Some(from) => place = from,
            None => return false,
        }
    }
    false
}

/// Whether a loop has another one inside that goes by numbers, too.
fn inner_loop(
    program: &Program,
    function: &Function,
    paths: &Paths,
    exit: BlockId,
    around: &BTreeSet<BlockId>,
) -> bool {
    let own = asked(function, exit);
    around.iter().any(|it| {
        let Some((_, callee)) = function.call(*it).filter(|_| Some(*it) != own) else { return false };
        // A loop that is entered and left in each iteration of the outer one.
        let nested = callee.is_next()
            && own.is_some_and(|own| paths.from(paths.next(*it), &|at| at == own).contains(it));
        nested && by_numbers(program, function, *it)
            || !callee.is_next() && consumes_numbers(program, function, *it)
            || program.called(function, *it).is_some_and(|it| loops(program, it, DEEPEST))
    })
}

/// Whether a body has a loop that goes by numbers, or calls one.
fn loops(program: &Program, id: FunctionId, depth: usize) -> bool {
    let function = program.function(id);
    if depth == 0 || function.kind == Kind::Coroutine {
        return false;
    }
    let paths = Paths::of(function);
    function.calls().any(|(block, _, callee)| {
        callee.is_next() && paths.repeats(block) && by_numbers(program, function, block)
            || !callee.is_next() && consumes_numbers(program, function, block)
            || program.called(function, block).is_some_and(|it| it != id && loops(program, it, depth - 1))
    })
}

/// Whether the iterator that a call asks goes over numbers without a constant end.
fn by_numbers(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((call, callee)) = function.call(block) else { return false };
    let of_range = callee.self_type().is_some_and(is_of_range);
    let iterator = call.place(0);
    of_range && iterator.is_some_and(|it| items(program, function, it).is_none())
}

fn consumes_numbers(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((_, callee)) = function.call(block) else { return false };
    callee.is_of_iterator() && CONSUMES.contains(&callee.name()) && by_numbers(program, function, block)
}
