//! Waiters that check the state first, and register with the notifiers only after that.
//!
//! A change in between notifies only the waiters that are registered by then. Reported if what is checked is changed elsewhere before
//! such a notification, and neither a second check nor one critical section is in between.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::paths::Paths;
use crate::body::{FunctionId, feasible};
use crate::facts::signals::{Act, Decision, How, Operation, Signals, Sort};
use crate::mir::{BlockId, Operand};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use std::collections::BTreeSet;

/// How many calls there may be between a body and a look at the state.
const DEEPEST: usize = 4;

/// Finds such waiters.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in signals.program.functions() {
        let operations = signals.operations(id);
        let registers = operations
            .iter()
            .filter(|it| it.act == Act::Register && it.object.is_some() && it.sort != Sort::Permits);
        let registers: Vec<&Operation> = registers.collect();
        if registers.is_empty() {
            continue;
        }
        let paths = Paths::of(function);
        let decisions = signals.decisions(id);
        for register in registers {
            let hit = late(signals, id, paths, &decisions, register);
            hits.extend(but_known(hit.into_iter().collect(), &hits));
        }
    }
    hits
}

fn late(
    signals: &Signals<'_>,
    id: FunctionId,
    paths: &Paths,
    decisions: &[Decision],
    register: &Operation,
) -> Option<Hit> {
    let function = signals.program.function(id);
    let at = register.block;
    let is_waker = register.sort == Sort::Waker;
    let wait = signals.waits_at(id, paths, register)?;
    // Who keeps its waker, and then wakes itself where that came too late, looks again.
    let wakes_itself = is_waker
        && signals.operations(id).iter().any(|it| {
            it.notifies() && it.sort == Sort::Waker && (it.block == at || paths.leads(at, it.block))
        });
    if signals.awaits_by_hand(id, wait) || wakes_itself || looks_by_itself(signals, register, id) {
        return None;
    }
    for decision in decisions {
        for read in decision
            .reads
            .iter()
            .filter(|it| it.how != How::Bare && signals.is_one(&it.state, register.object.as_ref()))
        {
            let looks =
                |block: BlockId| signals.read_at(id, block, 4).iter().any(|it| it.state == read.state);
            // With one value it waits, with the other it does not.
            let waits = |to: BlockId| {
                to == at
                    || feasible::from(function, &[to], &|it| it == decision.block || it != at && looks(it))
                        .contains(&at)
            };
            let (to_wait, past): (Vec<BlockId>, Vec<BlockId>) =
                paths.next(decision.block).iter().copied().partition(|it| waits(*it));
            let ends = past.iter().any(|it| {
                let reached = feasible::from(function, &[*it], &|it| it == decision.block);
                !reached.contains(&at) && reached.iter().any(|it| function.returns_at(*it))
            });
            if to_wait.is_empty() || !ends || looks_inside(signals, register, &read.state, id) {
                continue;
            }
            // Nothing is looked at again before it waits.
            let again = |block: BlockId| block != at && looks(block);
            let unchecked = wait == at && !is_waker
                || feasible::from(function, paths.next(at), &again)
                    .iter()
                    .any(|it| if is_waker { function.returns_at(*it) } else { *it == wait });
            if !unchecked
                || is_looked_at_there(signals, id, paths, decisions, at)
                || is_looked_at_inside(signals, register, id)
                || signals.in_one_section(id, read.block, at)
                || is_waker && looks_later(signals, id, &read.state)
            {
                continue;
            }
            let Some(changed) = changed_by(signals, id, register, &read.state) else {
                continue;
            };
            // What changes it when it is dropped is at hand: a guard.
            if gives_what_drops(signals, id, at, changed.by) {
                continue;
            }
            let state = read.state.called(signals.program, "the state");
            let message = match register.sort {
                Sort::Waker => {
                    format!(
                        "the waker is stored after {state} is checked: if that changes in between, nothing wakes the task"
                    )
                }
                _ => {
                    format!(
                        "this waiter registers after checking {state}: a change in between notifies only registered waiters"
                    )
                }
            };
            let primary = place(signals, id, paths, at);
            let related = [
                (call_ref(signals.program, id, read.block), "checked before"),
                (call_ref(signals.program, changed.by, changed.change), "changed here"),
                (
                    call_ref(signals.program, changed.by, changed.notification),
                    "notifies only registered waiters",
                ),
            ];
            let inner = [
                (signals.read_itself(id, read.block, &read.state), "the state is read here"),
                (register.made, "the waiter is registered here"),
                (changed.made, "the state is written here"),
                (changed.notified, "the waiters are notified here"),
            ];
            let inner = inner.map(|((id, at), label)| {
                (place(signals, id, Paths::of(signals.program.function(id)), at), label)
            });
            let mut known = BTreeSet::from([primary.clone()]);
            let related = related.into_iter().chain(inner).filter(|(it, label)| {
                let is_new = known.insert(it.clone()) || *label == "checked before";
                is_new && !matches!(it, CodeRef::Item(_))
            });
            let in_doubt = is_waker && looks_at_something_behind(signals, register, (id, at), DEEPEST);
            return Some(Hit {
                certainty: if in_doubt { Certainty::Doubt } else { Certainty::Usually },
                message,
                related: related.map(|(at, label)| (at, label.to_owned())).collect(),
                primary: (primary, "starts to wait here, after the state was checked".to_owned()),
                advice: "register as a waiter first, then check the state, and wait only if it is not there yet; or do both under the lock \
                         that guards the change"
                    .to_owned(),
            });
        }
    }
    None
}

