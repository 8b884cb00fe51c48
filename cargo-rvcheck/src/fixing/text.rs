//! What edits make of a text.

use crate::finding::TextEdit;

/// The text with these edits made, which do not overlap. `None` where one of them lies outside it.
pub fn changed<'a>(text: &str, edits: impl IntoIterator<Item = &'a TextEdit>) -> Option<String> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |line: u32, column: u32| {
        let start = *starts.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        let rest = text[start..].split('\n').next()?;
        let before = usize::try_from(column).ok()?.checked_sub(1)?;
        let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
        ends.into_iter().nth(before).map(|at| start + at)
    };
    let placed = |it: &'a TextEdit| {
        let range = offset(it.line, it.column)?..offset(it.end_line, it.end_column)?;
        (range.start <= range.end).then_some((range, it.replacement.as_str()))
    };
    let mut placed: Vec<_> = edits.into_iter().map(placed).collect::<Option<_>>()?;
    placed.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut result, mut done) = (String::with_capacity(text.len()), 0);
    for (range, replacement) in placed {
        result.push_str(text.get(done..range.start)?);
        result.push_str(replacement);
        done = range.end;
    }
    result.push_str(&text[done..]);
    Some(result)
}
