//! The lines of source that a report quotes.

use crate::finding::{Finding, Location};
use rvcheck_page::Place;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many lines before and after a place are kept.
const AROUND: u32 = 2;

/// Lines of source by file and line number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpts {
    files: BTreeMap<String, BTreeMap<u32, String>>,
}

impl Excerpts {
    /// Adds the lines of others.
    pub fn add(&mut self, others: Excerpts) {
        for (file, lines) in others.files {
            self.files.entry(file).or_default().extend(lines);
        }
    }

    /// The lines around every place of these findings. `text` gives the text of a file as findings name it, if there is one.
    pub fn of<'a>(findings: &[Finding], mut text: impl FnMut(&str) -> Option<&'a str>) -> Excerpts {
        let mut wanted: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        for location in findings.iter().flat_map(|it| std::iter::once(&it.primary).chain(&it.related)) {
            wanted.entry(&location.file).or_default().push((location.line, location.end_line));
        }
        for edit in findings.iter().flat_map(|it| &it.fixes).flat_map(|it| &it.edits) {
            wanted.entry(&edit.file).or_default().push((edit.line, edit.end_line));
        }
        for place in pictured(findings) {
            wanted.entry(&place.file).or_default().push((place.line, place.line));
        }
        let mut files = BTreeMap::new();
        for (file, locations) in wanted {
            let Some(text) = text(file) else { continue };
            let mut near: Vec<(u32, u32)> = locations
                .iter()
                .map(|(first, last)| {
                    (first.saturating_sub(AROUND), (*last).max(*first).saturating_add(AROUND))
                })
                .collect();
            near.sort_unstable();
            // The stretches that begin at the line or before have passed; what counts is where the last of them ends.
            let (mut begun, mut until) = (near.into_iter().peekable(), 0);
            let mut lines = BTreeMap::new();
            for (number, line) in (1..).zip(text.lines()) {
                while let Some((_, end)) = begun.next_if(|(first, _)| *first <= number) {
                    until = until.max(end);
                }
                if number <= until {
                    lines.insert(number, line.to_owned());
                }
            }
            files.insert(file.to_owned(), lines);
        }
        Excerpts { files }
    }

    /// The kept lines around a place.
    pub fn around(&self, file: &str, line: u32) -> Vec<(u32, String)> {
        let near = line.saturating_sub(AROUND)..=line.saturating_add(AROUND);
        let lines = self.files.get(file).into_iter().flat_map(|it| it.range(near.clone()));
        lines.map(|(number, text)| (*number, text.clone())).collect()
    }

    /// The text of that line, if it is kept.
    pub fn line(&self, file: &str, number: u32) -> Option<&str> {
        self.files.get(file)?.get(&number).map(String::as_str)
    }

    /// The kept lines of a file as one text from its first kept line on; lines that are not kept are empty in it.
    /// `None` if nothing of the file is kept.
    pub fn stretch(&self, file: &str, first: u32, last: u32) -> Option<Stretch> {
        let lines = self.files.get(file)?;
        let first = first.saturating_sub(AROUND).max(1);
        let last = last.saturating_add(AROUND).min(*lines.keys().next_back()?);
        let mut stretch = Stretch { first, text: String::new(), starts: Vec::new() };
        for number in first..=last {
            stretch.starts.push(stretch.text.len());
            stretch.text.push_str(lines.get(&number).map_or("", String::as_str));
            stretch.text.push('\n');
        }
        Some(stretch)
    }
}

/// The places of the steps of pictures.
fn pictured(findings: &[Finding]) -> impl Iterator<Item = &Place> {
    let pictures = findings.iter().flat_map(|it| it.pictures.drawn());
    pictures.flat_map(|it| &it.steps).filter_map(|it| it.place.as_ref())
}

/// A stretch of a file, with the way from lines and columns to bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The number of its first line.
    pub first: u32,
    /// Its text.
    pub text: String,
    /// Where each line begins in `text`.
    starts: Vec<usize>,
}

impl Stretch {
    /// The byte range of a location, if it lies inside. An empty one is widened to one character.
    pub fn range(&self, location: &Location) -> Option<std::ops::Range<usize>> {
        let start = self.offset(location.line, location.column)?;
        let end = self.offset(location.end_line, location.end_column).unwrap_or(start);
        let one = self.text[start..].chars().next().map_or(0, char::len_utf8);
        Some(start..end.max(start + one))
    }

    /// The byte range of a location, if it lies inside. It may be empty.
    pub fn between(&self, location: &Location) -> Option<std::ops::Range<usize>> {
        let start = self.offset(location.line, location.column)?;
        let end = self.offset(location.end_line, location.end_column)?;
        (start <= end).then_some(start..end)
    }

    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = *self.starts.get(usize::try_from(line.checked_sub(self.first)?).ok()?)?;
        let text = self.text[start..].lines().next().unwrap_or("");
        let before = usize::try_from(column.saturating_sub(1)).ok()?;
        Some(start + text.char_indices().nth(before).map_or(text.len(), |(at, _)| at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32, end_column: u32) -> Location {
        Location { file: "a.rs".into(), line, column, end_line: line, end_column, label: String::new() }
    }

    fn excerpts() -> Excerpts {
        let lines = ["one", "two", "größe = x", "four"];
        Excerpts {
            files: BTreeMap::from([("a.rs".to_owned(), (1..).zip(lines.map(str::to_owned)).collect())]),
        }
    }

    #[test]
    fn columns_count_characters_and_not_bytes() {
        let stretch = excerpts().stretch("a.rs", 3, 3).expect("the file is kept");
        let range = stretch.range(&at(3, 9, 10)).expect("it lies inside");
        assert_eq!(&stretch.text[range], "x");
    }

    #[test]
    fn the_lines_around_each_place_are_kept() {
        let text = "line\n".repeat(30);
        let findings = [(25, 25), (3, 3), (10, 14), (4, 4)].map(|(line, end_line)| {
            let mut finding = crate::report::tests::sample().findings.remove(0);
            finding.primary = Location { file: "b.rs".into(), end_line, ..at(line, 1, 2) };
            finding.related = Vec::new();
            finding
        });
        let excerpts = Excerpts::of(&findings, |_| Some(&text));
        let kept: Vec<u32> = (1..=30).filter(|it| excerpts.line("b.rs", *it).is_some()).collect();
        assert_eq!(kept, [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27]);
    }

    #[test]
    fn a_place_behind_the_end_of_its_line_is_the_end_of_the_line() {
        let stretch = excerpts().stretch("a.rs", 2, 2).expect("the file is kept");
        let range = stretch.range(&at(2, 90, 95)).expect("the line is there");
        assert_eq!(&stretch.text[range], "\n");
    }

    #[test]
    fn a_place_outside_the_stretch_has_no_range() {
        let stretch = excerpts().stretch("a.rs", 1, 1).expect("the file is kept");
        assert_eq!(stretch.range(&at(77, 1, 2)), None);
        assert_eq!(excerpts().stretch("b.rs", 1, 1), None);
    }
}
