//! Comments by which a user allows what a property objects to.
//!
//! `// rvcheck: allow(lost-error, reason = "a failed prefetch is repeated on use")` behind code covers its line. On a line
//! of its own it covers the statement or item that follows, attributes and documentation included. `allow-file(…)` covers
//! the whole file. A comment without a reason, or one that cannot be read, covers nothing and says what is wrong with it.

use crate::lines::Lines;
use crate::token::Tokens;
use rvcheck_event::position::SourcePosition;
use std::ops::RangeInclusive;

/// A comment that allows something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// Where it begins.
    pub start: SourcePosition,
    /// Behind its last character.
    pub end: SourcePosition,
    /// What it says.
    pub meaning: Result<Allowed, Unreadable>,
}

/// What a comment allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// The id of the property.
    pub id: String,
    /// Why that is right.
    pub reason: String,
    /// The lines that it covers, from 1.
    pub lines: RangeInclusive<u32>,
}

/// Why a comment allows nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// It names a property but gives no reason.
    NoReason,
    /// It is not of the form `allow(id, reason = "…")`.
    Form,
}

/// The places of a file at which a comment can allow what is found there.
pub struct Offers<'a> {
    text: &'a str,
    tokens: Tokens<'a>,
    lines: Lines<'a>,
}

impl<'a> Offers<'a> {
    /// Those of this text.
    pub fn of(text: &'a str) -> Offers<'a> {
        Offers { text, tokens: Tokens::of(text), lines: Lines::of(text) }
    }

    /// The line to insert before a line, so that it allows what this property or rule finds there. It has the indentation of that line and
    /// no line break. `None` where a line cannot be inserted, as in a string.
    pub fn before(&self, line: u32, id: &str) -> Option<String> {
        let (start, whole) = self.lines.text(line)?;
        let is_cut = self.tokens.index_at(start).checked_sub(1).and_then(|it| self.tokens.get(it));
        if is_cut.is_some_and(|it| it.end > start) {
            return None;
        }
        let indent = &whole[..whole.len() - whole.trim_start().len()];
        let offered = format!("{indent}// rvcheck: allow({id}, reason = \"…\")");
        // Only where there are such comments can the line lie in one.
        (!self.text.contains("/*") || self.is_read(start, &offered, line)).then_some(offered)
    }

    /// Whether this line allows something once it is inserted there.
    fn is_read(&self, start: usize, offered: &str, line: u32) -> bool {
        let text = format!("{}{offered}\n{}", &self.text[..start], &self.text[start..]);
        suppressions(&text).iter().any(|it| it.start.line == line && it.meaning.is_ok())
    }
}

/// The comments in a file that begin with `rvcheck:`, in their order.
pub fn suppressions(text: &str) -> Vec<Suppression> {
    let tokens = Tokens::of(text);
    let lines = Lines::of(text);
    let found = tokens.line_comments.iter().filter_map(|range| {
        let comment = text.get(range.clone())?.trim_end();
        let order = comment.strip_prefix("//")?.trim_start().strip_prefix("rvcheck:")?.trim();
        let start = lines.source_position(range.start);
        let end = lines.source_position(range.start + comment.len());
        let meaning = read(order).map(|read| Allowed {
            id: read.id.to_owned(),
            reason: read.reason.to_owned(),
            lines: if read.whole_file { 1..=lines.count() } else { covered(&tokens, &lines, range.start) },
        });
        Some(Suppression { start, end, meaning })
    });
    found.collect()
}

/// The words of a readable comment.
struct Words<'a> {
    whole_file: bool,
    id: &'a str,
    reason: &'a str,
}

fn read(order: &str) -> Result<Words<'_>, Unreadable> {
    let (whole_file, rest) = match (order.strip_prefix("allow-file"), order.strip_prefix("allow")) {
        (Some(rest), _) => (true, rest),
        (None, Some(rest)) => (false, rest),
        (None, None) => return Err(Unreadable::Form),
    };
    let inside = rest.trim().strip_prefix('(').and_then(|it| it.strip_suffix(')')).ok_or(Unreadable::Form)?;
    let (id, rest) = inside.split_once(',').map_or((inside, ""), |(id, rest)| (id, rest.trim()));
    let id = id.trim();
    if id.is_empty() || !id.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_') {
        return Err(Unreadable::Form);
    }
    if rest.is_empty() {
        return Err(Unreadable::NoReason);
    }
    let value = rest.strip_prefix("reason").and_then(|it| it.trim_start().strip_prefix('=')).map(str::trim);
    let reason = value.and_then(|it| it.strip_prefix('"')?.strip_suffix('"')).ok_or(Unreadable::Form)?.trim();
    if reason.is_empty() { Err(Unreadable::NoReason) } else { Ok(Words { whole_file, id, reason }) }
}

/// The lines that a comment at this offset covers.
fn covered(tokens: &Tokens<'_>, lines: &Lines<'_>, comment: usize) -> RangeInclusive<u32> {
    let line = lines.line(comment);
    let next = tokens.index_at(comment);
    let before = next.checked_sub(1).and_then(|it| tokens.get(it));
    if before.is_some_and(|it| lines.line(it.end.saturating_sub(1)) == line) {
        return line..=line;
    }
    let last = tokens.get(last_of_statement(tokens, next));
    line..=last.map_or(line, |it| lines.line(it.end.saturating_sub(1)))
}

