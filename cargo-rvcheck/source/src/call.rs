//! Calls as they stand in the tokens.

use crate::token::Tokens;

/// A call of a method or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) shape: Shape<'a>,
    /// The index of the token with its name.
    pub(crate) name: usize,
    /// The index of the parenthesis that opens its arguments.
    pub(crate) open: usize,
    /// There is something between the parentheses.
    pub(crate) has_arguments: bool,
}

/// What stands before the name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape<'a> {
    /// A receiver and the dot at this index.
    Method { dot: usize },
    /// A path, which begins at this index and has these segments, the name included.
    Function { start: usize, path: Vec<&'a str> },
}

/// The most tokens that are looked through for the end of generic arguments.
const LONGEST_GENERICS: usize = 400;

impl<'a> Call<'a> {
    /// The call whose name is the word at this index, if it is one.
    pub(crate) fn at(tokens: &Tokens<'a>, name: usize) -> Option<Call<'a>> {
        let open =
            if tokens.is_pair(name + 1, *b"::") { behind_generics(tokens, name + 3)? } else { name + 1 };
        if !tokens.is(open, b'(') {
            return None;
        }
        let close = tokens.closing(open)?;
        let shape =
            if name > 0 && tokens.is(name - 1, b'.') && !(name > 1 && tokens.is_pair(name - 2, *b"..")) {
                Shape::Method { dot: name - 1 }
            } else {
                let (start, path) = path(tokens, name);
                if start > 0 && tokens.is_word(start - 1, "fn") {
                    return None;
                }
                Shape::Function { start, path }
            };
        Some(Call { shape, name, open, has_arguments: close > open + 1 })
    }
}

/// The index of the beginning and the segments of the path of the function that is called by the word at this index, if one is.
pub(crate) fn called_path<'a>(tokens: &Tokens<'a>, index: usize) -> Option<(usize, Vec<&'a str>)> {
    match Call::at(tokens, index)?.shape {
        Shape::Function { start, path } => Some((start, path)),
        Shape::Method { .. } => None,
    }
}

/// The beginning and the segments of the path that ends with the word at this index. Generic arguments are left out,
/// and of `<Type as Trait>` the type counts.
pub(crate) fn path<'a>(tokens: &Tokens<'a>, name: usize) -> (usize, Vec<&'a str>) {
    let mut segments = vec![tokens.text(name)];
    let mut start = name;
    while start >= 2 && tokens.is_pair(start - 2, *b"::") {
        let Some(mut before) = start.checked_sub(3) else {
            start -= 2;
            break;
        };
        if tokens.is(before, b'>') {
            let Some(angle) = before_generics(tokens, before) else {
                start -= 2;
                break;
            };
            let word = if angle >= 3 && tokens.is_pair(angle - 2, *b"::") {
                angle - 3
            } else {
                angle.wrapping_sub(1)
            };
            if tokens.is_any_word(word) && !KEYWORDS.contains(&tokens.text(word)) {
                before = word;
            } else {
                segments.extend(first_path(tokens, angle + 1).into_iter().rev());
                start = angle;
                break;
            }
        }
        if !tokens.is_any_word(before) || KEYWORDS.contains(&tokens.text(before)) {
            // A path from the root, such as `::tokio::spawn`.
            start -= 2;
            break;
        }
        segments.push(tokens.text(before));
        start = before;
        if start > 0 && tokens.is(start - 1, b'$') {
            start -= 1;
            break;
        }
    }
    segments.reverse();
    (start, segments)
}

/// Words that can stand before a path without being part of it.
const KEYWORDS: [&str; 9] = ["return", "in", "match", "if", "while", "else", "move", "mut", "break"];

/// The path that begins at this index.
fn first_path<'a>(tokens: &Tokens<'a>, mut at: usize) -> Vec<&'a str> {
    let mut segments = Vec::new();
    while tokens.is_any_word(at) {
        segments.push(tokens.text(at));
        if !tokens.is_pair(at + 1, *b"::") {
            break;
        }
        at += 3;
    }
    segments
}

/// The index behind the generic arguments whose `<` is at this index.
fn behind_generics(tokens: &Tokens<'_>, angle: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = angle;
    while at < angle + LONGEST_GENERICS && !tokens.is(at, b';') {
        if tokens.is(at, b'<') {
            depth += 1;
        } else if closes_generics(tokens, at) {
            depth = depth.checked_sub(1)?;
        }
        at = tokens.closing(at).unwrap_or(at) + 1;
        if depth == 0 {
            return (at > angle + 1).then_some(at);
        }
    }
    None
}

/// The index of the `<` of the generic arguments whose `>` is at this index.
fn before_generics(tokens: &Tokens<'_>, angle: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = angle;
    let first = angle.saturating_sub(LONGEST_GENERICS);
    while at >= first && !tokens.is(at, b';') {
        if closes_generics(tokens, at) {
            depth += 1;
        } else if tokens.is(at, b'<') {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return (at < angle).then_some(at);
        }
        at = tokens.opening(at).unwrap_or(at).checked_sub(1)?;
    }
    None
}

/// Whether the token at this index is a `>` that is not the head of an arrow.
fn closes_generics(tokens: &Tokens<'_>, index: usize) -> bool {
    let is_arrow =
        || index.checked_sub(1).is_some_and(|it| tokens.is_pair(it, *b"->") || tokens.is_pair(it, *b"=>"));
    tokens.is(index, b'>') && !is_arrow()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_from_their_names() {
        // The name is `f`; the path or the text before the dot is expected.
        let cases = [
            ("a.f()", Some(".")),
            ("a.f::<Vec<u8>, fn() -> u8>(1)", Some(".")),
            ("a::b::f(1)", Some("a::b::f")),
            ("::a::f()", Some("a::f")),
            ("x = A::<u8>::f()", Some("A::f")),
            ("<A<fn() -> B>>::f()", Some("A::f")),
            ("a < b => ::c::f()", Some("c::f")),
            ("a < b -> ::f()", Some("f")),
            ("a; b > ::c::f()", Some("c::f")),
            ("return <a::A as B>::f()", Some("a::A::f")),
            ("a < f()", Some("f")),
            ("0..f()", Some("f")),
            ("$crate::f()", Some("crate::f")),
            ("fn f()", None),
            ("a::f", None),
            ("f::<u8", None),
            ("a.f", None),
            ("f(", None),
        ];
        for (text, expected) in cases {
            let tokens = Tokens::of(text);
            let name = (0..tokens.len()).rfind(|&index| tokens.is_word(index, "f")).unwrap();
            let call = Call::at(&tokens, name).map(|call| match call.shape {
                Shape::Method { .. } => ".".to_owned(),
                Shape::Function { path, .. } => path.join("::"),
            });
            assert_eq!(call.as_deref(), expected, "{text}");
        }
    }
}
