//! Bodies that panic for some input: what they unwrap, index or assert depends on what they are given.

use super::errors::{is_never, is_of_channel};
use super::index::Index;
use crate::body::paths::Paths;
use crate::body::polling::context;
use crate::body::provenance::is_given;
use crate::ty::Ty;

use crate::body::{Callee, Definition, Function, FunctionId, Kind, Slot};
use crate::ended::{Said, said_by};
use crate::mir::{BlockId, Call, Operand, Rvalue, Statement};
use crate::program::Program;
use rvcheck_primitives::{Action, Row};
use std::collections::BTreeSet;

/// How deep calls are followed.
const DEEPEST: usize = 6;

/// Where a body, or one that it runs, panics for some input; `None` where it does not as far as is known.
pub(crate) fn panics_on_input(
    program: &Program,
    index: &Index,
    id: FunctionId,
) -> Option<(FunctionId, BlockId)> {
    // What can do nothing else was written to panic, whatever it is given.
    let found = || within(program, index, id, DEEPEST, &mut BTreeSet::new());
    (!always_panics(program.function(id))).then(found).flatten()
}

/// Whether every path through a body leads to a `panic!`.
fn always_panics(function: &Function) -> bool {
    let paths = Paths::of(function);
    let reached = paths.from(&[BlockId(0)], &|_| false);
    let panics = |it: &BlockId| function.call(*it).is_some_and(|(_, callee)| PANICS.contains(&callee.name()));
    let suspended = |it: BlockId| function.suspensions.iter().any(|at| at.block == it);
    let mut loops = paths.loops_without(&suspended).into_iter();
    reached.iter().any(panics)
        && !reached.iter().any(|it| function.returns_at(*it))
        && loops.all(|it| it.is_disjoint(&reached))
}

fn within(
    program: &Program,
    index: &Index,
    id: FunctionId,
    depth: usize,
    seen: &mut BTreeSet<FunctionId>,
) -> Option<(FunctionId, BlockId)> {
    if depth == 0 || !seen.insert(id) {
        return None;
    }
    let function = program.function(id);
    // What polls by hand, as macros do, panics only if it is polled again.
    if context(function).is_some() {
        return None;
    }
    let is_asked = || function.body.arguments > 0 || function.kind != Kind::Function;
    for (block, call, callee) in function.calls() {
        let given = || call.arguments.iter().any(|it| is_given(function, it));
        let ty = function.type_given(call, 0).unwrap_or_default();
        let panics = match callee.name() {
            "unwrap" | "expect" => match callee.owner() {
                "Option" => given() && !is_own_state(function, call),
                "Result" => given() && ty.argument(1).is_some_and(says_something),
                _ => false,
            },
            "unwrap_err" | "expect_err" => {
                callee.owner() == "Result" && given() && ty.argument(0).is_some_and(|it| !is_never(it))
            }
            "index" | "index_mut" => {
                let of = callee.self_type().map(Ty::bare_name).unwrap_or_default();
                matches!(of, "HashMap" | "BTreeMap" | "IndexMap") && given()
            }
            name => {
                PANICS.contains(&name)
                    && is_asked()
                    && !is_impossible(function, call)
                    && !is_resumed(program, id)
            }
        };
        if panics {
            return Some((id, block));
        }
        for body in index.callees(id, block) {
            if let Some(found) = within(program, index, *body, depth - 1, seen) {
                return Some(found);
            }
            // An `async fn` runs where it is awaited, which is here as far as it matters, unless a task of its own runs it.
            let machine = program.machine_made_by(*body).map(|it| it.0);
            let machine = machine.filter(|_| !is_spawned(program, function, block));
            if let Some(found) = machine.and_then(|it| within(program, index, it, depth - 1, seen)) {
                return Some(found);
            }
        }
        let given = |it: &Operand| match it {
            Operand::Constant(text) => {
                program.closure_of(function, it).or_else(|| program.function_named(text))
            }
            Operand::Place(_) => program.closure_of(function, it),
        };
        for closure in call.arguments.iter().filter_map(given) {
            let is_future = program.function(closure).kind == Kind::Coroutine;
            let runs = !(spawns(function, block) || is_future && is_spawned(program, function, block));
            if let Some(found) = runs.then(|| within(program, index, closure, depth - 1, seen)).flatten() {
                return Some(found);
            }
        }
    }
    None
}