/// The last token of the statement, item, field or arm that begins with this token.
fn last_of_statement(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut index = first;
    // Attributes belong to what follows them.
    while tokens.is(index, b'#') {
        let Some(closing) = tokens.closing(index + 1) else { break };
        index = closing + 1;
    }
    while index < tokens.len() {
        if tokens.is(index, b';') || tokens.is(index, b',') {
            return index;
        }
        if tokens.opening(index).is_some() {
            // The group around it ends first.
            return index.saturating_sub(1).max(first);
        }
        if let Some(closing) = tokens.closing(index) {
            let goes_on = tokens.is(closing + 1, b'.')
                || tokens.is(closing + 1, b'?')
                || tokens.is(closing + 1, b';')
                || tokens.is_word(closing + 1, "else");
            if tokens.is(index, b'{') && !goes_on {
                return closing;
            }
            index = closing;
        }
        index += 1;
    }
    tokens.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHY: &str = r#"reason = "so it is""#;

    fn check(text: &str, expected: &[RangeInclusive<u32>]) {
        let text = text.replace("WHY", WHY);
        let found: Vec<_> =
            suppressions(&text).into_iter().map(|it| it.meaning.expect("it can be read").lines).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn behind_code_a_comment_covers_its_line() {
        check("fn f() {\n    a(); // rvcheck: allow(x, WHY)\n    b();\n}\n", &[2..=2]);
    }

    #[test]
    fn on_its_own_line_it_covers_the_statement_that_follows() {
        check(
            "fn f() {\n    // rvcheck: allow(x, WHY)\n    spawn(async {\n        a();\n    });\n    b();\n}\n",
            &[2..=5],
        );
        check("fn f() {\n    // rvcheck: allow(x, WHY)\n    a()\n}\nfn g() {}\n", &[2..=3]);
        check(
            "fn f() {\n    // rvcheck: allow(x, WHY)\n    if a {\n    } else {\n    }\n    *b = 1;\n}\n",
            &[2..=5],
        );
        check(
            "fn f() {\n    // rvcheck: allow(x, WHY)\n    let a = match b { _ => 1 }\n        .max(2);\n    c();\n}\n",
            &[2..=4],
        );
    }

    #[test]
    fn before_an_item_it_covers_the_item_with_its_attributes() {
        check("// rvcheck: allow(x, WHY)\n/// Does.\n#[test]\nfn f() {\n    a();\n}\nfn g() {}\n", &[1..=6]);
        check("// rvcheck: allow(x, WHY)\nimpl A {\n    fn f() {}\n}\nfn g() {}\n", &[1..=4]);
    }

    #[test]
    fn for_the_file_it_covers_every_line() {
        check("// rvcheck: allow-file(x, WHY)\nfn f() {}\n", &[1..=3]);
    }

    #[test]
    fn what_is_offered_covers_the_line_that_it_was_offered_for() {
        let cases = [
            "fn f() {\n    a();\n}\n",
            "fn f() {\n    x.lock()\n        .unwrap()\n        .push(1);\n}\n",
            "fn f() {\n    select! {\n        _ = a() => {}\n    }\n}\n",
            "/// ```\n/// f();\n/// ```\nfn f() {}\n",
            "/* a\n b */\nfn f() {\n\ta();\n}",
            "#[test]\nfn f() {}",
        ];
        for text in cases {
            for line in 1..=u32::try_from(text.lines().count()).expect("few lines") {
                let Some(offered) = Offers::of(text).before(line, "x") else {
                    assert!(text.starts_with("/*") && line == 2, "{line} of {text}");
                    continue;
                };
                let mut lines: Vec<&str> = text.lines().collect();
                lines.insert(line as usize - 1, &offered);
                let pasted = lines.join("\n");
                let found = suppressions(&pasted);
                let allowed = found[0].meaning.as_ref().expect("it can be read");
                assert!(allowed.lines.contains(&(line + 1)), "{line}: {pasted}");
            }
        }
    }

    #[test]
    fn nothing_is_offered_inside_a_string() {
        let text = "fn f() {\n    g(\"a\nb\");\n}\n";
        assert_eq!(
            Offers::of(text).before(2, "x").as_deref(),
            Some("    // rvcheck: allow(x, reason = \"…\")")
        );
        assert_eq!(Offers::of(text).before(3, "x"), None);
        assert_eq!(Offers::of(text).before(90, "x"), None);
    }

    #[test]
    fn what_cannot_be_read_allows_nothing_and_says_why() {
        let cases = [
            ("// rvcheck: allow(x)", Unreadable::NoReason),
            (r#"// rvcheck: allow(x, reason = "")"#, Unreadable::NoReason),
            ("// rvcheck: allow(x, because)", Unreadable::Form),
            ("// rvcheck: allow()", Unreadable::Form),
            ("// rvcheck: ignore(x)", Unreadable::Form),
            ("// rvcheck: allow x", Unreadable::Form),
        ];
        for (text, problem) in cases {
            let found: Vec<_> = suppressions(text).into_iter().map(|it| it.meaning).collect();
            assert_eq!(found, [Err(problem)], "{text}");
        }
    }

    #[test]
    fn strings_and_other_comments_are_no_suppressions() {
        assert_eq!(
            suppressions("let a = \"// rvcheck: allow(x)\"; // rvchecked\n/* rvcheck: allow(x) */"),
            []
        );
    }
}
