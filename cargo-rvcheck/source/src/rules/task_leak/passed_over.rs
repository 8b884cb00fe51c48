//! Handles with which nothing is done but to drop them.

use crate::body::select::selects;
use crate::body::{Function, FunctionId, Slot, owner};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, await_ref};
use std::collections::BTreeSet;

/// The place of the `select!` that is given the handle which the call at the end of `spawned` gives, where that is all that is done with
/// it, at `used`. It does not come back: who waits for `&mut handle` can still abort it.
pub(super) fn by_select(
    program: &Program,
    id: FunctionId,
    spawned: BlockId,
    used: BlockId,
) -> Option<CodeRef> {
    let function = program.function(id);
    function.call(used).filter(|(_, callee)| callee.is_trait("IntoFuture", "into_future"))?;
    let of_branch = |it: &crate::body::select::Branch| !it.is_kept() && it.call == Some(spawned);
    let select = selects(function).into_iter().find(|it| it.branches.iter().any(of_branch))?;
    Some(await_ref(program, id, select.poll))
}

/// Whether a call takes something out of a place, as `Option::take` does, and what it gives is only dropped.
pub(super) fn is_dropped(function: &Function, id: BlockId) -> bool {
    let Some((call, _)) =
        function.call(id).filter(|(_, callee)| owner(&callee.path) == "Option" && callee.name() == "take")
    else {
        return false;
    };
    let mut taken = BTreeSet::from([Slot::at(&call.into)]);
    loop {
        let before = taken.len();
        for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for statement in &block.statements {
                let Statement::Assign(into, value) = statement else { continue };
                let touches = |it: &Slot| taken.iter().any(|of| it.within(of).is_some());
                if !value.places().any(|it| touches(&Slot::at(it))) {
                    continue;
                }
                let into = Slot::at(into);
                match value {
                    Rvalue::Discriminant(_) => {}
                    Rvalue::Use(Operand::Place(_))
                        if into.local.0 != 0 && into.steps.len() == function.root(&into) =>
                    {
                        taken.insert(into);
                    }
                    _ => return false,
                }
            }
            if let Terminator::Call(call) = &block.terminator
                && call.arguments.iter().filter_map(Operand::place).any(|it| taken.contains(&Slot::at(it)))
                && !call.callee.contains("drop::<")
            {
                return false;
            }
        }
        if taken.len() == before {
            return true;
        }
    }
}
