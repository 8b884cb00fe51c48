//! Which tokens the compiler evaluates while it compiles: there, only what is `const` can be called.

use crate::token::Tokens;
use std::ops::RangeInclusive;

/// The most words between `const` and `fn`, as in `const unsafe extern "C" fn`.
const MOST_QUALIFIERS: usize = 4;

/// The ranges of tokens that are evaluated beforehand, one behind the other.
pub(crate) struct Constants(Vec<RangeInclusive<usize>>);

impl Constants {
    /// Those of a text.
    pub(crate) fn of(tokens: &Tokens<'_>) -> Constants {
        let mut found = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let range = constant_at(tokens, at);
            at = range.as_ref().map_or(at, |it| *it.end()) + 1;
            found.extend(range);
        }
        Constants(found)
    }

    /// Whether the token at this index is in one of them.
    pub(crate) fn contains(&self, index: usize) -> bool {
        let begun = self.0.partition_point(|it| *it.start() <= index);
        self.0[..begun].last().is_some_and(|it| index <= *it.end())
    }
}

/// The range of tokens that begins here and is evaluated beforehand, if one does: the body of a `const fn`, the value of a
/// constant or static, a `const` block. What a macro makes a constant of is not seen, unless it looks like one.
fn constant_at(tokens: &Tokens<'_>, index: usize) -> Option<RangeInclusive<usize>> {
    let (is_const, is_static) = (tokens.is_word(index, "const"), tokens.is_word(index, "static"));
    if !(is_const || is_static) {
        return None;
    }
    if is_const && tokens.is(index + 1, b'{') {
        return Some(index..=tokens.closing(index + 1)?);
    }
    if is_const
        && let Some(keyword) = (index + 1..=index + MOST_QUALIFIERS).find(|&it| tokens.is_word(it, "fn"))
    {
        let plain = |it: usize| !["{", ";", "=", "}"].contains(&tokens.text(it));
        if (index + 1..keyword).all(plain) {
            let body = forward(tokens, keyword + 2, |it| tokens.is(it, b'{') || tokens.is(it, b';'));
            return Some(index..=tokens.closing(body).unwrap_or(body));
        }
    }
    // A parameter, as in `<const N: usize>`.
    let is_parameter = index > 0 && (tokens.is(index - 1, b'<') || tokens.is(index - 1, b','));
    let name = if tokens.is_word(index + 1, "mut") { index + 2 } else { index + 1 };
    if is_parameter || !tokens.is_any_word(name) || !tokens.is(name + 1, b':') || tokens.is(name + 2, b':') {
        return None;
    }
    Some(index..=forward(tokens, name, |it| tokens.is(it, b';')))
}

/// The first token from here on that passes the test, past groups that do not; the end of the text where none does.
fn forward(tokens: &Tokens<'_>, from: usize, test: impl Fn(usize) -> bool) -> usize {
    let mut at = from;
    while at < tokens.len() && !test(at) {
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words `yes` lie in what is constant, and the words `no` do not.
    fn check(text: &str) {
        let tokens = Tokens::of(text);
        let ranges: Vec<_> = (0..tokens.len()).filter_map(|it| constant_at(&tokens, it)).collect();
        for index in 0..tokens.len() {
            let inside = ranges.iter().any(|it| it.contains(&index));
            match tokens.text(index) {
                "yes" => assert!(inside, "{text}"),
                "no" => assert!(!inside, "{text}"),
                _ => {}
            }
        }
    }

    #[test]
    fn constants_are_distinguished_from_what_runs() {
        let texts = [
            "const fn a<const N: usize>(b: [u8; 3]) -> C where D: E { yes } fn f() { no }",
            "pub const unsafe extern \"C\" fn a() { yes }",
            "static A: Mutex<u8> = Mutex::new(yes); fn b() { no }",
            "static mut A: [u8; { 3 }] = { yes; 1 }; no",
            "const _: () = assert!(yes); no",
            "let a = const { yes }; no",
            "fn a<const N: usize>() { no; } impl<T, const M: u8> B<T> for C { fn d() { no; } }",
            "let a = b as *const u8; no; let c: &'static str = no;",
            "lazy_static! { static ref A: B = no; }",
            "trait A { const B: u8; fn c() { no } }",
            "const a",
            "const fn a(",
        ];
        for text in texts {
            check(text);
        }
    }
}
