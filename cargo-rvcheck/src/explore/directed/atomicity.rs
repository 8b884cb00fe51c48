//! Steps that may have to be atomic: a participant uses an object twice in a row, in two places, as a check and an act do.
//!
//! What the check has seen need not be true any more when the act comes, so an operation of somebody else is put between the two. A program
//! that accepts both serial orders, the other one before the check or behind the act, and fails by the interleaved one, takes the two for one
//! step. A program that fails by a serial order as well only depends on the order.

use super::conflicts::is_operation;
use crate::explore::seen::{Failure, FailureKind, RunResult};
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::outcome::{Choice, Outcome};
use rvcheck_event::exploration::plan::{Hold, Plan};
use rvcheck_event::exploration::word::Operation;
use rvcheck_event::position::ProgramPoint;
use std::collections::{BTreeMap, BTreeSet};

/// How many operations of others are put between two steps.
const BETWEEN: usize = 8;
/// How often the same places are tried: the first time, something else may keep them in order.
const TIMES: u32 = 4;

/// A check, an act, and what may come between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckThenAct {
    /// Where the participant uses the object first.
    pub check: ProgramPoint,
    /// Where it does so next.
    pub act: ProgramPoint,
    /// Where somebody else does.
    pub between: ProgramPoint,
    /// The holds of the interleaved order.
    interleaved: Vec<Hold>,
    /// Those of the serial order that the default order is not.
    serial: Vec<Hold>,
}

impl CheckThenAct {
    /// The plan by which the other operation comes between the two.
    pub fn interleaved(&self, seed: u64) -> Plan {
        Plan { holds: self.interleaved.clone(), is_narrow: true, ..Plan::new(seed) }
    }

    /// The plan of the serial order that the default order is not.
    pub fn serial(&self, seed: u64) -> Plan {
        Plan { holds: self.serial.clone(), is_narrow: true, ..Plan::new(seed) }
    }
}

/// What goes wrong in the interleaved run, if the serial one shows that it is a matter of the interleaving.
pub fn only_interleaved<'r>(interleaved: &'r RunResult, serial: &RunResult) -> Option<&'r Failure> {
    match interleaved {
        RunResult::Failed(it) if matches!(it.kind, FailureKind::Test | FailureKind::Died) => {
            serial.passes().then_some(it)
        }
        _ => None,
    }
}

/// The steps of a run that others can come between, each combination of places a few times. `are_related` says whether two places are so close
/// that what is done there may be meant as one step.
pub fn check_then_acts(
    outcome: &Outcome,
    are_related: impl Fn(&ProgramPoint, &ProgramPoint) -> bool,
) -> Vec<CheckThenAct> {
    let mut by_object: BTreeMap<u64, Vec<&Choice>> = BTreeMap::new();
    for choice in outcome.choices.iter().filter(|it| it.object != 0 && may_look(it.operation)) {
        by_object.entry(choice.object).or_default().push(choice);
    }
    let mut related: BTreeMap<[&ProgramPoint; 2], bool> = BTreeMap::new();
    let mut times: BTreeMap<[&ProgramPoint; 3], u32> = BTreeMap::new();
    let mut found = Vec::new();
    for choices in by_object.values() {
        // Nobody else comes between them in this run, or that would have been tried already.
        for (number, pair) in choices.windows(2).enumerate() {
            let [check, act] = pair else { continue };
            if check.from.of != act.from.of || check.at == act.at {
                continue;
            }
            let places = [&check.at, &act.at];
            if !*related.entry(places).or_insert_with(|| are_related(places[0], places[1])) {
                continue;
            }
            let after = choices[number + 2..].iter().map(|it| (false, *it));
            let before = choices[..number].iter().rev().map(|it| (true, *it));
            let others = after.chain(before).filter(|it| it.1.from.of != act.from.of);
            let mut here: BTreeSet<&ProgramPoint> = BTreeSet::new();
            let new = others.filter(|(_, it)| {
                let times = times.entry([&check.at, &act.at, &it.at]).or_default();
                *times += 1;
                *times <= TIMES && here.insert(&it.at)
            });
            let steps = Steps { outcome, check, act };
            found.extend(new.take(BETWEEN).map(|(is_before, it)| steps.with(it, is_before, choices)));
        }
    }
    found
}

