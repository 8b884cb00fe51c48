//! One notification where several waiters may need it.
//!
//! - Waiters of one condition variable wait for different things, and `notify_one` may wake one that waits for the other.
//! - Each waiter waits for [something of its own](own_condition), which its caller passes.
//! - [Several](several) items or permits are added at once, but one waiter is notified, and takes only its share.
//! - What ends all waiters for good is reported to one of them, and that one does not pass it on.

mod own_condition;
mod several;

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{FunctionId, Kind, feasible};
use crate::facts::objects::Objects;
use crate::facts::signals::{Act, How, Operation, Signals, Sort, Value, Waiter, Write};
use crate::mir::{BlockId, Local};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::callers::maker;
use crate::program::code_ref::call_ref;
use crate::ty::Ty;
use std::collections::BTreeSet;

/// Finds such notifications.
pub(super) fn check(signals: &Signals<'_>, objects: &Objects, all: &[Waiter]) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut known = BTreeSet::new();
    let waiters: Vec<&Waiter> = all
        .iter()
        .filter(|it| matches!(it.operation.sort, Sort::Condvar | Sort::Notify | Sort::Event))
        .filter(|it| !it.is_ended_otherwise && !it.leaves.is_empty())
        .filter(|it| it.operation.made.0 == it.id && is_shared(signals.program, it))
        .collect();
    for (id, _) in signals.program.functions() {
        let operations = signals.operations(id);
        for notification in operations.iter().filter(|it| it.made.0 == id) {
            if !matches!(notification.act, Act::Notify { everyone: false, .. }) {
                continue;
            }
            let of_it = |it: &&&Waiter| notification.object.as_ref() == Some(&it.object);
            let waiting: Vec<&Waiter> = waiters.iter().filter(of_it).copied().collect();
            // One that is stored goes to somebody who looks again.
            let kinds = of_two_kinds(signals, id, notification, &waiting);
            let kinds = kinds.filter(|_| notification.sort == Sort::Condvar);
            let own = || own_condition::check(signals, id, notification, all);
            // One of these is enough for a signal.
            let mut is_new = |_: &Hit| notification.object.clone().is_some_and(|it| known.insert(it));
            hits.extend(kinds.or_else(|| own().filter(&mut is_new)));
            hits.extend(ends_one(signals, objects, id, notification, &waiting));
            hits.extend(at_the_edge(signals, objects, id, notification, &waiting));
            hits.extend(several::check(signals, objects, id, notification, &waiting));
        }
    }
    hits
}

/// Whether several may be in the wait at the same time: it is in a method of what has the condition variable itself, which is shared by all.
fn is_shared(program: &Program, waiter: &Waiter) -> bool {
    let AbstractObject::Field(of, _) = &waiter.object else { return false };
    let Some(id) = method(program, waiter.id) else { return false };
    let receiver = program.function(id).body.type_of(Local(1));
    program.type_of(id) == Some(of.as_str()) && receiver.is_reference() && !receiver.has(Ty::is_exclusive)
}

/// The function that a body is, or whose state machine it is.
fn method(program: &Program, id: FunctionId) -> Option<FunctionId> {
    match program.function(id).kind {
        Kind::Function => Some(id),
        Kind::Coroutine => program
            .functions()
            .map(|(it, _)| it)
            .find(|it| program.machine_made_by(*it).is_some_and(|(it, _)| it == id)),
        Kind::Closure => maker(program, id).and_then(|(it, _)| method(program, it)),
        Kind::Constant => None,
    }
}

/// Whether others than the workspace may wait, and so as many as they like: by a function that is `pub`, or that one calls.
fn is_for_all(signals: &Signals<'_>, objects: &Objects, waiter: &Waiter) -> bool {
    let program = signals.program;
    let mut left = 8_usize;
    // Whoever spawns one waiter for each object has no others for it.
    let has_more = |(spawner, agent): &(FunctionId, FunctionId)| {
        spawner == agent || !signals.makes_for_its_agent(objects, *spawner, *agent, &waiter.object)
    };
    let callers = |id| {
        let callers = if left == 0 { Vec::new() } else { signals.callers(id) };
        left = left.saturating_sub(1);
        let callers = callers.into_iter().filter_map(|(it, _)| Some((method(program, it)?, it)));
        callers.filter(has_more).map(|it| it.0).collect::<Vec<_>>()
    };
    let is_open = |id: &FunctionId| program.is_open(*id);
    walk::reaches(method(program, waiter.id), callers, is_open)
}

