//! Where a body hears that it is to stop.

use super::{asks_to_stop, looks};
use crate::body::paths::Paths;
use crate::body::provenance::flag;
use crate::body::select::{Branch, selects};
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::code_ref::{CodeRef, branch_ref, call_ref};
use crate::program::library::mentions;
use rvcheck_primitives::{Action, Is, Operation, Waits};

/// A place where a body hears that it is to stop.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    /// The block that looks, or polls.
    pub(crate) at: BlockId,
    /// What looks.
    pub(crate) look: CodeRef,
    /// It is in a loop that it ends; else it comes before all loops.
    pub(crate) repeats: bool,
}

/// Where a body hears that it is to stop: branches of a `select!` that end the loop around it, and looks that end one, or are obeyed
/// before any.
pub(crate) fn heard(facts: &Facts<'_>, id: FunctionId) -> Vec<Heard> {
    let program = facts.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let mut found = Vec::new();
    for select in selects(function).into_iter().filter(|it| paths.repeats(it.made)) {
        for (number, branch) in select.branches.iter().enumerate() {
            let Some(arm) = branch.arm else { continue };
            let ends = !paths.from(&[arm], &|_| false).contains(&select.made);
            if ends && is_order(function, branch) {
                let look = match branch.call {
                    Some(call) => call_ref(program, id, call),
                    None => branch_ref(program, id, &select, number),
                };
                found.push(Heard { at: select.poll, look, repeats: true });
            }
        }
    }
    for look in looks(facts, id) {
        let around = paths.loop_around(look.call);
        let leaves = paths.next(look.branch).iter().any(|it| !around.contains(it));
        let is_obeyed = || asks_to_stop(program, function, look.call) && obeys(function, paths, look.call);
        let repeats = !around.is_empty();
        let ends = if repeats { around.contains(&look.branch) && leaves } else { is_obeyed() };
        if ends {
            found.push(Heard { at: look.call, look: call_ref(program, id, look.call), repeats });
        }
    }
    found
}

/// Whether a branch of a `select!` waits for an order to stop: a signal, or a message where each ends the loop.
fn is_order(function: &Function, branch: &Branch) -> bool {
    let once = |it: Is| matches!(it, Is::End(end) if end.is_once && !end.sends);
    if mentions(branch.ty, once) {
        return true;
    }
    let Some(call) = branch.call else { return false };
    let waits =
        |it: &Operation| matches!(it.action, Action::Wait | Action::Receive) && it.waits == Waits::Task;
    function.callee(call).likely_row().is_some_and(|it| waits(it.operation))
}

/// Whether the body returns, without waiting for anything more, where the call at the end of a block says that it is to stop.
fn obeys(function: &Function, paths: &Paths, asked: BlockId) -> bool {
    let decides = paths.from(paths.next(asked), &|_| false).into_iter().find(|it| {
        matches!(function.body.block(*it).map(|it| &it.terminator), Some(Terminator::Switch { on: Operand::Place(on), .. })
            if flag(function, &Slot::at(on)) == Some(asked))
    });
    let Some(decides) = decides else { return false };
    paths.next(decides).iter().any(|it| {
        let beyond = paths.from(&[*it], &|_| false);
        function.suspensions.iter().all(|it| !beyond.contains(&it.block))
            && beyond
                .iter()
                .any(|it| function.body.block(*it).is_some_and(|it| it.terminator == Terminator::Return))
    })
}
