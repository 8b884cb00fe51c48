//! Markdown as GitHub reads it, in a cell of a table or an item of a list: always one line.

use std::fmt::Write as _;

/// Text in which Markdown and HTML read nothing but pairs of backticks, which messages use for names.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // A pair lies on one line, so that what one line leaves open takes nothing of the next.
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        let mut parts: Vec<&str> = line.split('`').collect();
        // An odd number of backticks leaves the last one alone.
        let alone = if parts.len().is_multiple_of(2) { parts.pop() } else { None };
        for (at, part) in parts.into_iter().enumerate() {
            if at % 2 == 0 { plain(part, &mut out) } else { out.push_str(&code(part)) }
        }
        if let Some(rest) = alone {
            out.push_str("\\`");
            plain(rest, &mut out);
        }
    }
    out
}

fn plain(text: &str, out: &mut String) {
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let in_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        match letter {
            '\r' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '&' if next.is_some_and(|it| it.is_alphanumeric() || it == '#') => out.push_str("&amp;"),
            // Nobody is called by it, and it is no address.
            '@' if in_word(next) => out.push_str("@<!-- -->"),
            '\\' | '|' | '*' | '[' | ']' | '~' | '$' => out.extend(['\\', letter]),
            // Between letters it is one.
            '_' if !(in_word(before) && in_word(next)) => out.push_str("\\_"),
            _ => out.push(letter),
        }
        before = Some(letter);
    }
}

/// Text as code. Its fence is longer than any that stands in it.
pub fn code(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    // A bar ends the cell where it has no backslash in front, or two.
    let text = text.replace(['\n', '\r'], " ").replace("\\|", "\\ |").replace('|', "\\|");
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    if longest == 0 {
        return format!("`{text}`");
    }
    let fence = "`".repeat(longest + 1);
    let mut code = String::with_capacity(text.len() + 2 * fence.len() + 2);
    let _ = write!(code, "{fence} {text} {fence}");
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_message_breaks_the_table() {
        let cases = [
            ("a|b\nVec<T> of `Vec<T>` in a_b", "a\\|b Vec&lt;T> of `Vec<T>` in a_b"),
            ("one ` alone <b>", "one \\` alone &lt;b>"),
            ("`a` and ` <b>", "`a` and \\` &lt;b>"),
            ("a ` here\n` there", "a \\` here \\` there"),
            ("[x](javascript:y) *b* _c_ ![i](u)", "\\[x\\](javascript:y) \\*b\\* \\_c\\_ !\\[i\\](u)"),
            ("\\`a", "\\\\\\`a"),
            ("&lt;b> and @all, a & b, $1$", "&amp;lt;b> and @<!-- -->all, a & b, \\$1\\$"),
        ];
        for (message, expected) in cases {
            assert_eq!(text(message), expected);
        }
    }

    #[test]
    fn code_ends_where_it_ends() {
        let cases = [
            ("a|b", "`a\\|b`"),
            ("a`b|c", "`` a`b\\|c ``"),
            ("``` <b>", "```` ``` <b> ````"),
            ("a\nb", "`a b`"),
            ("a\\|b", "`a\\ \\|b`"),
            ("", ""),
        ];
        for (name, expected) in cases {
            assert_eq!(code(name), expected);
        }
    }
}
