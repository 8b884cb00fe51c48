//! `lost-wakeup`: a wait that can miss the signal that it waits for.
//!
//! - A [condition variable](condvars) is waited for outside a loop over its condition.
//! - `notify_waiters` stores nothing, and does not reach a loop that makes a `Notified` for each `select!` and is at work
//!   [between two](between).
//! - `notify_one` tells [one of many](one_of_many) tasks that it is to end, and the others wait on.
//! - A waiter is [known too late](late): the state may change between its look and that.
//! - A waiter [says that it waits](announced) after its last look, to those who notify only where somebody waits.
//! - The state that a waiter looks at changes after the last notification, or [without one](unnotified).
//! - A signal is waited for that [nobody gives](silent).
//! - One notification is given where waiters [wait for different things](mixed), or all are to end.
//! - A notification goes to a waiter that [is gone](handed_over), and not to the next.
//! - The only one who would open a gate [ends with an error](given_up) before it does.
//! - A receiver of `watch` is [made late](subscribed), and waits for a change that was there before.
//! - A value is sent on a `watch` [without a receiver](unsent), and not kept.
//! - A future by hand does not keep the [waker](wakers) of the task that polls it, keeps it too late, or keeps [an old one](stale).
//! - [One slot](one_slot) keeps the waker of several futures by hand, and so of the last one.
//! - A future by hand says `Poll::Pending` behind what was ready, and [polls nothing again](unpolled).
//! - A future by hand that has left its queue is dropped, and its notification is not [passed on](passed_on).
//! - `notify_one` stores one notification whatever came, so a consumer that takes one item for each is left with items. Told where a
//!   producer puts an item into the same collection that the consumer takes one out of, and the consumer waits again before it looks
//!   for the next.

mod announced;
mod between;
mod condvars;
mod given_up;
mod handed_over;
mod late;
mod mixed;
mod one_of_many;
mod one_slot;
mod passed_on;
mod silent;
mod stale;
mod subscribed;
mod unnotified;
mod unpolled;
mod unsent;
mod wakers;

use super::{Certainty, CodeRef, Hit, Rule};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::Facts;
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::code_ref::call_ref;
use rvcheck_primitives::{Action, Is};
use std::collections::{BTreeMap, BTreeSet};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "lost-wakeup",
    property: "lost-wakeup",
    doc: "A waiter can miss the signal that it waits for.",
    shown_by: "the signal is given before the waiter is registered, and nobody gives another one",
    check,
};

/// Finds such waits.
fn check(of: &Facts<'_>) -> Vec<Hit> {
    let program = of.program;
    let objects = AbstractObjects::of(program);
    let mut hits = condvars::check(program);
    hits.extend(wakers::check(program));
    let signals = Signals::of(program, &objects);
    for (object, waits) in &signals.waits {
        let Some(given) = signals.given.get(object) else { continue };
        for &(id, block) in waits {
            if given.iter().all(|(_, _, how)| how == "notify_waiters") {
                hits.extend(between::check(program, id, block, given));
            } else if given.iter().all(|(_, _, how)| how == "notify_one") {
                hits.extend(takes_one(program, &objects, id, block, given));
                hits.extend(one_of_many::check(program, object, id, block, given));
            }
        }
    }
    let signals = of.signals();
    if signals.are_any {
        let waiters = signals.waiters();
        hits.extend(late::but_known(late::check(signals), &hits));
        hits.extend(late::but_known(unnotified::check(signals, waiters), &hits));
        hits.extend(late::but_known(silent::check(signals, waiters), &hits));
        hits.extend(late::but_known(mixed::check(signals, waiters), &hits));
        let announced = announced::check(signals, waiters);
        let is_known = |it: &Hit| announced.iter().any(|other| other.primary.0 == it.primary.0);
        hits.retain(|it| it.certainty != Certainty::Doubt || !is_known(it));
        hits.extend(late::but_known(announced, &hits));
        hits.extend(handed_over::check(signals));
        hits.extend(given_up::check(signals));
        hits.extend(subscribed::check(signals));
        hits.extend(unsent::check(signals));
        hits.extend(stale::check(signals));
        hits.extend(one_slot::check(signals));
        hits.extend(unpolled::check(signals));
        hits.extend(passed_on::check(signals));
    }
    hits
}

type Given = Vec<(FunctionId, BlockId, String)>;

/// The notifications of a program, and who waits for them.
struct Signals {
    waits: BTreeMap<AbstractObject, Vec<(FunctionId, BlockId)>>,
    given: BTreeMap<AbstractObject, Given>,
}

