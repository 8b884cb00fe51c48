//! What there is to do: the tests, how far each has come, and what is to be looked into.

use super::bench::Subject;
use super::explored::{Explored, State};
use super::worker_pool::Job;
use crate::error::Expected;
use crate::explore::block::{Course, RUNS};
use crate::explore::seen::{Failure, Leaning, Seen};
use crate::explore::shares::{LEAST, Standing, next};
use camino::Utf8PathBuf;
use rvcheck_event::exploration::plan::Plan;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the progress is reported.
pub(super) const PERIOD: Duration = Duration::from_secs(10);
/// After how many runs without a new order a test is over, where time is what is limited.
const TIRED: u64 = 200;
/// For how many runs one counts in which tasks are delayed in real time.
const DELAYED: u64 = 8;
/// After how many runs that do not end in time a block is given up, and after how many a test is.
pub(super) const ENDLESS: (u64, u64) = (3, 9);

/// Something that went wrong and is to be looked into.
pub(super) struct Candidate {
    pub(super) test: usize,
    pub(super) plan: Plan,
    pub(super) seen: Seen,
    pub(super) failure: Failure,
    pub(super) schedule: Utf8PathBuf,
}

/// What a worker does next.
pub(super) enum Task {
    /// A test is run twice by the default order.
    Ground(usize),
    /// A block of the runs of a test is made.
    Block(usize, u64, Arc<Course>),
    /// The tasks of a test that is not controlled are delayed in the way of this number.
    Delay(usize, usize),
    /// Something that went wrong is looked into.
    Believe(Box<Candidate>),
}

/// See the module.
pub(super) struct Board {
    pub(super) tests: Vec<Explored>,
    /// By test.
    pub(super) given: Vec<Given>,
    pub(super) candidates: VecDeque<Candidate>,
    /// How many workers are at work.
    pub(super) active: usize,
    pub(super) error: Option<Expected>,
    /// How many traces were kept.
    pub(super) kept: u64,
    pub(super) began: Instant,
    /// When it is to be told how far it is.
    pub(super) due: Instant,
}

/// What was given out of a test.
#[derive(Default)]
pub(super) struct Given {
    /// The number of the next block, or of the next way to delay its tasks.
    pub(super) block: u64,
    /// How many runs.
    pub(super) runs: u64,
    /// What went wrong, and how often.
    pub(super) known: BTreeMap<(u8, String, Leaning), u64>,
}

impl Board {
    /// Nothing is done yet.
    pub(super) fn new(subjects: Vec<Subject>) -> Board {
        let given = subjects.iter().map(|_| Given::default()).collect();
        let began = Instant::now();
        Board {
            tests: subjects.into_iter().map(Explored::new).collect(),
            given,
            candidates: VecDeque::new(),
            active: 0,
            error: None,
            kept: 0,
            began,
            due: began + PERIOD,
        }
    }

    /// What comes next: what was found is believed first; then each test is run by the default order; then by shares.
    pub(super) fn choose(&mut self, job: &Job<'_>) -> Option<Task> {
        if let Some(candidate) = self.candidates.pop_front() {
            return Some(Task::Believe(Box::new(candidate)));
        }
        if job.is_over() {
            return None;
        }
        if let Some(test) = self.tests.iter().position(|it| matches!(it.state, State::Waiting)) {
            self.tests[test].state = State::Grounding;
            return Some(Task::Ground(test));
        }
        let Board { tests, given, .. } = self;
        let standing = |(test, given): (&Explored, &mut Given)| {
            let course = match &test.state {
                State::Open(course) => course,
                State::Uncontrolled(it) => {
                    let is_open = given.block < it.delays.len() as u64;
                    return Standing { runs: given.runs, untried: 0, is_open };
                }
                _ => return Standing { runs: 0, untried: 0, is_open: false },
            };
            let is_mine = |block: u64| job.part.is_none_or(|it| course.is_dealt(block, it.index, it.count));
            while course.has(given.block) && (!is_mine(given.block) || test.done.contains(&given.block)) {
                given.block += 1;
            }
            let is_tired = job.runs.is_none()
                && test.coverage.since_new >= TIRED
                && given.runs >= LEAST.max(course.directed.plans.len() as u64);
            let is_open = course.has(given.block) && !is_tired && test.not_ended < ENDLESS.1;
            Standing { runs: given.runs, untried: test.coverage.one(), is_open }
        };
        let standings: Vec<Standing> = tests.iter().zip(given.iter_mut()).map(standing).collect();
        let test = next(&standings)?;
        let block = given[test].block;
        given[test].block += 1;
        match &tests[test].state {
            State::Open(course) => {
                given[test].runs += RUNS;
                Some(Task::Block(test, block, Arc::clone(course)))
            }
            _ => {
                given[test].runs += DELAYED;
                Some(Task::Delay(test, usize::try_from(block).ok()?))
            }
        }
    }
}