/// Whether a call starts a task or thread, which a panic does not leave but by its handle.
fn spawns(function: &Function, block: BlockId) -> bool {
    let is_known = |it: Row| matches!(it.operation.action, Action::Spawn(_));
    let (_, callee) = function.call(block).unzip();
    function.callee(block).row().is_some_and(is_known) || callee.is_some_and(Callee::spawns)
}

/// Whether what a call gives comes to a call that spawns it, as it is or in another future.
fn is_spawned(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((call, _)) = function.call(block) else { return false };
    let mut seen = BTreeSet::from([call.into.local]);
    let mut open = vec![call.into.local];
    while let Some(local) = open.pop() {
        let has = |it: &Operand| it.place().is_some_and(|it| it.local == local);
        let mut next = Vec::new();
        for (at, call, _) in function.calls().filter(|it| it.1.arguments.iter().any(has)) {
            if spawns(function, at) {
                return true;
            }
            if program.called(function, at).is_none() {
                next.push(call.into.local);
            }
        }
        for statement in function.blocks().flat_map(|(_, it)| &it.statements) {
            if let Statement::Assign(into, Rvalue::Use(from) | Rvalue::Cast(from, _)) = statement
                && has(from)
            {
                next.push(into.local);
            }
        }
        open.extend(next.into_iter().filter(|it| seen.insert(*it)));
    }
    false
}

/// Functions that panic.
const PANICS: &[&str] = &[
    "assert_failed",
    "begin_panic",
    "panic",
    "panic_any",
    "panic_display",
    "panic_explicit",
    "panic_fmt",
    "panic_str_2015",
];

/// Whether an `Option` is what a value keeps of its own, as a handle that is taken once: it depends on no input whether there is one.
fn is_own_state(function: &Function, call: &Call) -> bool {
    const OF_STATE: &[&str] =
        &["as_deref", "as_deref_mut", "as_mut", "as_ref", "take", "take_output", "upgrade"];
    let place = call.place(0);
    let Some(made) = place.and_then(|it| function.definition(&Slot::at(it))) else { return true };
    match made {
        Definition::Called(block) => {
            function.call(block).is_some_and(|(_, callee)| OF_STATE.contains(&callee.name()))
        }
        // A field, or a part of another value.
        Definition::Assigned(..) => false,
    }
}

/// What is said where a place cannot be reached, or is not written yet.
const IMPOSSIBLE: &[&str] =
    &["unreachable code", "not implemented", "not yet implemented", "all branches are disabled"];

/// Whether what a panic says is that the place cannot be reached.
fn is_impossible(function: &Function, call: &Call) -> bool {
    let says = |it: &Operand| match it {
        Operand::Constant(text) => Some(text.clone()),
        Operand::Place(place) => {
            let made = function.definition(&Slot::at(place))?;
            match made {
                Definition::Called(block) => {
                    let (call, _) = function.call(block)?;
                    call.arguments.iter().find_map(|it| match it {
                        Operand::Constant(text) => Some(text.clone()),
                        Operand::Place(_) => None,
                    })
                }
                Definition::Assigned(..) => match function.assigned(made)? {
                    Rvalue::Use(Operand::Constant(text)) => Some(text.clone()),
                    _ => None,
                },
            }
        }
    };
    call.arguments.iter().filter_map(says).any(|text| IMPOSSIBLE.iter().any(|it| text.contains(it)))
}

/// Whether a body only panics as others did: it asserts that a state machine is not polled again, or resumes a panic.
fn is_resumed(program: &Program, id: FunctionId) -> bool {
    program.function(id).calls().any(|(_, _, callee)| callee.name() == "resume_unwind")
}

/// Whether an error says more than that the other end of a lock, channel or task is gone.
fn says_something(error: Ty) -> bool {
    let is_over = is_of_channel(error) && said_by(error) != Some(Said::Ended);
    said_by(error).is_none()
        && !is_over
        && !is_never(error)
        && !matches!(error.bare_name(), "Layout" | "LayoutError")
        && !error.names("Any")
}
