//! Several items or permits are added at once, but one waiter is notified, takes only its share and is done.

use super::{Certainty, Hit, is_for_all};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::objects::Objects;
use crate::facts::signals::{How, Operation, Signals, Waiter, Write, is_of_several, is_part};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;

/// Such a notification.
pub(super) fn check(
    signals: &Signals<'_>,
    objects: &Objects,
    id: FunctionId,
    notification: &Operation,
    waiting: &[&Waiter],
) -> Option<Hit> {
    let program = signals.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let operations = signals.operations(id);
    let given = operations.iter().filter(|it| it.notifies() && it.object == notification.object).count();
    if given != 1 || paths.repeats(notification.block) {
        return None;
    }
    let writes = signals.writes(id);
    let mut puts = writes.iter().filter(|it| {
        it.made.0 == id
            && it.how != How::Bare
            && (it.block == notification.block || paths.leads(it.block, notification.block))
            && is_of_several(function, it)
    });
    let waiter = puts.find_map(|write| {
        waiting.iter().find(|waiter| {
            waiter.leaves.get(&write.state).is_some_and(|it| it.contains(&write.value))
                && takes_its_own(signals, waiter, &write.state)
                && is_for_all(signals, objects, waiter)
                && !signals.operations(waiter.id).iter().any(Operation::notifies)
        })
    })?;
    Some(Hit {
        certainty: Certainty::Usually,
        message: "several items can be added at once, but only one waiter is notified and takes its share: the others sleep on \
                  although items are left".to_owned(),
        primary: (call_ref(program, id, notification.block), "notifies one waiter".to_owned()),
        related: vec![(call_ref(program, waiter.id, waiter.wait), "each waiter waits here".to_owned())],
        advice: "notify all waiters, or one per added item; or let each waiter notify the next while items are left".to_owned(),
    })
}

/// Whether a waiter takes a part of the state, and not all of it, and is over with that.
fn takes_its_own(signals: &Signals<'_>, waiter: &Waiter, state: &AbstractObject) -> bool {
    let own = Paths::of(signals.program.function(waiter.id));
    let writes = signals.writes(waiter.id);
    let taken: Vec<&Write> = writes.iter().filter(|it| it.state == *state).collect();
    !taken.is_empty()
        && taken.iter().all(|it| {
            let (made, _) = it.made;
            let function = signals.program.function(made);
            let behind = own.from(own.next(it.block), &|it| it == waiter.wait);
            is_part(function, it)
                && !signals.is_repeated_within(waiter.id, it)
                && !taken.iter().any(|it| behind.contains(&it.block))
        })
}
