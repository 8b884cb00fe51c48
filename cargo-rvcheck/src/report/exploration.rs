//! What exploring has covered: by test, and in all.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was explored, and how far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exploration {
    /// What all randomness came from.
    pub seed: u64,
    /// The only way in which schedules were chosen; empty if there were several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The tests, in the order of their names.
    pub tests: Vec<ExploredTest>,
}

/// What was explored of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExploredTest {
    /// `<target>::<path>` of the test.
    pub test: String,
    /// Whether it could be explored.
    pub control: Control,
    /// Why it could not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// How many tasks and threads take part by default.
    pub participants: u64,
    /// How often it was run.
    pub runs: u64,
    /// In how many of these runs something went wrong.
    pub failing: u64,
    /// Which of its runs was the first of them, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_failing: Option<u64>,
    /// How many runs did not end in time.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub not_ended: u64,
    /// The orders of operations on the same object.
    pub orders: Orders,
    /// The awaits.
    pub awaits: Awaits,
    /// The schedules with one preemption.
    pub preemptions: Preemptions,
    /// How many points there were in all runs.
    pub points: u64,
    /// How many of them were outside of control.
    pub outside: u64,
    /// What else a reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The pairs of places in the orders that were seen, where only a part of the schedules was run: what several parts have seen is
    /// counted together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<SeenPair>,
}

/// Whether a test could be explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// There was no time for it.
    #[default]
    NotReached,
    /// It could not be controlled; `reasons` says why.
    NotControlled,
    /// One task or thread does everything, so that there is one schedule.
    Alone,
    /// It was explored.
    Controlled,
}

/// Orders of two operations on the same object, by place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Orders {
    /// How many pairs of places were seen in both orders.
    pub both: u64,
    /// How many were seen in one order only.
    pub one: u64,
    /// How many orders only one run has shown. Divided by the number of runs, this is how many new ones to expect of another run.
    pub once: u64,
}

/// The awaits at which tasks were suspended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Awaits {
    /// At how many of them a task was also dropped.
    pub cancelled: u64,
    /// How many there are.
    pub suspended: u64,
}

/// Schedules with one preemption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Preemptions {
    /// How many there are.
    pub possible: u64,
    /// How many of them were among those to try.
    pub chosen: u64,
}

/// Two operations, the one right before the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SeenPair {
    /// The place of the first one, as it was built.
    pub first: String,
    /// That of the second one.
    pub second: String,
    /// How many runs have shown it.
    pub runs: u64,
}

impl Exploration {
    /// How many tests have this kind of control.
    pub fn count(&self, control: Control) -> u64 {
        self.tests.iter().filter(|it| it.control == control).count() as u64
    }

    /// The sum of something over all tests.
    pub fn sum(&self, of: impl Fn(&ExploredTest) -> u64) -> u64 {
        self.tests.iter().map(of).sum()
    }

    /// Takes in what another part, or another machine, has explored.
    pub fn add(&mut self, other: &Exploration) {
        self.seconds += other.seconds;
        for test in &other.tests {
            match self.tests.iter_mut().find(|it| it.test == test.test) {
                Some(known) => known.add(test),
                None => self.tests.push(test.clone()),
            }
        }
        self.tests.sort_by(|a, b| a.test.cmp(&b.test));
    }
}

impl ExploredTest {
    fn add(&mut self, other: &ExploredTest) {
        self.control = self.control.max(other.control);
        for (all, more) in [(&mut self.reasons, &other.reasons), (&mut self.notes, &other.notes)] {
            let new: Vec<String> = more.iter().filter(|it| !all.contains(it)).cloned().collect();
            all.extend(new);
        }
        self.participants = self.participants.max(other.participants);
        self.runs += other.runs;
        self.failing += other.failing;
        self.first_failing = match (self.first_failing, other.first_failing) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.not_ended += other.not_ended;
        self.points += other.points;
        self.outside += other.outside;
        self.awaits.cancelled = self.awaits.cancelled.max(other.awaits.cancelled);
        self.awaits.suspended = self.awaits.suspended.max(other.awaits.suspended);
        if other.preemptions.chosen > self.preemptions.chosen {
            self.preemptions = other.preemptions;
        }
        if self.pairs.is_empty() || other.pairs.is_empty() {
            // What both have in common is not known.
            if other.orders.both + other.orders.one > self.orders.both + self.orders.one {
                self.orders = other.orders;
            }
            return;
        }
        let mut pairs: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for pair in self.pairs.iter().chain(&other.pairs) {
            *pairs.entry((&pair.first, &pair.second)).or_default() += pair.runs;
        }
        let is_both = |(a, b): &(&str, &str)| pairs.contains_key(&(*b, *a));
        let orders = Orders {
            both: pairs.keys().filter(|it| it.0 <= it.1 && is_both(it)).count() as u64,
            one: pairs.keys().filter(|it| !is_both(it)).count() as u64,
            once: pairs.values().filter(|it| **it == 1).count() as u64,
        };
        let pair = |((first, second), runs): (&(&str, &str), &u64)| SeenPair {
            first: (*first).to_owned(),
            second: (*second).to_owned(),
            runs: *runs,
        };
        let pairs = pairs.iter().map(pair).collect();
        (self.orders, self.pairs) = (orders, pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(pairs: &[(&str, &str, u64)], runs: u64, first_failing: Option<u64>) -> Exploration {
        let pair = |it: &(&str, &str, u64)| SeenPair { first: it.0.into(), second: it.1.into(), runs: it.2 };
        let test = ExploredTest {
            test: "it::a".into(),
            control: Control::Controlled,
            runs,
            first_failing,
            pairs: pairs.iter().map(pair).collect(),
            ..ExploredTest::default()
        };
        Exploration { tests: vec![test], seconds: 1.5, ..Exploration::default() }
    }

    #[test]
    fn what_several_parts_have_seen_is_counted_together() {
        let mut all = part(&[("a", "b", 3), ("c", "c", 1), ("d", "e", 1)], 64, None);
        all.add(&part(&[("b", "a", 1), ("d", "e", 2)], 128, Some(70)));
        let test = &all.tests[0];
        assert_eq!((test.orders.both, test.orders.one, test.orders.once), (2, 1, 2));
        assert_eq!((test.runs, test.first_failing, all.seconds), (192, Some(70), 3.0));
    }
}
