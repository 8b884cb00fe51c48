//! What is wrong with a property file, and how it is shown.

use crate::finding::{Level, Location};
use annotate_snippets::{AnnotationKind, Level as Mark, Renderer, Snippet};
use std::ops::Range;

/// Something wrong at a place in a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecProblem {
    /// The file's name.
    pub file: String,
    /// The bytes that are wrong.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it, if that is known.
    pub help: Option<String>,
}

impl SpecProblem {
    /// `file:line:column: message`, counting lines and characters from 1.
    pub fn line(&self, text: &str) -> String {
        let (line, column) = position(text, self.span.start);
        format!("{}:{line}:{column}: {}", self.file, self.message)
    }

    /// The problem with the line that it is about.
    pub fn rendered(&self, text: &str, color: bool) -> String {
        let title = (Level::Error, None, self.message.as_str());
        quoted(title, (&self.file, &self.span), text, self.help.as_deref(), color)
    }
}

/// The line and the character in it of a byte of a text, from 1.
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    (line, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
}

/// The place of these bytes of a file, which has this text.
pub(super) fn located(file: &str, text: &str, span: &Range<usize>) -> Location {
    let at = |offset| {
        let (line, column) = position(text, offset);
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    };
    let ((line, column), (end_line, end_column)) = (at(span.start), at(span.end));
    Location { file: file.to_owned(), line, column, end_line, end_column, label: String::new() }
}

/// Something about a place in a file, with the line there. `title` is how bad it is, perhaps what kind of thing, and what it is.
pub fn quoted(
    (level, id, message): (Level, Option<&str>, &str),
    (file, span): (&str, &Range<usize>),
    text: &str,
    help: Option<&str>,
    color: bool,
) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mark = match level {
        Level::Error => Mark::ERROR,
        Level::Warning => Mark::WARNING,
        Level::Note => Mark::NOTE,
    };
    let title = mark.primary_title(message);
    let title = if let Some(id) = id { title.id(id) } else { title };
    let annotation = AnnotationKind::Primary.span(clamped(span, text));
    let mut group = title.element(Snippet::source(text).path(file).annotation(annotation));
    if let Some(help) = help {
        group = group.element(Mark::HELP.message(help));
    }
    renderer.render(&[group])
}

/// The span cut to the text and to whole characters, so that no span of anybody's makes the renderer fail.
fn clamped(span: &Range<usize>, text: &str) -> Range<usize> {
    let fit = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = fit(span.start);
    start..fit(span.end).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_behind_the_end_of_the_text_is_still_rendered() {
        let problem = SpecProblem { file: "a.toml".into(), span: 70..99, message: "odd".into(), help: None };
        assert!(problem.rendered("ä = 1", false).contains("odd"));
        assert_eq!(problem.line("a\nb"), "a.toml:2:2: odd");
    }
}
