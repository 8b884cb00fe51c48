//! What became of a test that is explored.

use super::bench::Subject;
use crate::explore::belief::Fault;
use crate::explore::block::Course;
use crate::explore::coverage::Coverage;
use crate::explore::seen::Failure;
use crate::recorded::End;
use camino::Utf8PathBuf;
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::Plan;
use rvcheck_event::schedule::Delay;
use std::collections::BTreeSet;
use std::sync::Arc;

/// See the module.
pub(super) struct Explored {
    pub(super) subject: Subject,
    pub(super) state: State,
    /// How many take part in the run by the default order.
    pub(super) participants: u64,
    pub(super) coverage: Coverage,
    /// What the run by the default order came to.
    pub(super) default: Option<Outcome>,
    /// For how many runs there was room when its schedules were chosen.
    pub(super) room: usize,
    /// Which blocks of its runs are done, and how many runs an earlier run of the tool has made.
    pub(super) done: BTreeSet<u64>,
    pub(super) earlier: u64,
    /// The plans by which something went wrong that was looked into.
    pub(super) failed: Vec<Plan>,
    /// In how many runs something went wrong; the number of the first of them; how many did not end in time.
    pub(super) failing: u64,
    pub(super) first_failing: Option<u64>,
    pub(super) not_ended: u64,
    /// The schedule of one that did not.
    pub(super) endless: Option<Utf8PathBuf>,
    /// How many schedules with one preemption there are, and how many of them were tried.
    pub(super) preemptions: (u64, u64),
    pub(super) faults: Vec<Found>,
    /// What went wrong and could not be repeated.
    pub(super) unrepeated: Vec<Failure>,
    /// Runs that passed and showed something new.
    pub(super) passed: Vec<Passed>,
    /// What processes said of themselves that cannot be understood.
    pub(super) problem: Option<String>,
}

/// How far a test has come.
pub(super) enum State {
    /// There was no time for it.
    Waiting,
    /// Its runs by the default order are being made.
    Grounding,
    /// It is explored.
    Open(Arc<Course>),
    /// There is one schedule.
    Alone,
    /// It is not controlled, and its tasks are only delayed.
    Uncontrolled(Uncontrolled),
}

/// A test that is not controlled.
pub(super) struct Uncontrolled {
    /// Why.
    pub(super) reasons: Vec<String>,
    /// The ways in which its tasks are delayed instead, each in a run of its own.
    pub(super) delays: Vec<Vec<Delay>>,
}

/// A fault that was found.
pub(super) struct Found {
    pub(super) failure: Failure,
    pub(super) fault: Fault,
    pub(super) end: End,
    pub(super) trace: Utf8PathBuf,
    pub(super) schedule: Utf8PathBuf,
}

/// A run that passed.
pub(super) struct Passed {
    pub(super) plan: Plan,
    pub(super) outcome: Outcome,
    pub(super) trace: Utf8PathBuf,
}

impl Explored {
    /// Nothing yet.
    pub(super) fn new(subject: Subject) -> Explored {
        Explored {
            subject,
            state: State::Waiting,
            participants: 0,
            coverage: Coverage::default(),
            default: None,
            room: 0,
            done: BTreeSet::new(),
            earlier: 0,
            failed: Vec::new(),
            failing: 0,
            first_failing: None,
            not_ended: 0,
            endless: None,
            preemptions: (0, 0),
            faults: Vec::new(),
            unrepeated: Vec::new(),
            passed: Vec::new(),
            problem: None,
        }
    }
}
