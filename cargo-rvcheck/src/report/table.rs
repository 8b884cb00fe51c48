//! The tables below the findings: properties, what was unmonitored, tests and cost.

use super::{PropertyReport, Report, TestCount, Verdict};
use crate::finding::Level;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

/// How many places of a group are named before the rest is only counted.
const NAMED: usize = 3;

/// `1 error`, `2 errors`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Writes one line a property, the worst verdict first.
pub(super) fn properties(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.properties.is_empty() {
        return Ok(());
    }
    writeln!(out, "properties")?;
    let mut rows: Vec<&PropertyReport> = report.properties.iter().collect();
    rows.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.id.cmp(&b.id)));
    let width = rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0);
    for row in rows {
        let verdict = row.verdict.name().replace('-', " ");
        writeln!(out, "{}", format!("  {verdict:<13}  {:<width$}  {}", row.id, detail(row)).trim_end())?;
    }
    writeln!(out)
}

/// `tests: 1 violated, 2 held; 12 exercised instances; 1 note`.
pub(super) fn detail(row: &PropertyReport) -> String {
    let mut parts = vec![of_units(row)];
    if row.notes > 0 {
        parts.push(counted(row.notes, "note"));
    }
    parts.retain(|it| !it.is_empty());
    parts.join("; ")
}

/// What became of it in the source and in the units.
fn of_units(row: &PropertyReport) -> String {
    let since = if row.live.as_ref().is_some_and(|it| it.since_tail) { "since the tail" } else { "" };
    if row.verdict == Verdict::Proved {
        let reasons = row.reasons.iter().filter(|(_, count)| **count > 0);
        let places: Vec<String> = reasons.map(|(reason, count)| format!("{count} {reason}")).collect();
        return if places.is_empty() { String::new() } else { format!("places: {}", places.join(", ")) };
    }
    if row.verdict == Verdict::NotExercised {
        return since.to_owned();
    }
    let in_source = row.verdict == Verdict::Found;
    if row.units.is_empty() {
        return if in_source { "in the source".to_owned() } else { String::new() };
    }
    let mut counts: BTreeMap<Verdict, u64> = BTreeMap::new();
    for unit in &row.units {
        *counts.entry(unit.verdict).or_default() += 1;
    }
    let parts: Vec<String> = counts
        .iter()
        .rev()
        .map(|(verdict, count)| format!("{count} {}", verdict.name().replace('-', " ")))
        .collect();
    let exercised = row.units.iter().map(|unit| unit.exercised).sum();
    let mut text = if in_source { "in the source; ".to_owned() } else { String::new() };
    let _ = write!(text, "tests: {}; {}", parts.join(", "), counted(exercised, "exercised instance"));
    if row.elsewhere > 0 {
        let _ = write!(text, "; {} only in other crates", row.elsewhere);
    }
    if !since.is_empty() {
        let _ = write!(text, "; {since}");
    }
    if let Some(unit) = row.units.iter().find(|it| !it.witness.is_empty()) {
        let values: Vec<String> =
            unit.witness.iter().map(|(name, value)| format!("{name} is {value}")).collect();
        let _ = write!(text, "; in {} {}", unit.test, values.join(", "));
    }
    text
}

/// Writes what was unmonitored, grouped by reason.
pub(super) fn unmonitored(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.unmonitored.is_empty() || report.run.only_source {
        return Ok(());
    }
    writeln!(out, "unmonitored")?;
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for place in &report.unmonitored {
        groups.entry(&place.reason).or_default().push(format!("{}:{}", place.file, place.line));
    }
    for (reason, places) in groups {
        let count = u64::try_from(places.len()).unwrap_or(u64::MAX);
        let more = if places.len() > NAMED { ", …" } else { "" };
        let named = places.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
        writeln!(out, "  {reason} ({}): {named}{more}", counted(count, "place"))?;
    }
    writeln!(out)
}

/// Writes the notes, how the tests ended, how many sites there are, and what the run cost.
pub(super) fn run(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let run = &report.run;
    let is_reason = |note: &&String| run.undecided.iter().any(|it| it.reason == **note);
    for note in run.notes.iter().filter(|it| !is_reason(it)) {
        writeln!(out, "note: {note}")?;
    }
    for it in &run.undecided {
        writeln!(out, "inconclusive: {}", it.reason)?;
    }
    if run.only_source {
        return writeln!(out, "source: analysed {}; nothing was run", counted(run.looked_at, "crate"));
    }
    // Where only a trace was checked, nothing was run and no source is known.
    if run.processes > 0 || run.units == 0 {
        writeln!(out, "{}", tests_line(&run.tests))?;
        let sites = &run.sites;
        writeln!(
            out,
            "sites: {} in all, {} monitored, {} unmonitored",
            sites.total, sites.residual, sites.unmonitored
        )?;
    }
    let mut cost = format!(
        "cost: {}, {} of trace, {:.2} s",
        counted(run.events, "event"),
        bytes(run.trace_bytes),
        run.seconds
    );
    if run.dropped > 0 {
        let _ = write!(cost, ", {} lost", counted(run.dropped, "record"));
    }
    if run.truncated {
        cost.push_str(", truncated");
    }
    writeln!(out, "{cost}")
}

/// One line that counts the findings, those that are allowed apart.
pub(super) fn summary(report: &Report) -> String {
    let mut counts: BTreeMap<Level, u64> = BTreeMap::new();
    for finding in report.open() {
        *counts.entry(finding.level).or_default() += 1;
    }
    let parts: Vec<String> =
        counts.iter().rev().map(|(level, count)| counted(*count, level.name())).collect();
    let open = if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") };
    match report.findings.iter().filter(|it| it.suppressed).count() {
        0 => open,
        allowed => format!("{open}; {allowed} allowed"),
    }
}

/// `tests: 2 passed, 1 failed (1 without rvcheck too), 0 ignored`.
pub(super) fn tests_line(tests: &TestCount) -> String {
    let mut line = format!("tests: {} passed, {} failed", tests.passed, tests.failed);
    let causes: Vec<String> =
        [(tests.failed_plainly, "without rvcheck too"), (tests.failed_under_tool, "only under rvcheck")]
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, cause)| format!("{count} {cause}"))
            .collect();
    if !causes.is_empty() {
        let _ = write!(line, " ({})", causes.join(", "));
    }
    let _ = write!(line, ", {} ignored", tests.ignored);
    for (count, what) in [(tests.flaky, "flaky"), (tests.unfinished, "unfinished")] {
        if count > 0 {
            let _ = write!(line, ", {count} {what}");
        }
    }
    line
}

/// A size for people, in binary units.
pub(crate) fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if size < 1024 {
        return format!("{size} B");
    }
    // Tenths are exact enough, and integers keep the bytes of the output the same everywhere.
    let mut tenths = size.saturating_mul(10) / 1024;
    let mut unit = 0;
    while tenths >= 10240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_tests_failed_stands_beside_their_number() {
        let tests = TestCount {
            failed: 3,
            failed_plainly: 2,
            failed_under_tool: 1,
            flaky: 1,
            ..TestCount::default()
        };
        let expected =
            "tests: 0 passed, 3 failed (2 without rvcheck too, 1 only under rvcheck), 0 ignored, 1 flaky";
        assert_eq!(tests_line(&tests), expected);
    }

    #[test]
    fn sizes_are_written_in_the_unit_that_fits() {
        let cases =
            [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (2 << 30, "2.0 GiB")];
        for (size, text) in cases {
            assert_eq!(bytes(size), text);
        }
    }
}
