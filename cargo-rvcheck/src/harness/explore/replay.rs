//! Running one test by the schedule that a finding names.

use super::bench::{Bench, Subject};
use super::{Tested, launch, made, reporting, shown};
use crate::check::explored::Shown;
use crate::cli::TestArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::explore::belief::{Class, class};
use crate::finding::Proof;
use crate::harness::launch::Launch;
use crate::harness::process::{Controlled, Output};
use crate::harness::run_file::{count, read_orders, read_results};
use crate::harness::session::Session;
use crate::project::built::Built;
use crate::recorded::Process;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::plan::Plan;
use std::sync::Arc;

/// A run by a schedule.
pub struct Replayed {
    /// The process.
    pub process: Process,
    /// What it shows, if anything went wrong.
    pub shown: Option<Shown>,
}

/// Builds what is to be run.
pub fn prepare(session: &Session, args: &TestArgs, console: Console) -> Result<Built> {
    launch(session, args, &folder(session), console)
}

fn folder(session: &Session) -> Utf8PathBuf {
    session.run.join("explored")
}

/// Runs the one test that is selected by this plan, which is in a file. What it prints is shown.
pub fn replay(session: &Session, path: &Utf8Path, plan: &Plan, console: Console) -> Result<Replayed> {
    let folder = folder(session);
    let subject = only(read_results(&folder, count(&folder))?, path)?;
    let orders = read_orders(&folder)?;
    let bench = Bench::new(&orders, made(folder.join("replayed"))?)?;
    // Whoever changes the file meanwhile changes nothing of this run.
    let controlled = Controlled { plan: folder.join("replayed.txt"), outcome: folder.join("outcome.txt") };
    let plan = &Plan { lists_choices: true, ..plan.clone() };
    console.status("Running", format_args!("{} by {}", subject.name(), shown(session, path)));
    let run = bench.run_controlled(&subject, plan, controlled, Output::Kept)?;
    let outcome = run.seen.outcome.as_ref();
    match outcome {
        None => console.warn(format_args!(
            "its process did not report how its tasks ran, so it is not known whether it followed the schedule"
        )),
        Some(outcome) => {
            for diverged in &outcome.diverged {
                let wanted = plan.switches.iter().find(|it| it.from == diverged.at);
                let wanted = wanted.and_then(|it| it.at.as_ref()).map_or_else(String::new, |at| format!(", which is {at} in the schedule"));
                console.warn(format_args!(
                    "the run is not by the schedule from point {}{wanted}: {}",
                    diverged.at, diverged.reason
                ));
            }
        }
    }
    if let Some(problem) = &run.problem {
        console.warn(format_args!(
            "the run reported something about itself that cannot be understood: {problem}"
        ));
    }
    let failure = run.seen.failure().cloned();
    let process = reporting::process(&subject, failure.as_ref(), &run.end, &run.trace);
    let made = outcome.map_or_else(|| plan.switches.clone(), |it| it.switches.clone());
    let class = match &failure {
        Some(failure) => class(plan, &run.seen, failure, |plan| Ok(bench.run(&subject, plan)?.seen))?,
        None => Class::Order,
    };
    let shown = failure.map(|failure| Shown {
        process: process.clone(),
        failure: Some(failure),
        participants: outcome.map(|it| it.participants.clone()).unwrap_or_default(),
        check_then_act: None,
        reversed: outcome.map(|it| it.pairs.clone()).unwrap_or_default(),
        class,
        plan: Plan { switches: made, ..plan.clone() },
        places: reporting::places(plan, outcome),
        repeated: (1, 1),
        plainly: 0,
        schedule: shown(session, path).to_string(),
    });
    Ok(Replayed { process, shown })
}

/// Adds what the run has shown to the report.
pub fn tell(what: &Tested<'_>, replayed: &Replayed, report: &mut crate::report::Report) -> Result<()> {
    if let Some(shown) = &replayed.shown {
        // It is reported as it was when it was found.
        report.findings.retain(|it| it.proof != Proof::Observed);
        reporting::add(what, std::slice::from_ref(shown), report)?;
        crate::report::verdicts::settle(report);
    }
    Ok(())
}

/// The one test that is selected.
fn only(launches: Vec<Launch>, path: &Utf8Path) -> Result<Subject> {
    let all: Vec<Subject> = launches
        .into_iter()
        .map(Arc::new)
        .flat_map(|launch| {
            let tests = launch.tests.clone().into_iter();
            tests
                .map(move |test| Subject {
                    launch: Arc::clone(&launch),
                    test,
                    predicted: Arc::default(),
                    content: None,
                    is_controlled: true,
                })
                .collect::<Vec<_>>()
        })
        .collect();
    let count = all.len();
    let mut all = all.into_iter();
    match (all.next(), count) {
        (Some(subject), 1) => Ok(subject),
        (_, 0) => Err(Expected::Configuration(format!("no test is selected that could be run by {path}"))),
        (_, count) => Err(Expected::Configuration(format!(
            "{path} is the schedule of one test, and {count} are selected; name it, such as with `-- --exact NAME`"
        ))),
    }
}

/// The plan in a file, if it is one.
pub fn plan(path: &Utf8PathBuf, text: &str) -> Option<Result<Plan>> {
    let refused = |reason: String| Expected::Configuration(format!("{path} is no schedule: {reason}"));
    Plan::is_one(text).then(|| Plan::read(text).map_err(refused))
}
