//! Exploring: the tests that have passed are run again and again, each alone, by schedules of the tool's own choice.
//!
//! Which schedules, and what to believe, is a matter of [thought](crate::explore); here are the processes. Cargo is called once, so that it is
//! known how it starts each test executable; then several at once (`worker_pool`) are started in the same way, one for each run.

pub mod atomicity;
mod bench;
mod board;
mod explored;
mod kept;
mod load;
pub mod predicted;
mod printed;
mod progress;
mod properties;
pub mod rearranged;
pub mod replay;
mod reporting;
mod trial;
mod worker_pool;

use super::cargo::{call, run_reading};
use super::launch::Launch;
use super::run_file::{Mode, Orders, Ran, count, read_orders, read_results};
use super::session::Session;
use crate::check::Options;
use crate::check::explored::OwnCode;
use crate::cli::TestArgs;
use crate::console::{Console, Verbosity};
use crate::error::{Result, writing};
use crate::interruption::check_interrupted;
use crate::messages::{Message, tell as announce};
use crate::project::built::{Built, Executable};
use crate::recorded::{Origin, Recorded, TestOutcome};
use crate::report::{Report, Steered, Steering, counted};
use crate::request::{CARGO, Exploring, Part, build_options, target_options};
use bench::Subject;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::schedule::Delay;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use worker_pool::Job;

/// Tests that were run, and are to be run again.
#[derive(Clone, Copy)]
pub struct Tested<'a> {
    /// The session.
    pub session: &'a Session,
    /// How its tests were run.
    pub args: &'a TestArgs,
    /// What was recorded when the tests were run.
    pub recorded: &'a Recorded,
    /// What runs are checked against.
    pub options: &'a Options,
    /// Where the progress is reported.
    pub console: Console,
}

/// What is explored, and how.
pub struct Exploration<'a> {
    /// The tests.
    pub tested: Tested<'a>,
    /// How they are to be explored.
    pub exploring: Exploring,
    /// Which part of the schedules.
    pub part: Option<Part>,
}

