//! The pieces of a Rust file: code, comments and texts.

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Names, keywords and operators.
    Code,
    /// Comments that follow each other are one piece.
    Comment,
    /// A string literal.
    Text,
}

/// A piece of a file.
#[derive(Debug)]
pub struct Piece<'a> {
    /// What it is.
    pub kind: Kind,
    /// The line on which it begins.
    pub line: usize,
    /// The whole of it, its marks included.
    pub text: &'a str,
}

/// The pieces of a file, which are the whole of it.
pub fn pieces(file: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut at = 0;
    while at < file.len() {
        let (kind, length) = next(&file[at..], file[..at].chars().next_back());
        let end = at + length;
        match &mut pieces[..] {
            [.., last] if last.kind == kind => last.text = &file[at - last.text.len()..end],
            [.., comment, space] if kind == Kind::Comment && is_between(comment, space) => {
                comment.text = &file[at - space.text.len() - comment.text.len()..end];
                pieces.pop();
            }
            _ => {
                let line = 1 + file[..at].matches('\n').count();
                pieces.push(Piece { kind, line, text: &file[at..end] });
            }
        }
        at = end;
    }
    pieces
}

fn is_between(comment: &Piece<'_>, space: &Piece<'_>) -> bool {
    comment.kind == Kind::Comment && space.text.trim().is_empty()
}

/// What a file goes on with behind this character, and how long that is.
fn next(rest: &str, before: Option<char>) -> (Kind, usize) {
    let until =
        |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |it| from + it + end.len());
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, until("*/", 2));
    }
    if rest.starts_with('"') {
        return (Kind::Text, escaped(rest, '"'));
    }
    if rest.starts_with('r') && !before.is_some_and(|it| it.is_alphanumeric() && it != 'b' || it == '_') {
        let hashes = rest[1..].chars().take_while(|it| *it == '#').count();
        if rest[1 + hashes..].starts_with('"') {
            return (Kind::Text, until(&format!("\"{}", "#".repeat(hashes)), 2 + hashes));
        }
    }
    let mut letters = rest.chars();
    let first = letters.next().map_or(1, char::len_utf8);
    if rest.starts_with('\'') {
        // Else it is the name of a lifetime.
        let inside = letters.next();
        if inside == Some('\\') || letters.next() == Some('\'') {
            return (Kind::Code, escaped(rest, '\''));
        }
    }
    (Kind::Code, first)
}

/// The length of a literal, up to its closing quote.
fn escaped(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_comments_and_string_literals_are_distinguished() {
        let file = "// one\n  // two\nfn f<'a>(c: '\"', d: '\\'') { r#\"a \"b\"#; \"c \\\" //\" } /* d */";
        let found: Vec<(Kind, usize, &str)> =
            pieces(file).into_iter().map(|it| (it.kind, it.line, it.text)).collect();
        let expected = [
            (Kind::Comment, 1, "// one\n  // two"),
            (Kind::Code, 2, "\nfn f<'a>(c: '\"', d: '\\'') { "),
            (Kind::Text, 3, "r#\"a \"b\"#"),
            (Kind::Code, 3, "; "),
            (Kind::Text, 3, "\"c \\\" //\""),
            (Kind::Code, 3, " } "),
            (Kind::Comment, 3, "/* d */"),
        ];
        assert_eq!(found, expected);
    }
}
