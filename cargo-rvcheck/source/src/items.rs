//! Which item a place lies in, as a range of bytes.

use crate::edition::Edition;
use crate::lines::Lines;
use crate::outline::{Outline, outline};
use crate::token::Tokens;
use rvcheck_event::position::SourcePosition;
use std::ops::Range;

/// The items of a file that can contain code: functions, constants, and the modules, traits and impls around them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Items {
    outline: Outline,
}

impl Items {
    /// The items of this text. A text that cannot be read has none.
    pub fn of(text: &str, edition: Edition) -> Items {
        Items { outline: outline(text, &Tokens::of(text), edition) }
    }

    /// The beginning and the end of the name of the item with this path inside the file, such as `Ledger::transfer`: line and column
    /// of each, from 1, the column in characters. The first one where there are several.
    pub fn name_of(&self, text: &str, path: &str) -> Option<(SourcePosition, SourcePosition)> {
        let item = self.outline.items.iter().find(|it| it.path == path)?;
        let lines = Lines::of(text);
        let end = item.name_at + path.rsplit("::").next().unwrap_or_default().len();
        Some((lines.source_position(item.name_at), lines.source_position(end)))
    }

    /// The innermost item around a byte offset; `None` at the top of the file.
    pub fn around(&self, offset: usize) -> Option<Range<usize>> {
        self.outline.item_at(offset).map(|it| it.range.clone())
    }

    /// The paths of all items inside the file, each with whether it is compiled for tests only.
    pub fn paths(&self) -> impl Iterator<Item = (&str, bool)> {
        let of_tests = |at: usize| self.outline.test_ranges.iter().any(|it| it.contains(&at));
        self.outline.items.iter().map(move |it| (it.path.as_str(), of_tests(it.name_at)))
    }

    /// The items of that name, wherever in the file: the last segment of their paths.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Range<usize>> {
        let is_it = move |path: &str| path.rsplit("::").next() == Some(name);
        self.outline.items.iter().filter(move |it| is_it(&it.path)).map(|it| it.range.clone())
    }

    /// The path inside the file of the innermost item around a byte offset, such as `Ledger::transfer`; empty at the top of
    /// the file.
    pub fn path(&self, offset: usize) -> &str {
        self.outline.path_at(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_found_by_its_path() {
        let text = "mod a {\n pub fn b() {} }\nimpl C { async fn größe(&self) {} }";
        let items = Items::of(text, Edition::Rust2021);
        assert_eq!(
            items.name_of(text, "a::b"),
            Some((SourcePosition::new(2, 9), SourcePosition::new(2, 10)))
        );
        assert_eq!(
            items.name_of(text, "C::größe"),
            Some((SourcePosition::new(3, 19), SourcePosition::new(3, 24)))
        );
        assert_eq!(items.name_of(text, "C::d"), None);
    }

    #[test]
    fn the_innermost_item_is_found() {
        let text = "mod a { fn b() { 1 } } fn c() { let d = async { 2 }; }";
        let items = Items::of(text, Edition::Rust2021);
        let around = |mark: &str| items.around(text.find(mark).expect("it is there")).map(|it| &text[it]);
        assert_eq!(around("1"), Some("fn b() { 1 }"));
        assert_eq!(around("2"), Some("fn c() { let d = async { 2 }; }"));
        assert_eq!(around("} fn c"), Some("mod a { fn b() { 1 } }"));
        assert_eq!(items.around(text.len()), None);
        assert_eq!(items.path(text.find('1').expect("it is there")), "a::b");
        assert_eq!(items.path(text.len()), "");
    }
}
