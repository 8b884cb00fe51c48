//! `channel-deadlock`: a wait on a channel that only the one who waits could end.
//!
//! - The sender of a reply stays in a [map](pending) when the loop that answers has ended.

mod pending;

use super::{Hit, Rule};
use crate::facts::Facts;
use crate::program::abstract_object::AbstractObjects;
use crate::program::channels::channels;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "channel-deadlock",
    property: "channel-deadlock",
    doc: "A wait on a channel that only the one who waits could end.",
    shown_by: "a task waits on the channel, and nobody else can end the wait",
    check,
};

/// Finds such waits.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let objects = AbstractObjects::of(program);
    let all = channels(program, &objects);
    pending::check(program, &objects, &all)
}
