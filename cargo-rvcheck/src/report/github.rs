//! The findings as workflow commands of GitHub Actions, which shows them beside the changed lines.

use super::legible::for_people;
use super::path::in_repository;
use super::tried::tried;
use super::{Report, Style, counted};
use crate::escape;
use crate::finding::{Finding, Level};
use std::fmt::Write as _;
use std::io::{self, Write};

/// How many annotations of one level GitHub shows for a step.
const SHOWN: usize = 10;

/// Writes `::error file=…,line=…::message` for the first ten findings of each level, the worst first, and says how many more
/// there are.
pub(super) fn render_github(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    let report = &for_people(report)?;
    for level in Level::ALL.into_iter().rev() {
        let mut findings = report.open().filter(|it| it.level == level);
        for finding in findings.by_ref().take(SHOWN) {
            writeln!(out, "{}", command(report, finding))?;
        }
        let more = findings.count();
        if more > 0 {
            let more = counted(u64::try_from(more).unwrap_or(u64::MAX), &format!("more {}", level.name()));
            writeln!(out, "::{}::{more} not shown here; the job summary and the log have all", word(level))?;
        }
    }
    Ok(())
}

/// What GitHub calls a level.
const fn word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

fn command(report: &Report, finding: &Finding) -> String {
    let at = &finding.primary;
    let mut message = finding.message.clone();
    if !at.label.is_empty() {
        let _ = write!(message, "\nhere: {}", at.label);
    }
    for place in &finding.related {
        let label = if place.label.is_empty() { "see also" } else { place.label.as_str() };
        let _ = write!(message, "\n{}:{}: {label}", place.file, place.line);
    }
    if let Some(tried) = tried(finding) {
        let _ = write!(message, "\nnote: {tried}");
    }
    if !finding.next.advice.is_empty() {
        let _ = write!(message, "\nhelp: {}", finding.next.advice);
    }
    if !finding.next.command.is_empty() {
        let _ = write!(message, "\nto see it again: {}", finding.next.command);
    }
    if !finding.guidance.explain.is_empty() {
        let _ = write!(message, "\ndetails: {}", finding.guidance.explain);
    }
    if !finding.guidance.page.is_empty() {
        let _ = write!(message, "\npage: {}", finding.guidance.page);
    }
    let mut place = format!(
        "file={},line={}",
        escape::property(&in_repository(&report.workspace, &at.file)),
        at.line.max(1)
    );
    // GitHub takes columns only within one line.
    if at.end_line == at.line {
        let _ = write!(place, ",col={},endColumn={}", at.column, at.end_column);
    } else {
        let _ = write!(place, ",endLine={}", at.end_line);
    }
    format!(
        "::{} {place},title={}::{}",
        word(finding.level),
        escape::property(&finding.property),
        escape::message(&message)
    )
}
