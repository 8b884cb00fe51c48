//! The text that an assertion shows of its condition.
//!
//! `assert!(f().await)` panics with `assertion failed: f().await`: the compiler prints what it has parsed, so the spaces and lines
//! of the source do not count. Only what is surely printed as it stands, apart from line breaks, is taken here: calls, fields, indices,
//! structs, macros, operators and literals on what the compiler puts on one line.

use crate::token::{Kind, Tokens};
use std::ops::Range;

/// The compiler breaks lines behind this column where there is a space.
const LONGEST_LINE: usize = 76;

/// The text that the compiler prints of the expression of these tokens; `None` where that is not known for sure.
pub(super) fn printed(tokens: &Tokens<'_>, range: Range<usize>) -> Option<String> {
    let mut printer = Printer {
        tokens,
        text: String::new(),
        before: Before::Nothing,
        breaks: false,
        generics: 0,
        fields: 0,
    };
    let mut at = range.start;
    while at < range.end {
        at = printer.token(at, range.start)?;
    }
    let fits = printer.text.chars().count() <= LONGEST_LINE || !printer.breaks;
    (fits && printer.before == Before::Operand && printer.generics == 0).then_some(printer.text)
}

/// What stands before a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Before {
    /// Nothing, or what opens a group.
    Nothing,
    /// The end of an operand.
    Operand,
    /// A dot, the two colons of a path, or an operator in front of its operand.
    Glue,
    /// An operator between operands, a comma, or a word that a space follows.
    Space,
}