fn pairs(waiter: &Waiter) -> BTreeSet<(&AbstractObject, &Value)> {
    waiter.leaves.iter().flat_map(|(state, values)| values.iter().map(move |it| (state, it))).collect()
}

/// Of which signal somebody is a waiter, if that has a name.
fn of_signal(program: &Program, waiter: &Waiter) -> String {
    let name = waiter.object.called(program, "");
    if name.is_empty() { name } else { format!(" of {name}") }
}

/// The notification can wake a waiter that waits for something else.
fn of_two_kinds(
    signals: &Signals<'_>,
    id: FunctionId,
    notification: &Operation,
    waiting: &[&Waiter],
) -> Option<Hit> {
    let writes = signals.writes(id);
    let paths = Paths::of(signals.program.function(id));
    let helps = |it: &Waiter| {
        writes.iter().any(|write| {
            write.how != How::Bare
                && signals.is_one(&write.state, notification.object.as_ref())
                && it.leaves.get(&write.state).is_some_and(|values| values.contains(&write.value))
                && (write.block == notification.block || paths.leads(write.block, notification.block))
        })
    };
    let helped = waiting.iter().find(|it| helps(it))?;
    // The one that is helped leaves with values that the other does not leave with. Both may leave when all is over.
    let of_its_own = |it: &&&Waiter| {
        let (its, others) = (pairs(it), pairs(helped));
        let is_end = |(_, value): &(&AbstractObject, &Value)| matches!(value, Value::Flag(_));
        its.intersection(&others).all(is_end) && its.difference(&others).any(|it| !is_end(it))
    };
    let is_other = |it: &&&Waiter| {
        it.id != helped.id && (pairs(it).is_disjoint(&pairs(helped)) || of_its_own(it) && !helps(it))
    };
    let other = waiting.iter().find(is_other)?;
    let mut related = vec![
        (call_ref(signals.program, helped.id, helped.wait), "this waiter should wake".to_owned()),
        (
            call_ref(signals.program, other.id, other.wait),
            "this one may wake instead, and wait on".to_owned(),
        ),
    ];
    related.dedup();
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "this wakes one waiter{}, but they wait for different things: it may wake one that cannot go on, and the notification is lost",
            of_signal(signals.program, helped)
        ),
        primary: (call_ref(signals.program, id, notification.block), "wakes any one of them".to_owned()),
        related,
        advice: "use a separate condition variable for each condition, or `notify_all`".to_owned(),
    })
}

