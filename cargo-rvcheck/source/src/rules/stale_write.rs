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
use crate::body::{FunctionId, Kind};
use crate::facts::Facts;
use crate::mir::BlockId;
use crate::program::callers::may_overlap;
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
