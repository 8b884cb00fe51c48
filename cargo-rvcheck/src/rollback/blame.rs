//! Which marks the compiler's errors speak of.
//!
//! Every span of an error counts: primary and secondary ones, those of its notes, and those of the macros around them. An
//! error rarely points at the mark itself. So the mark that is touched by the shortest span is taken first, and one that is
//! only on the same line after that. What was undone already is no mark any more, so each attempt goes further. Without the mark of
//! a call less can be proved; without that of an await less is seen. So where an error touches both, those of calls go first.

use super::marks::Mark;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use rvcheck_source::marker::MarkerKind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

/// How much is undone for an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The marks that the error points at.
    Site,
    /// All marks of the items that it points into.
    Item,
    /// All marks of the files that it points into.
    File,
}

/// What is to be undone: by the compiler's name of the file and the offset in its original text, with what the compiler reported.
pub type Undo = BTreeMap<String, BTreeMap<usize, String>>;

/// The marks that these errors speak of. `files` has the marks of each file, by the compiler's name of it.
pub fn blamed(errors: &[Diagnostic], files: &BTreeMap<String, Vec<Mark>>, extent: Extent) -> Undo {
    let mut undo = Undo::new();
    for error in errors {
        let spans = spans(error);
        let found: Vec<Named<'_>> = match extent {
            Extent::Site => nearest(&spans, files),
            Extent::Item => {
                spans.iter().flat_map(|it| hits(it, files, |mark| it.is_in_item_of(mark))).collect()
            }
            Extent::File => spans.iter().flat_map(|it| hits(it, files, |_| true)).collect(),
        };
        for (file, mark) in calls_first(found) {
            undo.entry(file.to_owned()).or_default().entry(mark.offset).or_insert_with(|| in_short(error));
        }
    }
    undo
}

/// The files that these errors speak of, by the compiler's names.
pub fn files_named(errors: &[Diagnostic]) -> BTreeSet<&str> {
    errors.iter().flat_map(spans).map(|it| it.file).collect()
}

/// The lines that these errors point at, by the compiler's names of their files. Rewriting keeps them.
pub fn lines_pointed_at(errors: &[Diagnostic]) -> BTreeSet<(&str, usize)> {
    let primary = errors.iter().flat_map(spans).filter(|it| it.primary);
    primary.map(|it| (it.file, *it.lines.start())).collect()
}

/// Whether the compiler stopped because of it.
pub fn is_error(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.level, DiagnosticLevel::Error | DiagnosticLevel::Ice)
        && !diagnostic.message.starts_with("aborting due to ")
}

/// The first line of a message with its code, such as `type annotations needed (E0282)`.
pub fn in_short(error: &Diagnostic) -> String {
    let line = error.message.lines().next().unwrap_or_default();
    match &error.code {
        Some(code) => format!("{line} ({})", code.code),
        None => line.to_owned(),
    }
}

/// A place that an error speaks of.
#[derive(Clone, Debug)]
struct ErrorSpan<'a> {
    file: &'a str,
    /// Bytes of the rewritten text, where they are known.
    bytes: Option<Range<usize>>,
    lines: RangeInclusive<usize>,
    primary: bool,
}

impl ErrorSpan<'_> {
    fn touches(&self, mark: &Mark) -> bool {
        self.bytes.as_ref().is_some_and(|it| it.start <= mark.bytes.end && mark.bytes.start <= it.end)
    }

    fn is_in_item_of(&self, mark: &Mark) -> bool {
        let (Some(bytes), Some(item)) = (&self.bytes, &mark.item) else { return false };
        bytes.start < item.end && item.start <= bytes.end
    }
}

/// A mark with the name of its file.
type Named<'a> = (&'a str, &'a Mark);

/// Those of calls, where there are any.
fn calls_first(mut found: Vec<Named<'_>>) -> Vec<Named<'_>> {
    if found.iter().any(|it| it.1.kind != Some(MarkerKind::Await)) {
        found.retain(|it| it.1.kind != Some(MarkerKind::Await));
    }
    found
}

/// The marks of the span's file that pass the test.
fn hits<'a>(
    span: &ErrorSpan<'_>,
    files: &'a BTreeMap<String, Vec<Mark>>,
    test: impl Fn(&Mark) -> bool,
) -> Vec<Named<'a>> {
    let Some((file, marks)) = files.get_key_value(span.file) else { return Vec::new() };
    marks.iter().filter(|it| test(it)).map(|it| (file.as_str(), it)).collect()
}

/// The marks that the shortest span touches, or else those on the lines of the shortest span, the primary ones first.
fn nearest<'a>(spans: &[ErrorSpan<'_>], files: &'a BTreeMap<String, Vec<Mark>>) -> Vec<Named<'a>> {
    let touched = spans.iter().map(|span| {
        let length = span.bytes.as_ref().map_or(usize::MAX, ExactSizeIterator::len);
        ((false, false, length), hits(span, files, |mark| span.touches(mark)))
    });
    let beside = spans.iter().map(|span| {
        let rank = (true, !span.primary, span.lines.end() - span.lines.start());
        (rank, hits(span, files, |mark| span.lines.contains(&mark.line)))
    });
    let found = touched.chain(beside).filter(|(_, marks)| !marks.is_empty());
    found.min_by_key(|(rank, _)| *rank).map(|(_, marks)| marks).unwrap_or_default()
}

/// All places that an error speaks of.
fn spans(error: &Diagnostic) -> Vec<ErrorSpan<'_>> {
    let mut found = Vec::new();
    collect(error, true, &mut found);
    found
}

fn collect<'a>(message: &'a Diagnostic, top: bool, found: &mut Vec<ErrorSpan<'a>>) {
    for span in &message.spans {
        collect_span(span, top && span.is_primary, found);
    }
    found.extend(mentioned(&message.message));
    for child in &message.children {
        collect(child, false, found);
    }
}

fn collect_span<'a>(span: &'a DiagnosticSpan, primary: bool, found: &mut Vec<ErrorSpan<'a>>) {
    // The compiler has no place for some errors, and then says the beginning of the crate.
    if span.byte_end > 0 {
        found.push(ErrorSpan {
            file: &span.file_name,
            bytes: Some(span.byte_start as usize..span.byte_end as usize),
            lines: span.line_start..=span.line_end,
            primary,
        });
    }
    if let Some(expansion) = &span.expansion {
        collect_span(&expansion.span, false, found);
        if let Some(definition) = &expansion.def_site_span {
            collect_span(definition, false, found);
        }
    }
}

/// The places in the names of types that have none, such as `{async block@src/lib.rs:7:57: 7:62}`.
fn mentioned(message: &str) -> impl Iterator<Item = ErrorSpan<'_>> {
    message.split('@').skip(1).filter_map(|rest| {
        let rest = rest.split_once('}')?.0;
        let (start, end) = rest.rsplit_once(": ")?;
        let mut parts = start.rsplitn(3, ':');
        let (_, line, file) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        let last = end.split_once(':')?.0.parse().ok()?;
        Some(ErrorSpan { file, bytes: None, lines: line..=last, primary: false })
    })
}

#[cfg(test)]
mod tests;
