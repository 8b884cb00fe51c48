//! Byte offsets as lines and columns.

use rvcheck_event::position::{CompiledPosition, SourcePosition};

/// Where the lines of a text begin, for whoever keeps the text elsewhere.
#[derive(Debug)]
pub struct LineStarts(Vec<usize>);

impl LineStarts {
    /// Those of this text. A byte order mark is not part of the first line, as for the compiler.
    pub fn of(text: &str) -> LineStarts {
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let breaks =
            text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(offset, _)| offset + 1);
        LineStarts(std::iter::once(first).chain(breaks).collect())
    }

    /// The line of this number, from 1, of the same text, without its line break; empty if there is none.
    pub fn line<'t>(&self, text: &'t str, number: u32) -> &'t str {
        let index = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let from = self.0.get(index).and_then(|start| text.get(*start..));
        from.and_then(|it| it.lines().next()).unwrap_or("")
    }
}

/// A text, and where its lines begin.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines.
    pub(crate) fn of(text: &'a str) -> Lines<'a> {
        Lines { text, starts: LineStarts::of(text).0 }
    }

    /// The position of a byte offset, where the text is as its author wrote it.
    pub(crate) fn source_position(&self, offset: usize) -> SourcePosition {
        let (line, column) = self.position(offset);
        SourcePosition::new(line, column)
    }

    /// The position of a byte offset, where the text is what was compiled.
    pub(crate) fn compiled_position(&self, offset: usize) -> CompiledPosition {
        let (line, column) = self.position(offset);
        CompiledPosition::new(line, column)
    }

    /// Line and column of a byte offset, both from 1, the column in characters. An offset past the end counts as the
    /// end.
    fn position(&self, offset: usize) -> (u32, u32) {
        let line = self.line_index(offset);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let column =
            self.text.get(start..offset.min(self.text.len())).map_or(0, |before| before.chars().count());
        (line as u32 + 1, column as u32 + 1)
    }

    /// The line of a byte offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.line_index(offset) as u32 + 1
    }

    /// The text of a line, from 1, without its line break, and the byte offset of its beginning.
    pub(crate) fn text(&self, line: u32) -> Option<(usize, &'a str)> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |&next| next - 1);
        Some((start, self.text.get(start..end)?))
    }

    /// The byte offset of a position; `None` if there is no such line or column.
    pub(crate) fn offset(&self, position: SourcePosition) -> Option<usize> {
        let (start, line) = self.text(position.line)?;
        let before = usize::try_from(position.column).ok()?.checked_sub(1)?;
        let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        ends.into_iter().nth(before).map(|at| start + at)
    }

    /// How many lines there are; the empty rest behind the last line break counts.
    pub(crate) fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    fn line_index(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_by_its_number() {
        let text = "{}\r\n\n{\"e\":1}";
        let starts = LineStarts::of(text);
        let lines: Vec<_> = (1..=4).map(|it| starts.line(text, it)).collect();
        assert_eq!(lines, ["{}", "", "{\"e\":1}", ""]);
    }

    #[test]
    fn positions_count_characters_from_one() {
        let lines = Lines::of("\u{feff}a\nöb\r\n");
        for (offset, expected) in
            [(3, (1, 1)), (4, (1, 2)), (5, (2, 1)), (7, (2, 2)), (8, (2, 3)), (10, (3, 1)), (99, (3, 1))]
        {
            assert_eq!(lines.position(offset), expected, "{offset}");
        }
    }

    #[test]
    fn a_position_leads_back_to_its_offset() {
        let lines = Lines::of("\u{feff}a\nöb\r\n");
        for offset in [3, 4, 5, 7, 8] {
            assert_eq!(lines.offset(lines.source_position(offset)), Some(offset));
        }
        assert_eq!(lines.offset(SourcePosition::new(2, 9)), None);
        assert_eq!(lines.offset(SourcePosition::new(9, 1)), None);
    }

    #[test]
    fn the_text_of_a_line_is_without_its_break() {
        let lines = Lines::of("a\nbc\n");
        assert_eq!(lines.text(2), Some((2, "bc")));
        assert_eq!(lines.text(3), Some((5, "")));
        assert_eq!((lines.text(0), lines.text(4), lines.count()), (None, None, 3));
    }
}
