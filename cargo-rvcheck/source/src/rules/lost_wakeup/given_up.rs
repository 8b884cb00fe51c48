//! A gate that is never opened: the only body that would open it, for all waiters, leaves with an error before it does.
//!
//! Nothing else gives the signal, nor changes what the waiters check. If that body is run again, it may open the gate then; if it is all
//! that a task or thread does, nothing does.

use super::super::{Certainty, CodeRef, Hit};
use super::late;
use crate::body::failing::failing;
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Function, FunctionId, feasible};
use crate::facts::objects::Objects;
use crate::facts::signals::{Gate, Signals, Waiter};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use std::collections::BTreeSet;

/// Finds such gates.
pub(super) fn check(signals: &Signals<'_>, objects: &Objects, waiters: &[Waiter]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (object, gate) in &signals.gates(waiters) {
        for (id, function) in signals.program.functions() {
            // Nobody waits yet at what it makes itself.
            let Some(opens) = opens(signals, id, object, gate).filter(|_| !gate.made.contains(&id)) else {
                continue;
            };
            let others_wait = gate.waits.iter().find(|(it, _)| *it != id);
            let (Some(wait), Some((branch, silent))) = (others_wait, left(function, &opens)) else {
                continue;
            };
            let given = gate.gives.first().map(|it| call_ref(signals.program, it.0, it.1));
            let mut related =
                vec![(call_or_await(signals.program, wait.0, wait.1), "waits here forever".to_owned())];
            related.extend(given.map(|it| (it, "opened here on the other path".to_owned())));
            let again = again(signals, objects, id);
            // Permits that are given at once to all are given once.
            let certainty = match again {
                Again::Never => Certainty::Usually,
                _ if gate.changes.is_empty() => Certainty::Usually,
                Again::Perhaps => Certainty::Doubt,
                Again::Often => continue,
            };
            hits.push(Hit {
                certainty,
                message: "this error path returns without opening the gate that others wait at, and nothing else opens it".to_owned(),
                primary: (place(signals, id, branch, &silent), "leaves here".to_owned()),
                related,
                advice: "record the outcome on this path, too, and wake the waiters".to_owned(),
            });
        }
    }
    hits
}

/// The blocks by which a body opens a gate, or says anything of it, if it alone opens it.
fn opens(
    signals: &Signals<'_>,
    id: FunctionId,
    object: &AbstractObject,
    gate: &Gate,
) -> Option<BTreeSet<BlockId>> {
    let operations = signals.operations(id);
    let gives: Vec<_> =
        operations.iter().filter(|it| it.notifies() && it.object.as_ref() == Some(object)).collect();
    let writes = signals.writes(id);
    let changes: Vec<_> = writes.iter().filter(|it| gate.changes.contains(&it.made)).collect();
    let reached: BTreeSet<_> = gives.iter().map(|it| it.made).collect();
    let changed: BTreeSet<_> = changes.iter().map(|it| it.made).collect();
    let is_alone = !gives.is_empty() && gate.gives.is_subset(&reached) && gate.changes.is_subset(&changed);
    let states: BTreeSet<&AbstractObject> = changes.iter().map(|it| &it.state).collect();
    let says = writes.iter().filter(|it| states.contains(&it.state)).map(|it| it.block);
    is_alone.then(|| gives.iter().map(|it| it.block).chain(says).collect())
}

/// Whether a body is run another time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Again {
    /// It is all that a task or thread does, or all that depends on it.
    Never,
    /// Others may run it.
    Perhaps,
    /// In a loop.
    Often,
}

fn again(signals: &Signals<'_>, objects: &Objects, id: FunctionId) -> Again {
    let program = signals.program;
    let spawned = |id: FunctionId| {
        objects.spawns.iter().filter(move |(_, it)| it.roots.contains(&id)).map(|(site, _)| *site)
    };
    let repeats = |(id, at): (FunctionId, BlockId)| Paths::of(program.function(id)).repeats(at);
    let mut found = Again::Never;
    walk::reached([id], |it| {
        let callers = signals.callers(it);
        let mut sites = spawned(it).peekable();
        let is_root = sites.peek().is_some();
        if sites.any(|it| repeats((it.function, it.block))) || callers.iter().any(|it| repeats(*it)) {
            found = Again::Often;
        } else if !is_root && callers.is_empty() {
            found = found.max(Again::Perhaps);
        }
        if is_root { Vec::new() } else { callers.into_iter().map(|it| it.0).collect() }
    });
    found
}

/// The branch on an error by which a body leaves without any of these, where it comes to one without the error; with the blocks behind it.
fn left(function: &Function, opens: &BTreeSet<BlockId>) -> Option<(BlockId, BTreeSet<BlockId>)> {
    let paths = Paths::of(function);
    function.blocks().find_map(|(at, _)| {
        let branch = failing(function, at)?;
        let reached = |from: BlockId| feasible::from(function, &[from], &|_| false);
        let (good, bad) = (reached(branch.well), reached(branch.failed));
        let opened = |it: &BTreeSet<BlockId>| it.iter().any(|it| opens.contains(it));
        let before = opens.iter().any(|it| paths.leads(*it, at));
        let returns = bad.iter().any(|it| function.returns_at(*it));
        (opened(&good) && !opened(&bad) && !before && returns).then_some((at, bad))
    })
}

/// The first place behind the branch that has a name.
fn place(signals: &Signals<'_>, id: FunctionId, branch: BlockId, behind: &BTreeSet<BlockId>) -> CodeRef {
    let program = signals.program;
    let known =
        behind.iter().map(|it| call_or_await(program, id, *it)).find(|it| !matches!(it, CodeRef::Item(_)));
    known.unwrap_or_else(|| late::place(signals, id, Paths::of(program.function(id)), branch))
}
