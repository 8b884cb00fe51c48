//! Invocations of macros that await in the code of their own crate, where nothing is marked.

use super::Source;
use crate::lines::Lines;
use crate::outline::outline;
use crate::role::{Role, Roles};
use crate::token::Tokens;

/// Macros that await a future of their own making.
const AWAITING: [&str; 6] = ["join", "select", "select_biased", "try_join", "join_biased", "try_join_biased"];

/// An invocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Invocation {
    /// The file, as the compiler names it.
    pub(super) file: String,
    /// The line of its path's last segment, from 1.
    pub(super) line: u32,
    /// The column of that, from 1.
    pub(super) column: u32,
    /// The path of the enclosing item inside the file.
    pub(super) item: String,
}

/// The invocations in a file, in the order of their places.
pub(super) fn invocations(source: &Source<'_>) -> Vec<Invocation> {
    let tokens = Tokens::of(source.text);
    let roles = Roles::of(&tokens);
    let named = |index: usize| AWAITING.iter().any(|it| tokens.is_word(index, it));
    let invoked = |index: usize| tokens.is(index + 1, b'!') && tokens.closing(index + 2).is_some();
    let found: Vec<usize> = (0..tokens.len())
        .filter(|&index| named(index) && invoked(index) && matches!(roles.get(index), Role::Code))
        .filter_map(|index| Some(tokens.get(index)?.start))
        .collect();
    if found.is_empty() {
        return Vec::new();
    }
    let outline = outline(source.text, &tokens, source.edition);
    let lines = Lines::of(source.text);
    let place = |start: usize| {
        let (line, column) = lines.position(start);
        Invocation { file: source.file.to_owned(), line, column, item: outline.path_at(start).to_owned() }
    };
    found.into_iter().map(place).collect()
}
