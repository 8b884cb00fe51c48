//! What a workspace says of itself to rvcheck: where it is, and the tables `[package.metadata.rvcheck]` of its packages.

use super::refused;
use crate::error::{Expected, Result};
use crate::levels::{Choice, Levels};
use crate::relative::relative;
use camino::Utf8PathBuf;
use cargo_metadata::{Metadata, MetadataCommand, Target};
use rvcheck_spec::language::problem::did_you_mean;
use serde_json::Value;

/// A workspace as far as reports about it are concerned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// Its root.
    pub root: Utf8PathBuf,
    /// Its packages.
    pub packages: Vec<Settings>,
}

/// What a package says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The package's name.
    pub name: String,
    /// Its folder below the root of the workspace, with a slash at its end; empty for the root.
    pub folder: String,
    /// Its tests are not run, and findings in its code do not count.
    pub skip: bool,
    /// The levels of properties in its code.
    pub levels: Levels,
    /// Cargo's name for it.
    pub id: String,
    /// Its targets, with the paths of their root files below the root of the workspace.
    pub targets: Vec<(String, Target)>,
}

impl Workspace {
    /// The workspace that cargo describes. A table that makes no sense is an error.
    pub(super) fn of(metadata: &Metadata) -> Result<Workspace> {
        let root = &metadata.workspace_root;
        let mut packages = Vec::new();
        for package in metadata.workspace_packages() {
            let folder = package.manifest_path.parent().map_or_else(String::new, |it| relative(it, root));
            let folder = if folder.is_empty() { folder } else { format!("{folder}/") };
            let table = &package.metadata["rvcheck"];
            let place = |problem| {
                let manifest = relative(&package.manifest_path, root);
                Expected::Configuration(format!("{manifest}: in [package.metadata.rvcheck], {problem}"))
            };
            let (skip, choices) = read(table).map_err(place)?;
            let levels = Levels::of(choices.iter().map(|it| (it.0.as_str(), it.1)))?;
            let targets =
                package.targets.iter().map(|it| (relative(&it.src_path, root), it.clone())).collect();
            let (name, id) = (package.name.to_string(), package.id.repr.clone());
            packages.push(Settings { name, folder, skip, levels, id, targets });
        }
        Ok(Workspace { root: root.clone(), packages })
    }
}

/// The workspace that this manifest, or the current folder, belongs to; `None` outside any.
pub fn workspace(manifest: &clap_cargo::Manifest) -> Result<Option<Workspace>> {
    let mut command = MetadataCommand::new();
    match &manifest.manifest_path {
        Some(path) => _ = command.manifest_path(path),
        None if !super::is_in_package() => return Ok(None),
        None => {}
    }
    let metadata = command.no_deps().exec().map_err(refused)?;
    Workspace::of(&metadata).map(Some)
}

type Choices = Vec<(String, Choice)>;

/// Reads a table, or says what is wrong with it.
fn read(table: &Value) -> std::result::Result<(bool, Choices), String> {
    const KEYS: [&str; 2] = ["skip", "levels"];
    let Some(table) = table.as_object() else {
        return if table.is_null() {
            Ok((false, Vec::new()))
        } else {
            Err("there must be a table".to_owned())
        };
    };
    if let Some(key) = table.keys().find(|it| !KEYS.contains(&it.as_str())) {
        let guess = did_you_mean(key, KEYS).unwrap_or_else(|| "there are skip and levels".to_owned());
        return Err(format!("unknown key `{key}`\n{guess}"));
    }
    let skip = match table.get("skip") {
        None => false,
        Some(value) => value.as_bool().ok_or("`skip` must be true or false")?,
    };
    let mut choices = Vec::new();
    if let Some(levels) = table.get("levels") {
        for (id, level) in levels.as_object().ok_or("`levels` must be a table")? {
            let choice = level.as_str().and_then(Choice::of_name);
            let choice = choice
                .ok_or_else(|| format!("the level of `{id}` must be \"allow\", \"warn\" or \"deny\""))?;
            choices.push((id.clone(), choice));
        }
    }
    Ok((skip, choices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_says_what_is_skipped_and_what_is_allowed() {
        assert_eq!(read(&Value::Null), Ok((false, Vec::new())));
        let table = json!({ "skip": true, "levels": { "task-leak": "allow" } });
        assert_eq!(read(&table), Ok((true, vec![("task-leak".to_owned(), Choice::Allow)])));
    }

    #[test]
    fn what_makes_no_sense_is_an_error() {
        let cases = [
            (json!(1), "a table"),
            (json!({ "skipp": true }), "did you mean `skip`?"),
            (json!({ "skip": "yes" }), "true or false"),
            (json!({ "levels": { "a": "forbid" } }), "\"allow\", \"warn\" or \"deny\""),
        ];
        for (table, word) in cases {
            let problem = read(&table).expect_err("it makes no sense");
            assert!(problem.contains(word), "{problem}");
        }
    }
}
