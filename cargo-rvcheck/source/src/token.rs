//! Source text as a flat list of tokens, with delimiters paired.
//!
//! This is the only module that knows the lexer. Lexing is total: any text gives tokens, and a delimiter without a
//! counterpart is simply unpaired. Whitespace and comments (doc comments too) are no tokens; where line comments are is
//! kept apart.

use ra_ap_rustc_lexer::{DocStyle, FrontmatterAllowed, TokenKind, strip_shebang, tokenize};
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// An identifier or keyword.
    Word,
    /// A raw identifier such as `r#await`, a lifetime, or a word with characters that identifiers cannot have.
    OtherWord,
    /// A number, string or character literal.
    Literal,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// Any other single character.
    Mark(u8),
}

/// One token and where its text is, as byte offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The tokens of a text.
pub(crate) struct Tokens<'a> {
    text: &'a str,
    list: Vec<Token>,
    /// For each delimiter the index of its counterpart; for everything else, and where there is none, `UNPAIRED`.
    partners: Vec<usize>,
    /// The byte ranges of the line comments, doc comments included.
    pub(crate) line_comments: Vec<Range<usize>>,
    /// Behind the mark and the `#!` line at the beginning, and behind each inner doc comment: what belongs to an item that follows can
    /// stand from there on.
    pub(crate) headers: Vec<usize>,
    /// The last thing in the text is a line comment, and no line break follows it.
    pub(crate) ends_in_line_comment: bool,
}

const UNPAIRED: usize = usize::MAX;

impl<'a> Tokens<'a> {
    /// Splits a text.
    pub(crate) fn of(text: &'a str) -> Tokens<'a> {
        let begin = beginning(text);
        let mut offset = begin;
        let mut list = Vec::with_capacity(text.len() / 5);
        let mut line_comments = Vec::new();
        let mut headers = vec![if text[..begin].contains('!') { behind_line(text, begin) } else { begin }];
        let mut ends_in_line_comment = false;
        let mut rest = tokenize(&text[begin..], FrontmatterAllowed::Yes);
        while let Some(token) = rest.next() {
            let start = offset;
            offset += token.len as usize;
            ends_in_line_comment = matches!(token.kind, TokenKind::LineComment { .. });
            if ends_in_line_comment {
                line_comments.push(start..offset);
            }
            match token.kind {
                TokenKind::LineComment { doc_style: Some(DocStyle::Inner) } => {
                    headers.push(behind_line(text, offset));
                }
                TokenKind::BlockComment { doc_style: Some(DocStyle::Inner), .. } => headers.push(offset),
                _ => {}
            }
            if matches!(token.kind, TokenKind::GuardedStrPrefix) {
                // The lexer takes `##` and `#"` together, which is only right where such strings are reserved.
                offset = start + 1;
                rest = tokenize(&text[offset..], FrontmatterAllowed::No);
            }
            if let Some(kind) = kind(token.kind, text.as_bytes().get(start).copied().unwrap_or_default()) {
                list.push(Token { kind, start, end: offset });
            }
        }
        let partners = partners(text, &list);
        Tokens { text, list, partners, line_comments, headers, ends_in_line_comment }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The token at an index, if there is one.
    pub(crate) fn get(&self, index: usize) -> Option<Token> {
        self.list.get(index).copied()
    }

    /// The text of a token; empty past the end.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        self.get(index).and_then(|token| self.text.get(token.start..token.end)).unwrap_or("")
    }

    /// The text between a token and the next one; empty past the end.
    pub(crate) fn gap(&self, index: usize) -> &'a str {
        let range = self.get(index).map(|it| it.end).zip(self.get(index + 1).map(|it| it.start));
        range.and_then(|(start, end)| self.text.get(start..end)).unwrap_or("")
    }

    /// Whether that token is this identifier or keyword.
    pub(crate) fn is_word(&self, index: usize, word: &str) -> bool {
        self.is_any_word(index) && self.text(index) == word
    }

    /// Whether that token is some identifier or keyword.
    pub(crate) fn is_any_word(&self, index: usize) -> bool {
        self.get(index).is_some_and(|token| token.kind == Kind::Word)
    }

    /// Whether that token is this character; delimiters count.
    pub(crate) fn is(&self, index: usize, mark: u8) -> bool {
        self.get(index).is_some_and(|token| match token.kind {
            Kind::Mark(it) => it == mark,
            Kind::Open | Kind::Close => self.text.as_bytes().get(token.start) == Some(&mark),
            _ => false,
        })
    }

    /// Whether these two tokens are these characters with nothing between them, as in `::`.
    pub(crate) fn is_pair(&self, index: usize, marks: [u8; 2]) -> bool {
        self.is(index, marks[0]) && self.is(index + 1, marks[1]) && self.touches(index)
    }

    /// Whether that token is the `await` of an `.await`.
    pub(crate) fn is_await(&self, index: usize) -> bool {
        index > 0
            && self.is_word(index, "await")
            && self.is(index - 1, b'.')
            && !(index > 1 && self.is_pair(index - 2, *b".."))
    }

