//! A notification that goes to a waiter that is gone, and not to the next one.
//!
//! Waiters queue; each notification takes the first out and wakes it. One that was dropped meanwhile is still in the queue, and swallows
//! the notification: if nothing checks whether it could be sent, or nothing takes a dropped waiter out. What is sent may also pass the
//! notification on in its own `Drop`.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::signals::{Act, Operation, Signals, Sort, takes_next};
use crate::mir::{BlockId, Rvalue, Terminator};
use crate::program::code_ref::{call_or_await, call_ref};

/// Finds such notifications.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let program = signals.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let operations = signals.operations(id);
        let own = operations.iter().filter(|it| it.made == (id, it.block) && it.notifies());
        for notification in own.filter(|it| matches!(it.sort, Sort::Listed)) {
            let Some(taken) = taken_one(function, notification.block) else { continue };
            let Some(waiter) = cancelled(signals, notification) else { continue };
            if is_looked_at(function, notification.block) || goes_to_the_next(signals, id, notification.block)
            {
                continue;
            }
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "the first waiter in the queue is notified without checking that it still waits: if its future was dropped, \
                          the notification is lost and the next waiter sleeps on"
                    .to_owned(),
                primary: (call_ref(program, id, notification.block), "notified here, whether or not it still waits".to_owned()),
                related: vec![
                    (call_ref(program, id, taken), "taken out of the queue here".to_owned()),
                    (call_or_await(program, waiter.0, waiter.1), "queued here, and dropped with its future".to_owned()),
                ],
                advice: "take waiters out of the queue until one accepts the notification".to_owned(),
            });
        }
    }
    hits
}

/// The block that takes one waiter out of a queue for the notification, outside of a loop.
fn taken_one(function: &Function, notifies: BlockId) -> Option<BlockId> {
    let (call, _) = function.call(notifies)?;
    let taken = source(function, &Slot::at(call.place(0)?))?;
    let paths = Paths::of(function);
    (takes_next(function, taken) && !paths.repeats(notifies)).then_some(taken)
}

/// Where a task queues itself, and awaits.
fn cancelled(signals: &Signals<'_>, notification: &Operation) -> Option<(FunctionId, BlockId)> {
    signals.program.functions().filter(|(_, it)| it.kind == Kind::Coroutine).find_map(|(id, function)| {
        let operations = signals.operations(id);
        let queued = operations.iter().find(|it| {
            it.act == Act::Register
                && it.sort == Sort::Listed
                && it.object.is_some()
                && it.object == notification.object
        })?;
        let paths = Paths::of(function);
        let awaits = function.suspensions.iter().any(|it| paths.leads(queued.block, it.block));
        awaits.then_some((id, queued.block))
    })
}

/// Whether what could not be sent goes to the next one where it is dropped, as by a guard that goes back to its pool.
fn goes_to_the_next(signals: &Signals<'_>, id: FunctionId, block: BlockId) -> bool {
    let function = signals.program.function(id);
    let Some(sent) = function.call(block).and_then(|(call, _)| call.place(1)) else {
        return false;
    };
    let dropped = function.type_of(sent).and_then(|it| signals.program.drop_of(it));
    dropped.is_some_and(|it| signals.operations(it).iter().any(Operation::notifies))
}

/// Whether the result of a call is looked at, or handed on.
fn is_looked_at(function: &Function, block: BlockId) -> bool {
    let Some((call, _)) = function.call(block) else { return true };
    let mut slots = vec![Slot::at(&call.into)];
    let mut at = 0;
    while let Some(slot) = slots.get(at).cloned() {
        at += 1;
        if slot.local.0 == 0 || at > 16 {
            return true;
        }
        for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for statement in &block.statements {
                let crate::mir::Statement::Assign(into, value) = statement else { continue };
                let of_it =
                    value.places().any(|it| it.local == slot.local && Slot::at(it).within(&slot).is_some());
                match value {
                    Rvalue::Discriminant(_) if of_it => return true,
                    _ if of_it && !slots.contains(&Slot::at(into)) => slots.push(Slot::at(into)),
                    _ => {}
                }
            }
            if let Terminator::Call(call) = &block.terminator {
                let given =
                    call.places().any(|it| it.local == slot.local && Slot::at(it).within(&slot).is_some());
                let mark = call.callee.text().contains("__rv_");
                if given && mark {
                    if !slots.contains(&Slot::at(&call.into)) {
                        slots.push(Slot::at(&call.into));
                    }
                } else if given
                    && !call.callee.text().ends_with("::ok")
                    && !call.callee.text().starts_with("drop")
                {
                    return true;
                }
            }
        }
    }
    false
}
