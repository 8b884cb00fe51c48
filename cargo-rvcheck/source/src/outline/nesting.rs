//! Whether a text is shallow enough for the parser, which recurses.

use crate::token::{Kind, Tokens};

/// The most delimiters that are open at once.
const DEEPEST: usize = 200;
/// The most tokens and groups in a row that nothing separates. A chain of operators nests as deep as it is long.
const LONGEST: usize = 2_000;

/// Whether the parser can read these tokens without using much of the stack.
pub(super) fn is_readable(tokens: &Tokens<'_>) -> bool {
    // For each open delimiter the length of the chain outside of it.
    let mut outside: Vec<usize> = Vec::new();
    let mut length = 0;
    for index in 0..tokens.len() {
        match tokens.get(index).map(|token| token.kind) {
            Some(Kind::Open) => {
                outside.push(length);
                length = 0;
            }
            Some(Kind::Close) => {
                length = outside.pop().unwrap_or(0) + 1;
                if tokens.is(index, b'}') && !goes_on(tokens, index + 1) {
                    length = 0;
                }
            }
            Some(Kind::Mark(b';' | b',')) => length = 0,
            _ => length += 1,
        }
        if outside.len() > DEEPEST || length > LONGEST {
            return false;
        }
    }
    true
}

/// Whether the token at this index continues an expression that ends in a brace.
fn goes_on(tokens: &Tokens<'_>, index: usize) -> bool {
    tokens.is_word(index, "else")
        || matches!(tokens.get(index).map(|it| it.kind), Some(Kind::Mark(mark)) if mark != b'#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_readable() {
        let items = "fn a() { if b { c } else { d } }\n#[e] impl F { g!(h, i); }\n".repeat(3_000);
        let list = format!("const A: [u8; 9] = [{}];", "1, ".repeat(50_000));
        for text in [items, list] {
            assert!(is_readable(&Tokens::of(&text)));
        }
    }

    #[test]
    fn chains_through_braces_count() {
        let chain = format!("fn a() {{ {} }}", "if b { c } else ".repeat(1_500));
        assert!(!is_readable(&Tokens::of(&chain)));
    }
}
