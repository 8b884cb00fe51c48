//! The MIR of several crates of a workspace as that of one: what a crate calls of another one is called as if it were its own.

use std::fmt::Write as _;

/// Rewrites the MIR of the crate of that number: paths that begin with one of these crates begin behind it, and allocations have names
/// that no other crate has.
pub(crate) fn as_own(text: &str, number: usize, crates: &[&str]) -> String {
    let is_part = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it >= 0x80;
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut kept, mut at) = (0, 0);
    while at < bytes.len() {
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let begin = at;
        while at < bytes.len() && is_part(bytes[at]) {
            at += 1;
        }
        let word = &text[begin..at];
        if text[at..].starts_with("::") && crates.contains(&word) && !text[..begin].ends_with("::") {
            at += 2;
            out.push_str(&text[kept..begin]);
            kept = at;
        } else if word
            .strip_prefix("alloc")
            .is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
        {
            out.push_str(&text[kept..at]);
            let _ = write!(out, "_{number}");
            kept = at;
        }
    }
    out.push_str(&text[kept..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_linked_crates_begin_behind_their_names() {
        let cases = [
            ("_3 = shop::Cart::add(move _1) -> bb1", "_3 = Cart::add(move _1) -> bb1"),
            ("<shop::a::Cart<shop::Item> as Drop>::drop", "<a::Cart<Item> as Drop>::drop"),
            ("other::shop::f, workshop::f, shop_front::f", "other::shop::f, workshop::f, shop_front::f"),
            ("const {alloc7: &Mutex<u8>}, alloc, allocate", "const {alloc7_2: &Mutex<u8>}, alloc, allocate"),
            ("alloc7 (static: shop::POOL, size: 8)", "alloc7_2 (static: POOL, size: 8)"),
            ("é::shop::f", "é::shop::f"),
        ];
        for (text, expected) in cases {
            assert_eq!(as_own(text, 2, &["shop"]), expected);
        }
    }
}
