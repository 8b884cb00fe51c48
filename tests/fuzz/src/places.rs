//! Places in a text, and trees without them.

use std::fmt::Debug;

use rvcheck_spec::{Problem, Span};

/// Problems come in the order of their places, and these are places of the text.
pub(crate) fn problems_are_in(text: &str, problems: &[Problem]) {
    for problem in problems {
        is_in(text, problem.span, &problem.message);
        assert!(!problem.message.is_empty() && !problem.message.ends_with('.'), "{problem:?}");
    }
    assert!(problems.is_sorted_by_key(|it| it.span.start), "{problems:?}");
}

/// The place lies in the text and cuts no character.
pub(crate) fn is_in(text: &str, span: Span, what: &str) {
    assert!(text.get(span.start..span.end).is_some(), "{what}: {span:?} is no place of {text:?}");
}

/// A tree as `Debug` shows it, without its places.
pub(crate) fn shape(tree: &impl Debug) -> String {
    let shown = format!("{tree:?}");
    let mut pieces = shown.split("Span {");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(piece.split_once('}').map_or("", |(_, rest)| rest));
    }
    out
}
