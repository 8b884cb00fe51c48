//! Places of what is not marked: macros that await in the code of their own crate, and calls that are no sites.

use crate::lines::Lines;
use crate::outline::outline;
use crate::program::Source;
use crate::role::{Role, Roles};
use crate::token::Tokens;
use rvcheck_event::position::CompiledPosition;
use std::collections::{BTreeMap, BTreeSet};

/// Macros that await a future of their own making.
const AWAITING: [&str; 6] = ["join", "select", "select_biased", "try_join", "join_biased", "try_join_biased"];

/// An invocation of a macro, a call, or a `for` loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Invocation {
    /// The name; that of a macro with `!` behind it; `for`.
    pub(super) name: String,
    /// The file, as the compiler names it.
    pub(super) file: String,
    /// Where its path's last segment begins.
    pub(super) position: CompiledPosition,
    /// The path of the enclosing item inside the file.
    pub(super) item: String,
    /// Where the futures of a `select!` begin, in their order.
    pub(super) futures: Vec<CompiledPosition>,
}

/// The invocations in a file, in the order of their places.
pub(super) fn invocations(source: &Source<'_>) -> Vec<Invocation> {
    let tokens = Tokens::of(source.text);
    let roles = Roles::of(&tokens);
    let is_one_of = |index: usize, names: &[&str]| names.iter().any(|it| tokens.is_word(index, it));
    let found: Vec<(usize, String, Vec<usize>)> = (0..tokens.len())
        .filter(|&index| matches!(roles.get(index), Role::Code))
        .filter_map(|index| {
            let is_macro = tokens.is(index + 1, b'!') && tokens.closing(index + 2).is_some();
            let declares = index > 0 && tokens.is_word(index - 1, "fn");
            let is_call = !declares && tokens.is_any_word(index) && tokens.is(index + 1, b'(');
            let name = tokens.text(index);
            if let Some(iterated) = iterated(&tokens, index) {
                return Some((tokens.get(iterated)?.start, "for".to_owned(), Vec::new()));
            }
            let name = match (is_macro && is_one_of(index, &AWAITING), is_call) {
                (true, _) => format!("{name}!"),
                (_, true) => name.to_owned(),
                _ => return None,
            };
            let futures = if name.starts_with("select") { futures(&tokens, index + 2) } else { Vec::new() };
            Some((tokens.get(index)?.start, name, futures))
        })
        .collect();
    if found.is_empty() {
        return Vec::new();
    }
    let outline = outline(source.text, &tokens, source.edition);
    let lines = Lines::of(source.text);
    let place = |(start, name, futures): (usize, String, Vec<usize>)| Invocation {
        name,
        file: source.file.to_owned(),
        position: lines.compiled_position(start),
        item: outline.path_at(start).to_owned(),
        futures: futures.into_iter().map(|it| lines.compiled_position(it)).collect(),
    };
    found.into_iter().map(place).collect()
}

/// The first token of what a `for` loop goes over, if one begins at a token.
fn iterated(tokens: &Tokens<'_>, begin: usize) -> Option<usize> {
    let mut at = begin + 1;
    while tokens.is_word(begin, "for") && at < tokens.len() && !tokens.is(at, b'{') && !tokens.is(at, b';') {
        if tokens.is_word(at, "in") {
            return Some(at + 1);
        }
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    None
}

/// Where the futures begin in a group of branches `pattern = future => handler`, as byte offsets; nothing if it is no such group.
/// A condition behind a future is a part of it, and `else` has none.
fn futures(tokens: &Tokens<'_>, open: usize) -> Vec<usize> {
    let Some(close) = tokens.closing(open) else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = open + 1;
    if tokens.is_word(at, "biased") && tokens.is(at + 1, b';') {
        at += 2;
    }
    // The first token from `at` on, outside of groups, that is wanted.
    let find = |mut at: usize, is_it: &dyn Fn(usize) -> bool| {
        while at < close && !is_it(at) {
            at = tokens.closing(at).unwrap_or(at) + 1;
        }
        (at < close).then_some(at)
    };
    let is_arrow = |at: usize| tokens.is_pair(at, *b"=>");
    while at < close {
        let Some(arrow) = find(at, &is_arrow) else { return Vec::new() };
        if !tokens.is_word(at, "else") {
            let equals = |it: usize| tokens.is(it, b'=') && !is_arrow(it);
            let begin = find(at, &equals).filter(|it| it + 1 < arrow).and_then(|it| tokens.get(it + 1));
            let Some(begin) = begin else { return Vec::new() };
            found.push(begin.start);
        }
        let handler = arrow + 2;
        let block = tokens.closing(handler).filter(|_| tokens.is(handler, b'{'));
        let comma = |it: usize| tokens.is(it, b',');
        at = match block {
            // What follows a block may still belong to it, as in `{ … }.await,`.
            Some(end) if tokens.is(end + 1, b',') => end + 2,
            Some(end) if !tokens.is(end + 1, b'.') && !tokens.is(end + 1, b'?') => end + 1,
            _ => find(handler, &comma).map_or(close, |it| it + 1),
        };
    }
    found
}

/// Where a closure or an async block begins and ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    file: String,
    /// Where its first token begins.
    pub(super) begin: CompiledPosition,
    end: CompiledPosition,
}

