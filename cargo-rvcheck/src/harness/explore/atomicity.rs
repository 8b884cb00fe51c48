//! Check-then-act: each test in which a task uses a lock, a channel or an atomic twice in one function is run under control, and then once more for
//! each operation of somebody else that could come between the two. It is reported if the test fails by such an order alone: where it also fails when the
//! other operation comes before the check or behind the act, it only depends on the order.

use super::Tested;
use super::bench::{Bench, Subject};
use super::explored::Found;
use super::predicted::Launched;
use super::progress::content;
use super::reporting::{add, shown_by};
use super::trial::Trial;
use crate::check::explored::{OwnCode, Shown};
use crate::error::{Result, writing};
use crate::explore::belief::{Belief, Class, believe};
use crate::explore::block::limit;
use crate::explore::directed::{CheckThenAct, check_then_acts, only_interleaved};
use crate::explore::ground::{Ground, default_order, ground};
use crate::explore::seen::RunResult;
use crate::harness::run_file::Ran;
use crate::harness::session::Session;
use crate::layout::create_folder;
use crate::recorded::{Origin, TestOutcome, TestResult};
use crate::report::{Report, Steered, counted};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::Plan;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// How many orders are tried in one test.
const MOST: usize = 16;
/// In how many tests the same places are tried.
const TESTS: u32 = 4;
/// For how long all of this may go on. The next run of the tool goes on where this one ends.
const LIMIT: Duration = Duration::from_secs(5);

/// A test to try.
pub struct Interleaving<'r> {
    ran: &'r Ran,
    test: String,
    /// The file with the tests of its executable in which nothing was found; none where that is not known again by its content.
    silent: Option<Utf8PathBuf>,
}

/// The tests that have passed in which something may come between two steps, but those that were tried in an earlier run of the tool by the same
/// executable, where nothing was found.
pub fn interleavings<'r>(session: &Session, report: &Report, ran: &'r [Ran]) -> Vec<Interleaving<'r>> {
    let folder = session.layout.root().join("interleaved");
    let mut silent: BTreeMap<&str, (Option<Utf8PathBuf>, BTreeSet<String>)> = BTreeMap::new();
    let mut tests: Vec<Interleaving<'r>> = Vec::new();
    for it in report.steering.iter().filter(|it| it.of == Steered::CheckThenAct) {
        let passed = |test: &TestResult| test.name == it.test && test.outcome == TestOutcome::Passed;
        let is_its = |ran: &&Ran| {
            let own = ran.libtest && ran.origin == Origin::Tool;
            own && ran.trace.as_deref() == Some(&*it.process) && ran.tests.iter().any(passed)
        };
        let Some(ran) = ran.iter().find(is_its) else { continue };
        // Behind the executable come the arguments of its harness.
        let Some(path) = ran.command.iter().rev().find(|it| Path::new(it).is_file()) else { continue };
        let (silent, known) = silent.entry(path).or_insert_with(|| {
            let silent = content(path).map(|it| folder.join(format!("{it}.txt")));
            let text = silent.as_ref().and_then(|it| std::fs::read_to_string(it).ok()).unwrap_or_default();
            (silent, text.lines().map(str::to_owned).collect())
        });
        if !known.contains(&it.test) {
            tests.push(Interleaving { ran, test: it.test.clone(), silent: silent.clone() });
        }
    }
    tests
}

/// Puts what others do between the steps of these tests, until the time is over.
pub fn interleave(
    what: &Tested<'_>,
    launched: &Launched,
    tests: &[Interleaving<'_>],
    report: &mut Report,
    until: SystemTime,
) -> Result<()> {
    let bench = Bench::new(&launched.orders, launched.folder.join("interleaved"))?;
    let tests_to_try = counted(tests.len() as u64, "test");
    what.console.status("Interleaving", format_args!("checks and acts of {tests_to_try}"));
    let own = OwnCode::read(what.recorded);
    let until = until.min(SystemTime::now() + LIMIT);
    let mut tries = Tries { what, launched, bench: &bench, own, until, tried: BTreeMap::new() };
    for Interleaving { ran, test, silent } in tests {
        if tries.is_over() {
            break;
        }
        let Some(subject) = launched.subject(&ran.executable, test) else { continue };
        if tries.is_silent(&subject, report)?
            && let Some(silent) = silent
        {
            note(silent, test)?;
        }
    }
    Ok(())
}

/// Notes that nothing was found in a test.
fn note(silent: &Utf8Path, test: &str) -> Result<()> {
    create_folder(silent.parent().unwrap_or(silent))?;
    let file = File::options().create(true).append(true).open(silent);
    file.and_then(|mut it| writeln!(it, "{test}")).map_err(writing(silent))
}

struct Tries<'a> {
    what: &'a Tested<'a>,
    launched: &'a Launched,
    bench: &'a Bench<'a>,
    own: OwnCode,
    until: SystemTime,
    /// By the places: in how many tests they were tried.
    tried: BTreeMap<[String; 3], u32>,
}

impl Tries<'_> {
    fn is_over(&self) -> bool {
        SystemTime::now() >= self.until
    }

    /// Whether nothing was found in a test by all that there is to try.
    fn is_silent(&mut self, subject: &Subject, report: &mut Report) -> Result<bool> {
        let first = self.bench.run(subject, &default_order(0, true))?.seen;
        let Ground::Open(default) = ground(&first, &first) else { return Ok(true) };
        let mut is_silent = true;
        let all = check_then_acts(&default, |check, act| self.own.has_in_one_function(check, act));
        for steps in all.iter().filter(|it| self.own.has(&it.between)).take(MOST) {
            if self.is_over() {
                return Ok(false);
            }
            let places = [&steps.check, &steps.act, &steps.between].map(ToString::to_string);
            let times = self.tried.get(&places).copied().unwrap_or_default();
            if times == TESTS {
                continue;
            }
            let found = self.fails(subject, steps, &default)?;
            // What was found is not looked for again.
            self.tried.insert(places, if found.is_some() { TESTS } else { times + 1 });
            if let Some(found) = found {
                is_silent = false;
                let shown = shown_by(self.what.session, subject, Some(&default), &found);
                let shown = Shown { check_then_act: Some(steps.clone()), ..shown };
                add(self.what, &[shown], report)?;
                crate::report::verdicts::settle(report);
            }
        }
        Ok(is_silent)
    }

    /// The fault, if the test fails by the interleaved order, passes by both serial ones, and needs no more than that.
    fn fails(&self, subject: &Subject, steps: &CheckThenAct, default: &Outcome) -> Result<Option<Found>> {
        let limited = |it: Plan| Plan { limit: limit(default.points), ..it };
        let plan = limited(steps.interleaved(0));
        let seen = self.bench.run(subject, &plan)?.seen;
        if !matches!(seen.result, RunResult::Failed(_)) {
            return Ok(None);
        }
        let serial = self.bench.run(subject, &limited(steps.serial(0)))?.seen.result;
        let Some(failure) = only_interleaved(&seen.result, &serial).cloned() else { return Ok(None) };
        let mut trial = Trial { bench: self.bench, subject, began: Instant::now() };
        let Belief::Fault(fault) = believe(&plan, &seen, &failure, &mut trial)? else { return Ok(None) };
        if fault.class > Class::Order {
            return Ok(None);
        }
        let schedules = self.what.session.layout.root().join("schedules");
        let trace = self.launched.folder.join(format!("interleaved-{}.rvt", self.tried.len()));
        trial.found(failure, *fault, trace, &schedules).map(Some)
    }
}
