//! Cancellations: what ends a wait of a task comes while the task is somewhere else.
//!
//! Nothing is cancelled that the program does not cancel. A signal or a message that a task waits for beside something else, as in `select!`,
//! comes when it stands at another await; so does the end of a time limit.

use crate::explore::seed::sample;
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Choice, Outcome};
use rvcheck_event::exploration::plan::{Hold, Plan, Switch};
use rvcheck_event::exploration::word::Operation;
use rvcheck_event::position::ProgramPoint;
use std::collections::{BTreeMap, BTreeSet};

/// At how many points of the one that waits a signal comes.
const POINTS: usize = 6;

/// Signals and messages that come when the one that waits for them has come further: at some points of it, for each two places.
pub(super) fn late_signals(outcome: &Outcome) -> Vec<Hold> {
    let mut waits: BTreeMap<u64, Vec<&Choice>> = BTreeMap::new();
    for it in outcome.choices.iter().filter(|it| it.object != 0) {
        if matches!(it.operation, Operation::Wait | Operation::Receive) {
            let its = waits.entry(it.object).or_default();
            if its.iter().all(|other| other.from.of != it.from.of) {
                its.push(it);
            }
        }
    }
    let mut known: BTreeSet<(&ProgramPoint, &ProgramPoint)> = BTreeSet::new();
    let mut holds = Vec::new();
    let gives = |it: &&Choice| matches!(it.operation, Operation::Notify | Operation::Send);
    for signal in outcome.choices.iter().filter(gives) {
        for wait in waits.get(&signal.object).into_iter().flatten() {
            if wait.from.of == signal.from.of || !known.insert((&signal.at, &wait.at)) {
                continue;
            }
            let later = outcome.choices.iter().filter(|it| it.from.of == wait.from.of);
            let later: Vec<&Choice> =
                later.filter(|it| it.from.number > wait.from.number && it.object != wait.object).collect();
            // It stands there when it has come to the next one.
            let hold = |it: &Choice| Hold {
                from: signal.from.clone(),
                until: Point { number: it.from.number + 1, ..it.from.clone() },
            };
            holds.extend(sample(later, POINTS).into_iter().map(hold));
        }
    }
    holds
}

/// Time limits at these places that are over at some points of the run: so many schedules in all.
pub(super) fn early_limits(outcome: &Outcome, limits: &[ProgramPoint], seed: u64, most: usize) -> Vec<Plan> {
    let Some(each) = most.checked_div(limits.len()) else { return Vec::new() };
    let points: Vec<&Choice> = outcome.choices.iter().collect();
    let plan = |limit: &ProgramPoint, it: &Choice| Plan {
        early: vec![limit.clone()],
        switches: vec![Switch { from: it.from.clone(), to: Name::CLOCK, at: Some(it.at.clone()) }],
        ..Plan::new(seed)
    };
    let of = |limit| sample(points.clone(), each).into_iter().map(move |it| plan(limit, it));
    limits.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "rvcheck-explored 1
end done
choice t0.1 1 a.rs:1:1 wait 5 :
choice t0.1 3 a.rs:2:1 lock 6 :
choice t0.1 5 a.rs:3:1 receive 7 :
choice t0.2 2 a.rs:9:1 notify 5 :";

    #[test]
    fn a_signal_comes_when_the_task_stands_further_on() {
        let outcome = Outcome::read(RUN).expect("an outcome");
        let holds: Vec<String> = late_signals(&outcome).iter().map(ToString::to_string).collect();
        assert_eq!(holds, ["hold t0.2 2 until t0.1 4", "hold t0.2 2 until t0.1 6"]);
    }

    #[test]
    fn a_time_limit_is_over_at_each_point_or_at_as_many_as_there_is_room_for() {
        let outcome = Outcome::read(RUN).expect("an outcome");
        let limit = outcome.choices[1].at.clone();
        let count = |limits: &[ProgramPoint], most| early_limits(&outcome, limits, 0, most).len();
        assert_eq!(count(&[], 10), 0);
        assert_eq!(count(std::slice::from_ref(&limit), 10), 4);
        assert_eq!(count(&[limit.clone(), limit.clone()], 6), 6);
        let plans = early_limits(&outcome, &[limit], 0, 4);
        assert!(plans.iter().all(|it| it.early.len() == 1 && it.switches[0].to.is_clock()));
    }
}
