//! Several workers that explore tests at once, each on a [bench](Bench) of its own.
//!
//! What comes next is decided under one lock: what was found is believed first; then each test is run by the default order; then blocks of
//! runs are given out by shares. Within a block, runs come one after another.

use super::bench::{Bench, Made, Subject};
use super::board::{Board, Candidate, ENDLESS, PERIOD, Task};
use super::explored::{Explored, Passed, State, Uncontrolled};
use super::kept;
use super::progress::{self, Progress};
use super::trial::Trial;
use crate::check::explored::OwnCode;
use crate::console::Console;
use crate::error::Result;
use crate::explore::belief::{Belief, believe, believe_delayed};
use crate::explore::block::{Block, Course, limit};
use crate::explore::directed::{Directed, delays, directed};
use crate::explore::ground::{Ground, default_order, ground, walk};
use crate::explore::seen::{Failure, RunResult};
use crate::explore::shares::LEAST;
use crate::explore::walks::{By, Walks};
use crate::harness::run_file::Orders;
use crate::report::counted;
use crate::request::Part;
use camino::Utf8Path;
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::{Plan, Strategy};
use rvcheck_event::position::ProgramPoint;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many different things that go wrong are looked into in one test.
const FAILURES: usize = 4;
/// How many runs of a test that passed and showed something new are checked against the properties.
const CHECKED: usize = 20;
/// How many walks are tried where a test fails by the default order.
const PASSING: u64 = 8;
/// How many runs a test can have at most.
const ROOM: usize = 100_000;

/// What is to be done.
pub(super) struct Job<'a> {
    pub(super) orders: &'a Orders,
    /// The folder of everything.
    pub(super) folder: &'a Utf8Path,
    /// Where schedules are kept.
    pub(super) schedules: &'a Utf8Path,
    pub(super) workers: usize,
    /// When it has to be over.
    pub(super) until: Option<Instant>,
    /// How many runs each test has, where that is limited.
    pub(super) runs: Option<u64>,
    pub(super) seed: u64,
    pub(super) by: Option<By>,
    pub(super) part: Option<Part>,
    /// What goes wrong is counted, and not looked into.
    pub(super) counts_only: bool,
    /// Whether tests go on from where an earlier run of the tool has left them.
    pub(super) resumes: bool,
    /// Where it is kept how far they have come.
    pub(super) progress: &'a Utf8Path,
    pub(super) own: &'a OwnCode,
    /// Files are shown relative to it.
    pub(super) root: &'a Utf8Path,
    pub(super) console: Console,
}

/// Explores these tests. What was found until something ended it is there in any case.
pub(super) fn explore(job: &Job<'_>, subjects: Vec<Subject>) -> (Vec<Explored>, Result<()>) {
    let board = Board::new(subjects);
    let pool = WorkerPool { job, board: Mutex::new(board), changed: Condvar::new() };
    std::thread::scope(|scope| {
        for number in 0..job.workers.max(1) {
            let pool = &pool;
            scope.spawn(move || pool.work(number));
        }
    });
    let board = pool.board.into_inner().unwrap_or_else(PoisonError::into_inner);
    (board.tests, board.error.map_or(Ok(()), Err))
}

impl Job<'_> {
    /// Whether the time is over.
    pub(super) fn is_over(&self) -> bool {
        self.until.is_some_and(|it| Instant::now() >= it)
    }
}

struct WorkerPool<'a> {
    job: &'a Job<'a>,
    board: Mutex<Board>,
    changed: Condvar,
}

