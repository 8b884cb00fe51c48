//! Where the bytes of a formula stand in the source, if the call has it as a literal.

use crate::finding::Location;
use std::ops::Range;

/// How many bytes may stand between the beginning of the call and the formula.
const AHEAD: usize = 512;

/// The place of these bytes of a formula in the text of its call. `None` where the formula does not stand there as it is.
pub(super) fn quoted(
    text: &str,
    call: &Location,
    formula: &str,
    span: Range<usize>,
    label: &str,
) -> Option<Location> {
    let begin = offset(text, call.line, call.column)?;
    let before = text.get(begin..)?.find(formula).filter(|it| *it < AHEAD && !formula.is_empty())?;
    let at = |byte: usize| begin + before + byte.min(formula.len());
    let (line, column) = position(text, at(span.start))?;
    // At the end of the formula there is nothing but its quote.
    let (end_line, end_column) = position(text, at(span.end).max(at(span.start)))?;
    let empty = span.end <= span.start;
    let end_column = if empty { end_column + 1 } else { end_column };
    Some(Location { file: call.file.clone(), line, column, end_line, end_column, label: label.to_owned() })
}

/// The byte at a line and column.
fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let lines = text.split_inclusive('\n');
    let index = usize::try_from(line.checked_sub(1)?).ok()?;
    let start: usize = lines.clone().take(index).map(str::len).sum();
    let line = lines.clone().nth(index)?;
    let within = line.char_indices().nth(usize::try_from(column.checked_sub(1)?).ok()?)?.0;
    Some(start + within)
}

/// The line and the column of a byte.
fn position(text: &str, offset: usize) -> Option<(u32, u32)> {
    let before = text.get(..offset)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn größe() {\n    check(\n        \"p\",\n        \"G busi()\",\n    );\n}\n";

    fn found(formula: &str, span: Range<usize>) -> Option<(u32, u32, u32, u32)> {
        let label = String::new();
        let call = Location { file: "a.rs".into(), line: 2, column: 5, end_line: 2, end_column: 10, label };
        quoted(TEXT, &call, formula, span, "").map(|it| (it.line, it.column, it.end_line, it.end_column))
    }

    #[test]
    fn the_wrong_word_is_found_in_the_literal() {
        assert_eq!(found("G busi()", 2..6), Some((4, 12, 4, 16)));
        assert_eq!(found("G busi()", 8..8), Some((4, 18, 4, 19)));
    }

    #[test]
    fn a_formula_that_is_put_together_stands_nowhere() {
        assert_eq!(found("G busy()", 2..6), None);
        assert_eq!(found("", 0..0), None);
    }
}
