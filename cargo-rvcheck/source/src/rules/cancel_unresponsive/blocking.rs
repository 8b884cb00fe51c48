//! A loop in `spawn_blocking` that looks at nothing by which it could be ordered to stop, and whose handle is aborted: that has no effect
//! once it runs.

use crate::body::by_name::{self, any_named};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{FunctionId, Slot};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::fills::{Fill, fills_of};
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Operation};

/// Whether a loop can notice an order to stop by a function of that name.
fn tells(name: &str) -> bool {
    by_name::asks(name)
        || any_named(name, |it| matches!(it.action, Action::Receive | Action::Send))
        || matches!(name, "next" | "upgrade")
}

/// Aborts in a body of handles of such loops.
pub(super) fn check(program: &Program, objects: &AbstractObjects<'_>, id: FunctionId) -> Vec<Hit> {
    let function = program.function(id);
    let aborts = function.calls().filter(|(.., callee)| callee.name() == "abort");
    let found = aborts.filter_map(|(aborts, call, _)| {
        let handle = call.arguments.first()?.place()?;
        let (maker, spawn) = match objects.object(id, handle)? {
            AbstractObject::Value(maker, slot) => (maker, source(program.function(maker), &slot)?),
            AbstractObject::Field(of, field) => {
                let mut filled = fills_of(program, &of).filter(|it| it.field == field);
                let Fill { function: maker, from, .. } = filled.next().filter(|_| filled.next().is_none())?;
                (maker, source(program.function(maker), &Slot::at(from))?)
            }
        };
        let (call, callee) = program.function(maker).call(spawn)?;
        let closure = call.arguments.iter().find_map(|it| program.closure_of(program.function(maker), it));
        let closure = closure.filter(|_| callee.name() == "spawn_blocking")?;
        never_looks(program, closure).then(|| Hit {
            certainty: Certainty::Usually,
            message: "an abort does not end a blocking task that runs already, and its loop looks at nothing that orders it to stop"
                .to_owned(),
            primary: (call_ref(program, id, aborts), "has no effect".to_owned()),
            related: vec![
                (call_ref(program, maker, spawn), "spawned here".to_owned()),
                (CodeRef::of_body(program, closure), "goes round in here".to_owned()),
            ],
            advice: "let the loop look at an `AtomicBool` or a `CancellationToken` in each round, and set that instead".to_owned(),
        })
    });
    found.collect()
}

/// Whether a closure has a loop that is no loop over something, in which nothing looks whether to stop.
fn never_looks(program: &Program, closure: FunctionId) -> bool {
    let function = program.function(closure);
    let paths = Paths::of(function);
    let pauses = |it: &Operation| {
        matches!(it.action, Action::Sleep | Action::Yield) || it.action == Action::Wait && it.is_limited
    };
    let looks = |block: BlockId| {
        // What a function of the program does is not followed: it may look.
        super::asks(program, function, block)
            || function.call(block).is_some_and(|(_, callee)| tells(callee.name()))
            || program
                .called(function, block)
                .is_some_and(|it| program.function(it).body.type_of(crate::mir::Local(0)) == "bool")
    };
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(id, _)| {
        let around = paths.loop_around(id);
        let pauses = around.iter().any(|it| {
            function.call(*it).is_some_and(|(_, it)| any_named(it.name(), pauses) || it.name() == "spin_loop")
        });
        pauses && !around.iter().any(|it| looks(*it)) && !counts(program, closure, &around)
    })
}

/// Whether a loop ends by a number that it counts itself.
fn counts(program: &Program, id: FunctionId, around: &std::collections::BTreeSet<BlockId>) -> bool {
    let function = program.function(id);
    around.iter().filter_map(|it| function.body.block(*it)).any(|block| {
        let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else { return false };
        let read = function.definition(&Slot::at(on)).and_then(|it| function.assigned(it));
        let Some(crate::mir::Rvalue::Made(name, parts)) = read else { return false };
        let compares = ["Lt", "Le", "Gt", "Ge", "Eq", "Ne"].contains(&name.as_str());
        compares
            && parts.iter().filter_map(Operand::place).all(|it| source(function, &Slot::at(it)).is_none())
    })
}
