//! The report as Markdown, for the summary of a CI job.

use super::legible::for_people;
use super::mermaid::sequence_diagram;
use super::table::{counted, summary, tests_line};
use super::tried::tried;
use super::{Report, Style, Verdict};
use crate::escape::{code, text};
use crate::finding::{Finding, Location, Pictures};
use rvcheck_page::Second;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How many findings are listed before the rest is only counted. GitHub takes a mebibyte for a step.
const LISTED: usize = 200;

/// How many findings have a diagram. GitHub draws each in a frame of its own.
const DIAGRAMS: usize = 10;

/// Writes a headline, the findings, the properties, what was unmonitored, and the notes.
pub(super) fn render_markdown(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    // The pictures are escaped where they are drawn.
    let pictures: Vec<&Pictures> = report.open().map(|it| &it.pictures).collect();
    let report = &for_people(report)?;
    writeln!(out, "## rvcheck: {}\n", summary(report))?;
    let sites = &report.run.sites;
    let monitored = format!("{} of {} sites monitored", sites.residual, sites.total);
    writeln!(out, "{}; {monitored}\n", tests_line(&report.run.tests))?;
    let open: Vec<&Finding> = report.open().collect();
    if !open.is_empty() {
        writeln!(out, "| level | property | place | finding | test |\n|---|---|---|---|---|")?;
        for finding in open.iter().take(LISTED) {
            let (level, property) = (finding.level, linked(finding));
            let message = text(&finding.message);
            writeln!(
                out,
                "| {level} | {property} | {} | {message} | {} |",
                place(&finding.primary),
                code(&finding.test)
            )?;
        }
        if open.len() > LISTED {
            let more = counted(u64::try_from(open.len() - LISTED).unwrap_or(u64::MAX), "finding");
            writeln!(out, "\n{more} more are in the other forms of the report.")?;
        }
        writeln!(out)?;
        details(&open, out)?;
        diagrams(&open, &pictures, out)?;
    }
    properties(report, out)?;
    unmonitored(report, out)?;
    for note in &report.run.notes {
        writeln!(out, "- note: {}", text(note))?;
    }
    Ok(())
}

/// What to do about each finding, folded away.
fn details(open: &[&Finding], out: &mut dyn Write) -> io::Result<()> {
    let helpful: Vec<_> = open
        .iter()
        .take(LISTED)
        .filter(|it| !it.next.advice.is_empty() || !it.next.command.is_empty() || !it.related.is_empty())
        .collect();
    if helpful.is_empty() {
        return Ok(());
    }
    writeln!(out, "<details><summary>What to do</summary>\n")?;
    for finding in helpful {
        writeln!(out, "- {} at {}", code(&finding.property), place(&finding.primary))?;
        for related in &finding.related {
            writeln!(out, "  - {}: {}", place(related), text(&related.label))?;
        }
        if let Some(tried) = tried(finding) {
            writeln!(out, "  - {}", text(&tried))?;
        }
        if !finding.next.advice.is_empty() {
            writeln!(out, "  - {}", text(&finding.next.advice))?;
        }
        if !finding.next.command.is_empty() {
            writeln!(out, "  - {}", code(&finding.next.command))?;
        }
        if !finding.guidance.explain.is_empty() {
            writeln!(out, "  - {}", code(&finding.guidance.explain))?;
        }
    }
    writeln!(out, "\n</details>\n")
}

/// A diagram of each of the first findings that has a picture: of what can happen, or else of what has.
fn diagrams(open: &[&Finding], pictures: &[&Pictures], out: &mut dyn Write) -> io::Result<()> {
    let drawn = open.iter().zip(pictures).filter_map(|(finding, pictures)| {
        let (what, picture) = match (&pictures.second, &pictures.happened) {
            (Some((Second::Predicted, picture)), _) => ("What another schedule does", picture),
            (Some((Second::Confirmed, picture)), _) => ("What happened when it was tried", picture),
            (None, Some(picture)) => ("What happened", picture),
            (None, None) => return None,
        };
        Some((finding, what, sequence_diagram(picture)?))
    });
    for (finding, what, diagram) in drawn.take(DIAGRAMS) {
        writeln!(out, "<details><summary>{what}</summary>\n")?;
        writeln!(out, "{} at {}\n", code(&finding.property), place(&finding.primary))?;
        writeln!(out, "```mermaid\n{diagram}```\n\n</details>\n")?;
    }
    Ok(())
}

/// The id of its property, with a link to the page where there is one.
fn linked(finding: &Finding) -> String {
    let id = code(&finding.property);
    if finding.guidance.page.is_empty() { id } else { format!("[{id}]({})", finding.guidance.page) }
}

fn properties(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.properties.is_empty() {
        return Ok(());
    }
    writeln!(out, "| property | verdict | tests |\n|---|---|---|")?;
    let mut rows: Vec<_> = report.properties.iter().collect();
    rows.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.id.cmp(&b.id)));
    for row in rows {
        let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
        for unit in &row.units {
            *counts.entry(unit.verdict).or_default() += 1;
        }
        let units: Vec<String> =
            counts.iter().rev().map(|(verdict, count)| format!("{count} {}", words(*verdict))).collect();
        let notes = if row.notes > 0 { format!(", {}", counted(row.notes, "note")) } else { String::new() };
        writeln!(out, "| {} | {}{notes} | {} |", code(&row.id), words(row.verdict), units.join(", "))?;
    }
    writeln!(out)
}

fn words(verdict: Verdict) -> String {
    verdict.name().replace('-', " ")
}

fn unmonitored(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.unmonitored.is_empty() {
        return Ok(());
    }
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for place in &report.unmonitored {
        *reasons.entry(&place.reason).or_default() += 1;
    }
    writeln!(out, "Unmonitored:\n")?;
    for (reason, count) in reasons {
        writeln!(out, "- {}: {}", counted(count, "place"), text(reason))?;
    }
    writeln!(out)
}

fn place(at: &Location) -> String {
    code(&format!("{}:{}:{}", at.file, at.line, at.column))
}
