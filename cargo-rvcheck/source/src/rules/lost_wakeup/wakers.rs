//! Futures by hand that do not keep the waker of the task that polls them, or keep it too late.
//!
//! - `Poll::Pending` comes back, and the context was not looked at: nobody can wake the task.
//! - The waker is replaced only where it would wake the same task anyway.
//! - An atomic is looked at, and the waker kept after that: whoever sets it in between finds no waker, or the one of before.

use super::super::{Certainty, Hit};
use crate::flow::code_ref::{CodeRef, call_ref};
use crate::flow::paths::Paths;
use crate::flow::polling::{context, made, uses};
use crate::flow::provenance::flag;
use crate::flow::{Definition, Function, FunctionId, Program, Slot, owner};
use crate::mir::{BlockId, Operand, Rvalue, Terminator};
use std::collections::BTreeSet;

/// Finds such futures.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let Some(context) = context(function) else { continue };
        let pending: BTreeSet<BlockId> = made(function, "Pending").collect();
        if pending.is_empty() {
            continue;
        }
        if !uses(function, context) {
            hits.extend(never_kept(program, id, function));
            continue;
        }
        let paths = Paths::of(function);
        hits.extend(inverted(program, id, function, &paths, &pending));
        hits.extend(kept_too_late(program, id, function, &paths, &pending));
    }
    hits
}

/// A body that is done at some time, and does not look at its context before.
fn never_kept(program: &Program, id: FunctionId, function: &Function) -> Option<Hit> {
    let done = made(function, "Ready").next().is_some();
    // What else is polled or woken may wake the task in its own way.
    let by_others = function.calls().any(|(_, call, callee)| {
        let name = callee.name();
        name.contains("poll")
            || name.contains("wake")
            || name.contains("register")
            || call.arguments.iter().any(|it| wakes(function, it))
    });
    (done && !by_others).then(|| Hit {
        certainty: Certainty::Usually,
        message: "this says `Poll::Pending` and keeps no waker: nobody can wake the task once it is done"
            .to_owned(),
        primary: (CodeRef::of_body(program, id), "the context is not looked at".to_owned()),
        related: Vec::new(),
        advice:
            "keep `cx.waker().clone()` where whoever makes it ready finds it, before looking whether it is"
                .to_owned(),
    })
}

/// Whether a value is a waker, or of a type that has one in its name.
fn wakes(function: &Function, operand: &Operand) -> bool {
    operand.place().and_then(|it| function.type_of(it)).is_some_and(|it| it.contains("Waker"))
}

/// The calls by which the waker of the context is kept.
fn keeps(function: &Function) -> Vec<BlockId> {
    let kept = function.calls().filter(|(_, call, callee)| {
        let on = call.arguments.first().is_some_and(|it| wakes(function, it));
        on && (callee.is_trait("Clone", "clone") || callee.name() == "register")
    });
    kept.map(|(block, ..)| block).collect()
}

/// A waker that is replaced where it is the same, and left where it is another one.
fn inverted(
    program: &Program,
    id: FunctionId,
    function: &Function,
    paths: &Paths,
    pending: &BTreeSet<BlockId>,
) -> Option<Hit> {
    let keeps = keeps(function);
    let (asked, kept) = function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let [(0, when_false)] = cases.as_slice() else { return None };
        let (asked, same_when_true) = says_the_same(program, function, &Slot::at(on), 3)?;
        let when_true = (*otherwise)?;
        let (same, other) = if same_when_true { (when_true, *when_false) } else { (*when_false, when_true) };
        let reached = |from: BlockId| paths.from(&[from], &|it| it == at);
        let (of_same, of_other) = (reached(same), reached(other));
        let kept = keeps.iter().find(|it| of_same.contains(it) && !of_other.contains(it))?;
        let leaves = of_other.iter().any(|it| pending.contains(it));
        leaves.then_some((asked, *kept))
    })?;
    Some(Hit {
        certainty: Certainty::Usually,
        message: "the waker is replaced where it would wake the same task, and kept where it wakes another one: the test is the wrong way \
                  round"
            .to_owned(),
        primary: (call_ref(program, id, kept), "replaced here, where it need not be".to_owned()),
        related: vec![(call_ref(program, id, asked), "asked here".to_owned())]
            .into_iter()
            .filter(|(at, _)| !matches!(at, CodeRef::Item(_)))
            .collect(),
        advice: "keep the waker of this poll unless the one that is there `will_wake` the same task".to_owned(),
    })
}

