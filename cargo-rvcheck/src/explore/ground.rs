//! What two runs of a test by the same plan show, that of the default order as a rule: whether it can be explored, and what there is to reorder.

use super::seen::{RunResult, Seen};
use rvcheck_event::exploration::outcome::{Beyond, Choice, Outcome};
use rvcheck_event::exploration::plan::{Plan, Strategy};
use rvcheck_event::exploration::word::{Cause, End};
use std::collections::{BTreeMap, BTreeSet};

/// How many points in a hundred may be outside of control.
const OUTSIDE: u64 = 10;
/// How many places are named that are outside.
const NAMED: usize = 3;

/// What can be done with a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ground {
    /// There is something to reorder.
    Open(Outcome),
    /// One participant does everything, so that there is one schedule.
    Alone(Outcome),
    /// It is not controlled, for these reasons.
    Uncontrolled(Vec<String>),
}

/// The plan of the runs that are compared: nobody deviates, and everything that could be chosen is listed. Runtimes on one
/// thread may have to stay there.
pub fn default_order(seed: u64, is_narrow: bool) -> Plan {
    Plan { lists_choices: true, is_narrow, ..Plan::new(seed) }
}

/// The plan of a run in which chance chooses, for a test that fails by the default order. Its runtimes on one thread stay there.
pub fn walk(seed: u64) -> Plan {
    Plan { by: Strategy::Random, ..default_order(seed, true) }
}

/// What these two runs by the same plan show.
pub fn ground(first: &Seen, second: &Seen) -> Ground {
    let mut reasons: Vec<String> = Vec::new();
    for seen in [first, second] {
        reasons.extend(refusal(seen));
        let Some(outcome) = &seen.outcome else { continue };
        if outcome.outside * 100 > outcome.points * OUTSIDE {
            reasons.push(too_much_outside(outcome));
        }
    }
    if reasons.is_empty()
        && let (Some(one), Some(other)) = (&first.outcome, &second.outcome)
        && let Some(difference) = difference(one, other)
    {
        reasons.push(format!("two runs by the same schedule differ: {difference}"));
    }
    match &first.outcome {
        Some(outcome) if reasons.is_empty() => {
            let is_alone = outcome.participants.len() < 2;
            if is_alone { Ground::Alone(outcome.clone()) } else { Ground::Open(outcome.clone()) }
        }
        _ => {
            reasons.dedup();
            Ground::Uncontrolled(reasons)
        }
    }
}

/// Why a run by the default order is none of a test that passes.
fn refusal(seen: &Seen) -> Option<String> {
    match (&seen.result, &seen.outcome) {
        (result, Some(_)) if result.passes() => None,
        (result, None) if result.passes() => Some("its process did not report how its tasks ran".to_owned()),
        (RunResult::Failed(failure), _) => {
            let message =
                if failure.message.is_empty() { String::new() } else { format!(": {}", failure.message) };
            Some(format!(
                "it passes without control, but fails when its tasks run in the default order{message}"
            ))
        }
        (RunResult::NotEnded, Some(outcome)) if outcome.end == End::Lost => {
            Some(format!("it had not ended after {} points in the default order", outcome.points))
        }
        (RunResult::NotEnded | RunResult::Passed, _) => {
            Some("it did not end in time in the default order".to_owned())
        }
    }
}

fn too_much_outside(outcome: &Outcome) -> String {
    let share = (outcome.outside * 100).div_ceil(outcome.points.max(1));
    let causes = causes(&outcome.beyond);
    let causes = if causes.is_empty() { String::new() } else { format!(": {}", causes.join("; ")) };
    format!("too much is outside of control, {share} % of what happened was outside{causes}")
}

/// What was outside, each with some of its places.
fn causes(beyond: &[Beyond]) -> Vec<String> {
    let mut places: BTreeMap<Cause, BTreeSet<String>> = BTreeMap::new();
    for it in beyond {
        places.entry(it.what).or_default().insert(it.at.to_string());
    }
    let cause = |(what, places): (Cause, BTreeSet<String>)| {
        let what = match what {
            Cause::Net => "sockets",
            Cause::Fs => "files",
            Cause::Process => "processes",
            Cause::Foreign => "threads of which nothing is known",
        };
        let more = if places.len() > NAMED { ", …" } else { "" };
        let places: Vec<String> = places.into_iter().filter(|it| !it.starts_with('?')).take(NAMED).collect();
        if places.is_empty() { what.to_owned() } else { format!("{what} at {}{more}", places.join(", ")) }
    };
    places.into_iter().map(cause).collect()
}

