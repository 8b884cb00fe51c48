//! Blocking calls made only after a check whether they would block.

use crate::body::paths::Paths;
use crate::body::provenance::flag;
use crate::body::{Function, Slot};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::blocking::Blocking;
use rvcheck_primitives::Action;

/// Whether the body has asked the same object before, so that the call may find what it would have waited for: by a `bool` on one of whose
/// sides the call does not come, as after `is_finished`, or by the call that ends a process without a wait.
pub(super) fn is_asked(program: &Program, objects: &AbstractObjects<'_>, blocking: &Blocking) -> bool {
    let function = program.function(blocking.body);
    let object = |at: BlockId| -> Option<AbstractObject> {
        let receiver = function.call(at)?.0.arguments.first()?.place()?;
        objects.object(blocking.body, receiver)
    };
    let Some(waited_for) = object(blocking.block) else { return false };
    let paths = Paths::of(function);
    let questions = function.calls().filter(|(at, _, callee)| {
        let decides = callee.asks() && is_decisive(function, paths, *at, blocking.block);
        *at != blocking.block && (decides || ends_without_wait(function, *at))
    });
    questions
        .map(|(at, ..)| at)
        .any(|at| paths.leads(at, blocking.block) && object(at).as_ref() == Some(&waited_for))
}

/// Whether a call takes the end of a process or thread, if it has ended. Once it has, it stays so.
fn ends_without_wait(function: &Function, at: BlockId) -> bool {
    function
        .callee(at)
        .row()
        .is_some_and(|it| it.operation.action == Action::Join && !it.operation.may_wait())
}

/// Whether one side of a branch on what a call says does not lead to a block before the call is made again.
fn is_decisive(function: &Function, paths: &Paths, asked: BlockId, to: BlockId) -> bool {
    let branches = function.blocks().filter(|(_, block)| match &block.terminator {
        Terminator::Switch { on: Operand::Place(on), .. } => flag(function, &Slot::at(on)) == Some(asked),
        _ => false,
    });
    branches.into_iter().any(|(id, _)| {
        let leads = |side: &BlockId| paths.from(&[*side], &|it| it == asked).contains(&to);
        let sides = paths.next(id);
        sides.iter().any(leads) && !sides.iter().all(leads)
    })
}
