//! Making happen what lifestates predict: each test in which one has messages is run under control, and then once more for each order of what
//! it did that the lifestate prohibits. What happens is an error, with its schedule; nothing is said of what does not.

use super::Tested;
use super::bench::{Bench, Subject};
use super::predicted::Launched;
use super::properties::{Judge, Run, is_known, shown_by};
use crate::check::explored::name;
use crate::check::orders;
use crate::error::Result;
use crate::explore::block::limit;
use crate::explore::directed::rearranged;
use crate::explore::ground::{Ground, default_order, ground};
use crate::explore::seen::RunResult;
use crate::harness::run_file::Ran;
use crate::project::built::Executable;
use crate::recorded::{Origin, TestOutcome};
use crate::report::{Report, Verdict, counted};
use rvcheck_event::exploration::plan::Plan;
use rvcheck_spec::{Lifestate, Property};
use std::collections::BTreeSet;
use std::time::SystemTime;

/// How many orders are tried for one lifestate in one test.
const MOST: usize = 16;

/// A test that has passed, and the lifestates that have messages in it.
pub struct Exercised<'r, 'l> {
    ran: &'r Ran,
    test: &'r str,
    lifestates: Vec<&'l Lifestate>,
}

/// Tries the orders that lifestates prohibit in these tests, until the time is over.
pub fn rearrange(
    what: &Tested<'_>,
    launched: &Launched,
    tests: &[Exercised<'_, '_>],
    report: &mut Report,
    until: SystemTime,
) -> Result<()> {
    let bench = Bench::new(&launched.orders, launched.folder.join("rearranged"))?;
    let schedules = what.session.layout.root().join("schedules");
    let judge = Judge::new(what, &bench, &launched.folder, &schedules);
    what.console.status("Rearranging", counted(tests.len() as u64, "test"));
    for Exercised { ran, test, lifestates } in tests {
        if SystemTime::now() >= until {
            break;
        }
        if let Some(subject) = launched.subject(&ran.executable, test) {
            Tries { bench: &bench, judge: &judge, subject: &subject, until }.of(lifestates, report)?;
        }
    }
    Ok(())
}

/// The tests that have passed in which lifestates have messages.
pub fn exercised<'r, 'l>(what: &Tested<'l>, report: &Report, ran: &'r [Ran]) -> Vec<Exercised<'r, 'l>> {
    let all: Vec<&Lifestate> = what.options.properties.iter().filter_map(Property::lifestate).collect();
    let has_messages = |test: &str, it: &Lifestate| {
        let rows = report.properties.iter().filter(|row| row.id == it.id);
        rows.flat_map(|row| &row.units).any(|it| it.test == test && it.verdict == Verdict::Held)
    };
    let mut known: BTreeSet<(&Executable, &str)> = BTreeSet::new();
    let mut tests = Vec::new();
    for ran in ran.iter().filter(|it| it.libtest && it.origin == Origin::Tool) {
        for test in ran.tests.iter().filter(|it| it.outcome == TestOutcome::Passed) {
            let package = what.session.project.packages.get(&ran.executable.package);
            let package = package.map_or("", |it| it.name.as_str());
            let called = name(what.recorded, package, &format!("{}::{}", ran.executable.target, test.name));
            let lifestates: Vec<&Lifestate> =
                all.iter().copied().filter(|it| has_messages(&called, it)).collect();
            if !lifestates.is_empty() && known.insert((&ran.executable, &test.name)) {
                tests.push(Exercised { ran, test: &test.name, lifestates });
            }
        }
    }
    tests
}

struct Tries<'a> {
    bench: &'a Bench<'a>,
    judge: &'a Judge<'a>,
    subject: &'a Subject,
    until: SystemTime,
}

impl Tries<'_> {
    fn of(&self, lifestates: &[&Lifestate], report: &mut Report) -> Result<()> {
        let plan = default_order(0, true);
        let first = self.bench.run(self.subject, &plan)?;
        let trace = first.trace.with_file_name("default.rvt");
        first.keep_trace(&trace)?;
        let Ground::Open(default) = ground(&first.seen, &first.seen) else { return Ok(()) };
        for lifestate in lifestates {
            for order in orders(&trace, &default, lifestate).iter().take(MOST) {
                if SystemTime::now() >= self.until {
                    return Ok(());
                }
                let plan = Plan { limit: limit(default.points), ..rearranged(order, 0) };
                let run = Run { subject: self.subject, default: Some(&default), plan: &plan };
                if self.happens(&run, &lifestate.id, report)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether a run by this plan violates the property, and that is believed.
    fn happens(&self, run: &Run<'_>, property: &str, report: &mut Report) -> Result<bool> {
        let made = self.bench.run(self.subject, run.plan)?;
        let (RunResult::Passed | RunResult::Failed(_), Some(outcome)) =
            (&made.seen.result, &made.seen.outcome)
        else {
            return Ok(false);
        };
        let found = self.judge.findings(&[shown_by(self.subject, &made.trace)]);
        let of_property = |it: &&crate::finding::Finding| it.property == property && !is_known(report, it);
        let Some(finding) = found.iter().flatten().find(of_property).cloned() else { return Ok(false) };
        let plan = made.seen.again(run.plan);
        self.judge.judge(&Run { plan: &plan, ..*run }, outcome, &finding, report)
    }
}