impl Signals {
    fn of(program: &Program, objects: &AbstractObjects<'_>) -> Signals {
        let mut signals = Signals { waits: BTreeMap::new(), given: BTreeMap::new() };
        for (id, function) in program.functions() {
            for (block, call, callee) in function.calls() {
                let Some(on) = call.arguments.first().and_then(Operand::place) else { continue };
                let name = callee.name();
                let Some(row) = program.row(function, block).filter(|it| it.owner.is == Is::Signal) else {
                    continue;
                };
                let wait = row.operation.action == Action::Wait;
                if !wait && !matches!(row.operation.action, Action::Notify { .. }) {
                    continue;
                }
                let Some(object) = objects.object(id, on) else { continue };
                if wait {
                    signals.waits.entry(object).or_default().push((id, block));
                } else {
                    signals.given.entry(object).or_default().push((id, block, name.to_owned()));
                }
            }
        }
        signals
    }
}

fn places(program: &Program, given: &Given, label: &str) -> Vec<(CodeRef, String)> {
    given.iter().map(|(id, block, _)| (call_ref(program, *id, *block), label.to_owned())).collect()
}

/// Methods that take one item out of a collection.
const TAKES: [&str; 5] = ["pop", "pop_front", "pop_back", "remove", "swap_remove"];
/// Methods that put one in.
const PUTS: [&str; 3] = ["push", "push_back", "push_front"];
/// Collections.
const COLLECTIONS: [&str; 4] = ["Vec", "VecDeque", "BinaryHeap", "LinkedList"];

/// The calls of a body that do something to a collection, with its abstract object.
fn on_collections(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    names: &[&str],
) -> Vec<(BlockId, AbstractObject)> {
    let function = program.function(id);
    let calls = function.calls().filter_map(|(block, call, callee)| {
        let on = call.arguments.first()?.place()?;
        let path = program.callee_path(function, block);
        let of_collection = COLLECTIONS.contains(&crate::body::owner(path));
        (names.contains(&callee.name()) && of_collection).then_some((block, objects.object(id, on)?))
    });
    calls.collect()
}

/// The blocks in which a body takes one item, itself or by a function of the workspace that does nothing else with the collection.
fn taken(program: &Program, objects: &AbstractObjects<'_>, id: FunctionId) -> Vec<(BlockId, AbstractObject)> {
    let mut found = on_collections(program, objects, id, &TAKES);
    for (block, _, _) in program.function(id).calls() {
        let Some(inner) = program.called(program.function(id), block) else { continue };
        let takes = on_collections(program, objects, inner, &TAKES);
        let paths = Paths::of(program.function(inner));
        if let [(at, object)] = takes.as_slice()
            && !paths.repeats(*at)
        {
            found.push((block, object.clone()));
        }
    }
    found
}

/// A consumer that takes one item for each time that it was notified.
fn takes_one(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    waits: BlockId,
    given: &Given,
) -> Option<Hit> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let around = paths.loop_around(waits);
    // One that notifies the next itself is no hit, nor one whose notifications mean something else than items.
    if around.is_empty() || given.iter().any(|(giver, ..)| *giver == id) {
        return None;
    }
    let taken: Vec<(BlockId, AbstractObject)> =
        taken(program, objects, id).into_iter().filter(|(it, _)| around.contains(it)).collect();
    let [(takes, object)] = taken.as_slice() else { return None };
    let again = paths.from(paths.next(*takes), &|it| it == waits);
    if again.contains(takes) || matches!(object, AbstractObject::Value(..)) {
        return None;
    }
    let puts: Vec<(FunctionId, BlockId)> = given
        .iter()
        .flat_map(|(giver, ..)| {
            on_collections(program, objects, *giver, &PUTS)
                .into_iter()
                .map(move |(block, object)| (*giver, block, object))
        })
        .filter(|(_, _, it)| it == object)
        .map(|(giver, block, _)| (giver, block))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    if puts.is_empty() {
        return None;
    }
    let mut related =
        places(program, given, "notifies here; a notification that is stored already is the same one");
    related.push((call_ref(program, id, *takes), "takes one item".to_owned()));
    // Whoever is over with an item, and looks for one before each wait, leaves items to another waiter only.
    let is_over = paths.next(*takes).iter().any(|it| {
        let before_next = paths.from(&[*it], &|it| it == waits);
        before_next.iter().any(|it| function.returns_at(*it))
    }) && paths.to(&[waits], &|it| it == *takes).iter().all(|it| !paths.before(*it).is_empty());
    Some(Hit {
        certainty: if is_over { Certainty::Doubt } else { Certainty::Usually },
        message: "two items that come before the consumer wakes give one notification, and it takes one item for each".to_owned(),
        primary: (call_ref(program, id, waits), "waits for the next notification here".to_owned()),
        related,
        advice: "take items until there are none, and wait again only then".to_owned(),
    })
}
