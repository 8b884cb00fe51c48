//! Places of what is not marked: macros that await in the code of their own crate, and calls that are no sites.

use super::Source;
use crate::lines::Lines;
use crate::outline::outline;
use crate::role::{Role, Roles};
use crate::token::Tokens;

/// Macros that await a future of their own making.
const AWAITING: [&str; 6] = ["join", "select", "select_biased", "try_join", "join_biased", "try_join_biased"];

/// An invocation of a macro, or a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Invocation {
    /// The name; that of a macro with `!` behind it.
    pub(super) name: String,
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
    let is_one_of = |index: usize, names: &[&str]| names.iter().any(|it| tokens.is_word(index, it));
    let found: Vec<(usize, String)> = (0..tokens.len())
        .filter(|&index| matches!(roles.get(index), Role::Code))
        .filter_map(|index| {
            let is_macro = tokens.is(index + 1, b'!') && tokens.closing(index + 2).is_some();
            let declares = index > 0 && tokens.is_word(index - 1, "fn");
            let is_call = !declares && tokens.is_any_word(index) && tokens.is(index + 1, b'(');
            let name = tokens.text(index);
            let name = match (is_macro && is_one_of(index, &AWAITING), is_call) {
                (true, _) => format!("{name}!"),
                (_, true) => name.to_owned(),
                _ => return None,
            };
            Some((tokens.get(index)?.start, name))
        })
        .collect();
    if found.is_empty() {
        return Vec::new();
    }
    let outline = outline(source.text, &tokens, source.edition);
    let lines = Lines::of(source.text);
    let place = |(start, name): (usize, String)| {
        let (line, column) = lines.position(start);
        Invocation {
            name,
            file: source.file.to_owned(),
            line,
            column,
            item: outline.path_at(start).to_owned(),
        }
    };
    found.into_iter().map(place).collect()
}
