//! The report as pages of HTML: an index, and a page for each finding.

use super::human::{again, derivation, order, seen, tail};
use super::page_data::shown;
use super::table::{bytes, detail, summary, tests_line};
use super::tried::tried;
use super::{Report, Style};
use crate::finding::{Finding, Location};
use camino::Utf8Path;
use rvcheck_page::{FindingPage, FindingRow, IndexPage, LockEdge, Pictures, Place, PropertyRow, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};

/// The file that one opens.
pub const INDEX: &str = "index.html";

/// Writes all of it as one document.
pub(super) fn render_html(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    let findings: Vec<&Finding> = report.open().collect();
    let cooked: Vec<Cooked> = findings.iter().map(|it| Cooked::of(it, report)).collect();
    let pages: Vec<FindingPage<'_>> =
        findings.iter().zip(&cooked).map(|(it, cooked)| page(it, cooked, report)).collect();
    out.write_all(index(report, |at| format!("#finding-{}", at + 1)).document(&pages).as_bytes())
}

/// Writes it as a folder of pages, each of which is whole by itself. Files of an earlier report in it are replaced or removed. Errors are
/// those of the file system.
pub fn write_pages(report: &Report, folder: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut names = BTreeSet::from([INDEX.to_owned()]);
    for (at, finding) in report.open().enumerate() {
        let cooked = Cooked::of(finding, report);
        let name = name(at);
        fs::write(folder.join(&name), page(finding, &cooked, report).document(Some(INDEX)))?;
        names.insert(name);
    }
    fs::write(folder.join(INDEX), index(report, name).document(&[]))?;
    // What an earlier report has left behind would be taken for a part of this one.
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let is_old = entry.file_name().strip_prefix("finding-").and_then(|it| it.strip_suffix(".html"));
        if is_old.is_some_and(|it| it.parse::<u32>().is_ok()) && !names.contains(entry.file_name()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The page of a finding.
fn name(at: usize) -> String {
    format!("finding-{}.html", at + 1)
}

/// What the page of a finding has that the finding itself has not.
struct Cooked {
    seen: String,
    places: Vec<Source>,
    notes: Vec<String>,
    sources: Vec<Source>,
}

impl Cooked {
    fn of(finding: &Finding, report: &Report) -> Cooked {
        let source = |place: Place, label: &str| Source {
            lines: report.excerpts.around(&place.file, place.line),
            label: label.to_owned(),
            place,
        };
        let of_location = |at: &Location| {
            source(Place { file: at.file.clone(), line: at.line, column: at.column }, &at.label)
        };
        let pictured: BTreeSet<&Place> =
            finding.pictures.drawn().flat_map(|it| &it.steps).filter_map(|it| it.place.as_ref()).collect();
        let evidence = finding.evidence.iter().map(|it| format!("in another way: {}", it.message));
        let notes =
            tried(finding).into_iter().chain(order(finding)).chain(derivation(finding)).chain(tail(finding));
        Cooked {
            seen: seen(finding),
            places: std::iter::once(&finding.primary).chain(&finding.related).map(of_location).collect(),
            notes: notes.chain(evidence).collect(),
            sources: pictured.into_iter().map(|it| source(it.clone(), "")).collect(),
        }
    }
}

fn page<'a>(finding: &'a Finding, cooked: &'a Cooked, report: &'a Report) -> FindingPage<'a> {
    let property = report.properties.iter().find(|it| it.id == finding.property);
    let pictures = &finding.pictures;
    FindingPage {
        tool: &report.tool,
        property: &finding.property,
        title: property.map_or("", |it| it.title.as_str()),
        level: finding.level.name(),
        seen: &cooked.seen,
        message: &finding.message,
        places: &cooked.places,
        notes: &cooked.notes,
        advice: &finding.next.advice,
        command: &finding.next.command,
        command_is: again(finding),
        explain: &finding.guidance.explain,
        address: &finding.guidance.page,
        suppression: finding
            .guidance
            .suppression
            .as_ref()
            .map(|it| (it.file.as_str(), it.line, it.text.as_str())),
        pictures: Pictures {
            happened: pictures.happened.as_deref(),
            second: pictures.second.as_ref().map(|(what, it)| (*what, it.as_ref())),
        },
        sources: &cooked.sources,
    }
}

fn index(report: &Report, href: impl Fn(usize) -> String) -> IndexPage<'_> {
    let open: Vec<&Finding> = report.open().collect();
    let row = |(at, finding): (usize, &&Finding)| FindingRow {
        href: href(at),
        level: finding.level.name(),
        property: finding.property.clone(),
        message: finding.message.clone(),
        place: shown(&finding.primary),
        test: finding.test.clone(),
        pictured: finding.pictures.drawn().next().is_some(),
    };
    let mut properties: Vec<_> = report.properties.iter().collect();
    properties.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.id.cmp(&b.id)));
    let properties = properties.into_iter().map(|it| PropertyRow {
        id: it.id.clone(),
        title: it.title.clone(),
        verdict: it.verdict.name().replace('-', " "),
        bad: it.verdict.is_bad(),
        tests: detail(it),
        events: it.events,
    });
    let mut unmonitored: BTreeMap<&str, u64> = BTreeMap::new();
    report.unmonitored.iter().for_each(|it| *unmonitored.entry(&it.reason).or_default() += 1);
    let run = &report.run;
    let tests = tests_line(&run.tests);
    IndexPage {
        tool: &report.tool,
        summary: summary(report),
        facts: vec![
            ("tests", tests.strip_prefix("tests: ").unwrap_or(&tests).to_owned()),
            ("events", run.events.to_string()),
            ("trace", bytes(run.trace_bytes)),
            ("time of the tests", format!("{:.2} s", run.seconds)),
        ],
        findings: open.iter().enumerate().map(row).collect(),
        allowed: report.findings.len() - open.len(),
        properties: properties.collect(),
        locks: report.page.locks.iter().map(|it| marked(it, &open, &href)).collect(),
        polls: report.page.polls.clone(),
        waits: report.page.waits.clone(),
        sites: (run.sites.total, run.sites.residual, run.sites.unmonitored),
        unmonitored: unmonitored.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect(),
        notes: &run.notes,
    }
}

/// The edge, with the page of a finding that is about both of its locks, or about where one of them is requested.
fn marked(edge: &LockEdge, open: &[&Finding], href: impl Fn(usize) -> String) -> LockEdge {
    let is_about = |it: &&Finding| {
        let created = |place: &String| it.witness.locks.contains(place);
        let requested = || std::iter::once(&it.primary).chain(&it.related).any(|it| shown(it) == edge.at);
        matches!(it.property.as_str(), "lock-order" | "double-lock")
            && ((created(&edge.held) && created(&edge.wanted)) || requested())
    };
    LockEdge { finding: open.iter().position(is_about).map(href), ..edge.clone() }
}