/// Where two runs differ first, if they do.
fn difference(one: &Outcome, other: &Outcome) -> Option<String> {
    let choices = numbered(&one.choices).into_iter().zip(numbered(&other.choices));
    if let Some((a, b)) = choices.into_iter().find(|(a, b)| a != b) {
        return Some(format!("one reaches {}, and the other {}", described(&a), described(&b)));
    }
    if one.participants != other.participants {
        let counts = (one.participants.len(), other.participants.len());
        return Some(format!("{} take part in the one, and {} in the other", counts.0, counts.1));
    }
    let counts = |it: &Outcome| (it.choices.len(), it.decisions, it.points);
    (counts(one) != counts(other))
        .then(|| format!("the one has {} points, and the other {}", one.points, other.points))
}

/// The choices, with objects that have the same numbers in each run: those in which they come up.
fn numbered(choices: &[Choice]) -> Vec<Choice> {
    let mut numbers: BTreeMap<u64, u64> = BTreeMap::from([(0, 0)]);
    let mut number = |object: u64| {
        let next = numbers.len() as u64;
        *numbers.entry(object).or_insert(next)
    };
    choices.iter().map(|it| Choice { object: number(it.object), ..it.clone() }).collect()
}

fn described(it: &Choice) -> String {
    let others: Vec<String> = it.candidates.iter().map(ToString::to_string).collect();
    let others = if others.is_empty() { "no other participant".to_owned() } else { others.join(", ") };
    format!("{} ({}) at {}, where {others} could go on", it.from, it.operation, it.at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::seen::{Failure, FailureKind};
    use rvcheck_event::exploration::name::Name;
    use rvcheck_event::exploration::outcome::Participant;
    use rvcheck_event::exploration::word::Kind;
    use rvcheck_event::position::ProgramPoint;

    fn passed(change: impl FnOnce(&mut Outcome)) -> Seen {
        let mut outcome = Outcome::new(End::Done);
        outcome.points = 100;
        for name in [Name::test(), Name::test().child(1)] {
            outcome.participants.push(Participant { name, kind: Kind::Task, spawned: None });
        }
        change(&mut outcome);
        Seen { result: RunResult::Passed, outcome: Some(outcome) }
    }

    fn reasons(first: &Seen, second: &Seen) -> Vec<String> {
        match ground(first, second) {
            Ground::Uncontrolled(reasons) => reasons,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_test_that_is_the_same_twice_is_controlled() {
        let seen = passed(|_| {});
        assert!(matches!(ground(&seen, &seen), Ground::Open(_)));
        let alone = passed(|it| it.participants.truncate(1));
        assert!(matches!(ground(&alone, &alone), Ground::Alone(_)));
    }

    #[test]
    fn a_test_that_is_not_controlled_says_why() {
        let fine = passed(|_| {});
        let other = passed(|it| it.points = 101);
        assert_eq!(
            reasons(&fine, &other),
            ["two runs by the same schedule differ: the one has 100 points, and the other 101"]
        );
        let at = |line: u32| ProgramPoint::read(&format!("src/net.rs:{line}:1")).unwrap();
        let outside = passed(|it| {
            it.outside = 11;
            it.beyond = vec![Beyond { of: Name::test(), at: at(3), what: Cause::Net }];
        });
        assert_eq!(
            reasons(&outside, &outside),
            ["too much is outside of control, 11 % of what happened was outside: sockets at src/net.rs:3:1"]
        );
        let failure = Failure {
            kind: FailureKind::Test,
            signature: "a".to_owned(),
            panics: Vec::new(),
            message: "assertion failed".to_owned(),
        };
        let failed = Seen { result: RunResult::Failed(failure), ..fine.clone() };
        assert_eq!(
            reasons(&failed, &failed),
            [
                "it passes without control, but fails when its tasks run in the default order: assertion failed"
            ]
        );
        let silent = Seen { result: RunResult::Passed, outcome: None };
        assert_eq!(reasons(&fine, &silent), ["its process did not report how its tasks ran"]);
        let late = Seen { result: RunResult::NotEnded, outcome: None };
        assert_eq!(reasons(&late, &late), ["it did not end in time in the default order"]);
    }
}
