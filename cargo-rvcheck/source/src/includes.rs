//! Files that a crate takes in as text: what it gets has to be the user's text, and not the rewritten one.
//!
//! `include_str!("lib.rs")` is looked up beside the file that is compiled. So the path becomes that of the original, by an
//! insertion of its folder behind the opening quote. Only Rust files are concerned, since no others are rewritten. A path
//! that is no literal is left alone: what is put together from `env!("CARGO_MANIFEST_DIR")` leads to the original anyway,
//! and in a macro's body nothing is known about the file that will invoke it.

use crate::edit::Edit;
use crate::role::{Role, Roles};
use crate::token::{Kind, Tokens};
use std::borrow::Cow;
use std::path::Path;

/// The macros that take in a file as it is.
const MACROS: &[&str] = &["include_str", "include_bytes"];

/// The insertions for a file of this folder, in order.
pub(crate) fn inclusions(tokens: &Tokens<'_>, roles: &Roles, folder: &str) -> Vec<Edit> {
    let called =
        |index: &usize| MACROS.iter().any(|name| tokens.is_word(*index, name)) && tokens.is(index + 1, b'!');
    let edit = |index| {
        if roles.get(index) != Role::Code {
            return None;
        }
        let (open, path) = (index + 2, index + 3);
        let close = tokens.closing(open)?;
        let alone = close == path + 1 || (close == path + 2 && tokens.is(path + 1, b','));
        let token = tokens.get(path).filter(|it| alone && it.kind == Kind::Literal)?;
        let (quote, insert) = completed(tokens.text(path), folder)?;
        Some(Edit { offset: token.start + quote, insert: Cow::Owned(insert), stands_for: token.start })
    };
    (0..tokens.len()).filter(called).filter_map(edit).collect()
}

/// How many bytes of this literal are before its text, and what to insert there. `None` if it is not the relative path of
/// a Rust file.
fn completed(literal: &str, folder: &str) -> Option<(usize, String)> {
    let quote = literal.find('"')? + 1;
    let before = &literal[..quote - 1];
    let (raw, hashes) = before.strip_prefix('r').map_or((false, before), |hashes| (true, hashes));
    let path = literal.get(quote..)?.strip_suffix(hashes)?.strip_suffix('"')?;
    // Another letter before the quote is another kind of literal, which the compiler refuses.
    let is_rust = Path::new(path).extension().is_some_and(|it| it == "rs");
    if !is_rust || path.starts_with('/') || hashes.chars().any(|it| it != '#') {
        return None;
    }
    if folder.contains(['\n', '\r']) {
        // An insertion has no line break.
        None
    } else if raw {
        // A quote that is followed by as many hashes would end it.
        (!folder.contains('"')).then(|| (quote, format!("{folder}/")))
    } else {
        Some((quote, format!("{}/", folder.replace('\\', "\\\\").replace('"', "\\\""))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::apply;

    fn included(text: &str, folder: &str) -> String {
        let tokens = Tokens::of(text);
        apply(text, &inclusions(&tokens, &Roles::of(&tokens), folder))
    }

    #[test]
    fn the_path_of_a_rust_file_becomes_that_of_the_original() {
        let cases = [
            ("include_str!(\"a.rs\")", "include_str!(\"/my/src/a.rs\")"),
            ("std::include_bytes! { \"../a.rs\", }", "std::include_bytes! { \"/my/src/../a.rs\", }"),
            ("include_str![r#\"a.rs\"#]", "include_str![r#\"/my/src/a.rs\"#]"),
            ("m!(include_str!(r\"a.rs\"))", "m!(include_str!(r\"/my/src/a.rs\"))"),
        ];
        for (text, expected) in cases {
            assert_eq!(included(text, "/my/src"), expected);
        }
    }

    #[test]
    fn what_leads_to_the_original_anyway_or_is_not_known_is_left_alone() {
        for text in [
            "include_str!(\"a.txt\")",
            "include_str!(\"/a.rs\")",
            "include!(\"a.rs\")",
            "include_str!(concat!(\"a\", \".rs\"))",
            "include_str!(b\"a.rs\")",
            "include_str!(\"a.rs\"",
            "include_str!()",
            "include_str",
            "macro_rules! m { () => { include_str!(\"a.rs\") } }",
            "#[doc = include_str!(\"a.rs\")] fn a() {}",
            "stringify!(include_str!(\"a.rs\"))",
        ] {
            assert_eq!(included(text, "/my/src"), text);
        }
    }

    #[test]
    fn a_folder_may_have_any_name() {
        assert_eq!(
            included("include_str!(\"a.rs\")", "/größe \"x\\"),
            "include_str!(\"/größe \\\"x\\\\/a.rs\")"
        );
        let raw = "include_str!(r\"a.rs\")";
        assert_eq!(included(raw, "/größe"), "include_str!(r\"/größe/a.rs\")");
        assert_eq!(included(raw, "/a\"b"), raw);
        assert_eq!(included(raw, "/a\nb"), raw);
    }
}
