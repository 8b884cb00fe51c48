//! What is wrong with a property file, and how it is shown.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
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
        let before = text.get(..self.span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        format!("{}:{line}:{column}: {}", self.file, self.message)
    }

    /// The problem with the line that it is about.
    pub fn rendered(&self, text: &str, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let span = clamped(&self.span, text);
        let snippet =
            Snippet::source(text).path(self.file.as_str()).annotation(AnnotationKind::Primary.span(span));
        let mut group = Level::ERROR.primary_title(self.message.as_str()).element(snippet);
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[group])
    }
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
