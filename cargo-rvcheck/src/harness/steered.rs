//! Making predictions happen: the tests with one are run again, each alone, and their tasks are delayed where the prediction says. First
//! [under control](super::explore::predicted); then, where that shows nothing, in real time.

use super::cargo::{call, run_reading};
use super::collect;
use super::explore::Tested;
use super::explore::atomicity::{interleave, interleavings};
use super::explore::predicted::{Launched, Stood, TIMES, Wanted, stand_still};
use super::explore::rearranged::{exercised, rearrange};
use super::run_file::{Mode, Ran, count, read_results};
use super::session::Session;
use super::watchdog::left_behind;
use crate::again::{from_folder, quoted};
use crate::check::{same, without_hedge};
use crate::console::{Console, Verbosity};
use crate::digest::digest;
use crate::error::{Result, writing};
use crate::finding::{Finding, Level, Location, Proof, Tried};
use crate::interruption::check_interrupted;
use crate::messages::{Message, tell as announce};
use crate::project::built::Executable;
use crate::recorded::{Origin, Recorded, TestOutcome};
use crate::report::{Report, Steered, Steering, counted};
use crate::request::{CARGO, build_options, target_options};
use crate::wrapper::here;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::schedule::{Delay, Schedule};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::SystemTime;

/// The longest name of a source file that becomes part of the name of a schedule.
const LONGEST: usize = 120;
/// How many candidate schedules are tried.
const MOST: usize = 32;
/// Why a prediction of a process was not tried that is no run of a test harness by this tool.
const NOT_ALONE: &str = "its test cannot be run again alone";

/// A test that is to be run by a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The executable.
    pub executable: Executable,
    /// The test, as its harness calls it.
    pub test: String,
    /// The files with the schedules, each to be tried in turn.
    pub schedules: Vec<Utf8PathBuf>,
    /// Nothing says that it can happen.
    pub is_candidate: bool,
}

/// Tests that are to be run by schedules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trials {
    /// The tests.
    pub all: Vec<Trial>,
    /// When all of that has to be over.
    pub until: SystemTime,
}

/// What is tried, and how.
struct Attempt {
    of: Of,
    trial: Trial,
    /// What is in the files of the trial.
    schedules: Vec<Schedule>,
}

/// What is tried.
enum Of {
    /// The finding of this property at this place. Its index changes when others are added.
    Finding(String, Location),
    /// Something that nothing was said of yet: the unit, and the places that it has to do with.
    Candidate(String, Vec<Location>),
}

/// Tries to make what was predicted happen, within the budget, and then the candidate schedules, and the orders that lifestates
/// prohibit. What does happen is confirmed, and
/// an error; the rest stays a note, and says how often it was tried or why it was not. `check` gives the report of what the tries have left.
///
/// First this is tried under control; what does not happen there, as where a test is not controlled, by delays in real time.
pub fn confirm(
    what: &Tested<'_>,
    report: &mut Report,
    ran: &[Ran],
    check: impl Fn(&Recorded) -> Report,
) -> Result<()> {
    let Tested { session, args, console, .. } = *what;
    let budget = args.confirm_budget.0;
    if budget.is_zero() {
        same::conclude(report, "`--confirm-budget` is 0");
        return Ok(());
    }
    if args.schedule.is_some() {
        same::conclude(report, "this run has a schedule of its own");
        return Ok(());
    }
    let folder = session.run.join("steered");
    let mut attempts = attempts(session, report, ran)?;
    let candidates = candidates(&folder.join("candidates"), report, ran)?;
    let at_most = format_args!("for at most {} s (`--confirm-budget`)", budget.as_secs_f64());
    if !attempts.is_empty() {
        console
            .status("Confirming", format_args!("{} {at_most}", counted(attempts.len() as u64, "prediction")));
    }
    if !candidates.is_empty() {
        let candidates = counted(candidates.len() as u64, "candidate schedule");
        let then = if what.args.exploring().is_some() { ", then exploring" } else { "" };
        console.status("Trying", format_args!("{candidates} {at_most}{then}"));
    }
    attempts.extend(candidates);
    let rearranged = exercised(what, report, ran);
    let interleavings = interleavings(session, report, ran);
    if attempts.is_empty() && rearranged.is_empty() && interleavings.is_empty() {
        same::conclude(report, NOT_ALONE);
        return Ok(());
    }
    let until = SystemTime::now() + budget;
    let launched = Launched::new(what)?;
    if !attempts.is_empty() {
        let mut open = under_control(what, &launched, report, attempts, until, &check)?;
        // A candidate may have shown it at the same place.
        open.retain(|it| it.of.finding(report).is_none_or(|it| it.proof != Proof::Confirmed));
        // A run without delays is the one that was recorded.
        open.retain(|it| it.schedules.iter().any(|it| !it.delays.is_empty()));
        if !open.is_empty() {
            by_delays(what, report, &open, until, &check)?;
        }
    }
    if !rearranged.is_empty() {
        rearrange(what, &launched, &rearranged, report, until)?;
    }
    if !interleavings.is_empty() {
        interleave(what, &launched, &interleavings, report, until)?;
    }
    same::conclude(report, NOT_ALONE);
    Ok(())
}

