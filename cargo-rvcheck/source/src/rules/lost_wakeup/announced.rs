//! Waiters that announce their wait after their last check of the state, to notifiers that notify only if there are waiters.
//!
//! A change in between finds no waiter, and notifies nothing. Reported if nothing is checked again before the wait, and neither side
//! holds a lock meanwhile.

use super::super::{Certainty, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::{FunctionId, feasible};
use crate::facts::signals::{How, Operation, Signals, Waiter, Write};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use std::collections::BTreeSet;

/// How many callers there may be between a change and the look for somebody who waits.
const DEEPEST: usize = 3;

/// Finds such waiters.
pub(super) fn check(signals: &Signals<'_>, waiters: &[Waiter]) -> Vec<Hit> {
    let gates = gates(signals);
    let waiters = waiters.iter().filter(|it| !it.is_ended_otherwise && !it.leaves.is_empty());
    let mut hits: Vec<Hit> = Vec::new();
    for waiter in waiters.filter(|_| !gates.is_empty()) {
        let hit = gates.iter().find_map(|it| late(signals, waiter, it));
        hits.extend(hit.filter(|it| hits.iter().all(|known| known.primary != it.primary)));
    }
    hits
}

/// A notification that is given only where a piece of state says that somebody waits.
struct Gate {
    id: FunctionId,
    /// The branch.
    branch: BlockId,
    /// What says so.
    flag: AbstractObject,
    notifies: Operation,
}

fn gates(signals: &Signals<'_>) -> Vec<Gate> {
    let mut found = Vec::new();
    for (id, function) in signals.program.functions() {
        let operations = signals.operations(id);
        let own: Vec<&Operation> = operations.iter().filter(|it| it.notifies() && it.made.0 == id).collect();
        if own.is_empty() {
            continue;
        }
        let paths = Paths::of(function);
        for decision in signals.decisions(id) {
            let is_atomic = decision.reads.iter().all(|it| it.how == How::Atomic);
            let mut flags: BTreeSet<&AbstractObject> = decision.reads.iter().map(|it| &it.state).collect();
            let Some(flag) = flags.pop_first().filter(|_| flags.is_empty() && is_atomic) else { continue };
            for operation in &own {
                let notified = |to: &BlockId| paths.from(&[*to], &|_| false).contains(&operation.block);
                let sides = paths.next(decision.block);
                if sides.iter().any(notified) && !sides.iter().all(notified) {
                    let (branch, flag) = (decision.block, flag.clone());
                    found.push(Gate { id, branch, flag, notifies: (*operation).clone() });
                }
            }
        }
    }
    found
}

/// The waiter sets the flag behind its last look, and a change that ends its wait comes before that flag is asked for.
fn late(signals: &Signals<'_>, waiter: &Waiter, gate: &Gate) -> Option<Hit> {
    let program = signals.program;
    let of_same_sort = gate.notifies.sort == waiter.operation.sort;
    // Any handle may unpark a thread.
    let is_it = gate.notifies.object.as_ref() == Some(&waiter.object) || waiter.operation.object.is_none();
    if !of_same_sort || !is_it || waiter.leaves.contains_key(&gate.flag) {
        return None;
    }
    let (id, wait) = waiter.operation.made;
    let function = program.function(id);
    let paths = Paths::of(function);
    let says = signals
        .writes(id)
        .iter()
        .find(|it| {
            it.state == gate.flag && it.block != wait && paths.leads(it.block, wait) && {
                !signals.is_locked(id, it.block) && !signals.is_locked(waiter.id, waiter.wait)
            }
        })?
        .block;
    // Who says so by an exchange, and goes by what that gave, has looked at the same time.
    if signals.decisions(id).iter().flat_map(|it| &it.reads).any(|it| it.block == says) {
        return None;
    }
    waiter.leaves.iter().find_map(|(state, values)| {
        let looks = |at: BlockId| signals.read_at(id, at, 4).iter().any(|it| it.state == *state);
        // What comes back round the loop has looked again.
        let behind = feasible::from(function, paths.next(says), &|it| it != wait && looks(it));
        if looks(says) || looks(wait) || !behind.contains(&wait) {
            return None;
        }
        let ends = |it: &Write| it.state == *state && it.how != How::Bare && values.contains(&it.value);
        let (changer, change) = changed_before(signals, gate, &ends)?;
        let related = [
            (place(signals, id, paths, says), "announces that it waits here"),
            (call_or_await(program, changer, change), "changed here, before it checks for waiters"),
            (call_ref(program, gate.id, gate.notifies.block), "notifies only if there are waiters"),
        ];
        Some(Hit {
            certainty: Certainty::Usually,
            message: format!(
                "this announces that it waits only after its last check of {}: a change in between finds no waiter to notify",
                state.called(program, "the state")
            ),
            primary: (call_or_await(program, id, wait), "waits here without another check".to_owned()),
            related: related.into_iter().map(|(at, label)| (at, label.to_owned())).collect(),
            advice: "check the state once more after announcing the wait, and wait only if nothing has changed".to_owned(),
        })
    })
}

/// A change in the body that has the gate, or in those who call it, that nothing else is notified of.
fn changed_before(
    signals: &Signals<'_>,
    gate: &Gate,
    is_it: &dyn Fn(&Write) -> bool,
) -> Option<(FunctionId, BlockId)> {
    let mut open = vec![(gate.id, gate.branch, 0)];
    while let Some((id, at, depth)) = open.pop() {
        let paths = Paths::of(signals.program.function(id));
        let made = (gate.id, gate.notifies.block);
        let others = signals.operations(id);
        let mut others =
            others.iter().filter(|it| it.notifies() && it.sort == gate.notifies.sort && it.made != made);
        if others.next().is_some() {
            continue;
        }
        let writes = signals.writes(id);
        let before = |it: &&Write| is_it(it) && it.block != at && paths.leads(it.block, at);
        if let Some(write) = writes.iter().find(before) {
            return Some((id, write.block));
        }
        if depth < DEEPEST {
            open.extend(signals.callers(id).into_iter().map(|(it, block)| (it, block, depth + 1)));
        }
    }
    None
}