impl WorkerPool<'_> {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, number: usize) {
        let done = Bench::new(self.job.orders, self.job.folder.join(format!("worker-{number}")))
            .map(|bench| self.work_at(&bench));
        let mut board = self.board();
        if let Err(error) = done {
            board.error.get_or_insert(error);
        }
        self.changed.notify_all();
    }

    fn work_at(&self, bench: &Bench<'_>) {
        while let Some(task) = self.next() {
            let done = match task {
                Task::Ground(test) => self.ground(bench, test),
                Task::Block(test, number, course) => self.block(bench, test, number, &course),
                Task::Delay(test, number) => self.delay(bench, test, number),
                Task::Believe(candidate) => self.believe(bench, *candidate),
            };
            let mut board = self.board();
            board.active -= 1;
            if let Err(error) = done {
                board.error.get_or_insert(error);
            }
            self.changed.notify_all();
        }
    }

    /// What comes next; waits for it if others may still come to something. `None` at the end.
    fn next(&self) -> Option<Task> {
        let mut board = self.board();
        loop {
            if board.error.is_some() {
                return None;
            }
            if let Some(task) = board.choose(self.job) {
                board.active += 1;
                return Some(task);
            }
            if board.active == 0 {
                self.changed.notify_all();
                return None;
            }
            board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Runs a test twice by the default order. One that fails in that order can be explored all the same if it passes in another one.
    fn ground(&self, bench: &Bench<'_>, test: usize) -> Result<()> {
        let subject = self.board().tests[test].subject.clone();
        let mut plan = default_order(self.job.seed, false);
        let (mut first, mut found) = twice(bench, &subject, &plan)?;
        if matches!(found, Ground::Uncontrolled(_)) {
            // It may be made for tasks on one thread; and what comes from outside is seen by one alone then.
            plan.is_narrow = true;
            (first, found) = twice(bench, &subject, &plan)?;
        }
        let mut failed = None;
        if first.seen.failure().is_some()
            && !first.seen.result.passes()
            && let Some((walk, passed, open)) = self.passing(bench, &subject)?
        {
            failed = Some((std::mem::replace(&mut plan, walk), std::mem::replace(&mut first, passed)));
            found = open;
        }
        let (seconds, problem) = (first.seconds, first.problem);
        let earlier = match found {
            Ground::Open(_) => progress::read(self.job, &subject),
            Ground::Alone(_) | Ground::Uncontrolled(_) => None,
        };
        let room = earlier.as_ref().map_or_else(|| self.room(seconds), |it| it.room);
        let next = match found {
            Ground::Open(outcome) => State::Open(Arc::new(self.course(&subject, &outcome, room, &plan))),
            Ground::Alone(_) => State::Alone,
            Ground::Uncontrolled(reasons) => {
                let delays = if self.job.by.is_none() && self.job.part.is_none_or(|it| it.index == 1) {
                    first.seen.outcome.as_ref().map(delays).unwrap_or_default()
                } else {
                    Vec::new()
                };
                State::Uncontrolled(Uncontrolled { reasons, delays })
            }
        };
        let mut board = self.board();
        let state = &mut board.tests[test];
        state.problem = problem;
        let again = earlier.as_ref().map(Progress::failed).unwrap_or_default();
        // What an earlier run of the tool has counted is not counted twice.
        let failed = failed.filter(|_| earlier.is_none());
        if let Some(earlier) = earlier {
            state.coverage = earlier.coverage();
            state.earlier = state.coverage.runs;
            // What went wrong is run again, and counted then.
            state.coverage.runs = state.coverage.runs.saturating_sub(again.len() as u64);
            state.failing = earlier.failing.saturating_sub(again.len() as u64);
            (state.first_failing, state.not_ended) = (earlier.first_failing, earlier.not_ended);
            state.done = earlier.done;
        } else if let Some(outcome) = &first.seen.outcome {
            state.coverage.add(outcome);
        }
        state.room = room;
        if let Some(outcome) = &first.seen.outcome {
            state.participants = outcome.participants.len() as u64;
        }
        state.default = first.seen.outcome;
        state.subject.is_controlled = !matches!(next, State::Uncontrolled(_));
        state.state = next;
        if let State::Open(course) = &state.state {
            let (possible, tried) = course.directed.preemptions;
            state.preemptions = (possible as u64, tried as u64);
        }
        let number = state.first_failing.map_or(0, |it| it.saturating_sub(1));
        drop(board);
        for plan in again {
            let made = bench.run(&subject, &plan)?;
            self.note(test, number, plan, made, false)?;
        }
        match failed {
            Some((plan, made)) => self.note(test, 0, Plan { lists_choices: false, ..plan }, made, false),
            None => Ok(()),
        }
    }

    /// For how many runs of a test there is room, each of which takes so long: its share of the time is taken for the same as that of the
    /// other tests.
    fn room(&self, seconds: f64) -> usize {
        let tests = self.board().tests.len();
        let room = match (self.job.runs, self.job.until) {
            (Some(runs), _) => usize::try_from(runs).unwrap_or(ROOM),
            (None, Some(until)) => {
                let left = until.saturating_duration_since(Instant::now()).as_secs_f64();
                (left * self.job.workers as f64 / tests.max(1) as f64 / seconds.max(0.001)) as usize
            }
            (None, None) => ROOM,
        };
        room.clamp(1, ROOM)
    }

    /// A walk in which a test passes that fails by the default order, if one of a few is such.
    fn passing(&self, bench: &Bench<'_>, subject: &Subject) -> Result<Option<(Plan, Made, Ground)>> {
        for number in 0..PASSING {
            let plan = walk(self.job.seed.wrapping_add(number));
            if let (first, open @ Ground::Open(_)) = twice(bench, subject, &plan)? {
                return Ok(Some((plan, first, open)));
            }
        }
        Ok(None)
    }

    /// What the test's runs are made from, after the one by this plan, which passed, where there is room for so many.
    fn course(&self, subject: &Subject, outcome: &Outcome, room: usize, by: &Plan) -> Course {
        let early = self.early(outcome);
        let directed = match self.job.by {
            // Its points are those of the default order.
            None if by.by == Strategy::Default => {
                directed(outcome, self.job.seed, room.max(LEAST as usize), &subject.predicted, &early)
            }
            _ => Directed::default(),
        };
        let test = format!("{}::{}", subject.launch.listed.package, subject.name());
        Course {
            walks: Walks::new(self.job.by, self.job.seed, &test, outcome, early),
            test,
            directed,
            known: outcome.pairs.iter().cloned().collect(),
            runs: self.job.runs,
            is_narrow: by.is_narrow,
            limit: limit(outcome.points),
        }
    }

    /// The places of the program's own code at which a time limit may be over early. That of a test only ends it.
    fn early(&self, outcome: &Outcome) -> Vec<ProgramPoint> {
        outcome.limits.iter().filter(|it| self.job.own.has(it)).cloned().collect()
    }

    fn block(&self, bench: &Bench<'_>, test: usize, number: u64, course: &Course) -> Result<()> {
        let subject = self.board().tests[test].subject.clone();
        let mut block = Block::new(course, number);
        let mut not_ended = 0;
        while let Some((index, plan)) = block.next_plan() {
            if self.job.is_over() || self.board().error.is_some() {
                return Ok(());
            }
            if not_ended == ENDLESS.0 {
                break;
            }
            let made = bench.run(&subject, &plan)?;
            not_ended += u64::from(made.seen.result == RunResult::NotEnded);
            let is_new = made.seen.outcome.as_ref().is_some_and(|it| block.learn(&plan, it));
            self.note(test, index, plan, made, is_new)?;
        }
        let mut board = self.board();
        let state = &mut board.tests[test];
        state.done.insert(number);
        progress::write(self.job, state)
    }

    fn delay(&self, bench: &Bench<'_>, test: usize, number: usize) -> Result<()> {
        let (subject, delays) = {
            let board = self.board();
            let state = &board.tests[test];
            let State::Uncontrolled(it) = &state.state else { return Ok(()) };
            (state.subject.clone(), it.delays.get(number).cloned().unwrap_or_default())
        };
        let plan = Plan { delays, ..Plan::new(self.job.seed) };
        let made = bench.run(&subject, &plan)?;
        self.note(test, number as u64, plan, made, false)
    }

    /// Takes in a run.
    fn note(&self, test: usize, index: u64, plan: Plan, made: Made, is_new: bool) -> Result<()> {
        let mut board = self.board();
        self.tell_progress(&mut board);
        let Board { tests, given, candidates, kept, .. } = &mut *board;
        let state = &mut tests[test];
        let is_first = match &made.seen.outcome {
            Some(outcome) => state.coverage.add(outcome),
            None => {
                state.coverage.add_unknown();
                false
            }
        };
        if state.problem.is_none() {
            state.problem.clone_from(&made.problem);
        }
        match &made.seen.result {
            RunResult::NotEnded => {
                state.not_ended += 1;
                if state.endless.is_none() {
                    let again = made.seen.again(&plan);
                    state.endless = Some(kept::keep_endless(self.job.schedules, &state.subject, &again)?);
                }
            }
            RunResult::Passed if is_new && is_first && self.looks_into(state.passed.len(), CHECKED) => {
                if let Some(outcome) = made.seen.outcome.clone() {
                    *kept += 1;
                    let trace = self.job.folder.join(format!("passed-{kept}.rvt"));
                    made.keep_trace(&trace)?;
                    state.passed.push(Passed { plan: made.seen.again(&plan), outcome, trace });
                }
            }
            RunResult::Passed => {}
            RunResult::Failed(failure) => {
                state.failing += 1;
                let run = index + 1;
                state.first_failing = Some(state.first_failing.map_or(run, |it| it.min(run)));
                let known = &mut given[test].known;
                let different = known.len();
                let leans = made.seen.leans();
                let count = known.entry((failure.kind as u8, failure.signature.clone(), leans)).or_default();
                *count += 1;
                if *count == 1 && self.looks_into(different, FAILURES) {
                    let again = made.seen.again(&plan);
                    state.failed.push(again.clone());
                    let schedule = kept::keep(self.job.schedules, &state.subject, failure, &again)?;
                    let says = if failure.message.is_empty() {
                        String::new()
                    } else {
                        format!(": {}", failure.message)
                    };
                    let name = state.subject.name();
                    let shown = schedule.strip_prefix(self.job.root).unwrap_or(&schedule);
                    self.job.console.status("Found", format_args!("{name} {}{says}; {shown}", verb(failure)));
                    candidates.push_back(Candidate {
                        test,
                        failure: failure.clone(),
                        plan,
                        seen: made.seen,
                        schedule,
                    });
                    self.changed.notify_all();
                }
            }
        }
        Ok(())
    }

    /// Whether one more run is looked into, after so many of at most so many.
    fn looks_into(&self, before: usize, most: usize) -> bool {
        !self.job.counts_only && before < most
    }

    fn tell_progress(&self, board: &mut Board) {
        let now = Instant::now();
        if now < board.due {
            return;
        }
        board.due = now + PERIOD;
        let runs = counted(board.tests.iter().map(|it| it.coverage.runs).sum(), "run");
        let failing: u64 = board.tests.iter().map(|it| it.failing).sum();
        let seconds = (now - board.began).as_secs();
        self.job
            .console
            .status("Exploring", format_args!("{runs} after {seconds} s, {failing} of them failed"));
    }

    fn believe(&self, bench: &Bench<'_>, candidate: Candidate) -> Result<()> {
        let Candidate { test, plan, seen, failure, schedule } = candidate;
        let subject = self.board().tests[test].subject.clone();
        let mut trial = Trial { bench, subject: &subject, began: Instant::now() };
        let belief = if subject.is_controlled {
            believe(&plan, &seen, &failure, &mut trial)
        } else {
            believe_delayed(&plan, &failure, &mut trial)
        };
        match belief? {
            Belief::Unrepeated => {
                forget(&schedule);
                self.board().tests[test].unrepeated.push(failure);
            }
            Belief::Fault(fault) => {
                let trace = {
                    let mut board = self.board();
                    board.kept += 1;
                    self.job.folder.join(format!("failed-{}.rvt", board.kept))
                };
                let found = trial.found(failure, *fault, trace, self.job.schedules)?;
                self.board().tests[test].faults.push(found);
            }
        }
        Ok(())
    }
}

/// Runs a test twice by the same plan: the first run, and what both show. What cannot be explored anyway is not run again.
fn twice(bench: &Bench<'_>, subject: &Subject, plan: &Plan) -> Result<(Made, Ground)> {
    let first = bench.run(subject, plan)?;
    let found = if first.seen.result.passes() {
        ground(&first.seen, &bench.run(subject, plan)?.seen)
    } else {
        ground(&first.seen, &first.seen)
    };
    Ok((first, found))
}

fn verb(failure: &Failure) -> &'static str {
    use crate::explore::seen::FailureKind as K;
    match failure.kind {
        K::Hang => "hangs",
        K::Left => "leaves a participant behind",
        K::Livelock => "loops forever",
        K::Test => "fails",
        K::Died => "dies",
        K::Property => "violates a property",
    }
}

/// A schedule that shows nothing is not kept.
fn forget(schedule: &Utf8Path) {
    // It is only a file too many.
    let _ = std::fs::remove_file(schedule);
}
