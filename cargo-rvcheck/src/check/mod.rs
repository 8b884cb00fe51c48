//! Checking: from what a run left behind to the report.
//!
//! Each process is checked alone, and several at once: its trace is mapped, merged and stepped through the monitors, and
//! each violation is cooked into a finding at the moment when everything that it speaks of is still known. Nothing about a
//! trace makes checking fail. What is missing or damaged makes verdicts inconclusive, and the report says so.

mod callback;
mod cancellations;
mod candidates;
mod check_then_act;
mod contended;
mod context;
mod departed;
mod doctests;
mod doubt;
mod enforced;
mod engine_verdicts;
mod events;
pub mod explored;
mod guidance;
pub mod inversions;
mod joined;
mod keeping;
mod labels;
mod lifestates;
mod live;
pub mod merge;
mod monitors;
mod nested_permits;
pub mod opened;
mod outlived;
mod pass;
mod pictures;
mod predictions;
mod process;
mod proved;
mod recent;
mod repeats;
mod replay;
pub(crate) mod same;
mod scene;
mod served;
mod sites;
mod slowest;
mod sources;
mod stall;
mod static_findings;
mod steering;
mod suppress;
mod tail;
mod test_ends;
#[cfg(test)]
mod tests;
pub mod timeline;
mod undecided;
mod units;
mod unread;
mod verdicts;
mod violation;
mod what_ifs;

use crate::anchor;
use crate::finding::{Level, Location, SUPPRESSION, merged};
use crate::lock_dependencies::TestDependency;
use crate::project::place_in_repository;
use crate::recorded::{Process, Recorded, TestOutcome};
use crate::report::page_data::lock_edges;
use crate::report::verdicts::settle;
use crate::report::{Excerpts, Report, TestCount, Verdict};
use process::Checked;
use rayon::prelude::*;
use rvcheck_source::rules::RULES;
use rvcheck_spec::{Property, Vocabulary};
use sites::Census;
use slowest::longest;
use sources::Sources;
use std::collections::{BTreeMap, BTreeSet};
use units::Units;

pub use contended::HeldLimits;
pub(crate) use doubt::without_hedge;
pub use keeping::ends;
pub use labels::Labels;
pub use lifestates::orders::orders;
pub use opened::{Looker, OpenTrace, Traces};
pub use predictions::PREDICTED;
pub use replay::{Written, check_trace};
pub use steering::ONLY_TRACE;

/// What to check against.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The properties.
    pub properties: Vec<Property>,
    /// By id: where those are declared that are the user's own.
    pub definitions: BTreeMap<String, Location>,
    /// What formulas of the program's own can use.
    pub vocabulary: Vocabulary,
    /// How many events before a violation its finding tells.
    pub tail: usize,
    /// Properties are checked, too, that are proved.
    pub audit: bool,
    /// The lock dependencies that earlier runs have shown.
    pub dependencies: Vec<TestDependency>,
    /// What is wanted of lifestates beside their verdicts.
    pub lifestates: LifestateUse,
    /// A picture is drawn of all that a process does, and not only of what is found in it.
    pub whole_picture: bool,
    /// How long the holder of a lock may block.
    pub held: HeldLimits,
}

/// What is wanted of lifestates beside their verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LifestateUse {
    /// Nothing.
    #[default]
    Monitor,
    /// Whether the traces fit them.
    Validate,
    /// What other orders of callbacks could do, looking at this many states at most.
    Predict(usize),
}

/// The report of a run.
pub fn check_run(recorded: &Recorded, options: &Options) -> Report {
    let (stepped, _) = proved::split(recorded, options);
    let sources = Sources::read(recorded);
    let packages = units::packages(recorded);
    let processes: Vec<Checked> = recorded
        .processes
        .par_iter()
        .map(|it| {
            process::check_process(&Units::new(it, &packages).again_by(&recorded.again), &stepped, &sources)
        })
        .collect();
    assembled(recorded, options, &sources, processes)
}

/// The report of what was found without running anything.
pub fn check_sources(recorded: &Recorded, properties: &[Property]) -> Report {
    let sources = Sources::read(recorded);
    let options = Options { properties: properties.to_vec(), ..Options::default() };
    let mut report = assembled(recorded, &options, &sources, Vec::new());
    // Nothing was monitored, so nothing is reported of what was not violated, nor of comments that only a run may need.
    report.properties.retain(|it| it.verdict == Verdict::Found || it.notes > 0);
    report.findings.retain(|it| it.property != SUPPRESSION || it.level > Level::Note);
    let said_of_source = sources.notes.iter().chain(&recorded.analysed.notes);
    report.run.notes = said_of_source.cloned().collect();
    (report.run.only_source, report.run.partial) = (true, true);
    report
}