/// Tries these under control. Those that did not happen come back.
fn under_control(
    what: &Tested<'_>,
    launched: &Launched,
    report: &mut Report,
    attempts: Vec<Attempt>,
    until: SystemTime,
    check: &impl Fn(&Recorded) -> Report,
) -> Result<Vec<Attempt>> {
    let wanted: Vec<Wanted<'_>> = attempts
        .iter()
        .map(|it| Wanted { executable: &it.trial.executable, test: &it.trial.test, schedules: &it.schedules })
        .collect();
    let stood = stand_still(launched, &wanted, until)?;
    let mut open = Vec::new();
    for (attempt, stood) in attempts.into_iter().zip(stood) {
        let mut has_happened = false;
        for Stood { process, plan } in stood {
            let checked = check(&Recorded { processes: vec![process], ..what.recorded.clone() });
            report.excerpts.add(checked.excerpts);
            let text = plan.to_string();
            has_happened = attempt.conclude(what.session, report, checked.findings, TIMES, &text)?;
            if has_happened {
                break;
            }
        }
        if !has_happened {
            open.push(attempt);
        }
    }
    Ok(open)
}

/// Tries these by delays in real time.
fn by_delays(
    what: &Tested<'_>,
    report: &mut Report,
    attempts: &[Attempt],
    until: SystemTime,
    check: &impl Fn(&Recorded) -> Report,
) -> Result<()> {
    let Tested { session, args, console, .. } = *what;
    let folder = session.run.join("steered");
    let all = attempts.iter().map(|it| it.trial.clone()).collect();
    session.order(&folder, Mode::Steered(Trials { all, until }))?;
    let mut command =
        call("test", &session.instrumented(&folder)?, Console::new(Verbosity::Quiet, console.color()));
    build_options(&mut command, &args.build, CARGO);
    target_options(&mut command, &args.targets, false);
    command.arg("--no-fail-fast");
    announce(&Message::BuildStarted { watched: true });
    let built = run_reading(command, console, |_| (), |built| session.list(&folder, built))?;
    check_interrupted()?;
    let tries: Vec<Ran> = read_results(&folder, count(&folder))?;
    for attempt in attempts {
        let its: Vec<&Ran> = tries.iter().filter(|it| attempt.trial.is_tried_by(it)).collect();
        if its.is_empty() {
            if let Some(finding) = attempt.of.finding(report) {
                finding.tried = Some(Tried::not("the time of `--confirm-budget` was over"));
            }
            continue;
        }
        let times = its.len() as u64;
        let stands = |it: &&&Ran| {
            let stalled = it.tests.iter().any(|it| it.outcome == TestOutcome::Stalled);
            stalled || it.trace.as_ref().is_some_and(|it| left_behind(it).is_some())
        };
        let stood = its.iter().find(stands);
        let by = stood.or(its.first()).and_then(|it| it.schedule.clone());
        let schedule = by.and_then(|by| attempt.schedule_in(&by)).unwrap_or_default();
        // Only what its own runs have come to counts.
        let happened = if stood.is_some() {
            let its: Vec<Ran> = its.into_iter().cloned().collect();
            let checked = check(&collect::recorded(session, &built, its));
            report.excerpts.add(checked.excerpts);
            checked.findings
        } else {
            Vec::new()
        };
        if !attempt.conclude(session, report, happened, times, &schedule)?
            && let Some(finding) = attempt.of.finding(report)
        {
            let path = attempt.trial.schedules.first().map(|it| shown(session, it)).unwrap_or_default();
            tell(finding, Tried { times, schedule: path, ..Tried::default() }, session)?;
        }
    }
    Ok(())
}