impl Extent {
    /// Its first and its last line.
    pub(super) const fn lines(&self) -> (u32, u32) {
        (self.begin.line, self.end.line)
    }

    /// Whether an invocation stands in it.
    pub(super) fn contains(&self, it: &Invocation) -> bool {
        self.file == it.file && (self.begin..self.end).contains(&it.position)
    }
}

/// The extents of the closures and async blocks with these identities, `FILE:LINE:COLUMN: LINE:COLUMN`. The compiler says of a closure
/// only where its parameters are.
pub(super) fn extents(sources: &[Source<'_>], identities: &BTreeSet<String>) -> BTreeMap<String, Extent> {
    let mut begins: BTreeMap<&str, BTreeMap<CompiledPosition, &str>> = BTreeMap::new();
    for identity in identities {
        let begin = identity.rsplit_once(": ").and_then(|(begin, _)| {
            let (rest, column) = begin.rsplit_once(':')?;
            let (file, line) = rest.rsplit_once(':')?;
            Some((file, CompiledPosition::new(line.parse().ok()?, column.parse().ok()?)))
        });
        if let Some((file, at)) = begin {
            begins.entry(file).or_default().insert(at, identity);
        }
    }
    let mut found = BTreeMap::new();
    for source in sources {
        let Some(begins) = begins.get(source.file) else { continue };
        let (tokens, lines) = (Tokens::of(source.text), Lines::of(source.text));
        for index in 0..tokens.len() {
            let may_begin = tokens.is(index, b'|') || WORDS.iter().any(|it| tokens.is_word(index, it));
            let Some(start) = tokens.get(index).filter(|_| may_begin).map(|it| it.start) else { continue };
            let begin = lines.compiled_position(start);
            let Some(identity) = begins.get(&begin) else { continue };
            let end = tokens.get(end(&tokens, index)).map_or(source.text.len(), |it| it.start);
            let extent = Extent { file: source.file.to_owned(), begin, end: lines.compiled_position(end) };
            found.insert((*identity).to_owned(), extent);
        }
    }
    found
}

/// Words that a closure or an async block may begin with.
const WORDS: [&str; 3] = ["async", "move", "static"];

/// The index of the first token behind the closure or async block that begins with a token.
fn end(tokens: &Tokens<'_>, begin: usize) -> usize {
    let mut at = begin;
    while WORDS.iter().any(|it| tokens.is_word(at, it)) {
        at += 1;
    }
    if tokens.is_pair(at, *b"||") {
        at += 2;
    } else if tokens.is(at, b'|') {
        at += 1;
        while at < tokens.len() && !tokens.is(at, b'|') {
            at = tokens.closing(at).unwrap_or(at) + 1;
        }
        at += 1;
    }
    if tokens.is_pair(at, *b"->") {
        while at < tokens.len() && !tokens.is(at, b'{') {
            at += 1;
        }
    }
    if tokens.is(at, b'{') {
        return tokens.closing(at).map_or(at, |it| it + 1);
    }
    let ends = |it: usize| [b',', b';', b')', b']', b'}'].iter().any(|mark| tokens.is(it, *mark));
    while at < tokens.len() && !ends(at) {
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_or_async_block_ends_where_its_body_does() {
        let cases = [
            ("|a, (b, c)| a.f(b, c)[0], 1", ", 1"),
            ("|| { a; b }.c()", ".c()"),
            ("move |a: [u8; 2]| -> u8 { 1 }; 2", "; 2"),
            ("async move { a.await }, b", ", b"),
            ("|| a", ""),
        ];
        for (text, rest) in cases {
            let tokens = Tokens::of(text);
            let at = tokens.get(end(&tokens, 0)).map_or(text.len(), |it| it.start);
            assert_eq!(&text[at..], rest, "{text}");
        }
    }

    #[test]
    fn a_for_loop_is_distinguished_from_other_uses_of_the_keyword() {
        let cases = [
            ("for (a, [b, ..]) in &c.d() { e }", Some("&c")),
            ("for S { a, .. } in b {}", None),
            ("for B { fn c() { for d in e {} } }", None),
            ("for<'a> Fn(&'a A)", None),
        ];
        for (text, expected) in cases {
            let tokens = Tokens::of(text);
            let at = iterated(&tokens, 0).and_then(|it| tokens.get(it)).map(|it| it.start);
            assert_eq!(at.map(|it| text[it..].split('.').next().unwrap_or_default()), expected, "{text}");
        }
    }

    #[test]
    fn the_futures_of_a_select_are_those_before_its_arrows() {
        let cases = [
            ("select! { a = b() => c, d = e.f() => {} g = h => {} }", vec!["b()", "e.f()", "h"]),
            ("select! { biased; Some(a) = b(), if c == d => {}, else => {} }", vec!["b()"]),
            (
                "select! { _ = &mut a => match b { c => d, e => f }, S { g, .. } = h => { i }.await, _ = j => k }",
                vec!["&mut a", "h", "j"],
            ),
            ("select! { a = b => x::<c, d>() , }", vec![]),
            ("select!(a, b)", vec![]),
        ];
        for (text, expected) in cases {
            let tokens = Tokens::of(text);
            let found = futures(&tokens, 2);
            let shown: Vec<&str> = found
                .iter()
                .map(|it| text[*it..].split([',', '=']).next().unwrap_or_default().trim())
                .collect();
            assert_eq!(shown, expected, "{text}");
        }
    }
}
