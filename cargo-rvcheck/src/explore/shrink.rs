//! Shrinking: the fewest deviations from the default order with which the same goes wrong.
//!
//! Delta debugging (Zeller and Hildebrandt 2002): ever smaller parts are left out, as long as that changes nothing.

use super::seen::{Failure, Seen};
use rvcheck_event::exploration::plan::{Hold, Plan, Switch};

/// A schedule with which something goes wrong, and what the run by it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// The schedule.
    pub plan: Plan,
    /// The run.
    pub seen: Seen,
    /// How many runs it took.
    pub runs: u64,
    /// Nothing more can be left out. Else there were too few runs to know that.
    pub is_least: bool,
}

/// Leaves out what it can of a plan by which `seen` went wrong in this way, with at most so many runs.
pub fn shrink<E>(
    plan: &Plan,
    seen: &Seen,
    failure: &Failure,
    most: u64,
    mut run: impl FnMut(&Plan) -> Result<Seen, E>,
) -> Result<Shrunk, E> {
    let mut best = Shrunk { plan: plan.clone(), seen: seen.clone(), runs: 0, is_least: false };
    // Mostly the deviations alone do it; or somebody who goes on at once where others would have had to wait for that.
    for tried in with_switches_alone(plan) {
        best.runs += 1;
        let seen = run(&tried)?;
        if seen.shows(failure) {
            best = Shrunk { plan: tried, seen, ..best };
            break;
        }
    }
    let mut number = 0;
    while let Some(tried) = without_freedom(&best.plan, number).filter(|_| best.runs < most) {
        best.runs += 1;
        let seen = run(&tried)?;
        if seen.shows(failure) {
            best = Shrunk { plan: tried, seen, ..best };
        } else {
            number += 1;
        }
    }
    let mut part = best.plan.switches.len().div_ceil(2);
    loop {
        let parts = if part > 0 {
            stretches(best.plan.switches.len(), part)
        } else {
            pairs(best.plan.switches.len())
        };
        let mut has_shrunk = false;
        for part in parts {
            if best.runs == most {
                return Ok(best);
            }
            let is_kept = |at: &usize| !part.contains(at);
            let switches: Vec<Switch> = best.plan.switches.clone();
            let switches =
                switches.into_iter().enumerate().filter(|it| is_kept(&it.0)).map(|it| it.1).collect();
            let tried = Plan { switches, ..best.plan.clone() };
            best.runs += 1;
            let seen = run(&tried)?;
            if seen.shows(failure) {
                // What could not be followed was not needed either.
                let made = seen.outcome.as_ref().map(|it| it.switches.clone());
                let switches =
                    made.filter(|it| it.len() <= tried.switches.len()).unwrap_or(tried.switches.clone());
                best = Shrunk { plan: Plan { switches, ..tried }, seen, ..best };
                has_shrunk = true;
                break;
            }
        }
        part = match (part, has_shrunk) {
            // What is left out together with its neighbours may be what kept another one there.
            (0, true) => 1,
            (0, false) => break,
            (_, true) => part.min(best.plan.switches.len().div_ceil(2)),
            (_, false) => part / 2,
        };
    }
    best.is_least = true;
    Ok(best)
}

/// What may come to the same as a plan that says more than who goes on.
fn with_switches_alone(plan: &Plan) -> Vec<Plan> {
    let without = Plan {
        holds: Vec::new(),
        delays: Vec::new(),
        signals: Vec::new(),
        spurious: Vec::new(),
        ..plan.clone()
    };
    if without == *plan {
        return Vec::new();
    }
    let switch = |it: &Hold| Switch { from: it.from.clone(), to: it.until.of.clone(), at: None };
    let instead =
        plan.holds.iter().map(switch).filter(|it| plan.switches.iter().all(|other| other.from != it.from));
    let switches = plan.switches.iter().cloned().chain(instead).collect();
    vec![without.clone(), Plan { switches, ..without }]
}

/// The plan without the signal or wait of this number that it says something of; `None` if there are not so many.
fn without_freedom(plan: &Plan, number: usize) -> Option<Plan> {
    let mut tried = plan.clone();
    let signals = plan.signals.len();
    if number < signals {
        tried.signals.remove(number);
    } else if number - signals < plan.spurious.len() {
        tried.spurious.remove(number - signals);
    } else {
        return None;
    }
    Some(tried)
}

/// The parts of so many, each of this length, one after another, from the last one: what comes late depends on what was before.
fn stretches(count: usize, length: usize) -> Vec<Vec<usize>> {
    let starts = (0..count).step_by(length.max(1));
    starts.rev().map(|it| (it..(it + length).min(count)).collect()).collect()
}

/// Each two of so many, neighbours first: one who stops another and is stopped in turn goes with that.
fn pairs(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = (0..count).flat_map(|a| (a + 1..count).map(move |b| vec![a, b])).collect();
    all.sort_by_key(|it| it.last().zip(it.first()).map(|(last, first)| last - first));
    all
}
