//! Where a body sees an order to stop that stays, and goes on because of it.

use super::{Look, looks};
use crate::body::paths::Paths;
use crate::body::provenance::carried;
use crate::body::select::selects;
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::objects::CallSite;
use crate::facts::termination::order_at;
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::code_ref::{CodeRef, branch_ref, call_ref};
use rvcheck_primitives::{Action, Is};

/// An order to stop that stays once it is given, where a body sees it.
#[derive(Clone, Debug)]
pub(crate) struct Obeyed {
    /// The block that looks or waits.
    pub(crate) at: BlockId,
    /// Where the body goes on when the order was given.
    pub(crate) to: BlockId,
    /// What looks.
    pub(crate) look: CodeRef,
}

/// The places where a body sees that it is to stop for good.
pub(crate) fn obeyed(facts: &Facts<'_>, id: FunctionId) -> Vec<Obeyed> {
    let program = facts.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let mut seen = Vec::new();
    for select in selects(function) {
        for (number, branch) in select.branches.iter().enumerate() {
            let waits = branch.call.is_some_and(|it| waits_for_token(function, it));
            if let Some(to) = branch.arm.filter(|_| waits) {
                seen.push(Obeyed { at: select.made, to, look: branch_ref(program, id, &select, number) });
            }
        }
    }
    for look in looks(facts, id).into_iter().filter(|it| is_for_good(facts, id, *it)) {
        let target = side(function, look).filter(|_| paths.leads(look.call, look.branch));
        seen.extend(target.map(|to| Obeyed { at: look.call, to, look: call_ref(program, id, look.call) }));
    }
    seen
}

fn waits_for_token(function: &Function, block: BlockId) -> bool {
    let known = function.callee(block).likely_row();
    known.is_some_and(|it| it.owner.is == Is::Token && it.operation.action == Action::Wait)
}

/// Whether an order stays once it is given: a token, or a flag that the program only ever sets.
fn is_for_good(facts: &Facts<'_>, id: FunctionId, look: Look) -> bool {
    let program = facts.program;
    let sets = |it: &CallSite| {
        let call = program.function(it.function).call(it.block);
        call.and_then(|(call, _)| call.arguments.get(1)?.truth()) == Some(true)
    };
    let is_set_only = || {
        let order = order_at(program, facts.objects(), id, look.branch)?;
        let uses = facts.orders().get(&order).filter(|it| !it.escapes && !it.given.is_empty())?;
        Some(uses.given.iter().all(sets))
    };
    program.function(id).callee(look.call).is_of(|it| it == Is::Token) || is_set_only() == Some(true)
}

/// Where a body goes on when the order was given: where the branch is straight, what is not `false`.
fn side(function: &Function, look: Look) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), cases, otherwise } =
        &function.body.block(look.branch)?.terminator
    else {
        return None;
    };
    let value = function.definition(&Slot::at(on)).and_then(|it| function.assigned(it));
    let mut straight = true;
    if let Some(value) = value {
        carried(value, &mut straight)?;
    }
    let off = cases.iter().find(|(it, _)| *it == 0).map(|(_, to)| *to);
    if straight { otherwise.filter(|_| off.is_some()) } else { off }
}
