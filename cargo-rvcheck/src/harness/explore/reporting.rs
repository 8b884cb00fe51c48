//! From what was explored to the report: findings, and what was covered.

use super::bench::Subject;
use super::explored::{Explored, Found, State};
use super::worker_pool::Job;
use super::{Exploration, Tested, shown};
use crate::again::{from_folder, quoted};
use crate::check::explored::{ORDER_DEPENDENCE, Shown, findings, name, passed};
use crate::check::same;
use crate::error::Result;
use crate::explore::belief::REPEATS;
use crate::explore::seen::{Failure, FailureKind};
use crate::explore::walks::By;
use crate::finding::Finding;
use crate::harness::session::Session;
use crate::recorded::{End, Origin, Process, Recorded, TestOutcome, TestResult};
use crate::report::exploration::{
    Awaits, Control, Exploration as Covered, ExploredTest, Orders, Preemptions, SeenPair,
};
use crate::report::{PropertyReport, Report, UnitVerdict, Verdict};
use crate::wrapper::here;
use camino::Utf8Path;
use clap::ValueEnum;
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::{Hold, Plan};
use rvcheck_event::position::ProgramPoint;
use std::collections::{BTreeMap, BTreeSet};

/// Adds to the report what was found, and what was covered.
pub(super) fn add_to_report(
    what: &Exploration<'_>,
    job: &Job<'_>,
    explored: &[Explored],
    seconds: f64,
    report: &mut Report,
) -> Result<()> {
    let mut faults: Vec<(usize, &Found)> = explored
        .iter()
        .enumerate()
        .flat_map(|(at, test)| test.faults.iter().map(move |it| (at, it)))
        .collect();
    // Of the same, that counts which needs least.
    faults.sort_by_key(|it| (it.1.fault.class, it.1.fault.shrunk.seen.leans()));
    let shown = |(at, found): &(usize, &Found)| {
        let test = &explored[*at];
        shown_by(what.tested.session, &test.subject, test.default.as_ref(), found)
    };
    let runs: Vec<Shown> = faults.iter().map(shown).collect();
    let counts = add(&what.tested, &runs, report)?;
    let mut tests: Vec<ExploredTest> = explored.iter().map(|it| covered(what, job, it)).collect();
    for (((at, found), run), _) in faults.iter().zip(&runs).zip(counts).filter(|it| it.1 == 0) {
        // Nobody knows a place for it.
        tests[*at].notes.push(format!("something goes wrong by {}{}", run.schedule, says(&found.failure)));
    }
    tests.sort_by(|a, b| a.test.cmp(&b.test));
    let by = what.exploring.by.and_then(|it: By| it.to_possible_value());
    let by = by.map_or_else(String::new, |it| it.get_name().to_owned());
    add_row(what, &tests, report);
    report.exploration = Some(Covered { seed: what.exploring.seed, by, seconds, tests });
    crate::report::verdicts::settle(report);
    Ok(())
}

/// Adds the row of the property that only exploring says something of. What did not violate it holds, as far as anybody knows.
fn add_row(what: &Exploration<'_>, tests: &[ExploredTest], report: &mut Report) {
    let Some(property) = what.tested.options.properties.iter().find(|it| it.id() == ORDER_DEPENDENCE) else {
        return;
    };
    let unit = |it: &ExploredTest| UnitVerdict {
        test: it.test.clone(),
        verdict: if it.control == Control::Controlled { Verdict::Held } else { Verdict::NotExercised },
        bindings: 1,
        exercised: 1,
        witness: Vec::new(),
    };
    let units: Vec<UnitVerdict> = tests.iter().filter(|it| it.control >= Control::Alone).map(unit).collect();
    let mut row =
        PropertyReport { title: property.title().to_owned(), ..PropertyReport::of(ORDER_DEPENDENCE) };
    row.verdict = units.iter().map(|it| it.verdict).max().unwrap_or(Verdict::NotExercised);
    row.units = units;
    report.properties.retain(|it| it.id != ORDER_DEPENDENCE);
    report.properties.push(row);
    report.properties.sort_by(|a, b| a.id.cmp(&b.id));
}