/// Whether something shared is looked at behind the call that keeps a waker, in the same body or in what that calls. It may be what tells that
/// the waker came too late: a number that is counted up by each notification, or that there will be none any more.
fn looks_at_something_behind(
    signals: &Signals<'_>,
    register: &Operation,
    (id, at): (FunctionId, BlockId),
    depth: usize,
) -> bool {
    let paths = Paths::of(signals.program.function(id));
    let behind = paths.from(paths.next(at), &|it| it == at);
    let is_shared = |it: &Decision| it.reads.iter().any(|it| it.how != How::Bare);
    signals.decisions(id).iter().any(|it| behind.contains(&it.block) && is_shared(it))
        || depth > 0
            && signals.bodies_at(id, at).into_iter().any(|body| {
                let operations = signals.operations(body);
                let mut same = operations.iter().filter(|it| it.made == register.made);
                same.any(|it| looks_at_something_behind(signals, register, (body, it.block), depth - 1))
            })
}

/// Whether something else is looked at in the critical section in which the waiter becomes known.
fn is_looked_at_there(
    signals: &Signals<'_>,
    id: FunctionId,
    paths: &Paths,
    decisions: &[Decision],
    at: BlockId,
) -> bool {
    decisions.iter().any(|it| {
        let there = |block: BlockId| signals.in_one_section(id, block, at);
        paths.leads(it.block, at)
            && it.reads.iter().any(|it| it.how != How::Bare && there(it.block))
            && paths.next(it.block).iter().any(|to| !paths.from(&[*to], &|_| false).contains(&at))
    })
}

/// Whether the helper in which the waiter becomes known looks at something else in the same critical section.
fn is_looked_at_inside(signals: &Signals<'_>, register: &Operation, id: FunctionId) -> bool {
    let (made, at) = register.made;
    let helper = || Paths::of(signals.program.function(made));
    made != id && is_looked_at_there(signals, made, helper(), &signals.decisions(made), at)
}

/// Whether a call is given what a `Drop` is of.
fn gives_what_drops(signals: &Signals<'_>, id: FunctionId, at: BlockId, drop: FunctionId) -> bool {
    let program = signals.program;
    let dropped = program.type_of(drop).filter(|_| program.is_drop(drop));
    let given = program.function(id).call(at).map(|(call, _)| call.arguments.iter());
    let mut types = given
        .into_iter()
        .flatten()
        .filter_map(Operand::place)
        .filter_map(|it| program.function(id).type_of(it));
    dropped.is_some_and(|dropped| types.any(|it| it.names(dropped)))
}

/// Whether what an operation is made in waits in a loop that looks at shared state: it knows by itself what it waits for.
fn looks_by_itself(signals: &Signals<'_>, register: &Operation, id: FunctionId) -> bool {
    let (made, at) = register.made;
    if made == id {
        return false;
    }
    let around = Paths::of(signals.program.function(made)).loop_around(at);
    let decisions = signals.decisions(made);
    decisions.iter().any(|it| around.contains(&it.block) && it.reads.iter().any(|it| it.how != How::Bare))
}

/// Whether what an operation is made in, or what is in between, looks at the state itself before it waits.
fn looks_inside(signals: &Signals<'_>, register: &Operation, state: &AbstractObject, id: FunctionId) -> bool {
    register.made.0 != id && looks_within(signals, register, state, (id, register.block), DEEPEST)
}

