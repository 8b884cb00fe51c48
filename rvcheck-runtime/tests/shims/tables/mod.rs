//! What the READMEs of the shims say in their tables.

mod name;
mod page;

pub(crate) use name::{Name, mentions};
pub(crate) use page::page;

use std::fs;
use std::path::{Path, PathBuf};

/// The README of a shim.
pub(crate) struct Readme {
    /// The name of the crate in Rust.
    pub(crate) krate: String,
    pub(crate) text: String,
    /// The table of what is seen.
    pub(crate) seen: Vec<Row>,
    /// The table of what is not.
    pub(crate) unseen: Vec<Row>,
}

/// A row of a table.
pub(crate) struct Row {
    /// What is seen, or not.
    items: String,
    /// How, or why.
    recorded: String,
}

/// The folder of the shims.
pub(crate) fn shims() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shims")
}

/// All of them, in alphabetical order, but std is the first.
pub(crate) fn readmes() -> Vec<Readme> {
    let folders = fs::read_dir(shims()).unwrap().map(|it| it.unwrap().path());
    let folders = folders.filter(|it| it.join("shim.toml").exists());
    let mut names: Vec<String> =
        folders.map(|it| it.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort_by_key(|it| (it != "std", it.clone()));
    names.iter().map(|it| Readme::read(it)).collect()
}

impl Readme {
    pub(crate) fn read(krate: &str) -> Readme {
        let path = shims().join(krate).join("README.md");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rows = |heading| section(&text, heading).map(rows).unwrap_or_default();
        let (seen, unseen) = (rows("What is seen"), rows("What is not seen"));
        assert!(!seen.is_empty(), "{krate} has no table");
        Readme { krate: krate.to_owned(), seen, unseen, text }
    }
}

/// The rows of a table but for its head.
fn rows(section: &str) -> Vec<Row> {
    let rows = section.lines().filter_map(|it| it.strip_prefix("| ")?.strip_suffix(" |")?.split_once("| "));
    rows.skip(1)
        .map(|(items, recorded)| Row { items: items.trim_end().into(), recorded: recorded.into() })
        .collect()
}

impl Row {
    /// The names of the items.
    pub(crate) fn names(&self) -> Vec<Name> {
        self.items.split('`').skip(1).step_by(2).flat_map(Name::all).collect()
    }

    /// Whether it is recorded because the real crate uses something that is instrumented.
    pub(crate) fn owes_to_another(&self) -> bool {
        ["shim of", "since they expand", "as those of"].iter().any(|it| self.recorded.contains(it))
    }
}

/// What stands below a heading.
pub(crate) fn section<'a>(text: &'a str, heading: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(&format!("\n## {heading}\n"))?;
    Some(after.split_once("\n## ").map_or(after, |(section, _)| section).trim())
}
