//! JSON, which keeps every text as it is for whoever reads it, but may be shown on a terminal or in a log.

use rvcheck_page::html::substitute;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a value on one line.
pub fn write_line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string(value).map_err(io::Error::from)?;
    writeln!(out, "{}", escaped(&text))
}

/// Writes a value on several lines.
pub fn write_pretty(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    writeln!(out, "{}", escaped(&text))
}

/// The same document of JSON. What is escaped can stand in strings only, and in these it means what it meant.
pub fn escaped(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut before = None;
    for (at, letter) in json.char_indices() {
        let opens = letter == '[' && before == Some("##");
        if opens || substitute(letter).is_some() {
            out.push_str(&json[copied..at]);
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
            copied = at + letter.len_utf8();
        }
        before = match (letter, before) {
            ('#', None) => Some("#"),
            ('#', Some(_)) => Some("##"),
            _ => None,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_says_the_same_and_holds_nothing_that_is_obeyed() {
        let value = ["a\u{1b}[0m\u{9b}2J", "##[error]no", "\u{202e}\u{e0041}", "größe #[a] \"##\" ["];
        let mut line = Vec::new();
        write_line(&value, &mut line).expect("there is room");
        let line = String::from_utf8(line).expect("it is a text");
        let expected =
            r###"["a\u001b[0m\u009b2J","##\u005berror]no","\u202e\udb40\udc41","größe #[a] \"##\" ["]"###;
        assert_eq!(line.trim_end(), expected);
        assert_eq!(serde_json::from_str::<[String; 4]>(&line).expect("it is JSON"), value.map(str::to_owned));
    }
}
