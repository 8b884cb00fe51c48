//! `cancel-unresponsive`: a loop that does not notice a request to stop.
//!
//! Its [check](read_once) comes once and too early, a loop that [retries](tries) has none, a loop [spins](spins), or spins once a channel
//! is [closed](closed), or sees the request and [goes on](goes_on), or runs on a [blocking](blocking) thread, which an abort does not
//! end.

mod blocking;
mod closed;
mod goes_on;
mod read_once;
mod spins;
mod tries;

use super::{CodeRef, Hit, Rule, ShownBy};
use crate::body::Kind;
use crate::facts::Facts;
use crate::facts::loops::stops;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "cancel-unresponsive",
    property: "cancel-unresponsive",
    doc: "A task does not notice a request to stop.",
    shown_by: ShownBy::Run("the task keeps running after it was asked to stop"),
    check,
};

/// Finds such loops.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits = closed::check(facts);
    hits.extend(blocking::check(facts, &stops(facts)));
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let once = read_once::check(facts, id);
        let primaries: Vec<&CodeRef> = once.iter().map(|it| &it.primary.0).collect();
        let is_reported = |it: &Hit| it.related.iter().any(|(mark, _)| primaries.contains(&mark));
        hits.extend(tries::check(facts, id).into_iter().filter(|it| !is_reported(it)));
        if function.kind == Kind::Coroutine {
            hits.extend(spins::check(program, id));
        }
        hits.extend(goes_on::check(facts, id));
        hits.extend(once);
    }
    hits
}
