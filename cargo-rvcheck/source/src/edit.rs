//! Insertions into a text.

use std::borrow::Cow;

/// An insertion. Nothing is ever removed or replaced, so taking the insertions away gives the original text back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The byte offset in the original text before which the insertion goes.
    pub offset: usize,
    /// What is inserted. It has no line break.
    pub insert: Cow<'static, str>,
    /// The byte offset in the original text that positions inside the insertion are reported as.
    pub stands_for: usize,
}

/// The text with the insertions made. The edits are in the order of their offsets. An edit that lies past the end or
/// inside a character is left out, and so is one that would go back.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let inserted: usize = edits.iter().map(|edit| edit.insert.len()).sum();
    let mut result = String::with_capacity(text.len() + inserted);
    let mut done = 0;
    for edit in edits {
        if let Some(between) = text.get(done..edit.offset) {
            result.push_str(between);
            result.push_str(&edit.insert);
            done = edit.offset;
        }
    }
    result.push_str(&text[done..]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(offset: usize, insert: &'static str) -> Edit {
        Edit { offset, insert: insert.into(), stands_for: offset }
    }

    #[test]
    fn no_edits_give_the_same_bytes() {
        for text in ["", "fn a() {}\r\n", "größe\u{feff}\n\n"] {
            assert_eq!(apply(text, &[]), text);
        }
    }

    #[test]
    fn insertions_go_before_their_offsets() {
        assert_eq!(apply("abc", &[edit(0, "1"), edit(1, "2"), edit(1, "3"), edit(3, "4")]), "1a23bc4");
    }

    #[test]
    fn an_edit_that_does_not_fit_is_left_out() {
        assert_eq!(apply("aéb", &[edit(2, "x"), edit(3, "y"), edit(1, "z"), edit(9, "w")]), "aéyb");
    }
}
