//! Values that a `watch` does not keep: `send` returns them if there is no receiver, and a later subscriber waits for them.
//!
//! Reported if the first receiver is dropped as soon as it is made, others are made later and wait, and the result of `send` is ignored.

use super::super::{Certainty, Hit};
use crate::body::provenance::source;
use crate::body::{Callee, Function, FunctionId, Slot};
use crate::facts::signals::{Act, Signals, Sort};
use crate::mir::{BlockId, Place, Rvalue, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::fills::fills;
use crate::program::library::mentions_watch;
use rvcheck_primitives::{Action, Capacity, Holds, holds};
use std::collections::BTreeMap;

/// Finds such values.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let program = signals.program;
    let alone = made_alone(signals);
    let mut hits = Vec::new();
    if alone.is_empty() {
        return hits;
    }
    for (id, function) in program.functions() {
        for (block, call, callee) in function.calls() {
            let Some(on) = call.place(0) else { continue };
            let of_watch = function.type_of(on).is_some_and(|it| mentions_watch(it, true));
            if callee.name() != "send" || !of_watch || is_used(function, &call.into, block) {
                continue;
            }
            let Some(object) = signals.based(id, on) else { continue };
            let Some(made) = alone.get(&object) else { continue };
            let Some(waits) = waits_later(signals, &object, id) else { continue };
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "`send` does not keep the value while there is no receiver, and its result is ignored: a later subscriber waits \
                          for it forever"
                    .to_owned(),
                primary: (call_ref(program, id, block), "may be sent to no receiver".to_owned()),
                related: vec![
                    (call_or_await(program, waits.0, waits.1), "subscribes later, and waits".to_owned()),
                    (call_ref(program, made.0, made.1), "created here, without keeping a receiver".to_owned()),
                ],
                advice: "use `send_replace` or `send_modify`, which keep the value; or keep a receiver".to_owned(),
            });
        }
    }
    hits
}

/// The senders whose first receiver goes at once, with where they are made.
fn made_alone(signals: &Signals<'_>) -> BTreeMap<AbstractObject, (FunctionId, BlockId)> {
    let program = signals.program;
    let mut found = BTreeMap::new();
    for fill in fills(program) {
        let function = program.function(fill.function);
        if !function.type_of(fill.from).is_some_and(|it| mentions_watch(it, true)) {
            continue;
        }
        let Some(made) = made_at(function, fill.from) else { continue };
        let Some((call, _)) = function.call(made) else { continue };
        let alone = match function.callee(made).row().map(|it| it.operation.action) {
            Some(Action::Make(Capacity::None)) => true,
            Some(Action::Make(_)) => !keeps_receiver(function, &call.into),
            _ => false,
        };
        if alone {
            let field = AbstractObject::Field(fill.of.clone(), fill.field);
            found.insert(signals.same(field), (fill.function, made));
        }
    }
    found
}

/// The call that makes a sender, before it was put into a handle.
fn made_at(function: &Function, from: &Place) -> Option<BlockId> {
    let mut from = from.clone();
    for _ in 0..4 {
        let made = source(function, &Slot::at(&from))?;
        let (call, callee) = function.call(made)?;
        if !callee.wraps() || !holds(callee.owner()).is_some_and(Holds::is_pointer) {
            return Some(made);
        }
        from = call.place(0)?.clone();
    }
    None
}

/// Whether the receiver of a pair is moved to anywhere but where it is dropped.
fn keeps_receiver(function: &Function, pair: &Place) -> bool {
    let mut receivers = vec![];
    for (at, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            let of_receiver = value.places().any(|it| {
                it.local == pair.local && function.type_of(it).is_some_and(|it| mentions_watch(it, false))
                    || receivers.contains(&it.local)
            });
            // The whole pair may be marked or moved first.
            let whole = value.places().any(|it| it.local == pair.local && it.projections.is_empty());
            if whole {
                return keeps_receiver(function, into);
            }
            if of_receiver {
                if !matches!(value, Rvalue::Use(_)) || !into.projections.is_empty() || into.local.0 == 0 {
                    return true;
                }
                receivers.push(into.local);
            }
        }
        if let Terminator::Call(call) = &block.terminator {
            let given = |it: &Place| {
                receivers.contains(&it.local)
                    || it.local == pair.local
                        && (it.projections.is_empty()
                            || function.type_of(it).is_some_and(|it| mentions_watch(it, false)))
            };
            if call.places().any(given) {
                // A mark hands the pair on.
                if function.callee(at).hands_on() {
                    return keeps_receiver(function, &call.into);
                }
                return !function.callee(at).is_drop();
            }
        }
    }
    false
}

/// Whether what a call gives is looked at or handed on.
fn is_used(function: &Function, into: &Place, at: BlockId) -> bool {
    let mut values = vec![into.local];
    let mut seen = 0;
    while let Some(value) = values.get(seen).copied() {
        seen += 1;
        if value.0 == 0 || seen > 12 {
            return true;
        }
        for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (to, from) in block.assignments() {
                if from.places().any(|it| it.local == value) {
                    if matches!(from, Rvalue::Discriminant(_)) {
                        return true;
                    }
                    values.push(to.local);
                }
            }
            if let Terminator::Call(call) = &block.terminator
                && id != at
                && call.places().any(|it| it.local == value)
            {
                let callee = function.call(id).map(|(_, it)| it);
                let lost = callee.as_ref().is_some_and(|it| it.is_drop() || it.name() == "ok");
                if callee.is_some_and(Callee::hands_on) {
                    values.push(call.into.local);
                } else if !lost {
                    return true;
                }
            }
        }
    }
    false
}

/// Where a receiver of a sender is made later, and waits.
fn waits_later(
    signals: &Signals<'_>,
    object: &AbstractObject,
    sender: FunctionId,
) -> Option<(FunctionId, BlockId)> {
    signals.program.functions().filter(|(id, _)| *id != sender).find_map(|(id, _)| {
        let operations = signals.operations(id);
        let it = operations.iter().find(|it| {
            it.act == Act::Register && it.sort == Sort::Subscription && it.object.as_ref() == Some(object)
        })?;
        Some((id, it.block))
    })
}
