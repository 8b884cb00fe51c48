//! From positions in rewritten text back to the original.
//!
//! The compiler counts columns in two ways. Its messages count characters. A run-time `Location`, and so a panic
//! message, counts what a terminal shows: a tab is four columns wide, most characters are one, ideographs are two and
//! combining characters none. Everything else in rvcheck counts characters, so positions are translated here, also for
//! files in which nothing was inserted.

use crate::edit::Edit;
use crate::lines::Lines;
use rvcheck_event::position::{CompiledPosition, SourcePosition};
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthChar;

/// Positions of one file, from rewritten to original text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionMap {
    /// The lines on which positions differ.
    lines: BTreeMap<u32, Line>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Line {
    /// The original text.
    text: String,
    insertions: Vec<Insertion>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Insertion {
    /// The number of original characters on the line before it.
    before: usize,
    text: String,
    /// What in the original it stands for.
    stands_for: SourcePosition,
}

impl PositionMap {
    /// The map for a file with these edits, which are in the order of their offsets.
    pub fn new(original: &str, edits: &[Edit]) -> PositionMap {
        let index = Lines::of(original);
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        for number in 1..=index.count() {
            if let Some((_, text)) = index.text(number)
                && text.bytes().any(|byte| byte == b'\t' || !byte.is_ascii())
            {
                lines.insert(number, Line { text: text.to_owned(), insertions: Vec::new() });
            }
        }
        for edit in edits {
            let at = index.source_position(edit.offset);
            let line = lines.entry(at.line).or_insert_with(|| Line {
                text: index.text(at.line).map_or("", |(_, text)| text).to_owned(),
                insertions: Vec::new(),
            });
            line.insertions.push(Insertion {
                before: at.column as usize - 1,
                text: edit.insert.clone().into_owned(),
                stands_for: index.source_position(edit.stands_for),
            });
        }
        PositionMap { lines }
    }

    /// Where in the original a run-time `Location` points. A position inside an insertion comes back as the position that
    /// the insertion stands for: for the marker of an await, the word `await`.
    ///
    /// The column that comes back counts characters. Positions outside the file come back as they are.
    pub fn original(&self, position: CompiledPosition) -> SourcePosition {
        self.find(position, shown_width)
    }

    /// The same for a position in a message of the compiler, which counts characters. The end of a message's span may
    /// fall into an insertion too, and then comes back as the beginning of what the insertion stands for.
    pub fn original_of_message(&self, position: CompiledPosition) -> SourcePosition {
        self.find(position, |_| 1)
    }

    fn find(&self, position: CompiledPosition, width: fn(char) -> usize) -> SourcePosition {
        let CompiledPosition { line, column } = position;
        let Some(content) = self.lines.get(&line) else { return SourcePosition::new(line, column) };
        let target = column as usize;
        let mut reached = 1;
        let mut passed = 0;
        let mut insertions = content.insertions.iter().peekable();
        let mut characters = content.text.chars();
        loop {
            while let Some(insertion) = insertions.next_if(|it| it.before <= passed) {
                reached += insertion.text.chars().map(width).sum::<usize>();
                if target < reached {
                    return insertion.stands_for;
                }
            }
            let Some(character) = characters.next() else { break };
            reached += width(character);
            if target < reached {
                return SourcePosition::new(line, passed as u32 + 1);
            }
            passed += 1;
        }
        SourcePosition::new(line, (passed + 1 + target.saturating_sub(reached)) as u32)
    }
}

/// How many columns the compiler counts for a character in a `Location`.
fn shown_width(character: char) -> usize {
    match character {
        '\t' => 4,
        // Direction marks are replaced by something visible in messages, and counted as that.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => 1,
        _ => character.width().unwrap_or(1),
    }
}

/// Behind the word that begins at this position, in the line of this text, or behind one character where none does.
pub fn end_of_word(line: &str, at: SourcePosition) -> SourcePosition {
    let rest = line.chars().skip(at.column.saturating_sub(1) as usize);
    let word = rest.take_while(|it| it.is_alphanumeric() || matches!(it, '_' | ':' | '!')).count();
    SourcePosition::new(at.line, at.column.saturating_add(u32::try_from(word.max(1)).unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::Edition;
    use crate::rewrite::{Options, in_place};

    type LineColumn = (u32, u32);

    /// Checks positions in the rewritten text, as a `Location` has them, and where they are in the original.
    fn check(original: &str, cases: &[(LineColumn, LineColumn)]) {
        let rewritten = in_place(original, Edition::Rust2021, &Options::PLAIN);
        let map = PositionMap::new(original, &rewritten.edits);
        for &((line, column), expected) in cases {
            let (compiled, expected) =
                (CompiledPosition::new(line, column), SourcePosition::new(expected.0, expected.1));
            assert_eq!(map.original(compiled), expected, "{compiled} in {:?}", rewritten.text);
        }
    }

    #[test]
    fn a_marker_stands_for_the_word_await() {
        // Into `a().__rv_await::<0x0000000000000005>().await; …`: 35 columns more before each await.
        check(
            "a().await; b().await; c",
            &[
                ((1, 1), (1, 1)),
                ((1, 4), (1, 5)),
                ((1, 5), (1, 5)),
                ((1, 38), (1, 5)),
                ((1, 39), (1, 4)),
                ((1, 40), (1, 5)),
                ((1, 47), (1, 12)),
                ((1, 51), (1, 16)),
                ((1, 98), (1, 28)),
                ((2, 9), (2, 9)),
            ],
        );
    }

    #[test]
    fn a_marker_stands_for_the_word_await_on_another_line() {
        check("a()\n  . // so\n await", &[((2, 4), (3, 2)), ((2, 38), (2, 3)), ((3, 2), (3, 2))]);
    }

    #[test]
    fn tabs_and_wide_characters_are_counted_as_shown() {
        check("\t\ta.await", &[((1, 9), (1, 3)), ((1, 11), (1, 5)), ((1, 46), (1, 5))]);
        check(
            "/*漢e\u{301}é*/ x",
            &[((1, 3), (1, 3)), ((1, 5), (1, 4)), ((1, 9), (1, 9)), ((1, 10), (1, 10))],
        );
    }

    #[test]
    fn messages_count_characters() {
        let text = "\t漢.await";
        let edits = [Edit { offset: 4, insert: ".__rv_await()".into(), stands_for: 5 }];
        let map = PositionMap::new(text, &edits);
        let cases = [(1, 1), (2, 2), (3, 4), (15, 4), (16, 3), (17, 4)];
        for (column, expected) in cases {
            let found = map.original_of_message(CompiledPosition::new(1, column));
            assert_eq!(found, SourcePosition::new(1, expected), "{column}");
        }
    }

    #[test]
    fn the_word_at_a_position_gives_the_end() {
        let end = |text, column| end_of_word(text, SourcePosition::new(2, column)).column;
        assert_eq!(end("    größe::set(7);", 5), 15);
        assert_eq!(end("    größe::set(7);", 15), 16);
        assert_eq!(end("", 4), 5, "a line that is not there");
    }
}
