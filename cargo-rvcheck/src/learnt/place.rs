//! A place of the program that outlives changes to its file: the position, and what its line reads.

use crate::inject::member_file::MemberFiles;
use camino::Utf8Path;
use rvcheck_event::position::{CompiledPosition, SourcePosition};
use std::fmt;
use std::fs;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The file, relative to the root of the workspace.
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The line, without the spaces at its end.
    pub(super) code: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Place {
    /// The place that is written like this.
    pub(super) fn read(at: &str, code: &str) -> Option<Place> {
        let (rest, column) = at.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        Some(Place { file: file.to_owned(), line, column, code: code.to_owned() })
    }

    /// The place at this position of a file, as its line reads now; without that, where it cannot be read.
    pub(super) fn at(file: &str, line: u32, column: u32, root: &Utf8Path) -> Place {
        let text = fs::read_to_string(root.join(file)).unwrap_or_default();
        let code = text.lines().nth(index(line)).unwrap_or_default().trim_end().to_owned();
        Place { file: file.to_owned(), line, column, code }
    }

    /// Where it is now: where it was, or else where the one line is that reads the same.
    pub(super) fn now(self, root: &Utf8Path) -> Option<Place> {
        let text = fs::read_to_string(root.join(&self.file)).ok()?;
        self.within(&text)
    }

    /// The same in a file with this text.
    fn within(self, text: &str) -> Option<Place> {
        let lines: Vec<&str> = text.lines().collect();
        let is_it = |line: &&str| line.trim() == self.code.trim();
        let same = lines.get(index(self.line)).filter(|it| is_it(it)).map(|it| (self.line, *it));
        let (line, found) = same.or_else(|| {
            let mut alike = (1_u32..).zip(lines.iter().copied()).filter(|(_, line)| is_it(line));
            alike.next().filter(|_| alike.next().is_none() && !self.code.trim().is_empty())
        })?;
        let column = (self.column + indent(found)).checked_sub(indent(&self.code))?;
        Some(Place { line, column, code: found.trim_end().to_owned(), ..self })
    }

    /// How the compiler calls the file and the line, and the columns there that stand for this one; none if it is no file of a member.
    pub(super) fn compiled(&self, root: &Utf8Path, members: &MemberFiles<'_>) -> Option<(String, Vec<u32>)> {
        let member = members.file(&root.join(&self.file))?;
        let wanted = SourcePosition::new(self.line, self.column);
        let line = member.text.lines().nth(index(self.line)).unwrap_or_default();
        // Marks make a line longer, and none of them is long.
        let last =
            u32::try_from(line.chars().count()).unwrap_or(u32::MAX).saturating_mul(40).saturating_add(80);
        let columns = (1..=last).filter(|column| {
            member.positions().original(CompiledPosition::new(self.line, *column)) == wanted
        });
        Some((format!("{}:{}", member.compiled_as, self.line), columns.collect()))
    }
}

/// How many characters a line is indented by.
fn indent(line: &str) -> u32 {
    u32::try_from(line.chars().take_while(|it| it.is_whitespace()).count()).unwrap_or(u32::MAX)
}

/// The index of what has this number, from 1.
fn index(number: u32) -> usize {
    usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_where_its_line_went_and_not_where_several_read_the_same() {
        let place = Place::read("src/lib.rs:2:9", "    tokio::spawn(work());").expect("it is one");
        let now = |text: &str| place.clone().within(text).map(|it| it.to_string());
        let cases = [
            ("fn a() {\n    tokio::spawn(work());\n}", Some("src/lib.rs:2:9")),
            ("fn a() {\n\n\n        tokio::spawn(work());\n}", Some("src/lib.rs:4:13")),
            ("fn a() {\ntokio::spawn(work());\n}", Some("src/lib.rs:2:5")),
            ("fn a() {\n\n    tokio::spawn(work());\n    tokio::spawn(work());\n}", None),
            ("fn a() {}", None),
        ];
        for (text, expected) in cases {
            assert_eq!(now(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn text_that_is_no_place_is_distinguished_from_a_place() {
        for text in ["src/lib.rs", "src/lib.rs:2", "src/lib.rs:a:2", ""] {
            assert_eq!(Place::read(text, ""), None, "{text}");
        }
    }
}