impl Of {
    /// The finding, if it is one that the report has.
    fn finding<'r>(&self, report: &'r mut Report) -> Option<&'r mut Finding> {
        let Of::Finding(property, place) = self else { return None };
        report.findings.iter_mut().find(|it| it.property == *property && it.primary == *place)
    }
}

impl Attempt {
    /// Takes in what happened when it was tried so often by the schedule with this text; whether it is what was looked for.
    fn conclude(
        &self,
        session: &Session,
        report: &mut Report,
        happened: Vec<Finding>,
        times: u64,
        schedule: &str,
    ) -> Result<bool> {
        let confirmed = |finding: &mut Finding, happened: String, path: &Utf8Path| {
            std::fs::write(path, schedule).map_err(writing(path))?;
            let schedule = shown(session, path);
            tell(finding, Tried { times, schedule, happened, ..Tried::default() }, session)
        };
        match &self.of {
            Of::Finding(..) => {
                let Some(finding) = self.of.finding(report) else { return Ok(false) };
                let Some(seen) = happened.into_iter().find(|it| is_same(finding, it)) else {
                    return Ok(false);
                };
                let path = schedules(session)?.join(file_name(finding, 0));
                finding.pictures.confirm(seen.pictures);
                finding.level = Level::Error;
                confirmed(finding, seen.message, &path)?;
            }
            Of::Candidate(test, places) => {
                let seen = happened.into_iter().find(|it| is_of_candidate(it, test, places));
                let Some(mut finding) = seen else { return Ok(false) };
                let path = schedules(session)?.join(file_name(&finding, 0));
                let happened = finding.message.clone();
                confirmed(&mut finding, happened, &path)?;
                same::add(&mut report.findings, finding);
            }
        }
        Ok(true)
    }

    /// The text of the schedule in this file.
    fn schedule_in(&self, path: &Utf8Path) -> Option<String> {
        let number = self.trial.schedules.iter().position(|it| it == path)?;
        Some(self.schedules.get(number)?.to_string())
    }
}

/// A path as it is shown.
fn shown(session: &Session, path: &Utf8Path) -> String {
    path.strip_prefix(&session.project.root).unwrap_or(path).to_string()
}

/// The folder of the schedules that findings name.
fn schedules(session: &Session) -> Result<Utf8PathBuf> {
    let folder = session.layout.root().join("schedules");
    std::fs::create_dir_all(&folder).map_err(writing(&folder))?;
    Ok(folder)
}

/// Says what came of it when a prediction was tried.
fn tell(finding: &mut Finding, tried: Tried, session: &Session) -> Result<()> {
    if !tried.happened.is_empty() {
        finding.proof = Proof::Confirmed;
        finding.message = without_hedge(&finding.message);
        let schedule = from_folder(&session.project.root.join(&tried.schedule), &here()?);
        let schedule = quoted(&schedule);
        finding.next.command = match finding.next.command.split_once(" -- ") {
            Some((before, after)) => format!("{before} --schedule {schedule} -- {after}"),
            None => format!("{} --schedule {schedule}", finding.next.command),
        };
    } else if finding.level < Level::Error {
        // Whatever else says that it could happen, here it was looked for. Only what the source shows on every path is an error.
        finding.level = Level::Note;
    }
    finding.tried = Some(tried);
    Ok(())
}

impl Trial {
    fn is_tried_by(&self, ran: &Ran) -> bool {
        ran.executable == self.executable
            && ran.schedule.as_ref().is_some_and(|it| self.schedules.contains(it))
    }
}

/// Whether what was seen is what was predicted: the same property, with a wait at a place of the prediction, and nothing that may
/// still end it.
fn is_same(predicted: &Finding, seen: &Finding) -> bool {
    let place = |it: &Location| (it.file.clone(), it.line, it.column);
    let places: BTreeSet<_> =
        std::iter::once(&predicted.primary).chain(&predicted.related).map(place).collect();
    (seen.proof, seen.level) == (Proof::Observed, Level::Error)
        && (&seen.property, &seen.test) == (&predicted.property, &predicted.test)
        && places.contains(&place(&seen.primary))
}

/// Whether what was seen in this test is what the candidate schedule was for: that some wait for good.
fn is_of_candidate(seen: &Finding, test: &str, places: &[Location]) -> bool {
    seen.proof == Proof::Observed && seen.level > Level::Note && seen.test == test && is_among(seen, places)
}

