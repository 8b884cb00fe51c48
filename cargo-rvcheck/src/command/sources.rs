//! The Rust files of the members, for the commands that look at them without building anything.

use crate::error::{Result, reading};
use crate::inject::groups::group_places;
use crate::inject::libraries::library_places;
use crate::inject::member_file::MemberFile;
use crate::inject::observed::matched;
use crate::inject::probe::StdReplacement;
use crate::inject::rewriting::{PackageRules, rules};
use crate::inject::test_modules::TestModules;
use crate::project::Project;
use crate::project::rust_files::rust_files;
use crate::recorded::SourceFile;
use crate::rollback::undone::Undone;
use crate::specs::of_workspace;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::sync::Arc;

/// The file as it is checked where nothing is built.
pub(super) fn as_source(file: &MemberFile) -> SourceFile {
    SourceFile {
        path: file.path.clone(),
        compiled_as: file.shown.clone(),
        package: file.package.clone(),
        edition: file.edition.name().to_owned(),
        is_test: file.is_of_tests(),
        rewritten: false,
        undone: BTreeSet::new(),
        member: None,
    }
}

/// The files below the folders of the selected packages, in order. Without a build nobody knows which of them are modules, so
/// all are taken.
pub(super) fn files(
    project: &Project,
    std_replacement: StdReplacement,
    undone: &Undone,
) -> Result<Vec<MemberFile>> {
    let specs = of_workspace(&project.root)?;
    let rules = rules(&project.packages, std_replacement, &specs.observations(), !specs.libraries.is_empty());
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
    for (folder, rules) in rules.iter().filter(|(_, it)| it.foreign.is_some()) {
        rust_files(folder, &mut |path| {
            found.insert(path, rules);
        })?;
    }
    let modules = Arc::new(TestModules::of(rules.values()));
    let mut files = Vec::new();
    for (path, rules) in found {
        match MemberFile::read(&path, &project.root, rules, undone) {
            Ok(file) => files.push(file.among(&modules)),
            // What is not Unicode is no Rust.
            Err(error) if error.kind() == ErrorKind::InvalidData => {}
            Err(error) => return Err(reading(&path)(error)),
        }
    }
    // What is not selected may have the functions.
    if project.members().all(|it| project.selected.contains(&it.1.name)) {
        matched(&specs.observed, &files, project)?;
        let own: Vec<&MemberFile> = files.iter().filter(|it| !it.is_foreign).collect();
        group_places(&specs.groups, &own, project)?;
        library_places(&specs.libraries, &own, project)?;
    }
    Ok(files)
}
