//! Schedules that are made on purpose, from the choices that the run by the default order had.
//!
//! First each conflict of two operations the other way round, the signals before the waits; then channels that are full, freedoms and
//! cancellations; then each preemption alone; then two of them. All are derived from one outcome, so that every machine comes to the same list.

mod atomicity;
mod cancellations;
mod channels;
mod conflicts;
mod delayed;
mod freedoms;
mod preemptions;
mod rearranged;

pub use atomicity::{CheckThenAct, check_then_acts, only_interleaved};
pub use conflicts::{Conflict, conflicts};
pub use delayed::delays;
pub use preemptions::{count, doubles, singles};
pub use rearranged::{Order, Turn, rearranged};

use super::seed::sample;
use cancellations::{early_limits, late_signals};
use channels::late_receivers;
use freedoms::other_uses;
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::{Hold, Plan, Switch};
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::schedule::Delay;

/// How many ways are tried that were predicted.
const PREDICTED: usize = 64;
/// How many conflicts are reversed at most.
const CONFLICTS: usize = 200;
/// How many schedules of each further sort are tried at most.
const FURTHER: usize = 64;
/// How many schedules with one preemption are looked at.
const SINGLES: usize = 20_000;
/// How many schedules with two preemptions there are at most.
const DOUBLES: usize = 500;

/// The directed schedules of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directed {
    /// The schedules, in the order in which they are tried.
    pub plans: Vec<Plan>,
    /// How many of them reverse a conflict.
    pub reversals: usize,
    /// How many schedules with one preemption there could be, and how many of them are among the plans.
    pub preemptions: (usize, usize),
}

/// The directed schedules of a test that has room for so many runs, from its run by the default order with this seed. What was predicted
/// comes first: that tasks are delayed in one of these ways. The time limits at these places may be over early.
pub fn directed(
    outcome: &Outcome,
    seed: u64,
    room: usize,
    predicted: &[Vec<Delay>],
    limits: &[ProgramPoint],
) -> Directed {
    let predicted = predicted.iter().take(PREDICTED.min(room / 4));
    let mut plans: Vec<Plan> = predicted.map(|it| Plan { delays: it.clone(), ..Plan::new(seed) }).collect();
    let predicted = plans.len();
    let reversed = conflicts(outcome).into_iter().flat_map(|it| it.reversals());
    for (hold, switch) in reversed.take(CONFLICTS.min(room / 2)) {
        plans.push(Plan {
            holds: hold.into_iter().collect(),
            switches: switch.into_iter().collect(),
            ..Plan::new(seed)
        });
    }
    let reversals = plans.len() - predicted;
    let held = |it: Hold| Plan { holds: vec![it], ..Plan::new(seed) };
    let most = FURTHER.min(room / 16);
    plans.extend(late_receivers(outcome).into_iter().map(held).take(most));
    plans.extend(other_uses(outcome, seed).into_iter().take(most));
    plans.extend(late_signals(outcome).into_iter().map(held).take(most));
    plans.extend(early_limits(outcome, limits, seed, most));
    let left = room.saturating_sub(plans.len());
    let possible = count(outcome);
    let all = singles(outcome, SINGLES);
    let matter: Vec<Switch> = all.iter().filter(|it| it.matters).map(|it| it.switch.clone()).collect();
    let chosen: Vec<Switch> = if possible <= left / 2 {
        all.iter().map(|it| it.switch.clone()).collect()
    } else if matter.len() <= left / 2 {
        matter.clone()
    } else {
        sample(matter.clone(), left / 4)
    };
    let tried = chosen.len();
    plans.extend(chosen.into_iter().map(|it| Plan { switches: vec![it], ..Plan::new(seed) }));
    let pairs = doubles(outcome, &matter, DOUBLES.min((left - tried) / 4));
    plans.extend(pairs.into_iter().map(|it| Plan { switches: it.into(), ..Plan::new(seed) }));
    Directed { plans, reversals, preemptions: (possible, tried) }
}

/// How a conflict is reversed: by a participant that waits, or by one that goes on.
pub type Reversal = (Option<Hold>, Option<Switch>);

/// A run with these choices.
#[cfg(test)]
fn choices(text: &str) -> Outcome {
    let lines: Vec<String> = text.lines().map(|it| format!("choice {}", it.trim())).collect();
    let text = format!("rvcheck-explored 1\nend done\n{}", lines.join("\n"));
    Outcome::read(&text).expect("an outcome")
}
