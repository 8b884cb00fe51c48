//! Notifications that come before the only change that they can be about, whatever value that leaves: bits of a word, a number that
//! stands for a variant, an argument.
//!
//! Reported if nothing that any waiter for the signal checks changes before the notification, and no notification follows the change.

use super::Change;
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::signals::{How, Operation, Signals, Value, Waiter, Write};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::access::{AccessPaths, Root};
use crate::program::code_ref::call_ref;
use crate::rules::{Certainty, Hit};
use std::collections::BTreeSet;

/// Finds such notifications.
pub(super) fn check(signals: &Signals<'_>, waiters: &[Waiter]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for waiter in waiters.iter().filter(|it| !it.is_ended_otherwise && !it.looks.is_empty()) {
        let others = waiters.iter().filter(|it| it.object == waiter.object);
        let looked_at: BTreeSet<&AbstractObject> = others.flat_map(|it| &it.looks).collect();
        for (id, _) in signals.program.functions().filter(|(id, _)| *id != waiter.id) {
            hits.extend(inverted(signals, id, waiter, &looked_at));
        }
    }
    hits
}

fn inverted(
    signals: &Signals<'_>,
    id: FunctionId,
    waiter: &Waiter,
    looked_at: &BTreeSet<&AbstractObject>,
) -> Option<Hit> {
    let operations = signals.operations(id);
    let is_it = |it: &&Operation| it.notifies() && it.object.as_ref() == Some(&waiter.object);
    let notifies: Vec<&Operation> = operations.iter().filter(is_it).collect();
    if notifies.is_empty() || notifies.iter().any(|it| it.made != (id, it.block)) {
        return None;
    }
    let writes = signals.writes(id);
    let changes: Vec<&Write> =
        writes.iter().filter(|it| it.how != How::Bare && looked_at.contains(&it.state)).collect();
    let function = signals.program.function(id);
    let paths = Paths::of(function);
    let is_before = |one: BlockId, other: BlockId| one == other || paths.leads(one, other);
    if changes.iter().any(|write| notifies.iter().any(|it| is_before(write.block, it.block))) {
        return None;
    }
    let (write, early) = changes.iter().find_map(|write| {
        let leaves = waiter.leaves.get(&write.state);
        let is_open = write.value == Value::Unknown || leaves.is_none();
        let own = write.made == (id, write.block) && write.how == How::Atomic && is_open;
        let counts =
            own && waiter.looks.contains(&write.state) && signals.is_one(&write.state, Some(&waiter.object));
        let early = notifies.iter().find(|it| paths.leads(it.block, write.block)).filter(|_| counts)?;
        is_beside(signals, id, write.block, early.block).then_some((*write, *early))
    })?;
    let changed_by_callers = || {
        signals.callers(id).into_iter().any(|(caller, block)| {
            let paths = Paths::of(signals.program.function(caller));
            signals.is_locked(caller, block)
                || signals
                    .writes(caller)
                    .iter()
                    .any(|it| looked_at.contains(&it.state) && paths.leads(it.block, block))
        })
    };
    let change = Change { signals, id, function, paths, write, waiter };
    if signals.in_one_section(id, early.block, write.block)
        || signals.is_locked(id, write.block)
        || change.is_notified_by_callers()
        || changed_by_callers()
    {
        return None;
    }
    Some(change.hit(
        Certainty::Usually,
        &format!(
            "{} changes after the only notification: a waiter that checked in between waits forever",
            change.state()
        ),
        vec![(call_ref(signals.program, id, early.block), "notified here, before the change".to_owned())],
        "notify after the change",
    ))
}

/// Whether two calls are about parts of the same argument or captured value.
pub(super) fn is_beside(signals: &Signals<'_>, id: FunctionId, one: BlockId, other: BlockId) -> bool {
    let function = signals.program.function(id);
    let access_paths = AccessPaths::of(signals.program, function);
    let root = |at: BlockId| {
        let (call, _) = function.call(at)?;
        let path = access_paths.operand(call.arguments.first()?)?;
        (path.is_one() && !matches!(path.root, Root::Made(_))).then_some(path.root)
    };
    root(one).is_some_and(|it| root(other) == Some(it))
}
