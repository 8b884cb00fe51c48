//! Making predictions happen under control: tasks are delayed where a prediction says, and as nobody has to wait for that in real time, a run
//! takes as long as its test computes. What happens is an error, so runtimes on one thread stay there: the test itself has to be able to do it.

use super::bench::{Bench, Subject};
use super::{Tested, launch, made, reporting};
use crate::console::{Console, Verbosity};
use crate::error::Result;
use crate::explore::block::limit;
use crate::explore::ground::{Ground, default_order, ground};
use crate::explore::seen::Failure;
use crate::harness::launch::Launch;
use crate::harness::run_file::{Orders, count, read_orders, read_results};
use crate::interruption::check_interrupted;
use crate::project::built::Executable;
use crate::recorded::Process;
use camino::Utf8PathBuf;
use rvcheck_event::exploration::plan::Plan;
use rvcheck_event::schedule::Schedule;
use std::sync::Arc;
use std::time::SystemTime;

/// How often a test has to stand still by the same plan.
pub const TIMES: u64 = 2;

/// What is to be made to happen.
pub struct Wanted<'a> {
    /// The executable of the test.
    pub executable: &'a Executable,
    /// The test, as its harness calls it.
    pub test: &'a str,
    /// The ways in which its tasks are delayed.
    pub schedules: &'a [Schedule],
}

/// A test of which nobody could go on, each time that it ran by this plan.
pub struct Stood {
    /// The process of the last run.
    pub process: Process,
    /// The plan.
    pub plan: Plan,
}

/// Runs each of these tests by its schedules, one after another, until the time is over. By what is wanted: where they stood still. Nothing is
/// said of a test that is not controlled.
pub fn stand_still(launched: &Launched, wanted: &[Wanted<'_>], until: SystemTime) -> Result<Vec<Vec<Stood>>> {
    let bench = Bench::new(&launched.orders, launched.folder.join("bench"))?;
    let folder = launched.folder.clone();
    let mut tries = Tries { bench: &bench, folder, until, grounds: Vec::new(), kept: 0 };
    let mut all = Vec::new();
    for it in wanted {
        all.push(match launched.subject(it.executable, it.test) {
            Some(subject) => tries.of(&subject, it.schedules)?,
            None => Vec::new(),
        });
    }
    Ok(all)
}

/// The executables of a run, as cargo starts them, to be run under control.
pub struct Launched {
    pub(super) folder: Utf8PathBuf,
    pub(super) orders: Orders,
    launches: Vec<Arc<Launch>>,
}

impl Launched {
    /// Has cargo say how, in a folder below that of the run.
    pub fn new(what: &Tested<'_>) -> Result<Launched> {
        let folder = made(what.session.run.join("controlled"))?;
        launch(what.session, what.args, &folder, Console::new(Verbosity::Quiet, what.console.color()))?;
        check_interrupted()?;
        let launches = read_results(&folder, count(&folder))?.into_iter().map(Arc::new).collect();
        let orders = read_orders(&folder)?;
        Ok(Launched { folder, orders, launches })
    }

    /// A test of an executable, if that can be started.
    pub(super) fn subject(&self, executable: &Executable, test: &str) -> Option<Subject> {
        let launch = self.launches.iter().find(|it| it.listed.executable == *executable)?;
        Some(Subject {
            launch: Arc::clone(launch),
            test: test.to_owned(),
            predicted: Arc::default(),
            content: None,
            is_controlled: true,
        })
    }
}

struct Tries<'a> {
    bench: &'a Bench<'a>,
    folder: Utf8PathBuf,
    until: SystemTime,
    /// The tests that were run by the default order, and after how many points another run of them goes round without end; `None` for
    /// those that are not controlled.
    grounds: Vec<(Subject, Option<u64>)>,
    /// How many traces were kept.
    kept: u64,
}

impl Tries<'_> {
    fn of(&mut self, subject: &Subject, schedules: &[Schedule]) -> Result<Vec<Stood>> {
        let mut stood = Vec::new();
        if self.is_over() {
            return Ok(stood);
        }
        let Some(limit) = self.limit(subject)? else { return Ok(stood) };
        for schedule in schedules {
            let remarks = schedule.remarks.clone();
            let delays = schedule.delays.clone();
            let plan = Plan { delays, limit, remarks, is_narrow: true, ..Plan::new(0) };
            stood.extend(self.by(subject, plan)?);
        }
        Ok(stood)
    }

    fn is_over(&self) -> bool {
        SystemTime::now() >= self.until
    }

    /// How many points a run of a test may have, if it passes by the default order and is controlled.
    fn limit(&mut self, subject: &Subject) -> Result<Option<u64>> {
        let is_same = |it: &Subject| (&it.launch.listed, &it.test) == (&subject.launch.listed, &subject.test);
        if let Some(known) = self.grounds.iter().find(|it| is_same(&it.0)) {
            return Ok(known.1);
        }
        let first = self.bench.run(subject, &default_order(0, true))?.seen;
        let found = match ground(&first, &first) {
            Ground::Open(outcome) => Some(limit(outcome.points)),
            Ground::Alone(_) | Ground::Uncontrolled(_) => None,
        };
        self.grounds.push((subject.clone(), found));
        Ok(found)
    }

    /// Where the test stands still by this plan, every time.
    fn by(&mut self, subject: &Subject, plan: Plan) -> Result<Option<Stood>> {
        let mut last = None;
        for _ in 0..TIMES {
            if self.is_over() {
                return Ok(None);
            }
            let run = self.bench.run(subject, &plan)?;
            let stands = |it: &&Failure| it.kind.is_stall();
            let Some(failure) = run.seen.failure().filter(stands).cloned() else { return Ok(None) };
            last = Some((run, failure));
        }
        let Some((run, failure)) = last else { return Ok(None) };
        let trace = self.folder.join(format!("stood-{}.rvt", self.kept));
        self.kept += 1;
        run.keep_trace(&trace)?;
        let process = reporting::process(subject, Some(&failure), &run.end, &trace);
        Ok(Some(Stood { process, plan }))
    }
}
