//! Text to words.

use crate::language::problem::{Part, Problem, Span};

/// What a word is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name.
    Name(String),
    /// A number without a sign. It can be as large as the magnitude of the smallest 64-bit integer.
    Int(u64),
    /// A string, unescaped.
    Text(String),
    /// `::name`.
    Variant(String),
    /// An operator or bracket.
    Sign(&'static str),
    /// Nothing more comes.
    End,
}

/// A word and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The word.
    pub word: TokenKind,
    /// Its bytes.
    pub span: Span,
}

/// The operators of a language; where one begins with another, the longer one comes first.
pub type Signs = &'static [&'static str];

/// The operators of transitions.
pub const TRANSITION: Signs = &[
    "-->", "--", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "<",
    ">", "!", "+", "*", "-", "/",
];

/// The operators of formulas, and those that are written by mistake for them.
pub const FORMULA: Signs = &[
    "<->", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "&", "|", "(", ")", "[", "]", ",", ":", ".", "=",
    "<", ">", "!", "+", "-", "*",
];

/// The operators of grammars and of their messages.
pub const GRAMMAR: Signs = &[
    "ε", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "|", "=", "<",
    ">", "!", "+", "*", "-",
];

/// The operators of the rules of a lifestate.
pub const LIFESTATE: Signs = &["|+", "|-", "(", ")", ",", ";", "|", "&", "!", "*", "+", "?", "=", "-"];

/// The words of `text`, the last of them [`TokenKind::End`].
pub fn words(text: &str, part: Part, signs: Signs) -> (Vec<Token>, Vec<Problem>) {
    let mut tokens = Vec::new();
    let mut problems = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (word, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if is_name_start(first) {
            let length = name_length(rest);
            (Some(TokenKind::Name(rest[..length].to_owned())), length)
        } else if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest[..length].parse().ok().filter(|it| *it <= 1 << 63);
            if number.is_none() {
                problems.push(Problem::new(
                    part,
                    Span::new(at, at + length),
                    "this number has more than 64 bits",
                ));
            }
            (Some(TokenKind::Int(number.unwrap_or(0))), length)
        } else if first == '"' {
            let (string, length, closed) = string(rest);
            if !closed {
                problems.push(
                    Problem::new(part, Span::new(at, at + length), "this string does not end")
                        .help("close it with `\"`"),
                );
            }
            (Some(TokenKind::Text(string)), length)
        } else if rest.starts_with("::") && rest[2..].starts_with(is_name_start) {
            let length = 2 + name_length(&rest[2..]);
            (Some(TokenKind::Variant(rest[2..length].to_owned())), length)
        } else if let Some(sign) = signs.iter().find(|sign| rest.starts_with(**sign)) {
            (Some(TokenKind::Sign(sign)), sign.len())
        } else {
            let span = Span::new(at, at + first.len_utf8());
            problems.push(Problem::new(part, span, format!("`{first}` has no meaning here")));
            (None, first.len_utf8())
        };
        tokens.extend(word.map(|word| Token { word, span: Span::new(at, at + length) }));
        at += length;
    }
    tokens.push(Token { word: TokenKind::End, span: Span::new(at, at) });
    (tokens, problems)
}

fn is_name_start(c: char) -> bool {
    c == '_' || c.is_ascii_alphabetic()
}

fn name_length(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'_' || byte.is_ascii_alphanumeric()).count()
}

/// The string at the start of `text`, how many bytes it takes, and whether it ends.
fn string(text: &str) -> (String, usize, bool) {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (out, at + 1, true),
            '\\' => match chars.next().map(|(_, escaped)| escaped) {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('b') => out.push('\u{8}'),
                Some('f') => out.push('\u{c}'),
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    out.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Some(other) => out.push(other),
                None => break,
            },
            other => out.push(other),
        }
    }
    (out, text.len(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<TokenKind> {
        words(text, Part::Property, TRANSITION).0.into_iter().map(|it| it.word).collect()
    }

    #[test]
    fn arrows_are_read_before_minus_signs() {
        use TokenKind::{End, Int, Name, Sign};
        let name = |text: &str| Name(text.to_owned());
        assert_eq!(
            texts("a -- b / n = n - 1 --> c"),
            [
                name("a"),
                Sign("--"),
                name("b"),
                Sign("/"),
                name("n"),
                Sign("="),
                name("n"),
                Sign("-"),
                Int(1),
                Sign("-->"),
                name("c"),
                End
            ]
        );
    }

    #[test]
    fn strings_are_unescaped_and_an_open_one_is_a_problem() {
        assert_eq!(texts(r#""a\n\"\u00e4""#), [TokenKind::Text("a\n\"ä".to_owned()), TokenKind::End]);
        let (_, problems) = words("\"open", Part::Property, TRANSITION);
        assert_eq!(problems[0].span, Span::new(0, 5));
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in ["", "::", "::9", "\\", "é→", "\"\\u12", "99999999999999999999", "a\u{0}b"] {
            let (tokens, _) = words(text, Part::Property, TRANSITION);
            assert_eq!(tokens.last().map(|it| &it.word), Some(&TokenKind::End), "{text:?}");
        }
    }
}