/// Adds what these runs show to the report. By run: how many findings that are.
pub(super) fn add(what: &Tested<'_>, runs: &[Shown], report: &mut Report) -> Result<Vec<usize>> {
    let (found, excerpts) = findings(&base(what.recorded), what.options, runs, what.args.show.strict);
    report.excerpts.add(excerpts);
    let counts = found.iter().map(Vec::len).collect();
    for (run, found) in runs.iter().zip(found) {
        for mut finding in found {
            by_schedule(what, &run.schedule, &mut finding)?;
            same::add(&mut report.findings, finding);
        }
    }
    report.findings.sort_by(crate::finding::order);
    Ok(counts)
}

/// What was recorded, without the processes, and without what the source alone shows.
pub(super) fn base(recorded: &Recorded) -> Recorded {
    Recorded { processes: Vec::new(), analysed: crate::analysis::Analysed::default(), ..recorded.clone() }
}

/// Has the command of a finding name the schedule.
fn by_schedule(what: &Tested<'_>, schedule: &str, finding: &mut Finding) -> Result<()> {
    let path = from_folder(&what.session.project.root.join(schedule), &here()?);
    let path = quoted(&path);
    finding.next.command = match finding.next.command.split_once(" -- ") {
        Some((before, after)) => format!("{before} --schedule {path} -- {after}"),
        None => format!("{} --schedule {path}", finding.next.command),
    };
    Ok(())
}

/// What a fault of a test has shown, of which the run by the default order came to `default`.
pub(super) fn shown_by(
    session: &Session,
    subject: &Subject,
    default: Option<&Outcome>,
    found: &Found,
) -> Shown {
    let outcome = found.fault.shrunk.seen.outcome.as_ref();
    Shown {
        process: process(subject, Some(&found.failure), &found.end, &found.trace),
        failure: Some(found.failure.clone()),
        plan: found.fault.shrunk.plan.clone(),
        places: places(&found.fault.shrunk.plan, default),
        participants: outcome.map(|it| it.participants.clone()).unwrap_or_default(),
        reversed: match outcome {
            Some(outcome) => reversed(Some(outcome), default),
            None => held(&found.fault.shrunk.plan, default),
        },
        check_then_act: None,
        class: found.fault.class,
        repeated: (u64::from(found.fault.repeated), u64::from(REPEATS)),
        plainly: u64::from(found.fault.plainly),
        schedule: shown(session, &found.schedule).to_string(),
    }
}

/// The orders that a run has and the one by the default order has not.
pub(super) fn reversed(
    outcome: Option<&Outcome>,
    default: Option<&Outcome>,
) -> Vec<(ProgramPoint, ProgramPoint)> {
    let pairs = outcome.map(|it| it.pairs.as_slice()).unwrap_or_default().iter();
    let known = default.map(|it| it.pairs.as_slice()).unwrap_or_default();
    pairs.filter(|it| !known.contains(it)).cloned().collect()
}

/// The orders that a plan asks for where its run could not say which ones it had: who is held comes second. Their places are those of the
/// run by the default order.
fn held(plan: &Plan, default: Option<&Outcome>) -> Vec<(ProgramPoint, ProgramPoint)> {
    let places = places(plan, default);
    let order = |it: &Hold| Some((places.get(&passed(it))?.clone(), places.get(&it.from)?.clone()));
    plan.holds.iter().filter_map(order).collect()
}

/// The places of the points at which a plan holds somebody, and of those that others have to pass first, as far as a run by the default order
/// came to them.
pub(super) fn places(plan: &Plan, default: Option<&Outcome>) -> BTreeMap<Point, ProgramPoint> {
    let points: BTreeSet<Point> = plan.holds.iter().flat_map(|it| [it.from.clone(), passed(it)]).collect();
    let choices = default.map(|it| it.choices.as_slice()).unwrap_or_default().iter();
    let choices = choices.filter(|it| it.at.position.is_known() && points.contains(&it.from));
    choices.map(|it| (it.from.clone(), it.at.clone())).collect()
}

