//! Bringing the shim for `std` into a crate by items, for compilers that is not known that `std` is another crate.
//!
//! Then the root names the shim `std`, and each module with marks imports the methods that they call. All of it stands at
//! the end of a module, where it moves no position.

use crate::allocator;
use crate::edit::{Edit, apply};
use crate::marker::Marker;
use crate::rewrite::Rewritten;
use crate::token::Tokens;
use std::borrow::Cow;
use std::ops::Range;

/// What the root of a crate says so that `std` is the shim.
const EXTERN_CRATE: &str = " extern crate rvstd as std;";

/// What a module says so that its marks are understood.
const IMPORT: &str = " use ::rvcheck_injected::{RvAllocator as _, RvAtomic as _, RvAwait as _, RvSite as _};";

/// Adds to a rewritten file the items that it needs; `root` where it is that of a crate. The module of a whole file gets none
/// where the file ends in a line comment.
pub fn with_items(text: &str, rewritten: Rewritten, root: bool) -> Rewritten {
    let tokens = Tokens::of(text);
    let bodies = bodies(&tokens);
    let end = |offset: usize| {
        let around = bodies.iter().filter(|it| it.contains(&offset)).min_by_key(|it| it.len());
        around.map_or(text.len(), |it| it.end)
    };
    let is_mark = |it: &&Edit| Marker::of_text(&it.insert).is_some() || allocator::is_mark(&it.insert);
    let marks = rewritten.insertions().filter(is_mark);
    let mut items: Vec<(usize, &'static str)> = marks.map(|it| (end(it.offset), IMPORT)).collect();
    items.extend(root.then_some((text.len(), EXTERN_CRATE)));
    items.sort_unstable();
    items.dedup();
    items.retain(|it| it.0 < text.len() || !tokens.ends_in_line_comment);
    let items = items.into_iter().map(|(offset, insert)| Edit {
        offset,
        insert: Cow::Borrowed(insert),
        stands_for: offset,
    });
    let mut edits: Vec<Edit> = rewritten.edits.into_iter().chain(items).collect();
    edits.sort_by_key(|it| it.offset);
    Rewritten { text: apply(text, &edits), edits, ..rewritten }
}

/// What lies between the braces of `mod name { … }`, also in the input of macros.
fn bodies(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let body = |index: usize| {
        let open = index + 2;
        let named = tokens.is_word(index, "mod") && tokens.is_any_word(index + 1) && tokens.is(open, b'{');
        let (open, close) = (tokens.get(open)?, tokens.get(tokens.closing(open).filter(|_| named)?)?);
        Some(open.end..close.start)
    };
    (0..tokens.len()).filter_map(body).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::Edition;
    use crate::rewrite::{Options, rewrite};

    fn check(text: &str, root: bool, expected: &str) {
        let asserts = ["std".to_owned()];
        let asserts: &[String] = if root { &asserts } else { &[] };
        let options = Options { root, asserts, ..Options::PLAIN };
        let rewritten = with_items(text, rewrite(text, Edition::Rust2021, &options), root);
        let mut shown = rewritten.text.replace(IMPORT, "!");
        for edit in rewritten.edits.iter().filter(|it| Marker::of_text(&it.insert).is_some()) {
            shown = shown.replace(&*edit.insert, "~");
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn each_module_with_marks_imports_their_method_at_its_end() {
        check(
            "mod a { mod b { fn c() {} }\nasync fn d() { e.await } // f\n}\nmod g { h.await;\n i.await }\nmod j;\n",
            false,
            "mod a { mod b { fn c() {} }\nasync fn d() { e~.await } // f\n!}\nmod g { h~.await;\n i~.await !}\nmod j;\n",
        );
        check("a.await\n", false, "a~.await\n!");
        check("a.await // b", false, "a~.await // b");
    }

    #[test]
    fn a_root_names_the_shim() {
        let both = " const _: () = ::std::__rv_shim::IN_FORCE; extern crate rvstd as std;";
        check("fn a() {}\n", true, &format!("fn a() {{}}\n{both}"));
        check("fn a() {} // b", true, "fn a() {} // b");
    }
}
