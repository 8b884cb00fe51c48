//! Properties that runs violate which pass: errors that the plain run did not have.

use super::bench::{Bench, Subject};
use super::crew::Job;
use super::explored::{Explored, Passed};
use super::load::Load;
use super::told::{add, base, places, process, reversed};
use super::{Exploration, kept, made, shown};
use crate::check::explored::{Shown, findings};
use crate::check::same::is_the_same;
use crate::error::{Expected, Result};
use crate::explore::belief::{Belief, Class, Laboratory, REPEATS, believe};
use crate::explore::seen::{Failure, FailureKind, RunResult, Seen};
use crate::finding::{Finding, Level, Proof};
use crate::recorded::{End, Recorded};
use crate::report::Report;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::plan::Plan;
use std::collections::BTreeMap;

/// How many of them are looked into.
const MOST: usize = 10;

/// Looks for violations in what was kept of runs that passed, and adds those that are believed to the report.
pub(super) fn look(
    what: &Exploration<'_>,
    job: &Job<'_>,
    explored: &[Explored],
    report: &mut Report,
) -> Result<()> {
    let base = base(what.recorded);
    let folder = made(job.folder.join("properties"))?;
    let bench = Bench::new(job.orders, folder)?;
    let mut looked_into: Vec<Finding> = Vec::new();
    for test in explored {
        let runs: Vec<Shown> = test.passed.iter().map(|it| shown_by(&test.subject, &it.trace)).collect();
        let (found, _) = findings(&base, what.options, &runs, false);
        for (passed, finding) in
            test.passed.iter().zip(found).flat_map(|(it, all)| all.into_iter().map(move |one| (it, one)))
        {
            // What was only predicted, or found in the source, has not happened yet.
            let happened = report.findings.iter().filter(|it| it.proof >= Proof::Confirmed);
            let is_known = happened.chain(&looked_into).any(|it| is_the_same(it, &finding));
            if is_known || finding.level < Level::Error || looked_into.len() == MOST {
                continue;
            }
            looked_into.push(finding.clone());
            if let Some(run) = believed(what, &base, job, &bench, test, passed, &finding)? {
                add(what, &[run], report)?;
                crate::report::verdicts::settle(report);
            }
        }
    }
    Ok(())
}

fn shown_by(subject: &Subject, trace: &Utf8Path) -> Shown {
    Shown {
        process: process(subject, None, &End::Exited(0), trace),
        failure: None,
        plan: Plan::new(0),
        places: BTreeMap::new(),
        participants: Vec::new(),
        reversed: Vec::new(),
        class: Class::Order,
        repeated: (0, 0),
        schedule: String::new(),
    }
}

/// The run by the least schedule that shows this, if it is believed.
fn believed(
    what: &Exploration<'_>,
    base: &Recorded,
    job: &Job<'_>,
    bench: &Bench<'_>,
    test: &Explored,
    passed: &Passed,
    finding: &Finding,
) -> Result<Option<Shown>> {
    let failure = Failure {
        kind: FailureKind::Property,
        signature: finding.property.clone(),
        panics: Vec::new(),
        message: finding.message.clone(),
    };
    let mut trial = Trial { what, base, bench, subject: &test.subject, finding, failure: &failure };
    let seen = Seen { result: RunResult::Failed(failure.clone()), outcome: Some(passed.outcome.clone()) };
    let Belief::Fault(fault) = believe(&passed.plan, &seen, &failure, &mut trial)? else { return Ok(None) };
    let last = bench.run(&test.subject, &fault.shrunk.plan)?;
    let trace: Utf8PathBuf =
        job.folder.join(format!("violates-{}", last.trace.file_name().unwrap_or_default()));
    let trace = trace.with_extension(format!("{}.rvt", finding.property));
    last.keep_trace(&trace)?;
    let outcome = last.seen.outcome.as_ref();
    // It names the places.
    let turns =
        outcome.map(|it| it.switches.clone()).filter(|it| it.len() == fault.shrunk.plan.switches.len());
    let turns = turns.unwrap_or(fault.shrunk.plan.switches);
    let plan = Plan { switches: turns, ..fault.shrunk.plan };
    let schedule = kept::keep(job.schedules, &test.subject, &failure, &plan)?;
    Ok(Some(Shown {
        places: places(&plan, test.default.as_ref()),
        plan,
        participants: outcome.map(|it| it.participants.clone()).unwrap_or_default(),
        reversed: reversed(outcome, test.default.as_ref()),
        class: fault.class,
        repeated: (u64::from(fault.repeated), u64::from(REPEATS)),
        schedule: shown(what.session, &schedule).to_string(),
        ..shown_by(&test.subject, &trace)
    }))
}

/// Where it is tried whether the same is violated again.
struct Trial<'a> {
    what: &'a Exploration<'a>,
    base: &'a Recorded,
    bench: &'a Bench<'a>,
    subject: &'a Subject,
    finding: &'a Finding,
    failure: &'a Failure,
}

impl Trial<'_> {
    fn is_in(&self, trace: &Utf8Path) -> bool {
        let (found, _) = findings(self.base, self.what.options, &[shown_by(self.subject, trace)], false);
        found.iter().flatten().any(|it| is_the_same(it, self.finding) && it.level == self.finding.level)
    }
}

impl Laboratory for Trial<'_> {
    type Error = Expected;

    fn run(&mut self, plan: &Plan) -> Result<Seen> {
        let made = self.bench.run(self.subject, plan)?;
        let is_there = made.seen.result == RunResult::Passed && self.is_in(&made.trace);
        let result = if is_there { RunResult::Failed(self.failure.clone()) } else { RunResult::Passed };
        Ok(Seen { result, outcome: made.seen.outcome })
    }

    fn passes_plainly(&mut self, is_busy: bool) -> Result<bool> {
        let _load = is_busy.then(Load::of_all_cores);
        let trace = self.bench.record_plainly(self.subject)?;
        Ok(!self.is_in(&trace))
    }
}