fn looks_within(
    signals: &Signals<'_>,
    register: &Operation,
    state: &AbstractObject,
    (id, block): (FunctionId, BlockId),
    depth: usize,
) -> bool {
    signals.bodies_at(id, block).into_iter().any(|body| {
        let looks = |at: BlockId| signals.read_at(body, at, depth).iter().any(|it| it.state == *state);
        let function = signals.program.function(body);
        let paths = Paths::of(function);
        let operations = signals.operations(body);
        let made: Vec<&Operation> = operations.iter().filter(|it| it.made == register.made).collect();
        let waits = made.iter().filter_map(|it| signals.waits_at(body, paths, it));
        let mut ends: BTreeSet<BlockId> = made.iter().map(|it| it.block).chain(waits).collect();
        if ends.is_empty() {
            ends = signals.polls_of_given(body);
        }
        let comes_to_it = |at: BlockId| ends.is_empty() || ends.iter().any(|it| paths.leads(at, *it));
        let mut blocks = function.blocks().filter(|(_, it)| !it.cleanup).map(|(at, _)| at);
        let inner = |at: BlockId| depth > 0 && looks_within(signals, register, state, (body, at), depth - 1);
        blocks
            .any(|at| if ends.contains(&at) { looks(at) && inner(at) } else { comes_to_it(at) && looks(at) })
    })
}

/// Whether a caller looks at the state after a body that keeps a waker.
fn looks_later(signals: &Signals<'_>, id: FunctionId, state: &AbstractObject) -> bool {
    signals.callers(id).into_iter().any(|(caller, block)| {
        let paths = Paths::of(signals.program.function(caller));
        paths
            .after(block)
            .into_iter()
            .filter(|it| *it != block)
            .any(|it| signals.read_at(caller, it, 4).iter().any(|it| it.state == *state))
    })
}

/// A change of the state, with the notification that follows it.
struct Changed {
    /// The body that changes the state and then notifies, itself or by what it calls.
    by: FunctionId,
    change: BlockId,
    notification: BlockId,
    /// The body and block that change the state themselves.
    made: (FunctionId, BlockId),
    /// The body and block that notify themselves.
    notified: (FunctionId, BlockId),
}

/// A change of the state that a notification follows. Only those are reached who are waiters by then.
fn changed_by(
    signals: &Signals<'_>,
    waiter: FunctionId,
    register: &Operation,
    state: &AbstractObject,
) -> Option<Changed> {
    let mut found = None;
    for (id, function) in signals.program.functions() {
        if id == waiter || id == register.made.0 {
            continue;
        }
        let operations = signals.operations(id);
        let notifications: Vec<&Operation> = operations
            .iter()
            .filter(|it| it.notifies() && it.sort == register.sort && it.object == register.object)
            .collect();
        if notifications.is_empty() {
            continue;
        }
        // One that is stored reaches a waiter that comes later; a thread that is unparked must be known for that.
        if register.sort != Sort::Thread
            && notifications.iter().any(|it| matches!(it.act, Act::Notify { stored: true, .. }))
        {
            return None;
        }
        let paths = Paths::of(function);
        let (writes, given) = (signals.writes(id), signals.given_changes(id));
        let writes = writes.iter().chain(given.iter());
        let pairs = writes.filter(|it| it.state == *state && it.how != How::Bare).find_map(|write| {
            let after = notifications
                .iter()
                .find(|it| it.block == write.block || paths.leads(write.block, it.block))?;
            let (change, notification) = (write.block, after.block);
            Some(Changed { by: id, change, notification, made: write.made, notified: after.made })
        });
        found = found.or(pairs);
    }
    found
}

/// Where a block does something: what is called last before it, if it has no place itself.
pub(super) fn place(signals: &Signals<'_>, id: FunctionId, paths: &Paths, block: BlockId) -> CodeRef {
    let mut at = block;
    for _ in 0..8 {
        let it = call_or_await(signals.program, id, at);
        match paths.before(at) {
            [before] if matches!(it, CodeRef::Item(_)) => at = *before,
            _ => return it,
        }
    }
    call_or_await(signals.program, id, block)
}

/// Drops what says the same at the same place as one of the others, or of the same look.
pub(super) fn but_known(hits: Vec<Hit>, known: &[Hit]) -> Vec<Hit> {
    let looks = |it: &Hit| -> Vec<CodeRef> {
        it.related.iter().filter(|(_, label)| label == "checked before").map(|(at, _)| at.clone()).collect()
    };
    let places: BTreeSet<CodeRef> =
        known.iter().flat_map(|it| looks(it).into_iter().chain([it.primary.0.clone()])).collect();
    hits.into_iter()
        .filter(|it| !places.contains(&it.primary.0) && !looks(it).iter().any(|at| places.contains(at)))
        .collect()
}
