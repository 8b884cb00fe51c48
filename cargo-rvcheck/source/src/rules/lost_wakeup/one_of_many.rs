//! A request to end that reaches one agent, although many that share the signal are spawned in a loop, and each waits for it once.

use super::super::{Certainty, Hit};
use super::orders::{is_repeated, notifications, places, stopping};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::objects::Objects;
use crate::facts::signals::{Act, Operation, Signals, Sort, Waiter};
use crate::program::code_ref::call_ref;

/// Finds such orders.
pub(super) fn check(signals: &Signals<'_>, objects: &Objects, waiters: &[Waiter]) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    let waiters = waiters.iter().filter(|it| matches!(it.operation.sort, Sort::Notify | Sort::Event));
    for waiter in waiters {
        let hit = one_of_many(signals, objects, waiter);
        hits.extend(hit.filter(|it| hits.iter().all(|known| known.primary != it.primary)));
    }
    hits
}

fn one_of_many(signals: &Signals<'_>, objects: &Objects, waiter: &Waiter) -> Option<Hit> {
    let program = signals.program;
    let given = notifications(signals, &waiter.object);
    let [only] = given.as_slice() else { return None };
    let is_for_one = matches!(only.act, Act::Notify { everyone: false, .. });
    if !is_for_one || is_repeated(signals, only.made) {
        return None;
    }
    // One that notifies hands it on.
    let runners = signals.runners(waiter.id);
    let notifies = |id: FunctionId| {
        let operations = signals.operations(id);
        operations.iter().any(|it| it.notifies() && it.object.as_ref() == Some(&waiter.object))
    };
    let spawned = signals.spawned_in_loops(objects, waiter.id);
    let spawn_loop = spawned.iter().find(|it| signals.is_shared_in(it, &waiter.object))?;
    let roots = objects.spawns.get(&spawn_loop.spawn).map(|it| &it.roots)?;
    let is_run = |it: &FunctionId| {
        let machine = |root| program.machine_made_by(root).map(|(it, _)| it);
        roots.iter().any(|root| root == it || machine(*root) == Some(*it))
    };
    if runners.iter().any(|it| (*it == waiter.id || is_run(it)) && notifies(*it))
        || !is_order(signals, waiter, &is_run)
    {
        return None;
    }
    let Operation { block, .. } = waiter.operation;
    let mut related = places(signals, &given, "wakes one of them");
    related.push((
        call_ref(program, spawn_loop.spawn.function, spawn_loop.spawn.block),
        "many are spawned here".to_owned(),
    ));
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "many tasks wait for {}, but one notification wakes only one of them: the others wait forever",
            waiter.object.called(program, "this")
        ),
        primary: (call_ref(program, waiter.id, block), "each of them waits here".to_owned()),
        related,
        advice: "use `CancellationToken` or a `watch` channel; or notify all, once each of them has started to wait".to_owned(),
    })
}

/// Whether whoever is notified waits for that signal no more. One that waits again does so for something else than an end.
fn is_order(signals: &Signals<'_>, waiter: &Waiter, begins: &dyn Fn(&FunctionId) -> bool) -> bool {
    let function = signals.program.function(waiter.id);
    let at = waiter.operation.block;
    if stopping(function).iter().any(|it| it.made == at && it.select.poll == waiter.wait) {
        return true;
    }
    // What the loop around the spawn repeats is another agent.
    let mut open = vec![(waiter.id, at, 0)];
    while let Some((id, at, depth)) = open.pop() {
        if Paths::of(signals.program.function(id)).repeats(at) {
            return false;
        }
        if depth < 3 && !begins(&id) {
            open.extend(signals.callers(id).into_iter().map(|(it, at)| (it, at, depth + 1)));
        }
    }
    true
}
