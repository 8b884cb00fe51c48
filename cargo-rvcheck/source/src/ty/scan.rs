//! Finding one's way in a line: brackets, strings and commas.

/// The offset of the first place outside all brackets and strings at which `found` says yes of the rest of the text.
pub(crate) fn find_outside(text: &str, mut found: impl FnMut(&str) -> bool) -> Option<usize> {
    let mut depth = 0_i32;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if depth == 0 && found(rest) {
            return Some(at);
        }
        let (step, change) = token(rest);
        depth += change;
        at += step;
    }
    None
}

/// How long the next token is, and by how much it nests deeper.
fn token(rest: &str) -> (usize, i32) {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else { return (1, 0) };
    match first {
        '(' | '[' | '{' | '<' => (1, 1),
        // The arrows of types and the comparisons of constants are no brackets.
        '-' | '=' if rest[1..].starts_with('>') => (2, 0),
        ')' | ']' | '}' | '>' => (1, -1),
        '"' => (quoted(rest, '"'), 0),
        '\'' => (character(rest), 0),
        _ => (first.len_utf8(), 0),
    }
}

/// The length of a literal in quotes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if char == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal, or of the quote of a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => quoted(rest, '\''),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// The pieces between separators outside brackets and strings; one more than there are separators.
pub(crate) fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut at) = (0_i32, 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if depth == 0 && rest.starts_with(separator) {
            found.push(&text[start..at]);
            at += separator.len();
            start = at;
            continue;
        }
        let (step, change) = token(rest);
        depth += change;
        at += step;
    }
    found.push(&text[start..]);
    found
}

/// The parts between commas outside brackets, without the space around them; none after a comma at the end.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = split(text, ",").into_iter().map(str::trim).collect();
    if found.last().is_some_and(|it| it.is_empty()) {
        found.pop();
    }
    found
}

/// The text before a closing bracket at its end and the bracket's content: `f(a, b)` is `f` and `a, b`.
pub(crate) fn split_last_bracket(text: &str) -> Option<(&str, &str)> {
    let open = match text.chars().next_back()? {
        ')' => '(',
        '}' => '{',
        ']' => '[',
        _ => return None,
    };
    let inner = &text[..text.len() - 1];
    let mut last = None;
    let mut at = 0;
    // The last bracket outside all others that is closed by the end.
    while let Some(offset) = find_outside(&text[at..], |it| it.starts_with(open)) {
        last = Some(at + offset);
        let opened = at + offset;
        let (_, after) = closing(&text[opened..])?;
        at = opened + after;
        if at == text.len() {
            break;
        }
    }
    let start = last?;
    (at == text.len()).then(|| (text[..start].trim_end(), inner[start + 1..].trim()))
}

/// The content of the bracket that the text begins with, and the offset behind it.
pub(crate) fn closing(text: &str) -> Option<(&str, usize)> {
    let mut depth = 0_i32;
    let mut at = 0;
    while at < text.len() {
        let (step, change) = token(&text[at..]);
        depth += change;
        at += step;
        if depth == 0 {
            return Some((&text[1..at - 1], at));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_strings_and_types_part_nothing() {
        assert_eq!(
            parts("a, f(b, c), <D as E<F, G>>::h, \"x, \\\", y\""),
            ["a", "f(b, c)", "<D as E<F, G>>::h", "\"x, \\\", y\""]
        );
        assert_eq!(parts("fn(A) -> B, '<', MutexGuard<'_, C>"), ["fn(A) -> B", "'<'", "MutexGuard<'_, C>"]);
        assert_eq!(parts(""), [""; 0]);
    }

    #[test]
    fn the_arguments_of_a_call_are_its_last_bracket() {
        let cases = [
            ("f(a, b)", Some(("f", "a, b"))),
            ("<(A, B) as T>::f::<(C,)>(move _1)", Some(("<(A, B) as T>::f::<(C,)>", "move _1"))),
            ("S { a: b }", Some(("S", "a: b"))),
            ("(move _1, move _2)", Some(("", "move _1, move _2"))),
            ("copy _1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(split_last_bracket(text), expected, "{text}");
        }
    }
}
