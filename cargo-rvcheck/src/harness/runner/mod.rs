//! The tool as cargo's runner: it is started for each test executable, in the folder and with the environment that
//! the tests get.
//!
//! Tests that fail are run again alone, instrumented. Tests that an abort kept from running are run in new processes.
//! Both happen here because here everything is as cargo made it.

pub(super) mod again;
mod chosen;
mod evidence;
mod launching;
pub mod naming;
pub mod plainly;
mod single;
mod steered;
pub mod together;

use super::documentation;
use super::lookout::{KnownEnds, lookout};
use super::online::follow;
use super::process::{Ended, Output, Recorder, Start, become_process, end_like, run, run_before};
use super::progress::Shown;
use super::reporter::Reporter;
use super::run_file::{
    Listed, Mode, Orders, Ran, await_executable, next_number, read_orders, trace, write_result,
};
use super::watchdog::{Watchdog, watchdog};
use crate::error::{Expected, Result};
use crate::interruption::{self, check_interrupted};
use crate::messages::{self, Suite};
use crate::recorded::{End, Origin, TestOutcome, TestResult};
use crate::wrapper::here;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How often a test that failed is run again.
pub const TRIES: usize = 3;

/// Runs `folder executable args…`, and gives the exit code that cargo is to see.
pub fn main(args: &[String]) -> Result<u8> {
    if let Some(part) = documentation::Part::of_environment()? {
        return part.run();
    }
    let [folder, path, args @ ..] = args else {
        return Err(Expected::Configuration("the runner is called without an executable".to_owned()));
    };
    // Whoever interrupts the tool interrupts the tests as well: their end is waited for, and nothing is begun after it.
    interruption::note();
    let folder = Utf8Path::new(folder);
    messages::begin(folder);
    let orders = read_orders(folder)?;
    if let Some(documentation) = documentation::Documentation::of_environment()? {
        return documentation.run(folder, path.into(), &orders, args);
    }
    // `cargo run` names a program relative to the current folder.
    let absolute = here()?.join(path);
    let mut place = ExecutableRun {
        folder,
        listed: await_executable(folder, &absolute)?,
        path: path.into(),
        orders: &orders,
        args,
        chosen: None,
    };
    if matches!(orders.mode, Mode::Tests | Mode::Launching | Mode::Naming | Mode::Listing) {
        place.chosen = place.choose()?;
    }
    match &orders.mode {
        Mode::Program => place.program(),
        Mode::Tests => place.tests(),
        Mode::SingleTests => place.single(),
        Mode::Steered(trials) => place.steered(trials),
        Mode::Launching => place.note_launch(),
        Mode::Naming => place.note_names(),
        Mode::Listing => place.list_chosen(),
        Mode::Plainly(failed) => {
            let mine = failed.iter().find(|it| it.executable == place.listed.executable);
            mine.map_or(Ok(0), |it| place.plainly(&it.tests))
        }
    }
}

/// How a process is run that is not run in the usual way.
#[derive(Clone, Copy, Debug, Default)]
struct Conditions<'a> {
    /// Where its tasks are delayed.
    schedule: Option<&'a Utf8PathBuf>,
    /// How long nothing may happen in it.
    stall_timeout: Option<Duration>,
    /// How long it may run.
    limit: Option<Duration>,
}

/// An executable, and everything that running it depends on.
struct ExecutableRun<'a> {
    folder: &'a Utf8Path,
    path: Utf8PathBuf,
    listed: Listed,
    orders: &'a Orders,
    args: &'a [String],
    /// Its tests that are run, where more than the arguments select them.
    chosen: Option<Vec<String>>,
}

