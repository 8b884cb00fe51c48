//! The changed lines of a diff, so that only what concerns them is reported.

use crate::finding::{Allowance, Finding, Location, Suppressed};
use camino::Utf8Path;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// By file, as the diff names it: the lines of its hunks in the new text, lines of context included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    files: BTreeMap<String, Vec<RangeInclusive<u32>>>,
}

impl Changes {
    /// The changes of a unified diff, as git and diff write it. What makes no sense in it is passed over.
    pub fn of_diff(text: &str) -> Changes {
        let mut changes = Changes::default();
        let mut file: Option<String> = None;
        // How many lines of the hunk are still to come, on either side, so that no line of code is taken for a header.
        let (mut old, mut new) = (0_u32, 0_u32);
        for line in text.lines() {
            if old > 0 || new > 0 {
                match line.as_bytes().first() {
                    Some(b'+') => new = new.saturating_sub(1),
                    Some(b'-') => old = old.saturating_sub(1),
                    Some(b'\\') => {}
                    _ => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
                }
            } else if let Some(name) = line.strip_prefix("+++ ") {
                file = name_of(name);
            } else if let Some(hunk) = line.strip_prefix("@@ ").and_then(hunk) {
                (old, new) = (hunk.old, hunk.new);
                if let Some(file) = &file {
                    let last = hunk.first.saturating_add(hunk.new.max(1) - 1);
                    changes.files.entry(file.clone()).or_default().push(hunk.first.max(1)..=last.max(1));
                }
            }
        }
        changes
    }

    fn touch(&self, place: &Location, in_repository: &impl Fn(&str) -> String) -> bool {
        let ranges = self.files.get(&in_repository(&place.file)).or_else(|| self.files.get(&place.file));
        let last = place.end_line.max(place.line);
        ranges.into_iter().flatten().any(|it| *it.start() <= last && place.line <= *it.end())
    }

    /// Marks the open findings none of whose places has changed, and counts them. `in_repository` names a file from the root of
    /// the repository. What has no place in a source file is left alone.
    pub(super) fn apply(&self, findings: &mut [Finding], in_repository: impl Fn(&str) -> String) -> u64 {
        let mut count = 0;
        for finding in findings.iter_mut().filter(|it| !it.suppressed) {
            let mut places = std::iter::once(&finding.primary).chain(&finding.related);
            let of_source = Utf8Path::new(&finding.primary.file).extension() == Some("rs");
            if of_source && !places.any(|it| self.touch(it, &in_repository)) {
                finding.suppressed = true;
                finding.suppression = Some(Suppressed { by: Allowance::Unchanged, reason: String::new() });
                count += 1;
            }
        }
        count
    }
}

struct Hunk {
    old: u32,
    first: u32,
    new: u32,
}

/// Reads `-1,3 +1,4 @@ …`.
fn hunk(text: &str) -> Option<Hunk> {
    let mut words = text.split(' ');
    let mut side = |sign| {
        let (first, count) =
            words.next()?.strip_prefix(sign).map(|it| it.split_once(',').unwrap_or((it, "1")))?;
        Some((first.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
    };
    let ((_, old), (first, new)) = (side('-')?, side('+')?);
    Some(Hunk { old, first, new })
}

/// The file behind `+++ `; `None` for one that was removed.
fn name_of(text: &str) -> Option<String> {
    // What follows a tab is a time.
    let name = text.split('\t').next().unwrap_or(text);
    let name = name.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(name);
    if name == "/dev/null" {
        return None;
    }
    Some(name.strip_prefix("b/").unwrap_or(name).replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "\
diff --git a/bank/src/lib.rs b/bank/src/lib.rs
--- a/bank/src/lib.rs
+++ b/bank/src/lib.rs
@@ -3,4 +3,5 @@ impl Journal {
 a
-b
--- c
+++ d
+e
+f
 g
@@ -20 +22,0 @@
-gone
diff --git a/x.rs b/x.rs
--- a/x.rs
+++ /dev/null
@@ -1 +0,0 @@
-all
--- a/plain.rs\t2026-01-01
+++ plain.rs\t2026-01-02
@@ -1 +1 @@
-a
+b
";

    #[test]
    fn the_hunks_of_a_diff_are_what_has_changed() {
        let found = Changes::of_diff(DIFF);
        let expected =
            [("bank/src/lib.rs".to_owned(), vec![3..=7, 22..=22]), ("plain.rs".to_owned(), vec![1..=1])];
        assert_eq!(found.files, BTreeMap::from(expected));
        assert_eq!(Changes::of_diff("@@ nonsense\n+++ \n@@ -1 +1,9999999999 @@\n"), Changes::default());
    }

    #[test]
    fn a_place_is_found_from_the_root_of_the_repository_and_from_that_of_the_workspace() {
        let changes = Changes::of_diff(DIFF);
        let place = |file: &str, line| Location {
            file: file.into(),
            line,
            column: 1,
            end_line: line,
            end_column: 2,
            label: String::new(),
        };
        let below = |it: &str| format!("bank/{it}");
        for (file, line, expected) in [
            ("src/lib.rs", 3, true),
            ("src/lib.rs", 8, false),
            ("src/lib.rs", 22, true),
            ("plain.rs", 1, true),
        ] {
            assert_eq!(changes.touch(&place(file, line), &below), expected, "{file}:{line}");
        }
    }
}
