//! A place where tests are run by plans, one at a time. Several are used at once.

use super::printed::{panics, without_numbers};
use crate::error::{Result, writing};
use crate::explore::seen::{Failure, FailureKind, RunResult, Seen};
use crate::harness::children;
use crate::harness::launch::Launch;
use crate::harness::process::{Controlled, Ended, Output, Recorder, Start, run};
use crate::harness::run_file::{Enforcement, Orders};
use crate::harness::runner::again::alone;
use crate::harness::watchdog::{left_behind, reasons};
use crate::interruption::check_interrupted;
use crate::recorded::End;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::outcome::{ENDED_ITSELF, Outcome};
use rvcheck_event::exploration::plan::Plan;
use rvcheck_event::exploration::word;
use rvcheck_event::schedule::{Delay, Schedule};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// How long a run may take, in real time.
pub(super) const LIMIT: Duration = Duration::from_secs(10);
/// How long a run may take in which tasks are delayed.
const DELAYED: Duration = Duration::from_secs(5);
/// How large a trace of one run may become. More would take longer than a run may.
const TRACE: u64 = 256 << 20;
/// How long tasks would be delayed at most, in ms, if their process were not controlled.
const WAIT: u32 = 300;
/// The exit code of libtest where tests failed.
const FAILED: i32 = 101;

/// See the module.
pub(super) struct Bench<'a> {
    orders: &'a Orders,
    folder: Utf8PathBuf,
}

/// A test of an executable.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// How the executable is started.
    pub(super) launch: Arc<Launch>,
    /// The test, as its harness calls it.
    pub(super) test: String,
    /// How its tasks are to be delayed so that what was predicted of it may happen.
    pub(super) predicted: Arc<Vec<Vec<Delay>>>,
    /// Stands for the content of the executable, where that could be read.
    pub(super) content: Option<Arc<str>>,
    /// Whether it is controlled when it runs. Else its tasks are only delayed, as plans say.
    pub(super) is_controlled: bool,
}

/// A run that was made. Its trace stays until the next one.
pub(super) struct Made {
    pub(super) seen: Seen,
    pub(super) trace: Utf8PathBuf,
    /// How its process ended.
    pub(super) end: End,
    pub(super) seconds: f64,
    /// What is odd about what it said of itself.
    pub(super) problem: Option<String>,
}

impl<'a> Bench<'a> {
    /// In this folder, which is for nothing else.
    pub(super) fn new(orders: &'a Orders, folder: Utf8PathBuf) -> Result<Bench<'a>> {
        fs::create_dir_all(&folder).map_err(writing(&folder))?;
        Ok(Bench { orders, folder })
    }

    /// Runs a test by a plan.
    pub(super) fn run(&self, subject: &Subject, plan: &Plan) -> Result<Made> {
        check_interrupted()?;
        if !subject.is_controlled {
            return self.run_delayed(subject, &plan.delays);
        }
        let controlled =
            Controlled { plan: self.folder.join("plan.txt"), outcome: self.folder.join("outcome.txt") };
        self.run_controlled(subject, plan, controlled, Output::Hidden)
    }

    /// The same with files of these names; what the test prints may be shown.
    pub(super) fn run_controlled(
        &self,
        subject: &Subject,
        plan: &Plan,
        controlled: Controlled,
        output: Output,
    ) -> Result<Made> {
        fs::write(&controlled.plan, plan.to_string()).map_err(writing(&controlled.plan))?;
        let trace = self.folder.join("trace.rvt");
        children::remove(&trace);
        // There is none at first.
        let _ = fs::remove_file(&controlled.outcome);
        let written = controlled.outcome.clone();
        let mut recorder = self.recorder(subject, trace.clone(), Some(controlled));
        if !plan.delays.is_empty() {
            recorder.schedule = Some(self.write_delays(&plan.delays)?);
        }
        let mut start = subject.start(Some(recorder), output);
        if output != Output::Hidden {
            // Somebody looks on, perhaps with a debugger.
            start.limit = None;
            let shown = ["--nocapture", "--no-capture", "--show-output"];
            start.words.extend(subject.launch.args.iter().filter(|it| shown.contains(&it.as_str())).cloned());
        }
        let ended = run(&start)?;
        check_interrupted()?;
        let (outcome, problem) = match fs::read_to_string(&written).map(|it| Outcome::read(&it)) {
            Ok(Ok(outcome)) => (Some(outcome), None),
            Ok(Err(problem)) => (None, Some(problem)),
            Err(_) if ended.end == End::Exited(ENDED_ITSELF) => {
                (None, Some("its process ended itself, and left nothing that says why".to_owned()))
            }
            Err(_) => (None, None),
        };
        let result = result(&ended, outcome.as_ref(), &trace);
        Ok(Made { seen: Seen { result, outcome }, trace, end: ended.end, seconds: ended.seconds, problem })
    }

    /// Runs a test without control, and delays its tasks.
    fn run_delayed(&self, subject: &Subject, delays: &[Delay]) -> Result<Made> {
        let trace = self.folder.join("trace.rvt");
        children::remove(&trace);
        let mut recorder = self.recorder(subject, trace.clone(), None);
        recorder.schedule = Some(self.write_delays(delays)?);
        let start = Start { limit: Some(DELAYED), ..subject.start(Some(recorder), Output::Hidden) };
        let ended = run(&start)?;
        check_interrupted()?;
        let result = match (&ended.end, result(&ended, None, &trace)) {
            // What stands still for a reason does so for good.
            (End::TimedOut, result) => reasons(&trace).map_or(result, |signature| {
                let (panics, message) = (panics(&ended.text), String::new());
                RunResult::Failed(Failure { kind: FailureKind::Hang, signature, panics, message })
            }),
            (_, result) => result,
        };
        let seen = Seen { result, outcome: None };
        Ok(Made { seen, trace, end: ended.end, seconds: ended.seconds, problem: None })
    }

    fn write_delays(&self, delays: &[Delay]) -> Result<Utf8PathBuf> {
        let path = self.folder.join("delays.txt");
        fs::write(&path, delayed(delays, Vec::new()).to_string()).map_err(writing(&path))?;
        Ok(path)
    }

    fn recorder(&self, subject: &Subject, trace: Utf8PathBuf, controlled: Option<Controlled>) -> Recorder {
        Recorder {
            trace,
            cap: self.orders.trace_cap.min(TRACE),
            grace: self.orders.leak_grace,
            libtest: subject.launch.listed.libtest,
            enforcement: self.orders.enforcement.as_ref().and_then(Enforcement::without_remedies),
            atomics: true,
            tickets: false,
            schedule: None,
            controlled,
            own: self.orders.own.clone(),
            groups: self.orders.groups.clone(),
            libraries: self.orders.libraries.clone(),
        }
    }
}

impl Made {
    /// Keeps its trace under this name.
    pub(super) fn keep_trace(&self, path: &Utf8Path) -> Result<()> {
        if self.trace.exists() {
            fs::rename(&self.trace, path).map_err(writing(path))?;
        }
        Ok(())
    }
}

impl Subject {
    /// What reports call it within its package.
    pub(super) fn name(&self) -> String {
        format!("{}::{}", self.launch.listed.executable.target, self.test)
    }

