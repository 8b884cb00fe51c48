//! What a call works on, or what its result is bound to, as text.

use crate::call::path;
use crate::token::{Kind, Tokens};

/// Longer expressions are no names.
const LONGEST: usize = 60;

/// The receiver of the method call or await whose dot is at this index, without whitespace. Chains of fields, indices
/// and calls count, blocks and operators do not.
pub(super) fn receiver(tokens: &Tokens<'_>, dot: usize) -> Option<String> {
    text(tokens, receiver_start(tokens, dot)?, dot)
}

/// The index of the first token of that receiver.
pub(crate) fn receiver_start(tokens: &Tokens<'_>, dot: usize) -> Option<usize> {
    let mut at = dot.checked_sub(1)?;
    loop {
        if tokens.is(at, b'?') {
            at = at.checked_sub(1)?;
            continue;
        }
        match tokens.get(at)?.kind {
            Kind::Close => {
                let open = tokens.opening(at)?;
                if tokens.is(open, b'{') {
                    return None;
                }
                let before = open.checked_sub(1).filter(|&before| ends_callee(tokens, before));
                match before {
                    Some(before) => at = before,
                    None if tokens.is(open, b'(') => return Some(open),
                    None => return None,
                }
            }
            Kind::Mark(b'!') => at = at.checked_sub(1)?,
            Kind::Word | Kind::OtherWord | Kind::Literal => {
                let start = if at > 0 && tokens.is(at - 1, b'$') { at - 1 } else { at };
                if start > 1 && tokens.is(start - 1, b'.') && !tokens.is_pair(start - 2, *b"..") {
                    at = start - 2;
                } else if start > 2 && tokens.is_pair(start - 2, *b"::") && tokens.is_any_word(start - 3) {
                    at = start - 3;
                } else {
                    return Some(start);
                }
            }
            _ => return None,
        }
    }
}

/// Whether a group that follows the token at this index is its arguments or index.
fn ends_callee(tokens: &Tokens<'_>, index: usize) -> bool {
    const KEYWORDS: [&str; 8] = ["return", "in", "match", "if", "while", "else", "break", "move"];
    tokens.get(index).is_some_and(|token| match token.kind {
        Kind::Word => !KEYWORDS.contains(&tokens.text(index)),
        Kind::OtherWord | Kind::Close => !tokens.is(index, b'}'),
        Kind::Mark(b'!') => index.checked_sub(1).is_some_and(|name| tokens.is_any_word(name)),
        Kind::Mark(mark) => mark == b'?',
        _ => false,
    })
}

/// The first argument of the call with its parenthesis at this index, without borrows.
pub(super) fn first_argument(tokens: &Tokens<'_>, open: usize) -> Option<String> {
    let close = tokens.closing(open)?;
    let mut start = open + 1;
    while tokens.is(start, b'&') || tokens.is(start, b'*') || tokens.is_word(start, "mut") {
        start += 1;
    }
    let mut end = start;
    while end < close && !tokens.is(end, b',') {
        end = tokens.closing(end).unwrap_or(end) + 1;
    }
    text(tokens, start, end)
}

/// The name of the field, variable, static or place that gets the value of the expression that begins at this index.
/// Calls around the expression, as in `Arc::new(Mutex::new(0))`, are looked through.
pub(super) fn target(tokens: &Tokens<'_>, expression: usize) -> Option<String> {
    let mut start = expression;
    loop {
        let before = start.checked_sub(1)?;
        if tokens.is(before, b'(') {
            let name = before.checked_sub(1).filter(|&name| tokens.is_any_word(name))?;
            start = path(tokens, name).0;
            if start > 0 && tokens.is(start - 1, b'.') {
                return None;
            }
        } else if tokens.is(before, b'[') {
            let is_macro = before > 1 && tokens.is(before - 1, b'!') && tokens.is_any_word(before - 2);
            start = if is_macro { before - 2 } else { before };
        } else if tokens.is(before, b'|') {
            // The head of a closure, as in `LazyLock::new(|| Mutex::new(0))`.
            start = (before.saturating_sub(8)..before).rfind(|&index| tokens.is(index, b'|'))?;
            if start > 0 && tokens.is_word(start - 1, "move") {
                start -= 1;
            }
        } else if tokens.is(before, b'&') || tokens.is_word(before, "mut") {
            start = before;
        } else if tokens.is(before, b':') {
            let field = before.checked_sub(1)?;
            return tokens.is_any_word(field).then(|| tokens.text(field).to_owned());
        } else if tokens.is(before, b'=') {
            return assigned(tokens, before);
        } else {
            return None;
        }
    }
}

