//! What was covered: which orders were seen, and how much new is to be expected.

use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::position::ProgramPoint;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

type Pair = (ProgramPoint, ProgramPoint);

/// What the runs of one test have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many runs.
    pub runs: u64,
    /// By pair of operations, in that order: in how many runs it was seen.
    pairs: BTreeMap<Pair, u64>,
    awaits: BTreeSet<ProgramPoint>,
    cancelled: BTreeSet<ProgramPoint>,
    /// How many points there were, and how many of them outside of control.
    pub points: u64,
    /// See above.
    pub outside: u64,
    /// How many runs there were since one showed a new pair.
    pub since_new: u64,
}

/// What runs have shown, as it is kept in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    runs: u64,
    points: u64,
    outside: u64,
    since_new: u64,
    pairs: Vec<(String, String, u64)>,
    awaits: Vec<String>,
    cancelled: Vec<String>,
}

impl Coverage {
    /// As it is kept.
    pub fn written(&self) -> Written {
        let texts = |it: &BTreeSet<ProgramPoint>| it.iter().map(ToString::to_string).collect();
        Written {
            runs: self.runs,
            points: self.points,
            outside: self.outside,
            since_new: self.since_new,
            pairs: self
                .pairs()
                .map(|(one, other, runs)| (one.to_string(), other.to_string(), runs))
                .collect(),
            awaits: texts(&self.awaits),
            cancelled: texts(&self.cancelled),
        }
    }

    /// What was kept.
    pub fn read(written: &Written) -> Coverage {
        let point = |it: &String| ProgramPoint::read(it);
        let pair = |(one, other, runs): &(String, String, u64)| Some(((point(one)?, point(other)?), *runs));
        Coverage {
            runs: written.runs,
            pairs: written.pairs.iter().filter_map(pair).collect(),
            awaits: written.awaits.iter().filter_map(point).collect(),
            cancelled: written.cancelled.iter().filter_map(point).collect(),
            points: written.points,
            outside: written.outside,
            since_new: written.since_new,
        }
    }

    /// Takes in a run; whether it has shown a new pair.
    pub fn add(&mut self, outcome: &Outcome) -> bool {
        self.runs += 1;
        self.points += outcome.points;
        self.outside += outcome.outside;
        self.awaits.extend(outcome.awaits.iter().cloned());
        self.cancelled.extend(outcome.cancelled.iter().cloned());
        let mut is_new = false;
        for pair in &outcome.pairs {
            let count = self.pairs.entry(pair.clone()).or_default();
            is_new |= *count == 0;
            *count += 1;
        }
        self.since_new = if is_new { 0 } else { self.since_new + 1 };
        is_new
    }

    /// A run of which nothing is known.
    pub fn add_unknown(&mut self) {
        self.runs += 1;
        self.since_new += 1;
    }

    /// The pairs, and in how many runs each was seen.
    pub fn pairs(&self) -> impl Iterator<Item = (&ProgramPoint, &ProgramPoint, u64)> {
        self.pairs.iter().map(|((one, other), runs)| (one, other, *runs))
    }

    /// How many pairs of places were seen in both orders. What a place does before and after itself is the same both ways.
    pub fn both(&self) -> u64 {
        let is_both = |(a, b): &&Pair| a <= b && self.pairs.contains_key(&(b.clone(), a.clone()));
        self.pairs.keys().filter(is_both).count() as u64
    }

    /// How many were seen in one order only.
    pub fn one(&self) -> u64 {
        let is_one = |(a, b): &&Pair| !self.pairs.contains_key(&(b.clone(), a.clone()));
        self.pairs.keys().filter(is_one).count() as u64
    }

    /// How many pairs only one run has shown: divided by the number of runs, what another run is expected to show (Good 1953).
    pub fn seen_once(&self) -> u64 {
        self.pairs.values().filter(|it| **it == 1).count() as u64
    }

    /// How many awaits some task was dropped at, and at how many some task was suspended.
    pub fn cancelled(&self) -> (u64, u64) {
        let all: BTreeSet<_> = self.awaits.union(&self.cancelled).collect();
        (self.cancelled.len() as u64, all.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::exploration::word::End;

    fn at(line: u32) -> ProgramPoint {
        ProgramPoint::read(&format!("a.rs:{line}:1")).unwrap()
    }

    fn run(pairs: &[(u32, u32)]) -> Outcome {
        let pairs = pairs.iter().map(|(a, b)| (at(*a), at(*b))).collect();
        Outcome { pairs, awaits: vec![at(1), at(2)], cancelled: vec![at(2)], ..Outcome::new(End::Done) }
    }

    #[test]
    fn orders_are_counted_by_pairs_of_places() {
        let mut coverage = Coverage::default();
        assert!(coverage.add(&run(&[(1, 2), (3, 4)])));
        assert!(!coverage.add(&run(&[(1, 2)])));
        assert!(coverage.add(&run(&[(2, 1), (5, 5)])));
        assert_eq!((coverage.both(), coverage.one(), coverage.seen_once()), (2, 1, 3));
        assert_eq!(coverage.cancelled(), (1, 2));
        assert_eq!((coverage.runs, coverage.since_new), (3, 0));
        coverage.add_unknown();
        assert_eq!((coverage.runs, coverage.since_new), (4, 1));
        assert_eq!(Coverage::read(&coverage.written()), coverage);
    }
}
