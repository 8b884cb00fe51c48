//! Consumers that take one item per notification, although only one notification is stored for all that come before the wait.
//!
//! Reported if the notifier puts an item into the same collection, and the consumer waits again before it looks for the next.

use super::super::{Certainty, Hit};
use super::orders::{notifications, places};
use crate::body::paths::Paths;
use crate::body::{FunctionId, feasible};
use crate::facts::signals::{Act, How, Operation, Signals, Sort, Value, Waiter, Write, takes_next};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{CodeRef, call_or_await, call_ref};

/// Finds such consumers.
pub(super) fn check(signals: &Signals<'_>, waiters: &[Waiter]) -> Vec<Hit> {
    let waiters = waiters.iter().filter(|it| matches!(it.operation.sort, Sort::Notify | Sort::Thread));
    waiters.filter_map(|it| left_over(signals, it)).collect()
}

fn left_over(signals: &Signals<'_>, waiter: &Waiter) -> Option<Hit> {
    let function = signals.program.function(waiter.id);
    let paths = Paths::of(function);
    let around = paths.loop_around(waiter.wait);
    let given = notifications_of(signals, waiter);
    let is_kept_once = |it: &Operation| matches!(it.act, Act::Notify { everyone: false, stored: true });
    // One that notifies the next itself is no hit, nor one whose notifications mean something else than items.
    let hands_on = || {
        let operations = signals.operations(waiter.id);
        operations.iter().any(|it| it.notifies() && it.sort == waiter.operation.sort)
    };
    if around.is_empty() || given.is_empty() || !given.iter().all(is_kept_once) || hands_on() {
        return None;
    }
    let take = only_taken(signals, waiter, &|it| around.contains(&it))?;
    let looks = |at: BlockId| {
        at == take.block || signals.read_at(waiter.id, at, 4).iter().any(|it| it.state == take.state)
    };
    let behind =
        feasible::from(function, &behind_item(signals, waiter, &take), &|it| it != waiter.wait && looks(it));
    if !behind.contains(&waiter.wait) || !is_put(signals, &given, &take.state) {
        return None;
    }
    let mut related = places(signals, &given, "notifies here; at most one notification is stored");
    related.push((call_ref(signals.program, waiter.id, take.block), "takes one item".to_owned()));
    // Whoever is over with an item, and looks for one before each wait, leaves items to another waiter only.
    let is_over =
        paths.next(take.block).iter().any(|it| {
            let before_next = paths.from(&[*it], &|it| it == waiter.wait);
            before_next.iter().any(|it| function.returns_at(*it))
        }) && paths.to(&[waiter.wait], &|it| it == take.block).iter().all(|it| !paths.before(*it).is_empty());
    Some(Hit {
        certainty: if is_over { Certainty::Doubt } else { Certainty::Usually },
        message: "each notification takes only one item: if two items arrive before the consumer wakes, one is left behind".to_owned(),
        primary: (
            waits_at(signals, waiter), "waits for the next notification here".to_owned()),
        related,
        advice: "take items until none is left, then wait again".to_owned(),
    })
}

/// Where a waiter begins to wait, or awaits a helper that does.
fn waits_at(signals: &Signals<'_>, waiter: &Waiter) -> CodeRef {
    let Waiter { id, operation, .. } = waiter;
    if operation.made.0 == *id {
        call_ref(signals.program, *id, operation.block)
    } else {
        call_or_await(signals.program, *id, waiter.wait)
    }
}

/// The notifications of a waiter. Any handle may unpark a thread.
fn notifications_of(signals: &Signals<'_>, waiter: &Waiter) -> Vec<Operation> {
    if waiter.operation.object.is_some() {
        return notifications(signals, &waiter.object);
    }
    let functions = signals.program.functions();
    let all = functions.flat_map(|(id, _)| {
        let operations = signals.operations(id);
        let own = operations.iter().filter(|it| it.notifies() && it.made == (id, it.block)).cloned();
        own.collect::<Vec<_>>()
    });
    all.filter(|it| it.sort == waiter.operation.sort).collect()
}

/// The one place in an iteration of a waiter that takes an item out of shared state.
fn only_taken(
    signals: &Signals<'_>,
    waiter: &Waiter,
    in_iteration: &dyn Fn(BlockId) -> bool,
) -> Option<Write> {
    let writes = signals.writes(waiter.id);
    let is_taken = |it: &&Write| {
        let (made, at) = it.made;
        it.how != How::Bare
            && signals.is_known(&it.state)
            && in_iteration(it.block)
            && takes_next(signals.program.function(made), at)
    };
    let mut taken = writes.iter().filter(is_taken);
    let only = taken.next().filter(|_| taken.next().is_none())?;
    let is_whole =
        signals.is_repeated_within(waiter.id, only) || !signals.is_one(&only.state, Some(&waiter.object));
    (!is_whole).then(|| only.clone())
}

/// Where a waiter goes on with an item.
fn behind_item(signals: &Signals<'_>, waiter: &Waiter, take: &Write) -> Vec<BlockId> {
    let paths = Paths::of(signals.program.function(waiter.id));
    let behind = paths.from(paths.next(take.block), &|it| it == take.block || it == waiter.wait);
    let tests = signals.decisions(waiter.id).into_iter().filter(|it| behind.contains(&it.block));
    let mut sides =
        tests.filter_map(|it| it.test).filter(|it| it.state == take.state).flat_map(|it| it.leads);
    let with_item = sides.find(|(value, _)| *value == Value::Filled(true)).map(|(_, to)| to);
    with_item.map_or_else(|| paths.next(take.block).to_vec(), |it| vec![it])
}

/// Whether somebody who notifies puts an item there.
fn is_put(signals: &Signals<'_>, given: &[Operation], state: &AbstractObject) -> bool {
    let puts = |id: FunctionId| {
        let writes = signals.writes(id);
        writes.iter().any(|it| it.state == *state && it.how != How::Bare && it.value == Value::Filled(true))
    };
    given.iter().any(|it| {
        let notifies = it.made.0;
        puts(notifies) || signals.callers(notifies).iter().any(|(caller, _)| puts(*caller))
    })
}
