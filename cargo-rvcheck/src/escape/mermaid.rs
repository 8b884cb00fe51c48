//! Labels of diagrams in Mermaid's language.

use super::legible::one_line;
use std::fmt::Write as _;

/// A label in which Mermaid, Markdown and HTML read nothing, of at most so many characters.
pub fn label(text: &str, most: usize) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len());
    for (at, letter) in text.chars().enumerate() {
        if at == most {
            out.push('…');
            break;
        }
        if letter.is_alphanumeric() || " ._-/,()".contains(letter) {
            out.push(letter);
        } else {
            let _ = write!(out, "#{};", u32::from(letter));
        }
    }
    // Alone it would end a block.
    if out.trim().eq_ignore_ascii_case("end") { format!("({})", out.trim()) } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_label_is_read() {
        let cases = [
            ("the task `a`", "the task #96;a#96;"),
            ("a; b\nloop x", "a#59; b loop x"),
            ("<b>#x%%", "#60;b#62;#35;x#37;#37;"),
            ("End", "(End)"),
            ("größe", "größe"),
            ("\u{1b}[0m", "#9243;#91;0m"),
        ];
        for (text, expected) in cases {
            assert_eq!(label(text, 40), expected, "{text:?}");
        }
        assert_eq!(label("abcdef", 3), "abc…");
    }
}