/// What the `=` at this index assigns to.
fn assigned(tokens: &Tokens<'_>, equals: usize) -> Option<String> {
    let mut first = equals;
    while let Some(before) = first.checked_sub(1) {
        let ends =
            tokens.is(before, b';') || tokens.is(before, b'}') || tokens.get(before)?.kind == Kind::Open;
        if ends || tokens.is(before, b',') {
            break;
        }
        first = tokens.opening(before).unwrap_or(before);
    }
    for at in first..equals {
        let keyword = tokens.text(at);
        if ["let", "static", "const"].contains(&keyword) {
            let name = if ["mut", "ref"].contains(&tokens.text(at + 1)) { at + 2 } else { at + 1 };
            let end = (name..equals).find(|&index| tokens.is(index, b':') && !tokens.is_pair(index, *b"::"));
            return text(tokens, name, end.unwrap_or(equals));
        }
    }
    let plain = (first..equals).all(|index| match tokens.get(index).map(|it| it.kind) {
        Some(Kind::Word) => !["if", "while", "match"].contains(&tokens.text(index)),
        Some(Kind::Mark(mark)) => matches!(mark, b'.' | b':' | b'*'),
        Some(Kind::Literal) => true,
        _ => false,
    });
    if plain { text(tokens, first, equals) } else { None }
}

/// The tokens from one index to another, with whitespace only where words would run together.
fn text(tokens: &Tokens<'_>, start: usize, end: usize) -> Option<String> {
    let mut result = String::new();
    let mut last_was_word = false;
    for index in start..end {
        let is_word = matches!(tokens.get(index)?.kind, Kind::Word | Kind::OtherWord | Kind::Literal);
        if is_word && last_was_word {
            result.push(' ');
        }
        result.push_str(tokens.text(index));
        last_was_word = is_word;
        if result.len() > LONGEST {
            return None;
        }
    }
    (!result.is_empty()).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_its_text_without_whitespace() {
        let cases = [
            ("self . db\n.state.lock()", Some("self.db.state")),
            ("*x = self.shards[ i + 1 ].lock()", Some("self.shards[i+1]")),
            ("return Self::global()?.lock()", Some("Self::global()?")),
            ("a::B.lock()", Some("a::B")),
            ("&x.0.lock()", Some("x.0")),
            ("!(a.b).lock()", Some("(a.b)")),
            ("if (x).lock()", Some("(x)")),
            ("global!(x).lock()", Some("global!(x)")),
            ("$x.lock()", Some("$x")),
            ("0..a.lock()", Some("a")),
            ("unsafe { a }.lock()", None),
            ("match a { b => c }.lock()", None),
            ("[a].lock()", None),
            (".lock()", None),
            ("a_name_that_is_longer_than_anybody_wants_to_read.in_one_report.lock()", None),
        ];
        for (source, expected) in cases {
            let tokens = Tokens::of(source);
            let dot = (0..tokens.len()).rfind(|&index| tokens.is(index, b'.')).unwrap();
            assert_eq!(receiver(&tokens, dot).as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn a_created_object_has_the_name_that_it_gets() {
        let cases = [
            ("let a = HERE", Some("a")),
            ("; let mut a: Mutex<u8> = Arc::new(HERE", Some("a")),
            ("{ let (tx, rx) = HERE", Some("(tx,rx)")),
            ("Ledger { id, state: Arc::new(Mutex::new(HERE", Some("state")),
            ("pub static A: LazyLock<u8> = std::sync::LazyLock::new(|| HERE", Some("A")),
            ("fn a() { self.b.c = HERE", Some("self.b.c")),
            ("let a = vec![HERE", Some("a")),
            ("let a = &mut HERE", Some("a")),
            ("a.push(HERE", None),
            ("(a, HERE", None),
            ("a == HERE", None),
            ("a => HERE", None),
            ("fn a() { HERE", None),
            ("HERE", None),
        ];
        for (source, expected) in cases {
            let tokens = Tokens::of(source);
            assert_eq!(target(&tokens, tokens.len() - 1).as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn a_first_argument_is_without_borrows() {
        let cases =
            [("(&mut self.a, b)", Some("self.a")), ("(a(b, c))", Some("a(b,c)")), ("()", None), ("(", None)];
        for (source, expected) in cases {
            assert_eq!(first_argument(&Tokens::of(source), 0).as_deref(), expected, "{source}");
        }
    }
}