/// The change before the notification ends all waiters for good, and one is notified.
fn ends_one(
    signals: &Signals<'_>,
    objects: &Objects,
    id: FunctionId,
    notification: &Operation,
    waiting: &[&Waiter],
) -> Option<Hit> {
    let writes = signals.writes(id);
    let paths = Paths::of(signals.program.function(id));
    let waiter = waiting.iter().find(|waiter| {
        let ends = writes.iter().any(|write| {
            // Set for good, or counted down and never up again.
            matches!(write.value, Value::Flag(_) | Value::Greater(false))
                && write.how != How::Bare
                && signals.is_one(&write.state, notification.object.as_ref())
                && waiter.leaves.get(&write.state).is_some_and(|values| values.contains(&write.value))
                && (write.block == notification.block || paths.leads(write.block, notification.block))
                && is_final(signals, &write.state, &write.value)
        });
        let hands_on = signals
            .operations(waiter.id)
            .iter()
            .any(|it| it.notifies() && it.object.as_ref() == Some(&waiter.object));
        ends && !hands_on
    })?;
    // Everybody who likes may take items, and so wait; elsewhere there may be one waiter.
    let takes = signals.writes(waiter.id).iter().any(|it| {
        it.value == Value::Filled(false)
            && waiter.leaves.get(&it.state).is_some_and(|it| it.contains(&Value::Filled(true)))
    });
    let are_spawned = || {
        let spawn_loops = signals.spawned_in_loops(objects, waiter.id);
        spawn_loops.iter().any(|it| signals.is_shared_in(it, &waiter.object))
    };
    let many = takes && is_for_all(signals, objects, waiter) || are_spawned();
    if !many && notification.sort != Sort::Condvar {
        return None;
    }
    // All of them are notified elsewhere, or one after the other.
    let reaches_all = |block: BlockId| {
        signals.operations(id).iter().any(|it| {
            it.block == block
                && it.object.as_ref() == Some(&waiter.object)
                && matches!(it.act, Act::Notify { everyone: true, .. })
        })
    };
    if paths.repeats(notification.block) || signals.operations(id).iter().any(|it| reaches_all(it.block)) {
        return None;
    }
    Some(Hit {
        // How many waiters there are is not known, unless everybody may wait.
        certainty: if many { Certainty::Usually } else { Certainty::Doubt },
        message: format!(
            "this change releases all waiters{}, but notifies only one of them: the others wait forever",
            of_signal(signals.program, waiter)
        ),
        primary: (call_ref(signals.program, id, notification.block), "wakes one of them".to_owned()),
        related: vec![(
            call_ref(signals.program, waiter.id, waiter.wait),
            "each waiter waits here".to_owned(),
        )],
        advice: "use `notify_all` when a change releases every waiter".to_owned(),
    })
}

/// The notification is given only for the first of several items, and each waiter takes one and is over.
fn at_the_edge(
    signals: &Signals<'_>,
    objects: &Objects,
    id: FunctionId,
    notification: &Operation,
    waiting: &[&Waiter],
) -> Option<Hit> {
    let program = signals.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let empty = Value::Filled(false);
    // The branch that leads to the notification only where nothing was there.
    let state = signals.decisions(id).into_iter().find_map(|it| {
        let test = it.test?;
        let notifies =
            |to: BlockId| feasible::from(function, &[to], &|_| false).contains(&notification.block);
        let only = test.leads.iter().all(|(value, to)| notifies(*to) == (*value == empty));
        // Whoever compares with a limit asks for something else.
        let alone = it.reads.iter().all(|it| it.state == test.state);
        (only && alone).then_some(test.state)
    })?;
    let puts = |it: &&Write| it.state == state && it.how != How::Bare && it.value == Value::Filled(true);
    if !signals.writes(id).iter().any(|it| puts(&it)) || paths.repeats(notification.block) {
        return None;
    }
    let waiter = waiting.iter().find(|waiter| {
        let own = Paths::of(program.function(waiter.id));
        let takes: Vec<BlockId> = signals
            .writes(waiter.id)
            .iter()
            .filter(|it| it.state == state && it.value == Value::Filled(false))
            .map(|it| it.block)
            .collect();
        let hands_on = signals.operations(waiter.id).iter().any(Operation::notifies);
        let one = !takes.is_empty()
            && takes.iter().all(|it| {
                let behind = own.from(own.next(*it), &|it| it == waiter.wait);
                !takes.iter().any(|it| behind.contains(it))
            });
        is_for_all(signals, objects, waiter)
            && one
            && !hands_on
            && waiter.leaves.get(&state).is_some_and(|it| it.contains(&Value::Filled(true)))
    })?;
    Some(Hit {
        certainty: Certainty::Usually,
        message: "only the first item wakes a waiter, which takes one: other waiters sleep on although items are left".to_owned(),
        primary: (call_ref(program, id, notification.block), "notifies only if it was empty before".to_owned()),
        related: vec![(call_ref(program, waiter.id, waiter.wait), "each waiter waits here".to_owned())],
        advice: "notify once per item, or let each waiter notify the next while items are left".to_owned(),
    })
}

/// Whether nobody writes anything else.
fn is_final(signals: &Signals<'_>, state: &AbstractObject, value: &Value) -> bool {
    signals.program.functions().all(|(id, _)| {
        signals.writes(id).iter().all(|it| it.made.0 != id || it.state != *state || it.value == *value)
    })
}
