//! The baseline: findings that are known and do not fail, counted, and without line numbers.
//!
//! An entry is a property, a file, the item around the place and the line of code there, and how many findings have all of
//! these. It goes on standing for them when they move inside the file, and when they move to another file with their item. More
//! findings than it counts are findings; fewer make it stale.

mod file;

pub use file::{PATH, read, written};

use super::{BASELINE, of_file};
use crate::anchor::Key;
use crate::finding::{Allowance, Finding, Level, RESERVED, Suppressed};
use std::collections::BTreeMap;

/// Known findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The entries, in the order of their file.
    pub entries: Vec<Entry>,
}

/// Some findings that cannot be told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What they have in common.
    pub key: Key,
    /// How many there are.
    pub count: u64,
    /// The line of the entry in its file, from 1.
    pub line: u32,
}

/// What changes when a baseline is made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// How many findings are known that were not.
    pub added: u64,
    /// How many are known no more.
    pub removed: u64,
}

/// Suppresses what is known, and gives the findings that report stale entries.
pub(super) fn apply(baseline: &Baseline, findings: &mut [Finding]) -> Vec<Finding> {
    let matched = matched(baseline, findings);
    for index in matched.findings {
        findings[index].suppressed = true;
        findings[index].suppression = Some(Suppressed { by: Allowance::Baseline, reason: String::new() });
    }
    let left = baseline.entries.iter().zip(matched.left).filter(|(_, left)| *left > 0);
    left.map(|(entry, left)| stale(entry, left)).collect()
}

/// The baseline of these findings, and what it changes about an older one. Where nothing is to be `added`, it has only what the
/// older one has, too. Where nothing can be said to be mended, what is stale stays.
pub fn renewed(old: &Baseline, findings: &[Finding], add: bool, mended: bool) -> (Baseline, Change) {
    let Matched { findings: known, left } = matched(old, findings);
    let mut counts: BTreeMap<Key, u64> = BTreeMap::new();
    for &index in &known {
        *counts.entry(Key::of(&findings[index])).or_default() += 1;
    }
    let mut change = Change::default();
    for (entry, left) in old.entries.iter().zip(left) {
        if mended {
            change.removed += left;
        } else if left > 0 {
            *counts.entry(entry.key.clone()).or_default() += left;
        }
    }
    let new = findings.iter().enumerate().filter(|(index, it)| is_candidate(it) && !known.contains(index));
    for (_, finding) in new {
        change.added += 1;
        if add {
            *counts.entry(Key::of(finding)).or_default() += 1;
        }
    }
    let entries = counts.into_iter().map(|(key, count)| Entry { key, count, line: 0 }).collect();
    (Baseline { entries }, change)
}

/// Which findings a baseline stands for, by index, and how much of each entry is left.
struct Matched {
    findings: Vec<usize>,
    left: Vec<u64>,
}

/// Findings that are open, or were in a baseline before, and are no remarks about suppressions.
fn is_candidate(finding: &Finding) -> bool {
    let known = finding.suppression.as_ref().is_some_and(|it| it.by == Allowance::Baseline);
    (!finding.suppressed || known) && RESERVED.iter().all(|it| it.id != finding.property)
}

fn matched(baseline: &Baseline, findings: &[Finding]) -> Matched {
    let mut left: Vec<u64> = baseline.entries.iter().map(|it| it.count).collect();
    let mut known = Vec::new();
    // What has stayed in its file goes first, so that nothing that has come from elsewhere takes its place.
    for same_file in [true, false] {
        for (index, finding) in findings.iter().enumerate() {
            if !is_candidate(finding) || known.contains(&index) {
                continue;
            }
            let key = Key::of(finding);
            let fits = |entry: &Entry| {
                let same = entry.key.property == key.property && entry.key.anchor == key.anchor;
                same && (!same_file || entry.key.file == key.file)
            };
            let entry = (0..left.len()).find(|it| left[*it] > 0 && fits(&baseline.entries[*it]));
            if let Some(entry) = entry {
                left[entry] -= 1;
                known.push(index);
            }
        }
    }
    known.sort_unstable();
    Matched { findings: known, left }
}

fn stale(entry: &Entry, left: u64) -> Finding {
    let Key { property, file, anchor } = &entry.key;
    let place = if anchor.item.is_empty() { file.clone() } else { format!("`{}` of {file}", anchor.item) };
    let message = if left == entry.count {
        format!("`{property}` in {place} was not found again")
    } else {
        let found = entry.count - left;
        format!("`{property}` in {place} was found {found} times and not {}", entry.count)
    };
    let advice = "`cargo rvcheck baseline` removes what is no longer found";
    of_file(BASELINE, Level::Note, (PATH, entry.line.max(1)), message, advice)
}
