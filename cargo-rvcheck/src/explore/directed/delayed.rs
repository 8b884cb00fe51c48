//! Delays in place of schedules, for a test that is not controlled: whoever came first waits for a while until the other one is done.

use super::conflicts;
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::schedule::{Before, Delay, Until};
use std::collections::BTreeSet;

/// How many ways to delay a test are tried.
const MOST: usize = 24;

/// The ways to delay tasks that turn a conflict of this run around, the most telling first. The run need not have been controlled all
/// along: a delay is tried, and not followed.
pub fn delays(outcome: &Outcome) -> Vec<Vec<Delay>> {
    let mut known = BTreeSet::new();
    let conflicts = conflicts(outcome).into_iter().filter(|it| it.first.at != it.second.at);
    let delay = conflicts.map(|it| {
        let before = Before::Asking { at: it.first.at, having: None };
        Delay::of(before, Until::Done(it.second.at))
    });
    delay.filter(|it| known.insert(it.clone())).take(MOST).map(|it| vec![it]).collect()
}
