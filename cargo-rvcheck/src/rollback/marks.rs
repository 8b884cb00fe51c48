//! Where the marks of a rewritten file are in the text that the compiler sees.

use rvcheck_source::edition::Edition;
use rvcheck_source::items::Items;
use rvcheck_source::marker::{Marker, MarkerKind};
use rvcheck_source::observe::is_insertion;
use rvcheck_source::rewrite::Rewritten;
use std::ops::Range;

/// A mark at an await or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it stands at; `None` for what is inserted so that a function is observed.
    pub kind: Option<MarkerKind>,
    /// Where that is in the original text, in bytes, by which it can be skipped.
    pub offset: usize,
    /// Where it is in the rewritten text, in bytes.
    pub bytes: Range<usize>,
    /// The line of the mark, from 1, in both.
    pub line: usize,
    /// The item that it lies in, as bytes of the rewritten text; none at the top of a file.
    pub item: Option<Range<usize>>,
}

/// The marks of this file, in order, without those that were undone. One that an attribute inserts is where the word is that it stands
/// for: there the compiler sees it, too.
pub fn marks(original: &str, rewritten: &Rewritten, edition: Edition) -> Vec<Mark> {
    let items = Items::of(original, edition);
    let moved = |offset: usize| {
        let before = rewritten.edits.iter().take_while(|it| it.offset < offset);
        offset + before.map(|it| it.insert.len()).sum::<usize>()
    };
    let mut inserted = 0;
    let in_text = rewritten.edits.iter().map(|edit| {
        let start = edit.offset + inserted;
        inserted += edit.insert.len();
        (edit, edit.offset, start..start + edit.insert.len())
    });
    let by_attributes = rewritten.hoisted.iter().map(|edit| {
        let start = moved(edit.stands_for);
        (edit, edit.stands_for, start..start + 1)
    });
    let mut found: Vec<Mark> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    let mut all: Vec<_> = in_text.chain(by_attributes).collect();
    all.sort_by_key(|(_, at, _)| *at);
    for (edit, at, bytes) in all {
        let kind = Marker::of_text(&edit.insert).map(|it| it.kind);
        if kind.is_none() && !is_insertion(&edit.insert) {
            continue;
        }
        line += original[counted..at].bytes().filter(|it| *it == b'\n').count();
        counted = at;
        let item = items.around(at).map(|it| moved(it.start)..moved(it.end));
        found.push(Mark { kind, offset: edit.stands_for, bytes, line, item });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_source::rewrite::{Options, rewrite};
    use std::collections::BTreeMap;

    #[test]
    fn a_mark_knows_where_the_compiler_sees_it() {
        let text = "fn a() {\n b.await;\n c.await }\nfn d() {\n é.await }";
        let skip = BTreeMap::from([(text.find("await").expect("it is there"), "no".to_owned())]);
        let asserts = ["std".to_owned()];
        let options = Options { root: true, asserts: &asserts, skip: &skip, ..Options::PLAIN };
        let rewritten = rewrite(text, Edition::Rust2021, &options);
        let found = marks(text, &rewritten, Edition::Rust2021);
        assert_eq!(found.iter().map(|it| it.line).collect::<Vec<_>>(), [3, 5]);
        for mark in &found {
            let marker = Marker::of_text(&rewritten.text[mark.bytes.clone()]).expect("it is one");
            assert_eq!((Some(marker.kind), marker.number.offset()), (mark.kind, mark.offset));
            assert!(text[mark.offset..].starts_with("await"));
        }
        let items: Vec<&str> =
            found.iter().filter_map(|it| Some(&rewritten.text[it.item.clone()?])).collect();
        let [undone, first, second, ..] = &*rewritten.edits else { panic!("{:?}", rewritten.edits) };
        let expected = [
            format!("fn a() {{\n b{}.await;\n c{}.await }}", undone.insert, first.insert),
            format!("fn d() {{\n é{}.await }}", second.insert),
        ];
        assert_eq!(items, expected);
    }

    #[test]
    fn a_mark_that_an_attribute_inserts_is_at_its_word() {
        let text = "const A: u8 = 1;\nasync fn a() {\n b.await?;\n c.await;\n}";
        let rewritten = rewrite(text, Edition::Rust2021, &Options::PLAIN);
        let found = marks(text, &rewritten, Edition::Rust2021);
        assert_eq!(found.iter().map(|it| it.line).collect::<Vec<_>>(), [3, 4]);
        for mark in &found {
            assert!(text[mark.offset..].starts_with("await"));
            assert!(rewritten.text[mark.bytes.start..].starts_with("await"));
            let item = mark.item.clone().map(|it| &rewritten.text[it]);
            assert_eq!(item, Some("async fn a() {\n b.await?;\n c.await;\n}"));
        }
    }
}
