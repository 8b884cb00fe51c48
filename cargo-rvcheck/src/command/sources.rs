//! The Rust files of the members, for the commands that look at them without building anything.

use crate::error::{Result, reading};
use crate::inject::rewriting::{PackageRules, rules};
use crate::project::{Project, TargetKind};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// A Rust file of a member.
pub(super) struct File {
    /// Where it is.
    pub(super) path: Utf8PathBuf,
    /// How reports name it.
    pub(super) shown: String,
    /// Its text.
    pub(super) text: String,
    /// How it is rewritten.
    pub(super) rules: PackageRules,
}

/// The files below the folders of the targets of the selected packages, in order. Without a build nobody knows which of them
/// are modules, so all are taken.
pub(super) fn files(project: &Project) -> Result<Vec<File>> {
    let rules = rules(&project.packages);
    let mut found: BTreeMap<Utf8PathBuf, &PackageRules> = BTreeMap::new();
    for (folder, package) in project.members().filter(|it| project.selected.contains(&it.1.name)) {
        let Some(rules) = rules.get(folder) else { continue };
        for target in &package.targets {
            // A test in a file of its own may share a folder with others; a library owns everything below its root.
            let mut keep = |path| {
                found.insert(path, rules);
            };
            match target.root.parent().filter(|it| *it != folder && target.kind != TargetKind::Example) {
                Some(below) => walk(below, &mut keep)?,
                None => keep(target.root.clone()),
            }
        }
    }
    let mut files = Vec::new();
    for (path, rules) in found {
        let Ok(text) = String::from_utf8(std::fs::read(&path).map_err(reading(&path))?) else { continue };
        files.push(File { shown: project.relative(&path), path, text, rules: rules.clone() });
    }
    Ok(files)
}

/// Visits the Rust files below the folder, but not below packages of their own.
fn walk(folder: &Utf8Path, visit: &mut dyn FnMut(Utf8PathBuf)) -> Result<()> {
    for entry in folder.read_dir_utf8().map_err(reading(folder))?.flatten() {
        let path = entry.into_path();
        if path.is_dir() {
            if !path.join("Cargo.toml").exists() && !path.join("CACHEDIR.TAG").exists() {
                walk(&path, visit)?;
            }
        } else if path.extension() == Some("rs") {
            visit(path);
        }
    }
    Ok(())
}
