//! The lines of a crate.

mod functions;
mod implementations;
mod kinds;

use crate::documentation::Documentation;
use crate::foreign;
use crate::reach::Reach;
use crate::render::{Lifetimes, Names, Unclear, Writer};
use rustdoc_types::{Crate, ItemEnum};
use std::error::Error;

/// All items, an item a line, sorted by their paths.
pub(crate) fn lines(documentation: &Documentation) -> Result<Vec<String>, Box<dyn Error>> {
    let reach = Reach::of(&documentation.krate, &documentation.name);
    // Once to see which items of other crates occur, and once with their names.
    let names = Names::collecting(&documentation.krate, reach.shortest.clone());
    Lister { krate: &documentation.krate, names: &names, reach: &reach, lines: Vec::new() }.list();
    let mut paths = foreign::paths(documentation, &names.into_unnamed())?;
    paths.extend(reach.shortest.clone());
    let names = Names::new(&documentation.krate, paths);
    let mut lister = Lister { krate: &documentation.krate, names: &names, reach: &reach, lines: Vec::new() };
    lister.list();
    let mut lines = lister.lines;
    lines.sort_by(|a, b| (subject(a), a).cmp(&(subject(b), b)));
    lines.dedup();
    Ok(lines)
}

/// What a line is sorted by: what it is about comes after its kind.
fn subject(line: &str) -> &str {
    let start = line.find("::").and_then(|end| line[..end].rfind([' ', '<'])).map_or(0, |it| it + 1);
    &line[start..]
}

/// Goes through a crate.
struct Lister<'a> {
    krate: &'a Crate,
    names: &'a Names<'a>,
    reach: &'a Reach,
    lines: Vec<String>,
}

impl<'a> Lister<'a> {
    fn list(&mut self) {
        for (path, id) in &self.reach.paths {
            let shortest = self.reach.shortest.get(id) == Some(path);
            if !(shortest && self.kind(path, *id)) {
                self.lines.push(format!("name {path}"));
            }
        }
        let mut items: Vec<_> = self.krate.index.values().collect();
        items.sort_by_key(|it| it.id);
        for item in items {
            if let ItemEnum::Impl(implementation) = &item.inner {
                self.implementation(implementation);
            }
        }
    }

    /// Writes what belongs to this `Self`.
    fn writer(&self, this: &str) -> Writer<'a> {
        Writer { names: self.names, this: this.to_owned(), lifetimes: Lifetimes::Kept }
    }

    /// A line, or that it cannot be written.
    fn push(&mut self, path: &str, line: Result<String, Unclear>) {
        self.lines.push(line.unwrap_or_else(|Unclear(why)| format!("unclear {path}: {why}")));
    }
}

#[cfg(test)]
mod tests {
    use super::subject;

    #[test]
    fn lines_are_sorted_by_what_they_are_about() {
        for (line, expected) in [
            ("name x::y", "x::y"),
            ("async fn <x::Mutex<T>>::lock: <'l0, T>()", "x::Mutex<T>>::lock: <'l0, T>()"),
            ("impl x::Mutex<T>: <T: std::marker::Send> Clone", "x::Mutex<T>: <T: std::marker::Send> Clone"),
        ] {
            assert_eq!(subject(line), expected, "{line}");
        }
    }
}
