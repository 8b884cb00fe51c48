//! The report for a person at a terminal.

use super::legible::for_people;
use super::suggested::{Patched, patched};
use super::table;
use super::tried::tried;
use super::{Excerpts, Report};
use super::{enforced, explored, lifestates};
use crate::finding::{Finding, Level, Location, Proof, SuppressionLine, explain};
use annotate_snippets::{AnnotationKind, Group, Level as Mark, Origin, Renderer, Snippet};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// How the human form looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// With terminal colours.
    pub color: bool,
    /// How many columns quoted lines may take.
    pub width: usize,
    /// With the comment that would suppress each finding.
    pub verbose: bool,
}

impl Style {
    /// Without colours, for files and tests.
    pub const PLAIN: Style = Style { color: false, width: 140, verbose: false };
}

/// Writes the findings with the lines that they are about, then the properties, what was unmonitored, the tests, and what
/// it cost.
pub(super) fn render_human(report: &Report, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let report = &for_people(report)?;
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() }.term_width(style.width);
    for finding in report.open() {
        writeln!(out, "{}\n", cooked(finding, &report.excerpts, &renderer, style.verbose))?;
    }
    table::properties(report, out)?;
    table::unmonitored(report, out)?;
    explored::exploration(report, out)?;
    enforced::enforced(report, out)?;
    lifestates::validations(report, out)?;
    lifestates::rearrangements(report, out)?;
    table::run(report, out)?;
    if let Some(line) = details(report) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", table::summary(report))
}

/// One finding, without colours.
pub(super) fn one(finding: &Finding, excerpts: &Excerpts) -> String {
    cooked(finding, excerpts, &Renderer::plain().term_width(Style::PLAIN.width), false)
}

/// The line that names what explains the findings that are shown, and how to suppress each.
fn details(report: &Report) -> Option<String> {
    let common = explain("");
    let ids = report.open().filter_map(|it| it.guidance.explain.strip_prefix(&common));
    let ids: BTreeSet<&str> = ids.collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    (!ids.is_empty()).then(|| format!("details, and how to suppress: {common}{}", ids.join(" ")))
}

/// The comment that would suppress a finding, with its place.
pub(super) fn suppression(finding: &Finding) -> Option<String> {
    let SuppressionLine { file, line, text } = finding.guidance.suppression.as_ref()?;
    Some(format!("to suppress it, insert before {file}:{line}:\n{text}"))
}

fn cooked(finding: &Finding, excerpts: &Excerpts, renderer: &Renderer, verbose: bool) -> String {
    let mark = match finding.level {
        Level::Error => Mark::ERROR,
        Level::Warning => Mark::WARNING,
        Level::Note => Mark::NOTE,
    };
    let texts: Vec<Quote> = quotes(finding, excerpts);
    let mut group: Group<'_> =
        Group::with_title(mark.primary_title(finding.message.as_str()).id(finding.property.as_str()));
    for quote in &texts {
        group = quote.add_to(group);
    }
    group = group.element(Mark::NOTE.message(seen(finding)));
    if let Some(tried) = tried(finding) {
        group = group.element(Mark::NOTE.message(tried));
    }
    if let Some(order) = order(finding) {
        group = group.element(Mark::NOTE.message(order));
    }
    if let Some(derivation) = derivation(finding) {
        group = group.element(Mark::NOTE.message(derivation));
    }
    if let Some(tail) = tail(finding) {
        group = group.element(Mark::NOTE.message(tail));
    }
    if !finding.next.advice.is_empty() {
        group = group.element(Mark::HELP.message(finding.next.advice.as_str()));
    }
    if !finding.next.command.is_empty() {
        group = group.element(Mark::HELP.message(format!("{}: {}", again(finding), finding.next.command)));
    }
    if let Some(suppression) = suppression(finding).filter(|_| verbose) {
        group = group.element(Mark::HELP.message(suppression));
    }
    let patched: Vec<Patched<'_>> = finding.fixes.iter().flat_map(|it| patched(it, excerpts)).collect();
    let mut groups = vec![group];
    groups.extend(patched.iter().map(Patched::group));
    renderer.render(&groups)
}

/// What the command of a finding is for.
pub(super) const fn again(finding: &Finding) -> &'static str {
    if matches!(finding.proof, Proof::Confirmed) { "to make it happen" } else { "to see it again" }
}

/// How the messages that a grammar takes were derived, one a line.
pub(super) fn derivation(finding: &Finding) -> Option<String> {
    (!finding.witness.derivation.is_empty()).then(|| finding.witness.derivation.join("\n"))
}