/// The report of what was checked of each process.
fn assembled(recorded: &Recorded, options: &Options, sources: &Sources, processes: Vec<Checked>) -> Report {
    let packages = units::packages(recorded);
    let seen = processes.iter().flat_map(|it| &it.seen).cloned().collect();
    let census = Census::of(sources, recorded, &seen);
    let mut report = Report::empty(&recorded.build);
    let (stepped, proved) = proved::split(recorded, options);
    report.properties = verdicts::table(&stepped.properties, &processes, &census);
    report.properties.extend(proved::rows(&proved, &census));
    report.properties.sort_by(|a, b| a.id.cmp(&b.id));
    proved::count(&recorded.analysed.proofs, &options.definitions, &mut report.properties);
    report.run.sites = census.all();
    report.unmonitored = census.unmonitored;
    report.run.notes.extend(sources.notes.iter().cloned());
    report.run.notes.extend(notes_of_formulas(&options.properties));
    report.run.notes.extend(recorded.analysed.notes.iter().cloned());
    report.run.notes.extend(note_of_executors(&recorded.unknown_executors));
    let (mut findings, mut apart) = (Vec::new(), Vec::new());
    let (mut failures, mut outlived, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let mut remedies = Vec::new();
    for checked in processes {
        report.run.events += checked.events;
        report.run.dropped += checked.dropped;
        report.run.truncated |= checked.truncated;
        checked.undecided.into_iter().for_each(|it| report.run.leave_open(it));
        report.run.trace_bytes += checked.bytes;
        report.run.notes.extend(checked.notes);
        findings.extend(checked.findings);
        report.steering.extend(checked.steering);
        report.dependencies.extend(checked.dependencies);
        apart.extend(checked.apart);
        failures.extend(checked.failures);
        outlived.extend(checked.outlived);
        ends.extend(checked.ends);
        report.page.polls.extend(checked.slow.polls);
        report.page.waits.extend(checked.slow.waits);
        remedies.extend(checked.enforced);
        report.validations.extend(checked.validations);
        report.rearrangements.extend(checked.rearrangements);
    }
    report.enforced = enforced::merged(remedies);
    // Which test of a process comes first in a trace is chance.
    report.validations.sort_by(|a, b| a.test.cmp(&b.test));
    report.rearrangements.sort_by(|a, b| a.test.cmp(&b.test));
    // The same may be true of many processes.
    let mut said = BTreeSet::new();
    report.run.notes.retain(|it| said.insert(it.clone()));
    report.run.undecided.dedup();
    report.findings = same::happened(merged(findings));
    let shown =
        static_findings::Shown { apart: &apart, failures: &failures, outlived: &outlived, ends: &ends };
    static_findings::add(&recorded.analysed.hits, &recorded.again, shown, &mut report.findings);
    let seen = std::mem::take(&mut report.dependencies);
    report.dependencies =
        inversions::add(&options.dependencies, seen, &options.properties, &mut report.findings);
    let rules = RULES.iter().flat_map(|it| [it.property, it.id]);
    let ids: BTreeSet<&str> = report.properties.iter().map(|it| it.id.as_str()).chain(rules).collect();
    report.page.locks = lock_edges(&report.dependencies);
    for rows in [&mut report.page.polls, &mut report.page.waits] {
        *rows = longest(std::mem::take(rows));
    }
    suppress::apply(&sources.suppressions(), &ids, &mut report.findings);
    static_findings::add_rows(&report.findings, &mut report.properties);
    undecided::apply(&options.properties, &recorded.unobserved, &mut report);
    // It has a row once tests were explored.
    report.properties.retain(|it| it.id != explored::ORDER_DEPENDENCE);
    settle(&mut report);
    guidance::add(sources, &options.properties, &mut report.findings);
    anchor::fix(&mut report.findings, |file| sources.items(file));
    report.workspace = place_in_repository(&recorded.workspace_root);
    report.excerpts = Excerpts::of(&report.findings, |file| sources.text(file));
    let run = &mut report.run;
    run.looked_at = recorded.analysed.targets;
    run.concurrent = recorded.analysed.concurrent;
    run.tests = count(recorded);
    run.processes = recorded.processes.len() as u64;
    run.units = recorded.processes.iter().map(|it| units_of(it, &packages)).sum();
    // Rounded so that the report does not look more exact than it is.
    // The sum of none is -0.
    let seconds = recorded.processes.iter().map(|it| it.seconds).sum::<f64>() + 0.0;
    run.seconds = (seconds * 1000.0).round() / 1000.0;
    report
}

/// The notes on properties that are not stepped.
fn notes_of_formulas(properties: &[Property]) -> impl Iterator<Item = String> + '_ {
    properties.iter().filter_map(note_of_formula)
}

fn note_of_formula(property: &Property) -> Option<String> {
    let reason = property.is_decided_at_end()?;
    Some(format!("`{}` was decided at the end of each test: {reason}", property.id()))
}

/// The note on executors whose tasks are not known.
fn note_of_executors(unknown: &[String]) -> Option<String> {
    (!unknown.is_empty()).then(|| {
        format!(
            "the tasks of {} are unknown: what they do is attributed to the threads that poll them",
            unknown.join(" and ")
        )
    })
}

/// How many units a process has.
fn units_of(process: &Process, packages: &BTreeSet<&str>) -> u64 {
    Units::new(process, packages).own().len() as u64
}

/// How the tests ended.
fn count(recorded: &Recorded) -> TestCount {
    let mut count = TestCount::default();
    for test in recorded.processes.iter().flat_map(|it| &it.tests) {
        match test.outcome {
            TestOutcome::Passed => count.passed += 1,
            TestOutcome::Ignored => count.ignored += 1,
            TestOutcome::Flaky => count.flaky += 1,
            TestOutcome::Unfinished => count.unfinished += 1,
            TestOutcome::Failed => count.failed += 1,
            TestOutcome::Stopped => {
                count.failed += 1;
                count.stopped += 1;
            }
            TestOutcome::Stalled => {
                count.failed += 1;
                count.stalled += 1;
            }
            TestOutcome::FailedPlainly => {
                count.failed += 1;
                count.failed_plainly += 1;
            }
            TestOutcome::FailedUnderTool => {
                count.failed += 1;
                count.failed_under_tool += 1;
            }
        }
    }
    count
}