/// Operators between two operands, the longer ones first.
const OPERATORS: [&str; 16] =
    ["&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "&", "^", "<"];

/// Words that begin or make up expressions that are printed in ways of their own.
const KEYWORDS: [&str; 32] = [
    "async", "break", "const", "continue", "dyn", "else", "enum", "extern", "fn", "for", "if", "impl", "in",
    "let", "loop", "match", "mod", "move", "pub", "raw", "ref", "return", "static", "struct", "trait", "try",
    "type", "unsafe", "use", "where", "while", "yield",
];

struct Printer<'a, 't> {
    tokens: &'a Tokens<'t>,
    text: String,
    before: Before,
    /// There is a space at which the line could be broken.
    breaks: bool,
    /// How many lists of generic arguments are open.
    generics: usize,
    /// How many structs are open.
    fields: usize,
}

impl Printer<'_, '_> {
    /// Prints what begins with this token, and returns the index of the token behind it.
    fn token(&mut self, at: usize, first: usize) -> Option<usize> {
        let tokens = self.tokens;
        let text = tokens.text(at);
        let token = tokens.get(at)?;
        let width = match token.kind {
            Kind::Word => return self.word(at, first),
            Kind::Literal if !text.contains('\n') && self.before != Before::Operand => {
                self.put(at, first, self.before == Before::Space, Before::Operand)?;
                1
            }
            // The fields of a struct.
            Kind::Open if text == "{" && self.names_type(at, first) => {
                self.put(at, first, true, Before::Space)?;
                self.fields += 1;
                1
            }
            Kind::Close if text == "}" && self.fields > 0 && self.before == Before::Operand => {
                self.put(at, first, true, Before::Operand)?;
                self.fields -= 1;
                1
            }
            Kind::Open if text != "{" => {
                self.put(at, first, self.before == Before::Space, Before::Nothing)?;
                1
            }
            Kind::Close
                if text != "}" && (self.before == Before::Operand || self.before == Before::Nothing) =>
            {
                self.put(at, first, false, Before::Operand)?;
                1
            }
            Kind::Mark(_) => return self.mark(at, first),
            Kind::Literal | Kind::Open | Kind::Close | Kind::OtherWord => return None,
        };
        Some(at + width)
    }

    /// Whether the word in front of this token can be the name of a struct.
    fn names_type(&self, at: usize, first: usize) -> bool {
        let name = at.checked_sub(1).filter(|it| *it >= first).map_or("", |it| self.tokens.text(it));
        self.before == Before::Operand && name.starts_with(|it: char| it.is_uppercase())
    }

    fn word(&mut self, at: usize, first: usize) -> Option<usize> {
        let word = self.tokens.text(at);
        if KEYWORDS.contains(&word) {
            return None;
        }
        match word {
            "as" if self.before == Before::Operand => self.put(at, first, true, Before::Space)?,
            "mut" if self.before == Before::Glue && self.text.ends_with('&') => {
                self.put(at, first, false, Before::Space)?;
            }
            "as" | "mut" => return None,
            _ if self.before == Before::Operand => return None,
            _ => self.put(at, first, self.before == Before::Space, Before::Operand)?,
        }
        let is_macro = self.tokens.is(at + 1, b'!')
            && self.tokens.touches(at)
            && matches!(self.tokens.text(at + 2), "(" | "[");
        if is_macro { self.invocation(at) } else { Some(at + 1) }
    }

    /// The input of a macro is printed as it stands, but for line breaks.
    fn invocation(&mut self, name: usize) -> Option<usize> {
        let close = self.tokens.closing(name + 2).filter(|_| self.tokens.touches(name + 1))?;
        self.text.push('!');
        for at in name + 2..=close {
            let text = self.tokens.text(at);
            if text.contains('\n') {
                return None;
            }
            self.text.push_str(text);
            let gap = if at < close { self.tokens.gap(at) } else { "" };
            let next = self.tokens.text(at + 1);
            let is_glued = matches!(text, "(" | "[") || matches!(next, ")" | "]" | ".");
            match gap {
                "" => {}
                " " if !is_glued => self.space(),
                _ if !is_line_break(gap) => return None,
                _ if is_glued => {}
                _ if text == "," => self.space(),
                _ => return None,
            }
        }
        self.before = Before::Operand;
        Some(close + 1)
    }

    fn space(&mut self) {
        self.text.push(' ');
        self.breaks = true;
    }

    fn mark(&mut self, at: usize, first: usize) -> Option<usize> {
        let tokens = self.tokens;
        let ends = self.before == Before::Operand;
        if tokens.is(at, b'.') {
            let is_range = tokens.is(at + 1, b'.');
            let end = (ends && !is_range && self.generics == 0).then_some(at + 1)?;
            self.put(at, first, false, Before::Glue)?;
            return Some(end);
        }
        if tokens.is_pair(at, *b"::") {
            if self.before == Before::Glue && !self.text.ends_with(['!', '&', '*', '-']) {
                return None;
            }
            self.put(at, first, self.before == Before::Space, Before::Glue)?;
            self.text.push(':');
            if tokens.is(at + 2, b'<') && ends {
                if !tokens.touches(at + 1) {
                    return None;
                }
                self.text.push('<');
                self.before = Before::Nothing;
                self.generics += 1;
                return Some(at + 3);
            }
            return Some(at + 2);
        }
        if tokens.is(at, b',') && ends {
            // What closes behind a comma is printed without it, but for a tuple of one.
            let closes = tokens.get(at + 1).is_none_or(|it| it.kind == Kind::Close);
            self.put(at, first, false, Before::Space).filter(|()| !closes)?;
            return Some(at + 1);
        }
        if self.generics > 0 {
            return self.generic(at, first);
        }
        if tokens.is(at, b':') && ends && self.fields > 0 {
            self.put(at, first, false, Before::Space)?;
            return Some(at + 1);
        }
        if tokens.is(at, b'?') && ends {
            self.put(at, first, false, Before::Operand)?;
            return Some(at + 1);
        }
        if ends {
            return self.operator(at, first);
        }
        let is_prefix = [b'!', b'-', b'*', b'&'].iter().any(|it| tokens.is(at, *it));
        let doubled = tokens.is_pair(at, *b"||") || tokens.is_pair(at, *b"--");
        self.put(at, first, self.before == Before::Space, Before::Glue).filter(|()| is_prefix && !doubled)?;
        Some(at + 1)
    }

    /// A mark among generic arguments.
    fn generic(&mut self, at: usize, first: usize) -> Option<usize> {
        let (opens, closes) = (self.tokens.is(at, b'<'), self.tokens.is(at, b'>'));
        let ends = self.before == Before::Operand;
        if opens && ends {
            self.put(at, first, false, Before::Nothing)?;
            self.generics += 1;
        } else if closes && ends && !self.tokens.is_pair(at, *b">=") {
            self.put(at, first, false, Before::Operand)?;
            self.generics -= 1;
        } else {
            return None;
        }
        Some(at + 1)
    }

    fn operator(&mut self, at: usize, first: usize) -> Option<usize> {
        let tokens = self.tokens;
        let is_it = |it: &&&str| match it.as_bytes() {
            [one] => tokens.is(at, *one),
            [one, two] => tokens.is_pair(at, [*one, *two]),
            _ => false,
        };
        let operator = OPERATORS.iter().chain(&[">"]).find(is_it)?;
        let behind = at + operator.len();
        // An assignment, an arrow, or something else that is no operator of these.
        let goes_on =
            tokens.touches(behind - 1) && [b'=', b'>', b'<', b'|'].iter().any(|it| tokens.is(behind, *it));
        self.put(at, first, true, Before::Space).filter(|()| !goes_on)?;
        self.text.push_str(&operator[1..]);
        Some(behind)
    }

    /// Prints one token, behind a space or not, if what stands before it in the source comes to the same.
    fn put(&mut self, at: usize, first: usize, spaced: bool, before: Before) -> Option<()> {
        let gap = if at == first { "" } else { self.tokens.gap(at - 1) };
        let same = if spaced { gap == " " } else { gap.is_empty() };
        // The first token of a range stands behind what opens it.
        if at > first && !(same || is_line_break(gap)) {
            return None;
        }
        if spaced {
            self.space();
        }
        let text = self.tokens.text(at);
        self.text.push_str(text);
        self.before = before;
        Some(())
    }
}

fn is_line_break(gap: &str) -> bool {
    gap.contains('\n') && gap.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        let tokens = Tokens::of(text);
        printed(&tokens, 0..tokens.len())
    }

    #[test]
    fn what_is_printed_as_it_stands_is_known() {
        for text in [
            "f(false).await",
            "!f(true).await && m::g::<bool>(true).await",
            "f(3u8).await == 4 || f(None::<u8>).await.is_some()",
            "f(Ok::<u8, u8>(3)).await.is_err()",
            "matches!(f(Some(3)).await, Some(x) if x > 4)",
            "f(vec![1,2,3]).await[0] == f((1, 2)).await.1 as u8",
            "f(&\"a{}b\\n\\\"q\\\"\").await.is_empty()",
            "(f(1).await + 2) < -3 - *f(&mut b, &[1, 2]).await?",
            "::a::f::<Vec<u8>>().await >= 3",
            "f(S { a: 1, b }).await.g(A::B { c: T { d: &[1] } }) && S { a: 1 }.f().await",
            "self.a.b().await.is_empty_and_so_on_and_so_on_and_so_on().and_so_on_and_on_and_on().and_so()",
        ] {
            assert_eq!(of(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn line_breaks_of_the_source_do_not_count() {
        let text = "client\n        .get(\n  1,\n  2\n)\n   .await\n     == 2";
        assert_eq!(of(text).as_deref(), Some("client.get(1, 2).await == 2"));
        let text = "matches!(\n    client\n        .get()\n  .await,\n    Err(A::B) | Ok(2),\n)";
        assert_eq!(of(text).as_deref(), Some("matches!(client.get().await, Err(A::B) | Ok(2),)"));
    }

    #[test]
    fn what_may_be_printed_otherwise_is_not_known() {
        for text in [
            "f( false ).await",
            "a+b",
            "f(1, 2,).await",
            "f(/* why */ 1).await",
            "f(1, // why\n 2).await",
            "f(|x| x + 1).await",
            "f(S {}).await",
            "f(S { a: 1, }).await",
            "f(s { a }).await",
            "{ a: b }.await",
            "{ f().await }",
            "if a { b } else { c }.await",
            "(1..=f().await).contains(&a)",
            "f(\"a\nb\").await",
            "m!(a\n b).await",
            "m!( a).await",
            "m!(a,  b).await",
            "m!(a, /* why */ b).await",
            "m!{a}.await",
            "a = b.await",
            "f::<fn() -> u8>().await",
            "f(r#b).await",
            "$a.await",
            "f(async move).await",
            "f(\"a\").await.contains('z') && f(\"something rather long, is it not\").await.contains(\"other\")",
            "a &&",
            "a b",
            "a.f::<u8",
            "",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