/// Whether a participant may look at something there, or change it.
fn may_look(operation: Operation) -> bool {
    use Operation as O;
    is_operation(operation) && !matches!(operation, O::Wait | O::Notify | O::Permit | O::Receive)
}

struct Steps<'a> {
    outcome: &'a Outcome,
    check: &'a Choice,
    act: &'a Choice,
}

impl Steps<'_> {
    fn with(&self, other: &Choice, is_before: bool, choices: &[&Choice]) -> CheckThenAct {
        let Steps { check, act, .. } = *self;
        let mut interleaved = self.held(act, Some(&check.from), &done(&other.from));
        let serial = if is_before {
            interleaved.extend(self.held(other, None, &act.from));
            self.held(other, None, &done(&act.from))
        } else {
            let last = choices.iter().rev().find(|it| it.from.of == other.from.of);
            self.held(check, None, &done(&last.map_or(other, |it| *it).from))
        };
        CheckThenAct {
            check: check.at.clone(),
            act: act.at.clone(),
            between: other.at.clone(),
            interleaved,
            serial,
        }
    }

    /// Holds a participant before a choice until somebody has come to that point. A task is held before it is polled for it, too, unless that
    /// is not behind `after`: once it is polled, its thread goes on with nobody else.
    fn held(&self, choice: &Choice, after: Option<&Point>, until: &Point) -> Vec<Hold> {
        let from = &choice.from;
        let is_its = |it: &&Point| it.of == from.of && it.number < from.number;
        let polled = self.outcome.polls.iter().filter(is_its).max_by_key(|it| it.number);
        let polled = polled.filter(|it| after.is_none_or(|after| it.number > after.number));
        polled
            .into_iter()
            .chain([from])
            .map(|from| Hold { from: from.clone(), until: until.clone() })
            .collect()
    }
}

/// The point at which what is done at this one is over.
fn done(at: &Point) -> Point {
    Point { number: at.number + 1, ..at.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::choices;
    use super::*;

    fn plans(text: &str) -> Vec<(String, String)> {
        let holds = |all: &[Hold]| {
            let all: Vec<String> = all.iter().map(|it| format!("{} {}", it.from, it.until)).collect();
            all.join(", ")
        };
        let all = check_then_acts(&choices(text), |_, _| true);
        all.iter().map(|it| (holds(&it.interleaved), holds(&it.serial))).collect()
    }

    #[test]
    fn what_comes_behind_both_steps_or_before_them_is_put_between_them() {
        let check = "t0.1 2 a.rs:1:1 lock 5 :\n t0.1 4 a.rs:2:1 lock 5 :\n";
        let other = "t0.2 7 a.rs:9:1 lock 5 :\n";
        assert_eq!(plans(&format!("{check}{other}")), [("t0.1 4 t0.2 8".into(), "t0.1 2 t0.2 8".into())]);
        let before = ("t0.1 4 t0.2 8, t0.2 7 t0.1 4".into(), "t0.2 7 t0.1 5".into());
        assert_eq!(plans(&format!("{other}{check}")), [before]);
    }

    #[test]
    fn a_run_in_which_somebody_comes_between_needs_no_other_and_one_place_is_no_check_with_its_act() {
        let between = "t0.1 2 a.rs:1:1 lock 5 :\n t0.2 7 a.rs:9:1 lock 5 :\n t0.1 4 a.rs:2:1 lock 5 :\n";
        assert_eq!(plans(between), []);
        let same = "t0.1 2 a.rs:1:1 lock 5 :\n t0.1 4 a.rs:1:1 lock 5 :\n t0.2 7 a.rs:9:1 lock 5 :\n";
        assert_eq!(plans(same), []);
    }

    #[test]
    fn what_fails_by_both_orders_or_hangs_is_no_matter_of_the_interleaving() {
        let failed = |kind| {
            let (panics, signature, message) = (Vec::new(), String::new(), String::new());
            RunResult::Failed(Failure { kind, signature, panics, message })
        };
        let of = |one: &RunResult, other: &RunResult| only_interleaved(one, other).is_some();
        let fails = failed(FailureKind::Test);
        assert!(of(&fails, &RunResult::Passed));
        assert!(!of(&fails, &fails) && !of(&fails, &RunResult::NotEnded));
        assert!(
            !of(&failed(FailureKind::Hang), &RunResult::Passed)
                && !of(&RunResult::Passed, &RunResult::Passed)
        );
    }
}
