//! Text that a person reads, on a terminal or in a log.
//!
//! A terminal obeys control characters, and the log of GitHub Actions lines that begin with `::`, and `##[` anywhere. Each such
//! character is replaced by one that looks like it, so that columns stay what they are.

use rvcheck_page::html::substitute;
use std::borrow::Cow;

/// Text in which nothing is obeyed. Line breaks and tabs stay.
pub fn legible(text: &str) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut copied = 0;
    let mut begins_line = true;
    let mut before = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|it| it.1);
        let instead = match letter {
            ':' if begins_line => Some('：'),
            '#' if before == Some('#') && matches!(next, None | Some('[')) => Some('＃'),
            '\r' if next == Some('\n') => None,
            _ => substitute(letter),
        };
        if let Some(instead) = instead {
            escaped.push_str(&text[copied..at]);
            escaped.push(instead);
            copied = at + letter.len_utf8();
        }
        begins_line = letter == '\n' || (begins_line && letter.is_whitespace() && instead.is_none());
        before = Some(letter);
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    escaped.push_str(&text[copied..]);
    Cow::Owned(escaped)
}

/// The same on one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains('\n') {
        let line = text.replace("\r\n", " ").replace('\n', " ");
        return Cow::Owned(legible(&line).into_owned());
    }
    legible(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_obeyed_is_shown() {
        let cases = [
            ("\u{1b}[31mred\u{7}", "␛[31mred␇"),
            ("a\rb\u{7f}\u{9b}2J", "a␍b␡\u{fffd}2J"),
            ("abc\u{202e}def", "abc\u{fffd}def"),
            ("::error::no", "：:error::no"),
            ("one\n  ::error::no", "one\n  ：:error::no"),
            ("a ##[error]no, a#", "a #＃[error]no, a#"),
            ("ends in ##", "ends in #＃"),
        ];
        for (text, expected) in cases {
            assert_eq!(legible(text), expected);
            assert_eq!(legible(expected), expected);
        }
    }

    #[test]
    fn what_people_write_stays() {
        for text in ["größe: `a::b` → 3\n\tx::y()", "#[test] ## a", "Windows\r\nlines", "日本語 👩\u{200d}🔬"]
        {
            assert!(matches!(legible(text), Cow::Borrowed(same) if same == text), "{text:?}");
        }
    }

    #[test]
    fn lines_become_one() {
        assert_eq!(one_line("a\nb\r\n::c"), "a b ::c");
        assert_eq!(one_line("\n::c"), " ：:c");
    }
}