/// The block that asks whether two wakers wake the same task for a flag, and whether they do where the flag is set.
fn says_the_same(
    program: &Program,
    function: &Function,
    slot: &Slot,
    depth: usize,
) -> Option<(BlockId, bool)> {
    let (mut slot, mut straight) = (slot.clone(), true);
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        let definition = function.definition(&slot)?;
        let from = match definition {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                match callee.name() {
                    "will_wake" => return Some((block, straight)),
                    "map" | "is_some_and" | "map_or" | "is_none_or" | "and_then" if depth > 0 => {
                        let inner = call.arguments.iter().find_map(|it| program.closure_of(function, it))?;
                        let (_, same) = says_the_same(
                            program,
                            program.function(inner),
                            &Slot::of(crate::mir::Local(0)),
                            depth - 1,
                        )?;
                        return Some((block, same == straight));
                    }
                    "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
                        call.arguments.first()?.place()?
                    }
                    _ if callee.hands_on() => call.arguments.first()?.place()?,
                    _ => return None,
                }
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) => from,
                Rvalue::Made(name, parts) if name == "Not" => {
                    straight = !straight;
                    parts.first()?.place()?
                }
                _ => return None,
            },
        };
        slot = Slot::at(from);
    }
    None
}

/// A waker that is kept after the look at an atomic, with no look behind it.
fn kept_too_late(
    program: &Program,
    id: FunctionId,
    function: &Function,
    paths: &Paths,
    pending: &BTreeSet<BlockId>,
) -> Option<Hit> {
    let ready: BTreeSet<BlockId> = made(function, "Ready").collect();
    let holding = program.holding(id);
    let held = |it: BlockId| holding.at(it).is_some_and(|it| !it.guards().is_empty());
    let keeps = keeps(function);
    let (look, keep) = function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let look =
            flag(function, &Slot::at(on)).filter(|it| is_load(program, function, *it) && !held(*it))?;
        let targets: Vec<BlockId> = cases.iter().map(|(_, to)| *to).chain(*otherwise).collect();
        let reaches = |from: &BlockId, any: &BTreeSet<BlockId>| {
            paths.from(&[*from], &|_| false).iter().any(|it| any.contains(it))
        };
        let unset = targets.iter().find(|it| reaches(it, pending) && !reaches(it, &ready))?;
        let set = targets.iter().any(|it| reaches(it, &ready) && !reaches(it, pending));
        let keep = keeps.iter().find(|it| paths.from(&[*unset], &|_| false).contains(it))?;
        (set && at != *keep).then_some((look, *keep))
    })?;
    // Before the body is over nothing looks at anything again.
    let after = paths.after(keep);
    let plain = after.iter().all(|it| {
        function
            .call(*it)
            .is_none_or(|(call, callee)| is_plain(function, call.arguments.first(), callee.name()))
    });
    let before = paths.to(&[look], &|_| false);
    let early = keeps.iter().any(|it| before.contains(it));
    (plain && !early && is_set_elsewhere(program, id, function, look)).then(|| Hit {
        certainty: Certainty::Usually,
        message: "the waker is kept after the look at the flag: when that is set in between, nobody is woken"
            .to_owned(),
        primary: (call_ref(program, id, keep), "kept here".to_owned()),
        related: vec![(call_ref(program, id, look), "looked at before".to_owned())],
        advice: "keep the waker first, then look; or look again behind it".to_owned(),
    })
}

fn is_load(program: &Program, function: &Function, block: BlockId) -> bool {
    let path = program.callee_path(function, block);
    owner(path).starts_with("Atomic") && path.ends_with("::load")
}

/// Whether a call on the way from where a waker is kept only puts it there.
fn is_plain(function: &Function, on: Option<&Operand>, name: &str) -> bool {
    let puts = matches!(
        name,
        "deref"
            | "deref_mut"
            | "lock"
            | "borrow_mut"
            | "unwrap"
            | "expect"
            | "drop"
            | "replace"
            | "insert"
            | "push"
            | "push_back"
            | "set"
            | "Some"
            | "__rv_site"
            | "__rv_atomic"
            | "__rv_asked"
            | "unwrap_or_else"
            | "as_mut"
            | "get_mut"
    );
    puts || on.is_some_and(|it| wakes(function, it))
}

/// Whether another body stores something into the same atomic, as far as its place is known.
fn is_set_elsewhere(program: &Program, id: FunctionId, function: &Function, look: BlockId) -> bool {
    let objects = crate::flow::abstract_object::AbstractObjects::of(program);
    let of = |id: FunctionId, function: &Function, block: BlockId| {
        objects.object(id, function.call(block)?.0.arguments.first()?.place()?)
    };
    let Some(object) = of(id, function, look) else { return false };
    program.functions().any(|(other, inside)| {
        other != id
            && inside.calls().any(|(block, _, callee)| {
                owner(&callee.path).starts_with("Atomic")
                    && !matches!(callee.name(), "load" | "new")
                    && of(other, inside, block).as_ref() == Some(&object)
            })
    })
}
