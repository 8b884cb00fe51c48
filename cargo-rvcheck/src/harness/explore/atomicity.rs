//! Check-then-act: each test in which a task takes a lock twice in one function is run under control, and then once more for each operation of
//! somebody else that could come between the two. It is reported if the test fails by such an order alone: where it also fails when the
//! other operation comes before the check or behind the act, it only depends on the order.

use super::Tested;
use super::bench::{Bench, Subject};
use super::explored::Found;
use super::predicted::Launched;
use super::told::{add, shown_by};
use super::trial::Trial;
use crate::check::explored::{OwnCode, Shown};
use crate::error::Result;
use crate::explore::belief::{Belief, Class, believe};
use crate::explore::block::limit;
use crate::explore::directed::{Divided, divided, only_interleaved};
use crate::explore::ground::{Ground, default_order, ground};
use crate::explore::seen::RunResult;
use crate::harness::run_file::Ran;
use crate::recorded::{Origin, TestOutcome};
use crate::report::{Report, Steered, counted};
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::Plan;
use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

/// How many orders are tried in one test.
const MOST: usize = 16;
/// In how many tests the same places are tried.
const TESTS: u32 = 4;

/// A test to try.
pub struct Dividing<'r> {
    ran: &'r Ran,
    test: String,
}

/// The tests that have passed in which something may come between two steps.
pub fn dividing<'r>(report: &Report, ran: &'r [Ran]) -> Vec<Dividing<'r>> {
    let mut tests: Vec<Dividing<'r>> = Vec::new();
    for it in report.steering.iter().filter(|it| it.of == Steered::DividedSteps) {
        let is_its = |ran: &&Ran| {
            let passed = |test: &crate::recorded::TestResult| {
                test.name == it.test && test.outcome == TestOutcome::Passed
            };
            ran.trace.as_deref() == Some(&*it.process)
                && ran.libtest
                && ran.origin == Origin::Tool
                && ran.tests.iter().any(passed)
        };
        let ran = ran.iter().find(is_its);
        tests.extend(ran.map(|ran| Dividing { ran, test: it.test.clone() }));
    }
    tests
}

/// Puts what others do between the steps of these tests, until the time is over.
pub fn divide(
    what: &Tested<'_>,
    launched: &Launched,
    tests: &[Dividing<'_>],
    report: &mut Report,
    until: SystemTime,
) -> Result<()> {
    let bench = Bench::new(&launched.orders, launched.folder.join("divided"))?;
    let tests_to_try = counted(tests.len() as u64, "test");
    what.console.status("Interleaving", format_args!("checks and acts of {tests_to_try}"));
    let own = OwnCode::read(what.recorded);
    let mut tries = Tries { what, launched, bench: &bench, own, until, tried: BTreeMap::new() };
    for Dividing { ran, test } in tests {
        if tries.is_over() {
            break;
        }
        if let Some(subject) = launched.subject(&ran.executable, test) {
            tries.of(&subject, report)?;
        }
    }
    Ok(())
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

    fn of(&mut self, subject: &Subject, report: &mut Report) -> Result<()> {
        let first = self.bench.run(subject, &default_order(0, true))?.seen;
        let Ground::Open(default) = ground(&first, &first) else { return Ok(()) };
        let all = divided(&default, |check, act| self.own.has_in_one_function(check, act));
        for steps in all.iter().filter(|it| self.own.has(&it.between)).take(MOST) {
            if self.is_over() {
                break;
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
                let shown = shown_by(self.what.session, subject, Some(&default), &found);
                let shown = Shown { divided: Some(steps.clone()), ..shown };
                add(self.what, &[shown], report)?;
                crate::report::verdicts::settle(report);
            }
        }
        Ok(())
    }

    /// The fault, if the test fails by the interleaved order, passes by the serial ones, and needs no more than that.
    fn fails(&self, subject: &Subject, steps: &Divided, default: &Outcome) -> Result<Option<Found>> {
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
        let trace = self.launched.folder.join(format!("divided-{}.rvt", self.tried.len()));
        trial.found(failure, *fault, trace, &schedules).map(Some)
    }
}