impl ExecutableRun<'_> {
    fn start(&self, args: &[String], output: Output, trace: Option<Utf8PathBuf>) -> Start {
        let inner = self.orders.inner_runner.iter().cloned();
        let recorder = trace.map(|trace| Recorder {
            trace,
            cap: self.orders.trace_cap,
            grace: self.orders.leak_grace,
            libtest: self.listed.libtest,
            enforcement: self.orders.enforcement.clone(),
            atomics: self.orders.atomics,
            tickets: self.orders.online.is_some(),
            schedule: self.orders.schedule.clone(),
            controlled: None,
            own: self.orders.own.clone(),
            groups: self.orders.groups.clone(),
            libraries: self.orders.libraries.clone(),
        });
        Start {
            words: inner.chain([self.path.to_string()]).chain(args.iter().cloned()).collect(),
            recorder,
            output,
            environment: self.orders.environment.clone(),
            without: Vec::new(),
            launch: None,
            limit: None,
        }
    }

    /// Its tests, as they are reported.
    fn suite(&self) -> Suite {
        let (package, target) = (self.listed.package.clone(), self.listed.executable.target.clone());
        Suite { package, target, kind: self.listed.executable.kind.into() }
    }

    /// How progress is shown. What a test prints past the harness would fight with a bar.
    fn shown(&self) -> Shown {
        match self.orders.shown {
            Shown::Bar if self.args.iter().any(|it| it == "--nocapture" || it == "--no-capture") => {
                Shown::Lines
            }
            shown => shown,
        }
    }

    /// What makes libtest print in colours although its output is read, where whoever reads on can show them.
    fn color(&self, args: &[String], output: Output) -> Option<&'static str> {
        let shown = output == Output::Read && self.orders.colored;
        let chosen = args.iter().any(|it| it == "--color" || it.starts_with("--color="));
        (self.listed.libtest && shown && !chosen).then_some("--color=always")
    }

    /// Becomes the executable, as if it had been called without the tool. Only a failure comes back.
    fn become_executable(&self) -> Expected {
        become_process(&self.start(self.args, Output::Inherited, None))
    }

    /// Becomes the executable, to print its tests.
    fn list_chosen(&self) -> Result<u8> {
        match self.of_chosen() {
            Some(args) => Err(become_process(&self.start(&args, Output::Inherited, None))),
            None => Ok(0),
        }
    }

    /// Runs it instrumented; `only` is the one test that it is started for. What is written meanwhile is what is known
    /// if nobody comes back to write more.
    fn instrumented(&self, args: &[String], output: Output, only: Option<&str>) -> Result<(u32, Ended, Ran)> {
        self.instrumented_under(args, output, only, Conditions::default())
    }

    /// The same, in another way.
    fn instrumented_under(
        &self,
        args: &[String],
        output: Output,
        only: Option<&str>,
        conditions: Conditions<'_>,
    ) -> Result<(u32, Ended, Ran)> {
        let number = next_number(self.folder)?;
        let file = trace(self.folder, number);
        let mut start = self.start(args, output, Some(file.clone()));
        if let (Some(recorder), Some(schedule)) = (&mut start.recorder, conditions.schedule) {
            recorder.schedule = Some(schedule.clone());
        }
        let command = start.words.clone();
        start.words.extend(self.color(args, output).map(str::to_owned));
        let unfinished = |name: &str| TestResult {
            name: name.to_owned(),
            outcome: TestOutcome::Unfinished,
            should_panic: false,
        };
        let mut ran = Ran {
            executable: self.listed.executable.clone(),
            libtest: self.listed.libtest,
            command,
            end: End::Unfinished,
            tests: only.map(unfinished).into_iter().collect(),
            unnamed: 0,
            origin: Origin::Tool,
            only: only.map(str::to_owned),
            function: None,
            compiled: BTreeSet::new(),
            unmonitored: BTreeMap::new(),
            trace: Some(file),
            schedule: conditions.schedule.cloned(),
            seconds: 0.0,
        };
        write_result(self.folder, number, &ran)?;
        let online = self.orders.online.as_ref();
        let following =
            online.zip(ran.trace.as_ref()).map(|(orders, trace)| follow(trace, orders)).transpose()?;
        // Who has started a program looks itself.
        let is_watched = online.is_some() && self.orders.mode != Mode::Program;
        let lookout = ran.trace.as_ref().filter(|_| is_watched).map(|it| lookout(it, KnownEnds::default()));
        let stall_timeout = self.orders.stall_timeout.filter(|_| self.orders.mode != Mode::Program);
        let stall_timeout = conditions.stall_timeout.or(stall_timeout);
        let watchdog = stall_timeout
            .zip(ran.trace.as_ref())
            .map(|(timeout, trace)| watchdog(trace, timeout, self.orders.timeout_factors, conditions.limit));
        // What is only tried is not reported.
        let is_reported = output != Output::Inherited && conditions.schedule.is_none();
        let mut reporter =
            is_reported.then(|| Reporter::new(self.suite(), self.listed.libtest, self.shown()));
        let ended = match &mut reporter {
            Some(reporter) => run_before(&start, reporter),
            None => run(&start),
        };
        let stalled = watchdog.and_then(Watchdog::finish);
        if let Some(following) = following {
            following.finish();
        }
        if let Some(lookout) = lookout {
            lookout.finish();
        }
        let mut ended = ended?;
        if stalled.is_some() {
            ended.end = End::TimedOut;
        }
        if let Some(mut reporter) = reporter {
            reporter.finish(&ended);
        }
        ran.end = ended.end.clone();
        ran.seconds = ended.seconds;
        ran.trace = ran.trace.filter(|it| it.exists());
        if only.is_none() {
            let verdicts = ended.verdicts();
            (ran.tests, ran.unnamed) = (verdicts.tests, verdicts.unnamed);
            if !verdicts.complete {
                ran.doubt_open();
            }
        }
        self.note_stopped(&mut ran);
        if let Some(stalled) = &stalled {
            ran.note_stalled(stalled);
        }
        if let Err(interrupted) = check_interrupted() {
            write_result(self.folder, number, &ran)?;
            return Err(interrupted);
        }
        Ok((number, ended, ran))
    }

    /// Runs a program that is no test.
    fn program(&self) -> Result<u8> {
        let (number, ended, ran) = self.instrumented(self.args, Output::Inherited, None)?;
        write_result(self.folder, number, &ran)?;
        Ok(end_like(&ended.end))
    }
}
