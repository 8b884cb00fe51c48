//! Which awaits and calls are not marked because that did not compile: kept, so that a second run does not try again.

use crate::digest::digest;
use crate::error::Result;
use crate::layout::{read_value, write_value};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The places of all files that are not marked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    files: BTreeMap<Utf8PathBuf, UndoneFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct UndoneFile {
    /// Stands for the text that the offsets are about.
    text: String,
    places: BTreeMap<usize, String>,
}

/// Nothing.
static NONE: BTreeMap<usize, String> = BTreeMap::new();

impl Undone {
    /// What was kept in this file; nothing where there is none, or where it is of another version of the tool.
    pub fn read(path: &Utf8Path) -> Undone {
        read_value(path).unwrap_or_default()
    }

    /// Keeps it in this file.
    pub fn write(&self, path: &Utf8Path) -> Result<()> {
        write_value(path, self)
    }

    /// The places of this file, by their offsets, with what the compiler reported. None if the file had another text then.
    pub fn of(&self, path: &Utf8Path, text: &str) -> &BTreeMap<usize, String> {
        match self.files.get(path) {
            Some(file) if file.text == digest([text]) => &file.places,
            _ => &NONE,
        }
    }

    /// The places of all files, by their offsets, with what the compiler reported.
    pub fn all(&self) -> impl Iterator<Item = (&Utf8Path, &BTreeMap<usize, String>)> {
        self.files.iter().map(|(path, it)| (path.as_path(), &it.places))
    }

    /// Adds places of this file. What was known of another text of it is dropped.
    pub fn add(&mut self, path: &Utf8Path, text: &str, places: &BTreeMap<usize, String>) {
        let empty = || UndoneFile { text: digest([text]), places: BTreeMap::new() };
        let file = self.files.entry(path.to_owned()).or_insert_with(empty);
        if file.text != digest([text]) {
            *file = empty();
        }
        for (offset, message) in places {
            file.places.entry(*offset).or_insert_with(|| message.clone());
        }
    }

    /// Takes places of this file out again.
    pub fn remove(&mut self, path: &Utf8Path, places: &BTreeMap<usize, String>) {
        if let Some(file) = self.files.get_mut(path) {
            file.places.retain(|offset, _| !places.contains_key(offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_undone_is_forgotten_when_the_file_changes() {
        let path = Utf8Path::new("/shop/src/lib.rs");
        let at = |offset: usize| BTreeMap::from([(offset, format!("no {offset}"))]);
        let mut undone = Undone::default();
        undone.add(path, "old", &at(1));
        undone.add(path, "old", &at(2));
        assert_eq!(undone.of(path, "old").len(), 2);
        assert!(undone.of(path, "new").is_empty());
        undone.remove(path, &at(1));
        assert_eq!(undone.of(path, "old"), &at(2));
        undone.add(path, "new", &at(3));
        assert_eq!(undone.of(path, "new"), &at(3));
        assert!(undone.of(path, "old").is_empty());
    }
}
