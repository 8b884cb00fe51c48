//! The Rust files of the members, for the commands that look at them without building anything.

use crate::error::{Result, reading};
use crate::inject::probe::Way;
use crate::inject::rewriting::{PackageRules, rules};
use crate::project::Project;
use crate::project::rust_files::rust_files;
use crate::recorded::SourceFile;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};

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

impl File {
    /// The file as it is checked.
    pub(super) fn as_source(&self) -> SourceFile {
        SourceFile {
            path: self.path.clone(),
            compiled_as: self.shown.clone(),
            package: self.rules.name.clone(),
            edition: self.rules.edition.clone(),
            is_test: false,
            rewritten: false,
            undone: BTreeSet::new(),
        }
    }
}

/// The files below the folders of the selected packages, in order. Without a build nobody knows which of them are modules, so
/// all are taken.
pub(super) fn files(project: &Project, way: Way) -> Result<Vec<File>> {
    let rules = rules(&project.packages, way);
    let mut found: BTreeMap<Utf8PathBuf, &PackageRules> = BTreeMap::new();
    for (folder, _) in project.members().filter(|it| project.selected.contains(&it.1.name)) {
        if let Some(rules) = rules.get(folder) {
            // The build script runs in the build and not in the program.
            let script = folder.join("build.rs");
            rust_files(folder, &mut |path| {
                if path != script {
                    found.insert(path, rules);
                }
            })?;
        }
    }
    let mut files = Vec::new();
    for (path, rules) in found {
        let Ok(text) = String::from_utf8(std::fs::read(&path).map_err(reading(&path))?) else { continue };
        files.push(File { shown: project.relative(&path), path, text, rules: rules.clone() });
    }
    Ok(files)
}
