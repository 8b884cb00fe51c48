//! What a path through a body does, if it does anything.

use super::open_drop::open_drop;
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};
use crate::ty::Ty;
use std::ops::ControlFlow::{Break, Continue};

/// A branch at the end of a block, by what was made anew at another block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    /// Where what decides is made: who comes there again decides about something else.
    pub(crate) made: BlockId,
    /// The block that branches.
    pub(crate) at: BlockId,
}

/// Whether nothing is done where a branch finds one variant, before both ways are together again.
pub(crate) fn passes_over(
    function: &Function,
    paths: &Paths,
    branch: Branch,
    variant: i128,
    other: i128,
) -> bool {
    let Some(Terminator::Switch { cases, otherwise, .. }) =
        function.body.block(branch.at).map(|it| &it.terminator)
    else {
        return false;
    };
    let target = |of: i128| cases.iter().find(|(it, _)| *it == of).map(|(_, to)| *to).or(*otherwise);
    match (target(variant), target(other)) {
        (Some(side), Some(other)) if side != other => joins(function, paths, branch, side, other),
        _ => false,
    }
}

/// Whether nothing is done from one block on before something is reached to which the other one leads, too: before the next iteration,
/// or behind the loop.
pub(crate) fn joins(
    function: &Function,
    paths: &Paths,
    branch: Branch,
    side: BlockId,
    other: BlockId,
) -> bool {
    let around = paths.loop_around(branch.at);
    let in_this_iteration = paths.from(&[other], &|it| it == branch.at || it == branch.made);
    let in_any = paths.from(&[other], &|it| it == branch.at);
    let is_reached =
        |it: &BlockId| in_this_iteration.contains(it) || in_any.contains(it) && !around.contains(it);
    let does_something = walk::search([side], |block| {
        if is_reached(&block) || block == branch.made {
            Continue(Vec::new())
        } else if block == branch.at {
            Break(())
        } else if let Some(end) = open_drop(function, block) {
            Continue(vec![end])
        } else if is_idle(function, block) {
            Continue(paths.next(block).to_vec())
        } else {
            Break(())
        }
    });
    does_something.is_none()
}

/// Whether a block only drops what is no longer used, and goes on.
fn is_idle(function: &Function, id: BlockId) -> bool {
    let Some(block) = function.body.block(id) else { return false };
    let idle = |it: &Statement| match it {
        Statement::Assign(into, Rvalue::Use(Operand::Constant(_))) => {
            let slot = Slot::at(into);
            function.type_of(into).is_some_and(Ty::is_unit) && slot.steps.len() == function.root(&slot)
                || is_drop_flag(function, &slot)
        }
        // The error gets a name.
        Statement::Assign(into, Rvalue::Use(Operand::Place(from))) => {
            let is_own = into.projections.is_empty() && function.definitions(&Slot::at(into)).len() == 1;
            is_own && from.is_of_variant("Err")
        }
        Statement::Assign(..) | Statement::State(..) => false,
        Statement::Nothing => true,
    };
    let goes_on = match &block.terminator {
        Terminator::Goto(_) | Terminator::Drop { .. } => true,
        Terminator::Switch { on: Operand::Place(on), .. } => is_drop_flag(function, &Slot::at(on)),
        _ => false,
    };
    goes_on && block.statements.iter().all(idle)
}

/// Whether a slot is a flag that the compiler has put in: one that gets constants alone, and only decides whether something is dropped.
/// The flag that `matches!` gives decides about more.
fn is_drop_flag(function: &Function, slot: &Slot) -> bool {
    if !slot.steps.is_empty() || !function.body.type_of(slot.local).is_bool() {
        return false;
    }
    let constant =
        |it: &Definition| matches!(function.assigned(*it), Some(Rvalue::Use(Operand::Constant(_))));
    let is_it = |it: &Operand| it.place().is_some_and(|it| it.local == slot.local);
    let drops = |it: Option<BlockId>, or: BlockId| {
        let block = it.and_then(|it| function.body.block(it));
        block.is_some_and(|it| {
            it.statements.is_empty()
                && matches!(it.terminator, Terminator::Drop { target, .. } if target == Some(or))
        })
    };
    let mut decides = false;
    for (_, block) in function.blocks() {
        let copied = block.assignments().any(|(_, value)| value.places().any(|it| it.local == slot.local));
        let fits = match &block.terminator {
            Terminator::Switch { on, cases, otherwise } if is_it(on) => {
                decides = true;
                matches!(cases.as_slice(), [(0, or)] if drops(*otherwise, *or))
            }
            Terminator::Call(call) => !call.arguments.iter().any(is_it),
            _ => true,
        };
        if copied || !fits {
            return false;
        }
    }
    decides && function.definitions(slot).iter().all(constant)
}
