//! Where a body asks whether it is to stop.

use crate::body::provenance::flag;
use crate::body::select::selects;
use crate::body::walk;
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::termination::order_at;
use crate::mir::{BlockId, Local, Operand, Rvalue, Terminator};
use crate::program::Program;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is, Row, Word};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// A place where a body asks whether it is to stop, and goes on accordingly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Look {
    /// The call that asks.
    pub(crate) call: BlockId,
    /// The block that ends in the branch by the answer.
    pub(crate) branch: BlockId,
}

/// The places where a body goes by whether it is to stop.
pub(crate) fn looks(facts: &Facts<'_>, id: FunctionId) -> Vec<Look> {
    let program = facts.program;
    let function = program.function(id);
    let branches = function.blocks().filter(|(_, it)| !it.cleanup).filter_map(|(branch, block)| {
        let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else { return None };
        if !function.type_of(on).is_some_and(Ty::is_bool) {
            return None;
        }
        let call = asked(function, &Slot::at(on))?;
        let is_order = || {
            let order = order_at(program, facts.objects(), id, branch)?;
            facts.orders().get(&order).filter(|it| !it.given.is_empty())
        };
        (asks_to_stop(program, function, call) || is_order().is_some()).then_some(Look { call, branch })
    });
    branches.collect()
}

/// The call whose result a flag is, also where that is compared.
fn asked(function: &Function, slot: &Slot) -> Option<BlockId> {
    flag(function, slot).or_else(|| match function.assigned(function.definition(slot)?)? {
        Rvalue::Made(_, parts) => {
            parts.iter().filter_map(Operand::place).find_map(|it| flag(function, &Slot::at(it)))
        }
        _ => None,
    })
}

/// How deep functions are followed that give an answer.
const DEEPEST: usize = 3;

/// Whether the call at the end of a block asks whether to stop, itself or by functions that give the answer.
pub(crate) fn asks_to_stop(program: &Program, function: &Function, block: BlockId) -> bool {
    asks_within(program, function, block, DEEPEST)
}

fn asks_within(program: &Program, function: &Function, block: BlockId, depth: usize) -> bool {
    if asks(function, block) {
        return true;
    }
    let inner = program.one_called(function, block);
    let Some(inside) = inner.filter(|_| depth > 0).map(|it| program.function(it)) else { return false };
    let Some(answer) = flag(inside, &Slot::of(Local(0))).filter(|_| inside.body.type_of(Local(0)).is_bool())
    else {
        return false;
    };
    asks_within(program, inside, answer, depth - 1)
        || compared(inside, answer).is_some_and(|it| asks_within(program, inside, it, depth - 1))
}

/// What gave the value that a call compares with something.
fn compared(function: &Function, block: BlockId) -> Option<BlockId> {
    let (call, callee) = function.call(block)?;
    callee.of_trait().filter(|it| *it == "PartialEq")?;
    flag(function, &Slot::at(call.place(0)?))
}

/// Whether the call at the end of a block reads a flag, a value that is watched, or whether a token is cancelled.
fn asks(function: &Function, block: BlockId) -> bool {
    let callee = function.callee(block);
    let looks = callee.likely_row().is_some_and(|Row { owner, operation }| match owner.is {
        Is::Flag(Word::Bool) => operation.action == Action::Load,
        Is::End(end) => !end.queues && !end.sends && matches!(operation.action, Action::Request(_)),
        _ => false,
    });
    looks || callee.asks() && callee.is_of(|it| it == Is::Token)
}

/// Whether the call at the end of a block asks for what only others change, and does not wait for it.
pub(crate) fn asks_others(program: &Program, function: &Function, block: BlockId) -> bool {
    function.call(block).is_some_and(|(_, callee)| callee.asks() || callee.tries_to_receive())
        || asks_to_stop(program, function, block)
}

/// How many bodies are looked into for a look.
const MOST: usize = 64;

/// Whether something in these blocks of a body, or that they call, may ask whether to stop: what asks how things are, gives messages, is
/// behind a lock, or says what time it is.
pub(crate) fn may_look(facts: &Facts<'_>, id: FunctionId, blocks: &BTreeSet<BlockId>) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let function = program.function(id);
    let selects = selects(function).into_iter().any(|it| blocks.contains(&it.poll));
    if selects || blocks.iter().any(|it| may_ask(program, function, *it)) {
        return true;
    }
    let called = blocks.iter().flat_map(|it| bodies(program, objects, id, function, *it));
    let mut left = MOST;
    walk::search(called, |id| {
        let inside = program.function(id);
        left = left.saturating_sub(1);
        if left == 0 || inside.calls().any(|(it, ..)| may_ask(program, inside, it)) {
            return Break(());
        }
        let next = inside.calls().flat_map(|(it, ..)| bodies(program, objects, id, inside, it));
        Continue(next.collect::<Vec<_>>())
    })
    .is_some()
}

fn may_ask(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((_, callee)) = function.call(block) else { return false };
    let is_library = program.called(function, block).is_none();
    // Locks are taken by methods of their own; `write` of a trait is another one.
    let locks = callee.requests() && callee.of_trait().is_none();
    let asks = callee.asks() || locks || callee.receives() || callee.tries_to_receive();
    is_library && (asks || callee.reads_clock()) || asks_to_stop(program, function, block)
}
