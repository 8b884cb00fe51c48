//! `lost-wakeup`: a participant of a barrier fails before it reaches the barrier, or reaches it again, so that all others wait forever.

use super::{Certainty, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::walk;
use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::partial_updates::{failed_at, failure};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::call_or_await;
use crate::program::runs::may_run;
use rvcheck_primitives::{Action, Is};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "left-barrier",
    property: "lost-wakeup",
    doc: "A participant fails before it reaches the barrier that all others wait at.",
    shown_by: ShownBy::Run("a participant has failed and the others wait at the barrier"),
    check,
};

/// Finds such participants.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let always = always_waiting(program);
    program.functions().filter_map(|(id, function)| left(program, &always, id, function)).collect()
}

fn left(
    program: &Program,
    always: &BTreeSet<FunctionId>,
    id: FunctionId,
    function: &Function,
) -> Option<Hit> {
    let waits = waits(program, always, function);
    let first = *waits.first()?;
    // Who makes the barrier may fail before anybody else has it, and whoever calls may come to it instead.
    if makes_barrier(function) || is_waited_for_by_callers(program, always, id) {
        return None;
    }
    // Before the first time, or between two times.
    let paths = Paths::of(function);
    let again = |it: &&BlockId| waits.iter().any(|other| paths.leads(**it, *other));
    let mut starts = [BlockId(0)].into_iter().chain(waits.iter().filter(again).copied());
    let (error, fails) = starts.find_map(|it| {
        let error = failure(function, it, &waits)?;
        Some((error, failed_at(function, error)))
    })?;
    // An error that is kept until after the barrier holds nobody up there.
    let is_before =
        error == fails || paths.from(paths.next(fails), &|it| waits.contains(&it)).contains(&error);
    is_before.then(|| Hit {
        certainty: Certainty::Usually,
        message: "a participant that fails here never reaches the barrier: all others wait there forever"
            .to_owned(),
        primary: (call_or_await(program, id, fails), "may fail here, before the barrier".to_owned()),
        related: vec![(call_or_await(program, id, first), "the others wait here".to_owned())],
        advice: "reach the barrier on every path and fail after it, or tell the others through a channel"
            .to_owned(),
    })
}

/// The bodies that wait at a barrier on every path.
fn always_waiting(program: &Program) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    if !program.functions().any(|(_, it)| !waits(program, &found, it).is_empty()) {
        return found;
    }
    walk::fixpoint(|| {
        let others = program.functions().filter(|it| !found.contains(&it.0));
        let always = others.filter(|(_, it)| {
            let waits = waits(program, &found, it);
            !waits.is_empty() && Paths::of(it).pass(it, &[BlockId(0)], &|it| waits.contains(&it))
        });
        let always: Vec<FunctionId> = always.map(|it| it.0).collect();
        found.extend(&always);
        !always.is_empty()
    });
    found
}

/// The blocks at whose end a body waits at a barrier, or runs one of the bodies that always do.
fn waits(program: &Program, always: &BTreeSet<FunctionId>, function: &Function) -> BTreeSet<BlockId> {
    let by_call = |block: BlockId| {
        let called = program.called(function, block)?;
        let body = match program.machine_made_by(called) {
            // A future that is not awaited here is a participant of its own.
            Some((machine, _)) => awaited_at(function, block).map(|_| machine)?,
            None => called,
        };
        always.contains(&body).then_some(())
    };
    let is_wait = |block: BlockId| {
        let row = function.callee(block).row();
        row.is_some_and(|it| it.owner.is == Is::Barrier && it.operation.action == Action::Wait)
    };
    function.calls().map(|it| it.0).filter(|it| is_wait(*it) || by_call(*it).is_some()).collect()
}

fn makes_barrier(function: &Function) -> bool {
    let made = |block| {
        let row = function.callee(block).row();
        row.is_some_and(|it| it.owner.is == Is::Barrier && matches!(it.operation.action, Action::Make(_)))
    };
    function.calls().any(|(block, ..)| made(block))
}

fn is_waited_for_by_callers(program: &Program, always: &BTreeSet<FunctionId>, id: FunctionId) -> bool {
    program.functions().any(|(_, caller)| {
        let calls = |block| may_run(program, caller, block).iter().any(|it| it.body == id);
        !waits(program, always, caller).is_empty() && caller.calls().any(|(block, ..)| calls(block))
    })
}
