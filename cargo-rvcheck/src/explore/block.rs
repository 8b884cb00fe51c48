//! Blocks: the runs of a test, in portions that several machines can share.
//!
//! What a run of a block is depends on the test, on the seed, and on what earlier runs of the same block have shown; on nothing else. So it
//! does not matter who makes which block, and when.

use super::directed::Directed;
use super::seed::hash;
use super::seen::made;
use super::walks::Walks;
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::Plan;
use rvcheck_event::position::ProgramPoint;
use std::collections::BTreeSet;

/// How many runs a block has.
pub const RUNS: u64 = 64;
/// How many runs of a block are kept to go on from.
const PARENTS: usize = 16;

/// Everything that the runs of a test are made from.
#[derive(Clone, Debug)]
pub struct Course {
    /// Which test.
    pub test: String,
    /// The schedules that come first.
    pub directed: Directed,
    /// What comes then.
    pub walks: Walks,
    /// The pairs of the run by the default order.
    pub known: BTreeSet<(ProgramPoint, ProgramPoint)>,
    /// How many runs there are in all, where that is limited.
    pub runs: Option<u64>,
    /// Whether its runtimes on one thread stay there.
    pub is_narrow: bool,
    /// After how many points a run is taken for one that goes round without end.
    pub limit: u64,
}

/// After how many points a run is taken for one that goes round without end, if the one by the default order has so many.
pub fn limit(points: u64) -> u64 {
    points.saturating_mul(LONGER).max(LEAST_LIMIT)
}

/// How many times as long as the run by the default order another one may be, and how long it may be in any case.
const LONGER: u64 = 10;
/// See above.
const LEAST_LIMIT: u64 = 10_000;

impl Course {
    /// Whether this machine, of so many, makes this block.
    pub fn is_dealt(&self, block: u64, index: u32, count: u32) -> bool {
        let count = u64::from(count.max(1));
        (hash(&self.test) % count + block) % count == u64::from(index.saturating_sub(1)) % count
    }

    /// Whether there is such a block.
    pub fn has(&self, block: u64) -> bool {
        self.runs.is_none_or(|it| block * RUNS < it)
    }
}

/// A block that is being made.
#[derive(Clone, Debug)]
pub struct Block<'c> {
    course: &'c Course,
    number: u64,
    run: u64,
    known: BTreeSet<(ProgramPoint, ProgramPoint)>,
    /// The plans that make them again.
    parents: Vec<Plan>,
}

impl<'c> Block<'c> {
    /// The block of this number.
    pub fn new(course: &'c Course, number: u64) -> Block<'c> {
        Block { course, number, run: 0, known: course.known.clone(), parents: Vec::new() }
    }

    /// The number of the next run within the test, and its plan; `None` at the end.
    pub fn next_plan(&mut self) -> Option<(u64, Plan)> {
        let index = self.number * RUNS + self.run;
        if self.run == RUNS || self.course.runs.is_some_and(|it| index >= it) {
            return None;
        }
        let directed = usize::try_from(index).ok().and_then(|it| self.course.directed.plans.get(it));
        let plan = match directed {
            Some(plan) => plan.clone(),
            None => self.course.walks.plan(self.number, self.run, &self.parents),
        };
        self.run += 1;
        Some((index, Plan { limit: self.course.limit, is_narrow: self.course.is_narrow, ..plan }))
    }

    /// Takes in what a run has shown; whether any of it is new to this block.
    pub fn learn(&mut self, plan: &Plan, outcome: &Outcome) -> bool {
        let before = self.known.len();
        self.known.extend(outcome.pairs.iter().cloned());
        let is_new = self.known.len() > before;
        if is_new && self.parents.len() < PARENTS {
            self.parents.push(made(plan, outcome));
        }
        is_new
    }
}
