//! The words of a text, those that names such as `held_back` or `HeldBack` are made of included.

use std::collections::HashSet;

/// What stands between a word and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    /// Nothing but `_` or `-`: both are parts of one name.
    Inside,
    /// Space, the mark of a comment, or emphasis.
    Space,
    /// Anything else.
    Break,
}

/// A word in small letters, and where it begins.
#[derive(Debug)]
struct Word {
    at: usize,
    joint: Joint,
    text: String,
}

/// A word or several, such as `stand-in` or `held back`, to be looked for. Parts with a hyphen are found only in one name.
#[derive(Debug)]
pub struct Phrase(Vec<Word>);

impl Phrase {
    /// The phrase that is written so.
    pub fn new(text: &str) -> Phrase {
        Phrase(words(text))
    }

    /// The lines of a text that have it, counted from 1.
    pub fn lines(&self, text: &str) -> Vec<usize> {
        let words = words(text);
        let found = words.windows(self.0.len()).filter(|it| self.is(it));
        found.map(|it| 1 + text[..it[0].at].matches('\n').count()).collect()
    }

    /// Whether a text with these words can have it.
    pub fn may_be_among(&self, words: &HashSet<String>) -> bool {
        self.0.iter().all(|it| words.contains(&it.text))
    }

    fn is(&self, words: &[Word]) -> bool {
        let is_same = |(at, (mine, other)): (usize, (&Word, &Word))| {
            mine.text == other.text
                && (at == 0
                    || other.joint == Joint::Inside
                    || mine.joint == Joint::Space && other.joint == Joint::Space)
        };
        self.0.iter().zip(words).enumerate().all(is_same)
    }
}

/// All words of a text, in small letters.
pub fn vocabulary(text: &str) -> HashSet<String> {
    words(text).into_iter().map(|it| it.text).collect()
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut joint = Joint::Break;
    let mut last = ' ';
    for (at, letter) in text.char_indices() {
        let is_letter = letter.is_alphanumeric() || letter == '\'' && last.is_alphanumeric();
        if is_letter {
            let begins =
                !last.is_alphanumeric() && last != '\'' || last.is_lowercase() && letter.is_uppercase();
            if begins {
                let joint = if last.is_lowercase() { Joint::Inside } else { joint };
                words.push(Word { at, joint, text: String::new() });
            }
            if let Some(word) = words.last_mut() {
                word.text.extend(letter.to_lowercase());
            }
            joint = Joint::Inside;
        } else {
            let here = match letter {
                '_' | '-' => Joint::Inside,
                ' ' | '\n' | '/' | '!' | '*' | '#' => Joint::Space,
                _ => Joint::Break,
            };
            joint = match (joint, here) {
                (Joint::Break, _) | (_, Joint::Break) => Joint::Break,
                (Joint::Inside, Joint::Inside) => Joint::Inside,
                _ => Joint::Space,
            };
        }
        last = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_in_prose_and_in_names() {
        let held = Phrase::new("held back");
        assert_eq!(held.lines("// held\n// back\nfn held_back(x: HeldBack)"), [1, 3, 3]);
        assert_eq!(held.lines("held. Back; withheld back; held backs; back, held"), [0; 0]);
        let shim = Phrase::new("stand-in");
        assert_eq!(shim.lines("a stand-in\nstand in\nStandIn"), [1, 3]);
    }
}
