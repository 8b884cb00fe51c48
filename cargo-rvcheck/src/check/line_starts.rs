//! Where the lines of a text begin: many findings may name a line each.

/// See the module.
#[derive(Debug)]
pub(super) struct LineStarts(Vec<usize>);

impl LineStarts {
    /// Those of this text.
    pub(super) fn of(text: &str) -> LineStarts {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        LineStarts(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }

    /// The line of this number, from 1, of the same text, without its line break; empty if there is none.
    pub(super) fn line<'t>(&self, text: &'t str, number: u32) -> &'t str {
        let index = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let from = self.0.get(index).and_then(|start| text.get(*start..));
        from.and_then(|it| it.lines().next()).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::LineStarts;

    #[test]
    fn a_line_is_found_by_its_number() {
        let text = "{}\r\n\n{\"e\":1}";
        let starts = LineStarts::of(text);
        let lines: Vec<_> = (1..=4).map(|it| starts.line(text, it)).collect();
        assert_eq!(lines, ["{}", "", "{\"e\":1}", ""]);
    }
}
