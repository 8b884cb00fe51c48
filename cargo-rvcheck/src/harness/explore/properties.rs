//! Properties that runs violate which pass: errors that the plain run did not have.

use super::bench::{Bench, Subject};
use super::explored::Explored;
use super::reporting::{add, base, places, process, reversed};
use super::worker_pool::Job;
use super::{Tested, kept, made, shown};
use crate::check::explored::{Shown, findings};
use crate::check::same::is_the_same;
use crate::error::{Expected, Result};
use crate::explore::belief::{Belief, Class, Laboratory, REPEATS, believe};
use crate::explore::seen::{Failure, FailureKind, RunResult, Seen};
use crate::finding::{Finding, Level, Proof};
use crate::recorded::{End, Recorded};
use crate::report::Report;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::Plan;
use std::collections::BTreeMap;

/// How many of them are looked into.
const MOST: usize = 10;

/// Looks for violations in what was kept of runs that passed, and adds those that are believed to the report.
pub(super) fn look(
    what: &Tested<'_>,
    job: &Job<'_>,
    explored: &[Explored],
    report: &mut Report,
) -> Result<()> {
    let folder = made(job.folder.join("properties"))?;
    let bench = Bench::new(job.orders, folder)?;
    let judge = Judge::new(what, &bench, job.folder, job.schedules);
    let mut looked_into: Vec<Finding> = Vec::new();
    for test in explored {
        let runs: Vec<Shown> = test.passed.iter().map(|it| shown_by(&test.subject, &it.trace)).collect();
        let found = judge.findings(&runs);
        for (passed, finding) in
            test.passed.iter().zip(found).flat_map(|(it, all)| all.into_iter().map(move |one| (it, one)))
        {
            let is_known =
                is_known(report, &finding) || looked_into.iter().any(|it| is_the_same(it, &finding));
            if is_known || finding.level < Level::Error || looked_into.len() == MOST {
                continue;
            }
            looked_into.push(finding.clone());
            let run = Run { subject: &test.subject, default: test.default.as_ref(), plan: &passed.plan };
            judge.judge(&run, &passed.outcome, &finding, report)?;
        }
    }
    Ok(())
}

/// Whether the same has happened before. What was only predicted, or found in the source, has not.
pub(super) fn is_known(report: &Report, finding: &Finding) -> bool {
    report.findings.iter().any(|it| it.proof >= Proof::Confirmed && is_the_same(it, finding))
}

/// A run with this trace, of which nothing else is known.
pub(super) fn shown_by(subject: &Subject, trace: &Utf8Path) -> Shown {
    Shown {
        process: process(subject, None, &End::Exited(0), trace),
        failure: None,
        plan: Plan::new(0),
        places: BTreeMap::new(),
        participants: Vec::new(),
        reversed: Vec::new(),
        check_then_act: None,
        class: Class::Order,
        repeated: (0, 0),
        plainly: 0,
        schedule: String::new(),
    }
}

/// A run of a test by a plan.
pub(super) struct Run<'a> {
    pub(super) subject: &'a Subject,
    /// What the run by the default order came to.
    pub(super) default: Option<&'a Outcome>,
    pub(super) plan: &'a Plan,
}

/// Who says whether a violation that a run has shown is believed.
pub(super) struct Judge<'a> {
    what: &'a Tested<'a>,
    base: Recorded,
    bench: &'a Bench<'a>,
    /// Where traces are kept, and where schedules are.
    folder: &'a Utf8Path,
    schedules: &'a Utf8Path,
}

impl<'a> Judge<'a> {
    /// Runs tests on this bench.
    pub(super) fn new(
        what: &'a Tested<'a>,
        bench: &'a Bench<'a>,
        folder: &'a Utf8Path,
        schedules: &'a Utf8Path,
    ) -> Judge<'a> {
        Judge { what, base: base(what.recorded), bench, folder, schedules }
    }

    /// What these runs violate.
    pub(super) fn findings(&self, runs: &[Shown]) -> Vec<Vec<Finding>> {
        findings(&self.base, self.what.options, runs, false).0
    }

    /// Adds a violation to the report that a run has shown which came to this, if it is believed. Whether it is.
    pub(super) fn judge(
        &self,
        run: &Run<'_>,
        outcome: &Outcome,
        finding: &Finding,
        report: &mut Report,
    ) -> Result<bool> {
        let Some(shown) = self.believed(run, outcome, finding)? else { return Ok(false) };
        add(self.what, &[shown], report)?;
        crate::report::verdicts::settle(report);
        Ok(true)
    }

    /// The run by the least schedule that shows this, if it is believed.
    fn believed(&self, run: &Run<'_>, outcome: &Outcome, finding: &Finding) -> Result<Option<Shown>> {
        let Run { subject, default, plan } = *run;
        let failure = Failure {
            kind: FailureKind::Property,
            signature: finding.property.clone(),
            panics: Vec::new(),
            message: finding.message.clone(),
        };
        let mut trial = Trial { judge: self, subject, finding, failure: &failure };
        let seen = Seen { result: RunResult::Failed(failure.clone()), outcome: Some(outcome.clone()) };
        let Belief::Fault(fault) = believe(plan, &seen, &failure, &mut trial)? else { return Ok(None) };
        let last = self.bench.run(subject, &fault.shrunk.plan)?;
        let trace: Utf8PathBuf =
            self.folder.join(format!("violates-{}", last.trace.file_name().unwrap_or_default()));
        let trace = trace.with_extension(format!("{}.rvt", finding.property));
        last.keep_trace(&trace)?;
        let outcome = last.seen.outcome.as_ref();
        // It names the places.
        let turns =
            outcome.map(|it| it.switches.clone()).filter(|it| it.len() == fault.shrunk.plan.switches.len());
        let turns = turns.unwrap_or(fault.shrunk.plan.switches);
        let plan = Plan { switches: turns, ..fault.shrunk.plan };
        let schedule = kept::keep(self.schedules, subject, &failure, &plan)?;
        Ok(Some(Shown {
            places: places(&plan, default),
            plan,
            participants: outcome.map(|it| it.participants.clone()).unwrap_or_default(),
            reversed: reversed(outcome, default),
            class: fault.class,
            repeated: (u64::from(fault.repeated), u64::from(REPEATS)),
            schedule: shown(self.what.session, &schedule).to_string(),
            ..shown_by(subject, &trace)
        }))
    }
}

/// Where it is tried whether the same is violated again.
struct Trial<'a> {
    judge: &'a Judge<'a>,
    subject: &'a Subject,
    finding: &'a Finding,
    failure: &'a Failure,
}

impl Trial<'_> {
    fn is_in(&self, trace: &Utf8Path) -> bool {
        let found = self.judge.findings(&[shown_by(self.subject, trace)]);
        found.iter().flatten().any(|it| is_the_same(it, self.finding) && it.level == self.finding.level)
    }
}

impl Laboratory for Trial<'_> {
    type Error = Expected;

    fn run(&mut self, plan: &Plan) -> Result<Seen> {
        let made = self.judge.bench.run(self.subject, plan)?;
        // A call that is prohibited may well fail.
        let is_there = made.seen.result != RunResult::NotEnded && self.is_in(&made.trace);
        let result = if is_there { RunResult::Failed(self.failure.clone()) } else { RunResult::Passed };
        Ok(Seen { result, outcome: made.seen.outcome })
    }

    /// What a property says of a run without control is no less true.
    fn passes_plainly(&mut self, _is_busy: bool) -> Result<bool> {
        Ok(true)
    }
}
