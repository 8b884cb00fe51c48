//! The properties that a workspace is checked against: the library's and its own.

use super::attributes::declared_by_attributes;
use super::given::{checked_with, decoded};
use super::library::{files_with, library};
use super::{Property, Specs};
use crate::error::{Expected, Result, reading};
use crate::project;
use crate::request::{BuildArgs, ThresholdArgs};
use camino::Utf8Path;
use rvcheck_spec::language::problem::did_you_mean;
use std::fs;
use toml::Table;

/// The properties that can be named where these options lead: outside any workspace those of the library.
pub fn known(args: &BuildArgs) -> Result<Vec<Property>> {
    match project::root(args)? {
        Some(root) => of_workspace(&root).map(|it| it.properties),
        None => Ok(library().properties),
    }
}

/// The library's properties and those in the files `specs/*.toml` below `root`. Anything wrong with these files is an
/// error that tells all of it.
pub fn of_workspace(root: &Utf8Path) -> Result<Specs> {
    of_workspace_with(root, &ThresholdArgs::DEFAULT)
}

/// The same, where the library's have these thresholds.
pub fn of_workspace_with(root: &Utf8Path, thresholds: &ThresholdArgs) -> Result<Specs> {
    let own = own(root)?;
    // Without properties of its own nobody speaks of its events.
    let attributes = if own.is_empty() { Vec::new() } else { declared_by_attributes(root)? };
    checked_with(&[files_with(thresholds), own].concat(), &attributes)
}

/// The property with this id.
pub fn find<'a>(id: &str, properties: &'a [Property]) -> Result<&'a Property> {
    let ids = || properties.iter().map(|it| it.compiled.id());
    properties.iter().find(|it| it.compiled.id() == id).ok_or_else(|| {
        let known = format!("there are {}", ids().collect::<Vec<_>>().join(", "));
        let known = did_you_mean(id, ids()).map_or(known.clone(), |guess| format!("{known}\n{guess}"));
        Expected::Unknown { what: "property", name: id.to_owned(), known }
    })
}

/// The workspace's own files, in the order of their names.
pub fn own(root: &Utf8Path) -> Result<Vec<(String, String)>> {
    let folder = root.join("specs");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in folder.read_dir_utf8().map_err(reading(&folder))? {
        let entry = entry.map_err(reading(&folder))?;
        let path = entry.path();
        // A package may be in a folder of that name.
        let manifest = path.file_name() == Some("Cargo.toml");
        if path.extension() != Some("toml") || manifest || !path.is_file() {
            continue;
        }
        let name = format!("specs/{}", entry.file_name());
        let text = decoded(&name, fs::read(path).map_err(reading(path))?)?;
        if is_for_properties(&text) {
            files.push((name, text));
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file is one with properties: others may keep what they like in a folder of that name.
fn is_for_properties(text: &str) -> bool {
    match text.parse::<Table>() {
        Ok(table) => ["schema", "property"].iter().any(|key| table.contains_key(*key)),
        // What is wrong with it is said to whom it may concern.
        Err(_) => text.contains("[[property]]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit_code::ExitCode;

    /// What comes of a workspace with this file in `specs/`.
    fn with(name: &str, bytes: &[u8]) -> Result<Vec<Property>> {
        let folder = tempfile::tempdir().expect("there is room");
        let root = Utf8Path::from_path(folder.path()).expect("temporary folders are UTF-8");
        fs::create_dir(root.join("specs")).expect("there is room");
        fs::write(root.join("specs").join(name), bytes).expect("there is room");
        of_workspace(root).map(|it| it.properties)
    }

    const PROPERTY: &str =
        "schema = 1\n[[property]]\nid = \"calm\"\nlogic = \"ltl\"\nformula = \"FORMULA\"\n";

    #[test]
    fn the_files_of_a_workspace_join_the_library() {
        let file = PROPERTY.replace("FORMULA", "forall t: task . G !panic(t)");
        let found = with("my.toml", file.as_bytes()).expect("nothing is wrong");
        assert_eq!(found.len(), rvcheck_specs::LIBRARY.len() + 1);
        let last = found.last().expect("there is one");
        assert_eq!((last.file.as_str(), last.compiled.id()), ("specs/my.toml", "calm"));
        let others = with("Cargo.toml", b"[package]").expect("a manifest is no property file");
        assert_eq!(others.len(), rvcheck_specs::LIBRARY.len());
        for foreign in ["[machine]\nspeed = 3\n", "[machine\n"] {
            let others = with("my.toml", foreign.as_bytes()).expect("it is somebody else's");
            assert_eq!(others.len(), rvcheck_specs::LIBRARY.len());
        }
        with("my.toml", b"[[property]\n[[property]]\n").expect_err("it was to be one");
    }

    #[test]
    fn an_error_names_file_line_and_column_and_shows_the_word() {
        let file = PROPERTY.replace("FORMULA", "forall t: task . G !panik(t)");
        let error = with("my.toml", file.as_bytes()).expect_err("there is no such event");
        assert_eq!(error.exit_code(), ExitCode::Usage);
        let message = error.to_string();
        for part in
            ["unknown event or fluent `panik`", "specs/my.toml:5:32", "^^^^^", "did you mean `panic`?"]
        {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn a_file_that_is_not_utf_8_is_an_error_with_a_place() {
        let message = with("my.toml", b"schema = 1\nx = \xff").expect_err("it is not UTF-8").to_string();
        assert!(message.contains("specs/my.toml:2:5: this byte is not UTF-8"), "{message}");
    }
}
