//! A number that one operation takes from a counter, and a later one sends: two tasks may send in the other order, and whoever receives goes by
//! the order of the numbers.

use super::super::{Certainty, Hit};
use super::held;
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId, Slot};
use crate::facts::partial_updates::effect::{Change, Effect, Effects};
use crate::facts::partial_updates::made_of;
use crate::facts::partial_updates::state::{Reach, of_operand, of_place};
use crate::mir::{BlockId, Local, Operand, Place};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, call_or_await, call_ref};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is, Leaves};
use std::collections::BTreeMap;

/// The field of a type.
pub(super) type Field = (String, u32);

/// By field of a message: where it is compared with the last one, by a body that keeps that.
pub(super) type Ordered = BTreeMap<Field, CodeRef>;

/// The numbers in messages by whose order somebody goes.
pub(super) fn ordered(effects: &Effects<'_>) -> Ordered {
    let program = effects.program;
    let mut found = Ordered::new();
    for (id, function) in program.functions() {
        let branches = function.blocks().filter(|(_, it)| !it.cleanup);
        for (block, body) in branches {
            let compared = body.assignments().filter_map(|(_, value)| value.operated());
            for (_, parts) in compared.filter(|it| it.0.compares()) {
                let fields: Vec<Option<Field>> =
                    parts.iter().map(|it| field_of(program, function, it)).collect();
                let [Some(one), Some(other)] = &fields[..] else { continue };
                for (of, kept) in [(one, other), (other, one)] {
                    if of.0 != kept.0 && keeps(program, function, kept) {
                        found.entry(of.clone()).or_insert_with(|| call_ref(program, id, block));
                    }
                }
            }
        }
    }
    // Whoever sorts them by their numbers takes them in any order.
    let sorts = |of: &Field, id: FunctionId| {
        let is_key = |it: &Effect| it.key.as_ref().and_then(|it| it.field.as_ref()) == Some(of);
        effects.in_body(id).iter().any(|it| it.change == Change::Put && is_key(it))
    };
    found.retain(|of, _| !program.functions().any(|(id, _)| sorts(of, id)));
    found
}

/// The field that a number is read from.
fn field_of(program: &Program, function: &Function, operand: &Operand) -> Option<Field> {
    let place = operand.place()?;
    let direct = |it: &Place| of_place(program, function, it)?.field;
    let is_number = function.type_of(place).is_some_and(Ty::is_integer);
    let slot = Slot::at(place);
    let moved = || function.places_of(function.definition(&slot)?).next().and_then(direct);
    if slot.steps.is_empty() { moved() } else { direct(place) }.filter(|_| is_number)
}

/// Whether a body makes the next one of a number that it keeps, so that it goes by the order.
fn keeps(program: &Program, function: &Function, kept: &Field) -> bool {
    let is_it =
        |it: &Place| of_place(program, function, it).is_some_and(|it| it.field.as_ref() == Some(kept));
    let blocks = function.blocks().filter(|(_, it)| !it.cleanup);
    blocks.flat_map(|(_, it)| it.assignments()).any(|(into, _)| !into.projections.is_empty() && is_it(into))
}

/// Finds such numbers in a body.
pub(super) fn check(
    effects: &Effects<'_>,
    ordered: &Ordered,
    id: FunctionId,
    function: &Function,
) -> Vec<Hit> {
    if ordered.is_empty() {
        return Vec::new();
    }
    let program = effects.program;
    let paths = Paths::of(function);
    let mut hits = Vec::new();
    for (drawn, ..) in function.calls().filter(|(it, ..)| draws(effects, function, *it)) {
        let made = made_of(function, drawn);
        let sent = function.calls().find_map(|(block, call, callee)| {
            let sends = callee
                .row()
                .is_some_and(|it| it.operation.action == Action::Send && matches!(it.owner.is, Is::End(_)));
            let message = call.place(1).filter(|_| sends && paths.leads(drawn, block))?;
            let channel = of_operand(program, function, call.arguments.first()?)?;
            let is_shared = channel.field.is_some() && channel.whose() == Reach::Shared;
            let of =
                function.type_of(message).and_then(|ty| ordered.iter().find(|it| it.0.0 == ty.name()))?;
            let is_made = made.contains(&function.whole(&Slot::at(message)));
            (is_shared && is_made).then_some((block, of.1.clone()))
        });
        let Some((sent, compared)) = sent else { continue };
        if !held(program, id, drawn).is_disjoint(&held(program, id, sent)) {
            continue;
        }
        hits.push(Hit {
            certainty: Certainty::Usually,
            message: "this number is taken before the message is sent, by a separate operation: two tasks can send theirs in the other order"
                .to_owned(),
            primary: (call_or_await(program, id, drawn), "the number is taken here".to_owned()),
            related: vec![
                (call_or_await(program, id, sent), "sent here".to_owned()),
                (compared, "the receiver goes by the order".to_owned()),
            ],
            advice: "take the number and send the message under one lock, or let the receiver number the messages".to_owned(),
        });
    }
    hits
}

/// Whether a call takes the next number of a counter that is shared.
fn draws(effects: &Effects<'_>, function: &Function, block: BlockId) -> bool {
    let program = effects.program;
    let counts = |id: FunctionId, at: Option<BlockId>| {
        let all = effects.in_body(id);
        all.iter().any(|it| {
            matches!(it.change, Change::Up(_))
                && it.state.whose() == Reach::Shared
                && at.is_none_or(|at| it.block == at)
        })
    };
    match program.one_called(function, block) {
        Some(called) => program.function(called).body.type_of(Local(0)).is_integer() && counts(called, None),
        None => function.callee(block).row().is_some_and(|it| it.operation.leaves == Some(Leaves::More)),
    }
}
