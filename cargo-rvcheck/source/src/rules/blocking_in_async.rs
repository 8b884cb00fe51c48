//! `blocking-in-async`: what a task runs blocks its thread, directly or through functions that it calls.
//!
//! The body passed to `block_on` has its thread to itself, and so has what only that awaits. What is passed to `spawn_blocking`,
//! `block_in_place` or a thread is not run by the task. Also found are loops that [run](computes) for as long as a number or the clock
//! says, and sends into a [full](full) channel.

mod asked;
mod computes;
mod contended;
mod full;

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::provenance::awaited_at;
use crate::body::{FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::program::Program;
use crate::program::abstract_object::AbstractObjects;
use crate::program::blocking::{Blocking, Wait, shown};
use crate::program::code_ref::call_ref;
use std::collections::{BTreeMap, BTreeSet};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "blocking-in-async",
    property: "blocking-in-async",
    doc: "A call blocks the thread that a task runs on.",
    shown_by: ShownBy::Run("the thread blocks there while other tasks are ready to run on it"),
    check,
};

/// Finds such calls.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let roots = given_to_block_on(program);
    let within_roots = awaited_within(program, &roots);
    // That a test awaits it with its thread to itself says nothing of who else will.
    let not_of_tests: BTreeSet<FunctionId> =
        roots.iter().copied().filter(|it| !program.is_test(*it)).collect();
    let by_main = awaited_within(program, &not_of_tests);
    let objects = AbstractObjects::of(program);
    let mut hits = Vec::new();
    let mut known = BTreeSet::new();
    for (id, function) in program.functions() {
        // Others may call what is public, and give it to a task.
        let maker = within_roots.get(&id).copied();
        if maker.is_some_and(|it| !program.is_open(it)) {
            continue;
        }
        let at_most = if by_main.contains_key(&id) { Certainty::Doubt } else { Certainty::Definite };
        let is_polled = function.kind == Kind::Coroutine && !roots.contains(&id)
            || program
                .trait_of(id)
                .is_some_and(|it| matches!(it, "Future" | "Stream" | "AsyncRead" | "AsyncWrite"))
                && program.item(id).rsplit("::").next().is_some_and(|it| it.starts_with("poll"));
        if !is_polled {
            continue;
        }
        for hit in computes::check(program, id) {
            if known.insert(hit.primary.0.clone()) {
                hits.push(hit);
            }
        }
        for (_, blocking) in program.blocking().calls(id) {
            let place = match call_ref(program, blocking.body, blocking.block) {
                CodeRef::Item(_) => CodeRef::of_body(program, blocking.body),
                known => known,
            };
            if known.insert(place.clone()) {
                let hit = hit(program, id, place, blocking);
                let is_asked = asked::is_asked(program, &objects, blocking);
                let at_most = if is_asked { Certainty::Doubt } else { at_most };
                hits.push(Hit { certainty: hit.certainty.min(at_most), ..hit });
            }
        }
    }
    hits.extend(
        contended::check(program, &objects, &roots)
            .into_iter()
            .filter(|it| known.insert(it.primary.0.clone())),
    );
    hits.extend(full::check(facts, &roots).into_iter().filter(|it| known.insert(it.primary.0.clone())));
    hits
}

/// The state machines that are given to `block_on` as they are made.
fn given_to_block_on(program: &Program) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    for (_, function) in program.functions() {
        for (_, call, callee) in function.calls() {
            if matches!(callee.name(), "block_on" | "run_until") {
                let places = call.places();
                found.extend(places.filter_map(|it| program.machine_in(function, &Slot::at(it))));
            }
        }
    }
    found
}

/// The state machines of functions that are only awaited in these, or in such functions; each with its function.
fn awaited_within(program: &Program, roots: &BTreeSet<FunctionId>) -> BTreeMap<FunctionId, FunctionId> {
    let mut callers: BTreeMap<FunctionId, Vec<(FunctionId, bool)>> = BTreeMap::new();
    if roots.is_empty() {
        return BTreeMap::new();
    }
    for (id, function) in program.functions() {
        for (block, ..) in function.calls() {
            if let Some(called) = program.called(function, block) {
                callers.entry(called).or_default().push((id, awaited_at(function, block).is_some()));
            }
        }
    }
    let mut found: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
    loop {
        let is_within =
            |it: &(FunctionId, bool)| it.1 && (roots.contains(&it.0) || found.contains_key(&it.0));
        let is_awaited = callers.iter().filter(|it| it.1.iter().all(is_within)).map(|it| *it.0);
        let machines = is_awaited.filter_map(|it| Some((program.machine_made_by(it)?.0, it)));
        let new: Vec<_> = machines.filter(|it| !found.contains_key(&it.0)).collect();
        if new.is_empty() {
            return found;
        }
        found.extend(new);
    }
}

fn hit(program: &Program, id: FunctionId, place: CodeRef, blocking: &Blocking) -> Hit {
    let (for_what, instead) = match blocking.wait {
        Wait::Sleep => ("", "`tokio::time::sleep(…).await`"),
        Wait::Join => (" until another thread ends", "`spawn_blocking`, whose handle can be awaited"),
        Wait::Receive => (" until a message arrives", "a channel whose receiver can be awaited"),
        Wait::Send => (" until there is room for a message", "the sender's asynchronous method"),
        Wait::Signal => (" until it is woken", "`tokio::sync::Notify` or another signal that can be awaited"),
        Wait::Process => (" until a process ends", "`tokio::process`"),
        Wait::Future => (" until a future is ready", "an `async fn` and `.await`"),
        Wait::TaskLock => (" until a lock is free", "the lock's asynchronous method"),
        Wait::Permits => (" until a permit is free", "the semaphore's asynchronous method"),
        Wait::Console => (" until console input arrives", "a dedicated thread that sends what it reads"),
        Wait::File => (" for file I/O", "`tokio::fs`, or `spawn_blocking` around the whole operation"),
        Wait::Network => (" for network I/O", "the types of `tokio::net`"),
    };
    let is_io = matches!(blocking.wait, Wait::File | Wait::Network);
    // What a `drop` waits for has often been told to end before.
    let is_short = is_io && blocking.is_inner() || blocking.is_dropping && blocking.wait != Wait::Future;
    let certainty = if is_short || blocking.depends { Certainty::Doubt } else { Certainty::Usually };
    let call = shown(&blocking.path);
    Hit {
        certainty,
        message: format!(
            "`{call}` blocks the thread that runs the task{for_what}, and every other task on it"
        ),
        primary: (place, "blocks here".to_owned()),
        related: chain(program, id, blocking),
        advice: format!("use {instead}"),
    }
}

/// The calls by which what a task runs comes to a call that blocks.
fn chain(program: &Program, id: FunctionId, blocking: &Blocking) -> Vec<(CodeRef, String)> {
    let next = blocking.through.iter().skip(1).map(|it| it.0).chain([blocking.body]);
    let steps = blocking.through.iter().zip(next).map(|((caller, block), callee)| {
        let (caller_item, callee) = (program.item(*caller), program.item(callee));
        let run = if *caller == id { " is run by a task, and" } else { "" };
        let does = if program.function(*caller).call(*block).is_some() {
            "calls"
        } else {
            "drops a value that runs"
        };
        (call_ref(program, *caller, *block), format!("`{caller_item}`{run} {does} `{callee}` here"))
    });
    steps.collect()
}
