//! `order-dependence`: a task reads shared state, and acts on it after others could have changed it.
//!
//! - It [writes back](written_back) what it has made of a copy, under another acquisition of the lock than the one it was read under.
//! - It [checks](checked_before) the state, suspends, and changes it without another look.
//! - It stores a value that it has loaded [while its entry was removed](filled_late).
//! - It takes a number, and sends it [out of order](out_of_order).
//! - It compares an atomic with a limit, and then [counts](counted) it up or down by a separate operation.

mod checked_before;
mod counted;
mod filled_late;
mod out_of_order;
mod written_back;

use super::{Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Function, FunctionId, Kind};
use crate::facts::Facts;
use crate::facts::partial_updates::effect::Effects;
use crate::facts::partial_updates::refusal::{reads, switches, targets};
use crate::facts::partial_updates::state::State;
use crate::mir::BlockId;
use crate::program::callers::may_overlap;
use crate::program::suspending::suspends_at;
use crate::program::{GuardId, Held, Program};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "stale-write",
    property: "order-dependence",
    doc: "A task acts on shared state that others may have changed since it read it.",
    shown_by: ShownBy::Run("another task changes the state between the read and the write"),
    check,
};

/// Finds such tasks.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let copied = written_back::copied_out(program);
    let ordered = out_of_order::ordered(facts.effects());
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let mut found = written_back::check(facts.effects(), &copied, id, function);
        found.extend(checked_before::check(facts.effects(), id, function));
        found.extend(filled_late::check(facts.effects(), id, function));
        found.extend(counted::check(facts.effects(), id, function));
        found.extend(out_of_order::check(facts.effects(), &ordered, id, function));
        if !found.is_empty() && may_overlap(program, id) {
            hits.extend(found);
        }
    }
    hits
}

/// The guards that may be held at a block.
fn held(program: &Program, id: FunctionId, at: BlockId) -> BTreeSet<GuardId> {
    let held = program.holding(id).at(at).map(Held::guards).unwrap_or_default();
    held.into_keys().collect()
}

/// The branches of a body that go by a state, each with the blocks that read it.
fn looks(effects: &Effects<'_>, function: &Function, state: &State) -> Vec<(BlockId, BTreeSet<BlockId>)> {
    let read = |at: BlockId| Some((at, reads(effects, function, at, state, true)?));
    switches(function).into_iter().filter_map(read).collect()
}

/// The ways from a branch that lead to a block without coming back to the branch, and the others.
fn ways(function: &Function, branch: BlockId, act: BlockId) -> (Vec<BlockId>, Vec<BlockId>) {
    let paths = Paths::of(function);
    let leads = |it: &BlockId| *it == act || paths.reach(&[*it], &|it| it == branch, &|it| it == act);
    targets(function, branch).into_iter().partition(leads)
}

/// A suspension between the check and the change on each path, if nothing that is held there is still held at the change.
fn left_open(
    program: &Program,
    id: FunctionId,
    function: &Function,
    (from, act): (BlockId, BlockId),
) -> Option<BlockId> {
    let paths = Paths::of(function);
    let polls = function.suspensions.iter().filter_map(|it| it.poll);
    let suspends: BTreeSet<BlockId> = polls.filter(|it| suspends_at(program, function, *it)).collect();
    let next = |it: BlockId| if suspends.contains(&it) { &[] } else { paths.next(it) };
    if from == act || walk::reaches([from], |it| next(it).iter().copied(), |it| *it == act) {
        return None;
    }
    let at_end = held(program, id, act);
    let over = suspends.iter().copied().find(|it| {
        let is_between = *it == from || paths.leads(from, *it);
        is_between && paths.leads(*it, act) && held(program, id, *it).is_disjoint(&at_end)
    })?;
    // Whatever is held over all of them keeps others out.
    held(program, id, over).is_empty().then_some(over)
}
