//! `blocking-in-async`: what a task runs blocks the thread that runs it, itself or through functions that it calls.
//!
//! The body that is given to `block_on` itself has its thread to itself. What is given to `spawn_blocking`, `block_in_place` or a thread
//! is not run by the task. So do loops that [go on](computes) for as long as a number or the time says, and sends into a [full](full)
//! channel.

mod computes;
mod contended;
mod full;

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::{FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::mir::Operand;
use crate::program::Program;
use crate::program::blocking::{Blocking, Wait, shown};
use crate::program::code_ref::call_ref;
use std::collections::BTreeSet;

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
    let mut hits = Vec::new();
    let mut known = BTreeSet::new();
    for (id, function) in program.functions() {
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
                hits.push(hit(program, id, place, blocking));
            }
        }
    }
    hits.extend(
        contended::check(program, &roots).into_iter().filter(|it| known.insert(it.primary.0.clone())),
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
                let places = call.arguments.iter().filter_map(Operand::place);
                found.extend(places.filter_map(|it| program.machine_in(function, &Slot::at(it))));
            }
        }
    }
    found
}

fn hit(program: &Program, id: FunctionId, place: CodeRef, blocking: &Blocking) -> Hit {
    let (for_what, instead) = match blocking.wait {
        Wait::Sleep => ("", "`tokio::time::sleep(…).await`"),
        Wait::Join => (" until another thread ends", "`spawn_blocking`, whose handle can be awaited"),
        Wait::Receive => (" until a message comes", "a channel whose receiver can be awaited"),
        Wait::Send => (" until there is room for a message", "the sender's asynchronous method"),
        Wait::Signal => (" until it is woken", "`tokio::sync::Notify` or another signal that can be awaited"),
        Wait::Process => (" until a process ends", "`tokio::process`"),
        Wait::Future => (" until a future is ready", "an `async fn` and `.await`"),
        Wait::TaskLock => (" until a lock is free", "the lock's asynchronous method"),
        Wait::Permits => (" until a permit is free", "the semaphore's asynchronous method"),
        Wait::Console => (" until somebody types", "a thread of its own that sends what it reads"),
        Wait::File => (" for a file", "`tokio::fs`, or `spawn_blocking` around all of it"),
        Wait::Network => (" for the network", "the types of `tokio::net`"),
    };
    let is_io = matches!(blocking.wait, Wait::File | Wait::Network);
    // What a `drop` waits for has often been told to end before.
    let is_short = is_io && blocking.is_inner || blocking.is_dropping && blocking.wait != Wait::Future;
    let certainty = if is_short || blocking.depends { Certainty::Doubt } else { Certainty::Usually };
    let item = program.item(id);
    let mut related = Vec::new();
    if blocking.is_inner {
        related.push((CodeRef::Item(item.clone()), format!("`{item}` is run by a task and calls it")));
    }
    let call = shown(&blocking.path);
    Hit {
        certainty,
        message: format!(
            "`{call}` blocks the thread that runs the task{for_what}, and every other task on it"
        ),
        primary: (place, "blocks here".to_owned()),
        related,
        advice: format!("use {instead}"),
    }
}
