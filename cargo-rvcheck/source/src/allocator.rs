//! Global allocators: what they do while they allocate is not the doing of whoever allocates.
//!
//! The methods of each `impl GlobalAlloc for …` begin with a call that keeps hooks out of the way until they return. Without it, a lock
//! that the allocator takes would be recorded for every task that allocates, at any place.

use crate::edit::Edit;
use crate::role::{Role, Roles};
use crate::token::Tokens;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What is put at the beginning of the methods. The method that it calls comes from the prelude of the `std` shim.
const BEGIN: &str = " let __rv_allocating = self.__rv_allocating();";
/// The comment of the same length that is put there instead where that does not compile.
const UNDONE: &str = "/*rv_undone_________________________________*/";
const _: () = assert!(BEGIN.len() == UNDONE.len());

/// The methods of the trait.
const METHODS: [&str; 4] = ["alloc", "alloc_zeroed", "dealloc", "realloc"];

/// Whether this was inserted here, and needs the method.
pub(crate) fn is_mark(insert: &str) -> bool {
    insert == BEGIN
}

/// The insertions for a file, in order.
pub(crate) fn beginnings(tokens: &Tokens<'_>, roles: &Roles, skip: &BTreeMap<usize, String>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for index in 1..tokens.len() {
        let is_one = tokens.is_word(index, "for")
            && tokens.is_word(index - 1, "GlobalAlloc")
            && matches!(roles.get(index), Role::Code | Role::Body);
        let Some(open) = is_one.then(|| brace(tokens, index)).flatten() else { continue };
        let Some(close) = tokens.closing(open) else { continue };
        let mut at = open + 1;
        // Only what stands in the body itself, and in no other body.
        while at < close {
            edits.extend(beginning(tokens, at, skip));
            at = tokens.closing(at).unwrap_or(at) + 1;
        }
    }
    edits
}

/// The insertion for the method that begins with the `fn` at this index, if one does.
fn beginning(tokens: &Tokens<'_>, index: usize, skip: &BTreeMap<usize, String>) -> Option<Edit> {
    let (name, arguments) = (index + 1, index + 2);
    if !tokens.is_word(index, "fn") || !METHODS.contains(&tokens.text(name)) || !tokens.is(arguments, b'(') {
        return None;
    }
    let body = tokens.get(brace(tokens, tokens.closing(arguments)?)?)?;
    let stands_for = tokens.get(name)?.start;
    let insert = if skip.contains_key(&stands_for) { UNDONE } else { BEGIN };
    Some(Edit { offset: body.end, insert: Cow::Borrowed(insert), stands_for })
}

/// The next `{` behind a token, if no item ends before.
fn brace(tokens: &Tokens<'_>, from: usize) -> Option<usize> {
    let mut at = from + 1;
    while at < tokens.len() && !tokens.is(at, b'{') {
        if tokens.is(at, b';') || tokens.is(at, b'}') {
            return None;
        }
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    (at < tokens.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, skip: &BTreeMap<usize, String>, expected: &str) {
        let tokens = Tokens::of(text);
        let edits = beginnings(&tokens, &Roles::of(&tokens), skip);
        let shown = crate::edit::apply(text, &edits).replace(BEGIN, "~").replace(UNDONE, "?");
        assert_eq!(shown, expected);
    }

    #[test]
    fn each_method_of_an_allocator_begins_with_the_call() {
        let nothing = BTreeMap::new();
        let text = "unsafe impl<A: B<[u8; 3]>> GlobalAlloc for C<A> where A: D { \
            unsafe fn alloc(&self, a: Layout) -> *mut u8 { e({ a }) } #[inline] unsafe fn dealloc(&self) {} \
            fn other() { fn alloc() {} } }";
        let expected = "unsafe impl<A: B<[u8; 3]>> GlobalAlloc for C<A> where A: D { \
            unsafe fn alloc(&self, a: Layout) -> *mut u8 {~ e({ a }) } #[inline] unsafe fn dealloc(&self) {~} \
            fn other() { fn alloc() {} } }";
        check(text, &nothing, expected);
        let name = text.find("dealloc").expect("it is there");
        let skip = BTreeMap::from([(name, "no".to_owned())]);
        check(text, &skip, &expected.replacen("dealloc(&self) {~", "dealloc(&self) {?", 1));
    }

    #[test]
    fn other_traits_and_other_methods_are_left_alone() {
        let texts = [
            "impl Pool { fn alloc(&self) {} }",
            "impl Allocate for GlobalAlloc { fn alloc(&self) {} }",
            "unsafe trait GlobalAlloc { unsafe fn alloc(&self); }",
            "fn a<T: GlobalAlloc>(t: T) { for b in c { alloc() } }",
            "impl GlobalAlloc for",
        ];
        for text in texts {
            check(text, &BTreeMap::new(), text);
        }
    }
}