/// The last events before the violation, one a line, with their times in ms.
pub(super) fn tail(finding: &Finding) -> Option<String> {
    let events = &finding.witness.tail;
    let lines = events.iter().map(|it| {
        let millis = it.time / 1_000_000;
        let rest = it.time / 1_000 % 1_000;
        let what: Vec<&str> = it.object.iter().chain(&it.arguments).map(String::as_str).collect();
        let what = if what.is_empty() { String::new() } else { format!("({})", what.join(", ")) };
        let place = it.site.as_ref().map_or_else(String::new, |site| format!(" at {site}"));
        format!("{millis:>6}.{rest:03} {}{what} by {}{place}", it.event, it.task)
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty())
        .then(|| format!("the last events before it, with their times in ms:\n{}", lines.join("\n")))
}

/// How it was found, and in which test.
pub(super) fn seen(finding: &Finding) -> String {
    let is_explored = finding.tried.as_ref().is_some_and(|it| it.repeated > 0);
    let how = match finding.proof {
        _ if is_explored => "found by exploring",
        Proof::Observed => "observed",
        Proof::Confirmed | Proof::Witnessed | Proof::Potential => "predicted from what was observed",
        Proof::Static => return "found in the source".to_owned(),
    };
    let seen = match finding.occurrences {
        _ if is_explored => format!("{how} {}", finding.test),
        0 | 1 => format!("{how} in {}", finding.test),
        count => format!("{how} {count} times, as in {}", finding.test),
    };
    let in_source = finding.evidence.iter().any(|it| it.proof == Proof::Static);
    if in_source { format!("{seen}; found in the source, too") } else { seen }
}

/// The order of events that leads to what was predicted, one a line.
pub(super) fn order(finding: &Finding) -> Option<String> {
    let lines = finding.witness.events.iter().map(|it| {
        let object = it.object.as_deref().unwrap_or_default();
        let place = it.site.as_ref().map_or_else(String::new, |site| format!(" at {site}"));
        format!("{} {} {object}{place}", it.task, done(&it.event))
    });
    let lines: Vec<String> = lines.collect();
    // What was found by exploring says it in its own way.
    let is_explored = finding.tried.as_ref().is_some_and(|it| it.repeated > 0);
    (matches!(finding.proof, Proof::Witnessed | Proof::Confirmed) && !lines.is_empty() && !is_explored)
        .then(|| format!("the schedule that leads there ends with:\n{}", lines.join("\n")))
}

/// What a task does by an event of such an order.
fn done(event: &str) -> &str {
    match event {
        "acquire" => "takes",
        "request" | "join" => "waits for",
        other => other,
    }
}

/// The places of a finding that lie in one file, the primary one first if it is among them.
struct Quote<'a> {
    file: &'a str,
    primary: Option<&'a Location>,
    related: Vec<&'a Location>,
    stretch: Option<super::excerpt::Stretch>,
}

fn quotes<'a>(finding: &'a Finding, excerpts: &Excerpts) -> Vec<Quote<'a>> {
    let primary = &finding.primary;
    let mut quotes =
        vec![Quote { file: &primary.file, primary: Some(primary), related: Vec::new(), stretch: None }];
    for location in &finding.related {
        match quotes.iter_mut().find(|quote| quote.file == location.file) {
            Some(quote) => quote.related.push(location),
            None => quotes.push(Quote {
                file: &location.file,
                primary: None,
                related: vec![location],
                stretch: None,
            }),
        }
    }
    for quote in &mut quotes {
        let lines = || quote.primary.into_iter().chain(quote.related.iter().copied());
        let first = lines().map(|it| it.line).min().unwrap_or(1);
        let last = lines().map(|it| it.end_line).max().unwrap_or(first);
        quote.stretch = excerpts.stretch(quote.file, first, last);
    }
    quotes
}

impl<'a> Quote<'a> {
    fn add_to<'b>(&'b self, group: Group<'b>) -> Group<'b>
    where
        'a: 'b,
    {
        let marks = || {
            let primary = self.primary.map(|it| (AnnotationKind::Primary, it));
            primary.into_iter().chain(self.related.iter().map(|it| (AnnotationKind::Context, *it)))
        };
        let ranges: Option<Vec<_>> = self
            .stretch
            .as_ref()
            .and_then(|stretch| marks().map(|(kind, it)| Some((kind, it, stretch.range(it)?))).collect());
        match (&self.stretch, ranges) {
            (Some(stretch), Some(ranges)) => {
                let first = usize::try_from(stretch.first).unwrap_or(1);
                let snippet = Snippet::source(stretch.text.as_str()).path(self.file).line_start(first);
                group.element(snippet.annotations(ranges.into_iter().map(|(kind, it, range)| {
                    let label = (!it.label.is_empty()).then_some(it.label.as_str());
                    kind.span(range).label(label)
                })))
            }
            // The file is not at hand: name the places only.
            _ => marks().fold(group, |group, (_, it)| {
                let line = usize::try_from(it.line).unwrap_or(1);
                let column = usize::try_from(it.column).unwrap_or(1);
                let group = group.element(Origin::path(self.file).line(line).char_column(column));
                if it.label.is_empty() { group } else { group.element(Mark::NOTE.message(it.label.as_str())) }
            }),
        }
    }
}