/// Whether a finding speaks of one of these places.
fn is_among(finding: &Finding, places: &[Location]) -> bool {
    let start = |it: &Location| (it.file.clone(), it.line, it.column);
    let among = |it: &Location| places.iter().any(|place| start(place) == start(it));
    std::iter::once(&finding.primary).chain(&finding.related).any(among)
}

/// The predictions that can be tried, each with a schedule in a file of its own.
fn attempts(session: &Session, report: &Report, ran: &[Ran]) -> Result<Vec<Attempt>> {
    let mut attempts: Vec<(usize, Attempt)> = Vec::new();
    for Steering { of, process, test, schedule, later } in &report.steering {
        let Steered::Prediction { property, place } = of else { continue };
        let is_its = |it: &Finding| it.property == *property && it.primary == *place;
        let Some(index) = report.findings.iter().position(is_its) else { continue };
        let finding = &report.findings[index];
        let is_open = finding.is_open_prediction() && !finding.suppressed;
        if !is_open || attempts.iter().any(|it| it.0 == index) {
            continue;
        }
        let Some(ran) = ran_it(ran, process) else { continue };
        let mut paths = Vec::new();
        let all: Vec<Schedule> = std::iter::once(schedule).chain(later).cloned().collect();
        for (number, schedule) in all.iter().enumerate() {
            let path = schedules(session)?.join(file_name(finding, number));
            std::fs::write(&path, schedule.to_string()).map_err(writing(&path))?;
            paths.push(path);
        }
        let trial = Trial {
            executable: ran.executable.clone(),
            test: test.clone(),
            schedules: paths,
            is_candidate: false,
        };
        let of = Of::Finding(property.clone(), place.clone());
        attempts.push((index, Attempt { of, trial, schedules: all }));
    }
    // What is certain to be possible first.
    attempts.sort_by_key(|it| std::cmp::Reverse(report.findings[it.0].proof));
    Ok(attempts.into_iter().map(|it| it.1).collect())
}

/// The candidate schedules, each in a file below this folder. The same delays are tried in one test, and a run without any in each.
fn candidates(folder: &Utf8Path, report: &Report, ran: &[Ran]) -> Result<Vec<Attempt>> {
    let mut known: BTreeSet<(&[Delay], Option<&str>)> = BTreeSet::new();
    let mut candidates = Vec::new();
    for Steering { of, process, test, schedule, .. } in &report.steering {
        let Steered::Candidate { test: unit, places, if_found } = of else { continue };
        if *if_found && !report.findings.iter().any(|it| it.proof == Proof::Static && is_among(it, places)) {
            continue;
        }
        let Some(ran) = ran_it(ran, process) else { continue };
        let own = schedule.delays.is_empty().then_some(unit.as_str());
        if candidates.len() == MOST || !known.insert((&schedule.delays, own)) {
            continue;
        }
        std::fs::create_dir_all(folder).map_err(writing(folder))?;
        let path = folder.join(format!("candidate-{}.txt", candidates.len()));
        std::fs::write(&path, schedule.to_string()).map_err(writing(&path))?;
        let trial = Trial {
            executable: ran.executable.clone(),
            test: test.clone(),
            schedules: vec![path],
            is_candidate: true,
        };
        let of = Of::Candidate(unit.clone(), places.clone());
        candidates.push(Attempt { of, trial, schedules: vec![schedule.clone()] });
    }
    Ok(candidates)
}

/// The process with this trace, if a test of it can be run again alone.
fn ran_it<'r>(ran: &'r [Ran], process: &Utf8Path) -> Option<&'r Ran> {
    ran.iter().find(|it| it.trace.as_deref() == Some(process) && it.libtest && it.origin == Origin::Tool)
}

/// What the file with the schedule of a finding is called, that of this number. It tells findings apart, and stays the same from run to
/// run.
fn file_name(finding: &Finding, number: usize) -> String {
    let Location { file, line, column, .. } = &finding.primary;
    let readable: String =
        file.chars().map(|it| if it.is_alphanumeric() || "._-".contains(it) { it } else { '-' }).collect();
    let file = if readable.len() > LONGEST { digest([file.as_str()]) } else { readable };
    let number = if number == 0 { String::new() } else { format!("-{}", number + 1) };
    format!("{}-{file}-{line}-{column}{number}.txt", finding.property)
}
