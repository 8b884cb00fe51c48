//! A suggested change of the source, as a diff for a person.

use super::Excerpts;
use super::excerpt::Stretch;
use crate::finding::{Applicability, Fix, Location, TextEdit};
use annotate_snippets::{Group, Level as Mark, Patch, Snippet};
use std::ops::Range;

/// What a fix changes in one file.
pub(super) struct Patched<'a> {
    title: String,
    file: &'a str,
    stretch: Stretch,
    patches: Vec<(Range<usize>, &'a str)>,
}

/// What a fix changes, file by file. A file of which the lines are not at hand is left out.
pub(super) fn patched<'a>(fix: &'a Fix, excerpts: &Excerpts) -> Vec<Patched<'a>> {
    let mut files: Vec<&str> = fix.edits.iter().map(|it| it.file.as_str()).collect();
    files.dedup();
    files.into_iter().filter_map(|file| in_file(fix, file, excerpts)).collect()
}

fn in_file<'a>(fix: &'a Fix, file: &'a str, excerpts: &Excerpts) -> Option<Patched<'a>> {
    let edits: Vec<&TextEdit> = fix.edits.iter().filter(|it| it.file == file).collect();
    let (first, last) = (edits.first()?.line, edits.last()?.end_line);
    let stretch = excerpts.stretch(file, first, last)?;
    let patches: Option<Vec<_>> =
        edits.iter().map(|it| Some((stretch.between(&place(it))?, it.replacement.as_str()))).collect();
    let doubt = match fix.applicability {
        Applicability::MachineApplicable => "",
        Applicability::MaybeIncorrect => " (look at it first)",
    };
    Some(Patched { title: format!("{}{doubt}", fix.message), file, stretch, patches: patches? })
}

/// The stretch of text that an edit replaces.
fn place(edit: &TextEdit) -> Location {
    Location {
        file: edit.file.clone(),
        line: edit.line,
        column: edit.column,
        end_line: edit.end_line,
        end_column: edit.end_column,
        label: String::new(),
    }
}

impl Patched<'_> {
    /// The same as a part of a finding.
    pub(super) fn group(&self) -> Group<'_> {
        let first = usize::try_from(self.stretch.first).unwrap_or(1);
        let snippet = Snippet::source(self.stretch.text.as_str()).path(self.file).line_start(first);
        let patches = self.patches.iter().map(|(range, text)| Patch::new(range.clone(), *text));
        Group::with_title(Mark::HELP.secondary_title(self.title.as_str())).element(snippet.patches(patches))
    }
}