/// Explores the tests that have passed, and adds what comes of it to the report.
pub fn explore(what: &Exploration<'_>, report: &mut Report, ran: &[Ran]) -> Result<()> {
    let Exploration { tested, exploring, .. } = what;
    let Tested { session, args, console, .. } = *tested;
    let passed = passed(ran);
    if passed.is_empty() {
        return Ok(());
    }
    let folder = session.run.join("explored");
    // Everything is built, so cargo has nothing to say.
    launch(session, args, &folder, Console::new(Verbosity::Quiet, console.color()))?;
    check_interrupted()?;
    let subjects = subjects(read_results(&folder, count(&folder))?, &passed, &predicted(report, ran));
    if subjects.is_empty() {
        return Ok(());
    }
    let how_long = match (exploring.time, exploring.schedules) {
        (_, Some(schedules)) => format!(" by {}", counted(schedules, "schedule")),
        (Some(time), None) => format!(" for {} s", time.as_secs_f64()),
        (None, None) => String::new(),
    };
    console.status("Exploring", format_args!("{}{how_long}", counted(subjects.len() as u64, "test")));
    let orders: Orders = read_orders(&folder)?;
    let schedules = session.layout.root().join("schedules");
    let begun = Instant::now();
    let job = Job {
        orders: &orders,
        folder: &folder,
        schedules: &schedules,
        workers: workers(args),
        until: exploring.time.map(|it| begun + it),
        runs: exploring.schedules,
        seed: exploring.seed,
        by: exploring.by,
        part: what.part,
        counts_only: exploring.counts_only,
        resumes: exploring.resumes,
        progress: &session.layout.root().join("explored"),
        own: &OwnCode::read(tested.recorded),
        root: &session.project.root,
        console,
    };
    if job.resumes {
        let fitting = subjects.iter().filter(|it| progress::read(&job, it).is_some()).count();
        let all = counted(subjects.len() as u64, "test");
        console.status(
            "Resuming",
            format_args!("{fitting} of {all}; what was not explored in the same way begins anew"),
        );
    }
    let (explored, done) = worker_pool::explore(&job, subjects);
    let seconds = (begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
    if session.learnt.is_some() {
        report.run.notes.push("explored runs are under control, so nothing was enforced in them".to_owned());
    }
    reporting::add_to_report(what, &job, &explored, seconds, report)?;
    done?;
    properties::look(tested, &job, &explored, report)
}

/// The tests that have passed, by executable.
fn passed(ran: &[Ran]) -> BTreeMap<&Executable, BTreeSet<&str>> {
    let mut passed: BTreeMap<&Executable, BTreeSet<&str>> = BTreeMap::new();
    for ran in ran.iter().filter(|it| it.libtest && it.origin == Origin::Tool) {
        let tests = ran.tests.iter().filter(|it| it.outcome == TestOutcome::Passed);
        passed.entry(&ran.executable).or_default().extend(tests.map(|it| it.name.as_str()));
    }
    passed.retain(|_, tests| !tests.is_empty());
    passed
}

/// By executable and test: how tasks are to be delayed, in turn.
type Predicted<'a> = BTreeMap<(&'a Executable, &'a str), Vec<Vec<Delay>>>;

/// How tasks are to be delayed so that what was predicted may happen, or what is only a candidate.
fn predicted<'a>(report: &'a Report, ran: &'a [Ran]) -> Predicted<'a> {
    let mut all = Predicted::new();
    let delayed = report.steering.iter().filter(|it| it.of != Steered::CheckThenAct);
    for Steering { process, test, schedule, later, .. } in delayed {
        let ran = ran.iter().find(|it| it.trace.as_deref() == Some(process) && it.libtest);
        let Some(ran) = ran else { continue };
        let its = all.entry((&ran.executable, test.as_str())).or_default();
        for schedule in std::iter::once(schedule).chain(later) {
            if !its.contains(&schedule.delays) {
                its.push(schedule.delays.clone());
            }
        }
    }
    all
}

/// Those of these tests that can be started, in their order.
fn subjects(
    launches: Vec<Launch>,
    tests: &BTreeMap<&Executable, BTreeSet<&str>>,
    predicted: &Predicted<'_>,
) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for launch in launches {
        let content = launch.words.last().and_then(|it| progress::content(it)).map(Arc::from);
        let launch = Arc::new(launch);
        let its = tests.get(&launch.listed.executable).into_iter().flatten();
        subjects.extend(its.map(|it| {
            let predicted = predicted.get(&(&launch.listed.executable, *it)).cloned().unwrap_or_default();
            Subject {
                launch: Arc::clone(&launch),
                test: (*it).to_owned(),
                predicted: Arc::new(predicted),
                content: content.clone(),
                is_controlled: true,
            }
        }));
    }
    subjects.sort_by_key(|it| (it.launch.listed.package.clone(), it.name()));
    subjects
}

/// Has cargo build, and leave in this folder how it starts each executable.
fn launch(session: &Session, args: &TestArgs, folder: &Utf8Path, console: Console) -> Result<Built> {
    session.order(folder, Mode::Launching)?;
    let mut command = call("test", &session.instrumented(folder)?, console);
    build_options(&mut command, &args.build, CARGO);
    target_options(&mut command, &args.targets, false);
    command.arg("--no-fail-fast");
    super::cargo::test_arguments(&mut command, &args.for_executables());
    announce(&Message::BuildStarted { watched: true });
    run_reading(command, console, |_| (), |built| session.list(folder, built))
}

/// How many runs there are at once: as many as cargo has jobs, or as there are cores.
fn workers(args: &TestArgs) -> usize {
    let jobs = args.build.jobs.as_deref().and_then(|it| it.parse::<i64>().ok());
    let cores = load::cores();
    match jobs {
        // As cargo has it: so many less than there are cores.
        Some(jobs) if jobs < 0 => cores.saturating_sub(jobs.unsigned_abs() as usize).max(1),
        Some(jobs) => (jobs as usize).max(1),
        None => cores,
    }
}

/// A file of the session as it is shown.
fn shown(session: &Session, path: &Utf8Path) -> Utf8PathBuf {
    path.strip_prefix(&session.project.root).unwrap_or(path).to_owned()
}

/// A folder of the session, which is there then.
fn made(folder: Utf8PathBuf) -> Result<Utf8PathBuf> {
    std::fs::create_dir_all(&folder).map_err(writing(&folder))?;
    Ok(folder)
}
