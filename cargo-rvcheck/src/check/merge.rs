//! Several reports as one: those of the parts of a run, or of runs with different features.

use super::enforced;
use super::same::unified;
use crate::finding::{Finding, SUPPRESSION, merged};
use crate::report::verdicts::settle;
use crate::report::{PropertyReport, Report, RunReport, SiteCount};
use crate::request::Deal;

use std::collections::{BTreeMap, BTreeSet};

/// The report of all of them; `None` of none. What several of them say is said once, and counts are added up; places in the source are
/// not, since each report has all of them.
pub fn merge(reports: &[Report]) -> Option<Report> {
    let first = reports.first()?;
    let mut all = Report { outcome: None, snapshot: None, ..first.clone() };
    all.findings = findings(reports);
    all.properties = properties(reports);
    all.validations = reports.iter().flat_map(|it| it.validations.iter().cloned()).collect();
    all.rearrangements = reports.iter().flat_map(|it| it.rearrangements.iter().cloned()).collect();
    all.enforced = enforced::merged(reports.iter().flat_map(|it| it.enforced.iter().cloned()));
    let places: BTreeSet<_> = reports.iter().flat_map(|it| it.unmonitored.iter().cloned()).collect();
    all.unmonitored = places.into_iter().collect();
    for report in &reports[1..] {
        all.excerpts.add(report.excerpts.clone());
        add(&mut all.run, &report.run);
        match (&mut all.exploration, &report.exploration) {
            (Some(all), Some(more)) => all.add(more),
            (all @ None, Some(more)) => *all = Some(more.clone()),
            (_, None) => {}
        }
        if report.build != first.build {
            all.run.notes.push("these reports are of different builds".to_owned());
        }
    }
    let mut said = BTreeSet::new();
    all.run.notes.retain(|it| said.insert(it.clone()));
    all.run.partial = !is_whole(reports);
    all.run.part = None;
    settle(&mut all);
    Some(all)
}

/// Whether nothing is missing: one of them is of a whole run, or together they are all parts of one.
fn is_whole(reports: &[Report]) -> bool {
    let one = reports.iter().any(|it| it.run.part.is_none() && !it.run.partial);
    let parts: BTreeSet<(Deal, u32, u32)> = reports
        .iter()
        .filter(|it| !it.run.partial)
        .filter_map(|it| it.run.part)
        .map(|it| (it.deal, it.count, it.index))
        .collect();
    let all = |deal, count| (1..=count).all(|index| parts.contains(&(deal, count, index)));
    one || parts.iter().any(|it| all(it.0, it.1))
}

fn findings(reports: &[Report]) -> Vec<Finding> {
    let all: Vec<Finding> = reports.iter().flat_map(|it| it.findings.iter().cloned()).collect();
    // A comment that nothing needs in one part may be needed in another.
    let everywhere = |finding: &Finding| {
        let same = |it: &Finding| it.property == SUPPRESSION && it.primary == finding.primary;
        reports.iter().all(|it| it.findings.iter().any(same))
    };
    let (remarks, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.property == SUPPRESSION);
    unified(merged(others.into_iter().chain(remarks.into_iter().filter(everywhere)).collect()))
}

fn properties(reports: &[Report]) -> Vec<PropertyReport> {
    let mut rows: BTreeMap<&str, PropertyReport> = BTreeMap::new();
    for row in reports.iter().flat_map(|it| &it.properties) {
        match rows.get_mut(row.id.as_str()) {
            None => _ = rows.insert(&row.id, row.clone()),
            Some(all) => {
                all.units.extend(row.units.iter().cloned());
                all.verdict = all.verdict.max(row.verdict);
                all.sites = more(all.sites, row.sites);
                all.events += row.events;
                all.elsewhere += row.elsewhere;
                if all.live.is_none() {
                    all.live.clone_from(&row.live);
                }
            }
        }
    }
    let mut rows: Vec<PropertyReport> = rows.into_values().collect();
    for row in &mut rows {
        // The same unit in several reports has its worst verdict.
        row.units.sort_by(|a, b| a.test.cmp(&b.test).then_with(|| b.verdict.cmp(&a.verdict)));
        row.units.dedup_by(|a, b| a.test == b.test);
        row.units.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.test.cmp(&b.test)));
        row.verdict = row.units.iter().map(|it| it.verdict).max().unwrap_or(row.verdict).max(row.verdict);
    }
    rows
}

fn more(a: SiteCount, b: SiteCount) -> SiteCount {
    if b.total > a.total { b } else { a }
}

fn add(all: &mut RunReport, run: &RunReport) {
    let (a, b) = (&mut all.tests, &run.tests);
    for (sum, count) in [
        (&mut a.passed, b.passed),
        (&mut a.failed, b.failed),
        (&mut a.ignored, b.ignored),
        (&mut a.failed_plainly, b.failed_plainly),
        (&mut a.failed_under_tool, b.failed_under_tool),
        (&mut a.stopped, b.stopped),
        (&mut a.stalled, b.stalled),
        (&mut a.flaky, b.flaky),
        (&mut a.unfinished, b.unfinished),
        (&mut all.events, run.events),
        (&mut all.dropped, run.dropped),
        (&mut all.units, run.units),
        (&mut all.processes, run.processes),
        (&mut all.trace_bytes, run.trace_bytes),
    ] {
        *sum = sum.saturating_add(count);
    }
    all.sites = more(all.sites, run.sites);
    all.truncated |= run.truncated;
    all.inconclusive |= run.inconclusive;
    all.undecided.extend(run.undecided.iter().cloned());
    all.build = all.build.max(run.build);
    all.notes.extend(run.notes.iter().cloned());
    all.seconds += run.seconds;
}