    /// Runs it without control; whether it passes.
    pub(super) fn passes_plainly(&self) -> Result<bool> {
        check_interrupted()?;
        let ended = run(&self.start(None, Output::Hidden))?;
        check_interrupted()?;
        Ok(ended.succeeded())
    }

    fn start(&self, recorder: Option<Recorder>, output: Output) -> Start {
        Start {
            words: self.launch.words.iter().cloned().chain(alone(&self.test)).collect(),
            recorder,
            output,
            environment: std::collections::BTreeMap::new(),
            without: Vec::new(),
            launch: Some(Arc::clone(&self.launch)),
            limit: Some(LIMIT),
        }
    }
}

/// The schedule of version 1 that delays tasks like this.
pub(super) fn delayed(delays: &[Delay], remarks: Vec<String>) -> Schedule {
    Schedule { wait: WAIT, delays: delays.to_vec(), remarks }
}

/// How the test ended.
fn result(ended: &Ended, outcome: Option<&Outcome>, trace: &Utf8Path) -> RunResult {
    let panics = panics(&ended.text);
    let message = panics.first().map(|it| it.message.clone()).unwrap_or_default();
    let of_panic = || match panics.first() {
        Some(panic) => format!("{} {}", panic.at, without_numbers(&panic.message)),
        None => String::new(),
    };
    let failed = |kind, signature: String, message: String| {
        RunResult::Failed(Failure { kind, signature, panics: panics.clone(), message })
    };
    match (&ended.end, outcome.map(|it| it.end)) {
        (End::Exited(ENDED_ITSELF), Some(word::End::Hang)) => {
            failed(FailureKind::Hang, reasons(trace).unwrap_or_default(), String::new())
        }
        (End::Exited(ENDED_ITSELF), Some(word::End::Livelock)) => {
            failed(FailureKind::Livelock, String::new(), String::new())
        }
        // Of a process that ended itself and does not say why, nothing is known.
        (End::TimedOut | End::Exited(ENDED_ITSELF), _) => RunResult::NotEnded,
        (End::Exited(0), _) => match left_behind(trace) {
            Some(signature) => failed(FailureKind::Left, signature, String::new()),
            None => RunResult::Passed,
        },
        (End::Exited(FAILED), _) => failed(FailureKind::Test, of_panic(), message),
        (End::Signalled(signal), _) => {
            let how = format!("signal {signal}");
            let message = if message.is_empty() { how.clone() } else { message };
            failed(FailureKind::Died, format!("{how} {}", of_panic()), message)
        }
        (End::Exited(code), _) => {
            failed(FailureKind::Died, format!("exit {code}"), format!("it exits with status {code}"))
        }
        (End::Orderly | End::Hung | End::Unfinished, _) => {
            failed(FailureKind::Died, String::new(), String::new())
        }
    }
}