    /// Whether nothing stands between a token and the next one.
    pub(crate) fn touches(&self, index: usize) -> bool {
        match (self.get(index), self.get(index + 1)) {
            (Some(this), Some(next)) => this.end == next.start,
            _ => false,
        }
    }

    /// The index of the first token that begins at or behind a byte offset.
    pub(crate) fn index_at(&self, offset: usize) -> usize {
        self.list.partition_point(|token| token.start < offset)
    }

    /// The index of the delimiter that closes or opens the group that this one opens or closes.
    pub(crate) fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().filter(|&partner| partner != UNPAIRED)
    }

    /// The index of the delimiter that closes the group that opens here; none where no group opens.
    pub(crate) fn closing(&self, index: usize) -> Option<usize> {
        self.partner(index).filter(|&partner| partner > index)
    }

    /// The index of the delimiter that opens the group that closes here; none where no group closes.
    pub(crate) fn opening(&self, index: usize) -> Option<usize> {
        self.partner(index).filter(|&partner| partner < index)
    }
}

/// Where the language begins: behind a byte order mark and a `#!` line.
fn beginning(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    mark + strip_shebang(&text[mark..]).unwrap_or(0)
}

/// Where the line behind the one of this offset begins.
fn behind_line(text: &str, offset: usize) -> usize {
    text[offset..].find('\n').map_or(text.len(), |it| offset + it + 1)
}

fn kind(kind: TokenKind, first: u8) -> Option<Kind> {
    Some(match kind {
        TokenKind::LineComment { .. }
        | TokenKind::BlockComment { .. }
        | TokenKind::Whitespace
        | TokenKind::Frontmatter { .. }
        | TokenKind::Eof => return None,
        TokenKind::Ident => Kind::Word,
        TokenKind::InvalidIdent
        | TokenKind::RawIdent
        | TokenKind::UnknownPrefix
        | TokenKind::Lifetime { .. }
        | TokenKind::RawLifetime
        | TokenKind::UnknownPrefixLifetime => Kind::OtherWord,
        TokenKind::Literal { .. } => Kind::Literal,
        TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::OpenBracket => Kind::Open,
        TokenKind::CloseParen | TokenKind::CloseBrace | TokenKind::CloseBracket => Kind::Close,
        _ => Kind::Mark(first),
    })
}

/// Pairs the delimiters. A closing one that fits only an outer group closes that group, and the inner ones stay open.
fn partners(text: &str, list: &[Token]) -> Vec<usize> {
    let mut partners = vec![UNPAIRED; list.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    // How many are open of each sort, so that one that fits none is not looked for.
    let mut counts = [0usize; 3];
    for (index, token) in list.iter().enumerate() {
        let mark = text.as_bytes()[token.start];
        match token.kind {
            Kind::Open => {
                open.push((index, counterpart(mark)));
                counts[sort(counterpart(mark))] += 1;
            }
            Kind::Close if counts[sort(mark)] > 0 => {
                while let Some((begin, closes)) = open.pop() {
                    counts[sort(closes)] -= 1;
                    if closes == mark {
                        partners[begin] = index;
                        partners[index] = begin;
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    partners
}

fn counterpart(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

fn sort(close: u8) -> usize {
    match close {
        b')' => 0,
        b']' => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let tokens = Tokens::of(text);
        (0..tokens.len()).map(|index| tokens.text(index)).collect()
    }

    #[test]
    fn comments_and_whitespace_are_left_out() {
        assert_eq!(texts("#!/bin/x\na /* b */ . // c\n await"), ["a", ".", "await"]);
        assert_eq!(texts("\u{feff}a"), ["a"]);
    }

    #[test]
    fn a_tuple_index_does_not_swallow_the_dot_behind_it() {
        assert_eq!(texts("x.0.await"), ["x", ".", "0", ".", "await"]);
        assert_eq!(texts("x.0.1.await"), ["x", ".", "0.1", ".", "await"]);
    }

    #[test]
    fn a_string_behind_a_hash_is_a_string() {
        assert_eq!(texts("m!(#\"a.await\"## b)"), ["m", "!", "(", "#", "\"a.await\"", "#", "#", "b", ")"]);
    }

    #[test]
    fn delimiters_find_each_other_across_broken_ones() {
        let tokens = Tokens::of("{ ( [ ) }");
        assert_eq!(tokens.partner(0), Some(4));
        assert_eq!(tokens.closing(1), Some(3));
        assert_eq!(tokens.partner(2), None);
        assert_eq!(tokens.opening(4), Some(0));
    }

    #[test]
    fn the_end_in_a_line_comment_is_seen() {
        for (text, expected) in [("a // b", true), ("a // b\n", false), ("a /* b */", false), ("", false)] {
            assert_eq!(Tokens::of(text).ends_in_line_comment, expected, "{text:?}");
        }
    }
}
