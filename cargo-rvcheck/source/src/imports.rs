//! What the names in a file mean, as far as its `use` declarations say.

use crate::token::Tokens;
use std::collections::BTreeMap;

/// The names that `use` declarations anywhere in the file bring in, with their full paths.
pub(crate) struct Imports<'a> {
    paths: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Imports<'a> {
    /// Reads the `use` declarations. Where two give the same name, the first counts.
    pub(crate) fn of(tokens: &Tokens<'a>) -> Imports<'a> {
        let mut paths = BTreeMap::new();
        for index in 0..tokens.len() {
            // `use<'a>` in a type is a bound, not a declaration.
            if tokens.is_word(index, "use") && !tokens.is(index + 1, b'<') {
                tree(tokens, index + 1, &[], 0, &mut paths);
            }
        }
        Imports { paths }
    }

    /// Whether this name is imported and something else at home.
    pub(crate) fn renames(&self, name: &str) -> bool {
        self.paths.get(name).is_some_and(|path| path.last().is_some_and(|last| *last != name))
    }

    /// The path with its first segment replaced by what it was imported as.
    pub(crate) fn resolve(&self, path: &[&'a str]) -> Vec<&'a str> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        match self.paths.get(first) {
            Some(full) => full.iter().chain(rest).copied().collect(),
            None => path.to_vec(),
        }
    }
}

/// Nested groups beyond this depth are not read.
const DEEPEST: usize = 16;

/// Reads one tree of a declaration, and returns the index of the token behind it.
fn tree<'a>(
    tokens: &Tokens<'a>,
    mut at: usize,
    prefix: &[&'a str],
    depth: usize,
    paths: &mut BTreeMap<&'a str, Vec<&'a str>>,
) -> usize {
    let mut path = prefix.to_vec();
    loop {
        if tokens.is_pair(at, *b"::") {
            at += 2;
        } else if tokens.is(at, b'{') {
            let Some(close) = tokens.closing(at) else { return at + 1 };
            at += 1;
            while at < close && depth < DEEPEST {
                let next = tree(tokens, at, &path, depth + 1, paths);
                at = if tokens.is(next, b',') { next + 1 } else { next.max(at + 1) };
            }
            return close + 1;
        } else if tokens.is_word(at, "as") {
            if tokens.is_any_word(at + 1) {
                paths.entry(tokens.text(at + 1)).or_insert(path);
            }
            return at + 2;
        } else if tokens.is_any_word(at) {
            path.push(tokens.text(at));
            at += 1;
        } else {
            break;
        }
    }
    if path.len() > prefix.len() {
        if path.last() == Some(&"self") {
            path.pop();
        }
        if let Some(&name) = path.last() {
            paths.entry(name).or_insert(path);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_through_the_declarations() {
        let text = "use std::{fs, sync::{self, Mutex as StdMutex, mpsc::{channel}}, thread::*};
            pub(crate) use ::tokio::time::sleep; fn a() -> impl B + use<'a> { use c::d; } use e::{f as _, g,};";
        let tokens = Tokens::of(text);
        let imports = Imports::of(&tokens);
        let cases: [(&[&str], &str); 8] = [
            (&["fs", "read"], "std::fs::read"),
            (&["sync", "Once", "new"], "std::sync::Once::new"),
            (&["StdMutex", "new"], "std::sync::Mutex::new"),
            (&["channel"], "std::sync::mpsc::channel"),
            (&["sleep"], "tokio::time::sleep"),
            (&["d"], "c::d"),
            (&["g"], "e::g"),
            (&["other", "fs"], "other::fs"),
        ];
        for (path, expected) in cases {
            assert_eq!(imports.resolve(path).join("::"), expected);
        }
    }

    #[test]
    fn broken_declarations_end_somewhere() {
        for text in ["use a::{b, {c", "use ;", "use {{{{}}}}", "use a::{,,,};", "use a as"] {
            let tokens = Tokens::of(text);
            assert!(Imports::of(&tokens).resolve(&["x"]) == ["x"], "{text}");
        }
    }
}
