//! What tells a finding from others when lines move: the item around its place, and the code that stands there.

use crate::finding::{Anchor, Finding, Location};
use rvcheck_source::items::Items;
use std::collections::BTreeMap;

/// What two findings have in common that cannot be told apart without their lines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The id of the property.
    pub property: String,
    /// The file of the primary place.
    pub file: String,
    /// Where in the file.
    pub anchor: Anchor,
}

impl Key {
    /// The key of a finding.
    pub fn of(finding: &Finding) -> Key {
        Key {
            property: finding.property.clone(),
            file: finding.primary.file.clone(),
            anchor: finding.anchor.clone(),
        }
    }
}

/// Gives each finding its anchor. `items` has the text of a file as findings name it and its items, if there is such a file.
pub fn fix<'a>(findings: &mut [Finding], mut items: impl FnMut(&str) -> Option<(&'a str, &'a Items)>) {
    let mut files: BTreeMap<String, Option<(&str, &Items)>> = BTreeMap::new();
    for finding in findings {
        let file = &finding.primary.file;
        if !files.contains_key(file) {
            files.insert(file.clone(), items(file));
        }
        if let Some(Some((text, items))) = files.get(file) {
            finding.anchor = anchor(&finding.primary, text, items);
        }
    }
}

fn anchor(place: &Location, text: &str, items: &Items) -> Anchor {
    let before = usize::try_from(place.line.saturating_sub(1)).unwrap_or(usize::MAX);
    let Some(line) = text.split_inclusive('\n').nth(before) else { return Anchor::default() };
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let column = usize::try_from(place.column.saturating_sub(1)).unwrap_or(usize::MAX);
    let inside = line.char_indices().nth(column).map_or(0, |(at, _)| at);
    let code = line.split_whitespace().collect::<Vec<_>>().join(" ");
    Anchor { item: items.path(start + inside).to_owned(), code }
}

/// The fingerprint of each finding, in their order: sixteen hexadecimal digits of its key, and which one of those with this key
/// it is, from 1.
pub fn fingerprints<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<String> {
    let mut seen: BTreeMap<Key, u32> = BTreeMap::new();
    let print = |finding| {
        let key = Key::of(finding);
        let words = [&key.property, &key.file, &key.anchor.item, &key.anchor.code];
        let hash = fnv(words.into_iter().map(String::as_str));
        let count = seen.entry(key).or_default();
        *count += 1;
        format!("{hash:016x}:{count}")
    };
    findings.map(print).collect()
}

/// The hash FNV-1a of these texts with a zero byte behind each. It is kept by services, so it is one that never changes.
fn fnv<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_source::edition::Edition;

    fn anchored(text: &str, line: u32, column: u32) -> Anchor {
        let place = Location {
            file: "src/lib.rs".into(),
            line,
            column,
            end_line: line,
            end_column: column,
            label: String::new(),
        };
        anchor(&place, text, &Items::of(text, Edition::Rust2021))
    }

    #[test]
    fn an_anchor_stays_when_the_code_above_it_grows() {
        let text = "impl Journal {\n    fn append() {\n        spawn( flush() );\n    }\n}\n";
        let anchor = anchored(text, 3, 9);
        assert_eq!(anchor, Anchor { item: "Journal::append".into(), code: "spawn( flush() );".into() });
        assert_eq!(anchored(&format!("// Größe.\n\n{text}"), 5, 9), anchor);
    }

    #[test]
    fn a_place_that_is_not_in_the_file_has_no_anchor() {
        assert_eq!(anchored("fn f() {}\n", 7, 1), Anchor::default());
        assert_eq!(anchored("fn f() {}\n", 1, 99).item, "f");
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv(std::iter::empty()), 0xcbf2_9ce4_8422_2325);
        // FNV-1a of "a\0".
        assert_eq!(fnv(["a"].into_iter()), {
            let a = (0xcbf2_9ce4_8422_2325_u64 ^ 0x61).wrapping_mul(0x100_0000_01b3);
            assert_eq!(a, 0xaf63_dc4c_8601_ec8c);
            a.wrapping_mul(0x100_0000_01b3)
        });
    }
}