/// The process of a run, as it is checked.
pub(super) fn process(subject: &Subject, failure: Option<&Failure>, end: &End, trace: &Utf8Path) -> Process {
    let executable = &subject.launch.listed.executable;
    let kind = failure.map(|it| it.kind);
    let outcome = match kind {
        None | Some(FailureKind::Property | FailureKind::Left) => TestOutcome::Passed,
        Some(FailureKind::Hang) => TestOutcome::Stalled,
        Some(FailureKind::Test) => TestOutcome::Failed,
        Some(FailureKind::Died | FailureKind::Livelock) => TestOutcome::Unfinished,
    };
    Process {
        package: subject.launch.listed.package.clone(),
        target: executable.target.clone(),
        select: executable.kind.select(&executable.target),
        libtest: true,
        origin: Origin::Tool,
        only: Some(subject.test.clone()),
        command: subject.launch.words.clone(),
        // Of a process that is not controlled it is not known that nobody else can go on.
        end: if kind == Some(FailureKind::Hang) && subject.is_controlled { End::Hung } else { end.clone() },
        tests: vec![TestResult { name: subject.test.clone(), outcome, should_panic: false }],
        trace: trace.exists().then(|| trace.to_owned()),
        seconds: 0.0,
    }
}

/// What was covered of a test.
fn covered(what: &Exploration<'_>, job: &Job<'_>, test: &Explored) -> ExploredTest {
    let coverage = &test.coverage;
    let (control, reasons) = match &test.state {
        State::Waiting | State::Grounding => (Control::NotReached, Vec::new()),
        State::Open(_) => (Control::Controlled, Vec::new()),
        State::Alone => (Control::Alone, Vec::new()),
        State::Uncontrolled(it) => (Control::NotControlled, it.reasons.clone()),
    };
    let (cancelled, suspended) = coverage.cancelled();
    let pair = |(one, other, runs): (&ProgramPoint, &ProgramPoint, u64)| SeenPair {
        first: one.to_string(),
        second: other.to_string(),
        runs,
    };
    let mut notes = Vec::new();
    for failure in &test.unrepeated {
        notes.push(format!(
            "something went wrong once, but not again under the same schedule{}",
            says(failure)
        ));
    }
    if job.counts_only && test.failing > 0 {
        let (failing, runs) = (test.failing, coverage.runs);
        notes.push(format!("something went wrong in {failing} of {runs} runs, which were only counted"));
    }
    if test.earlier > 0 {
        notes.push(format!("{} of its runs were made before", test.earlier));
    }
    if let Some(schedule) = &test.endless {
        let schedule = shown(what.tested.session, schedule);
        notes.push(format!(
            "a run by {schedule} was given up: the test takes too long to be explored as a whole, or it never ends"
        ));
    }
    if let Some(problem) = &test.problem {
        notes.push(format!("a run reported something about itself that cannot be understood: {problem}"));
    }
    ExploredTest {
        test: name(what.tested.recorded, &test.subject.launch.listed.package, &test.subject.name()),
        control,
        reasons,
        participants: test.participants,
        runs: coverage.runs,
        failing: test.failing,
        first_failing: test.first_failing,
        not_ended: test.not_ended,
        orders: Orders { both: coverage.both(), one: coverage.one(), once: coverage.seen_once() },
        awaits: Awaits { cancelled, suspended },
        preemptions: Preemptions { possible: test.preemptions.0, chosen: test.preemptions.1 },
        points: coverage.points,
        outside: coverage.outside,
        notes,
        pairs: if job.part.is_some() { coverage.pairs().map(pair).collect() } else { Vec::new() },
    }
}

fn says(failure: &Failure) -> String {
    match failure.kind {
        FailureKind::Hang => ": it hangs".to_owned(),
        FailureKind::Left => ": it leaves a participant waiting forever".to_owned(),
        FailureKind::Livelock => ": it loops forever".to_owned(),
        _ if failure.message.is_empty() => String::new(),
        _ => format!(": {}", failure.message),
    }
}
