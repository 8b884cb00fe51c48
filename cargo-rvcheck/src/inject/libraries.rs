//! Where the code of libraries is: of the crates that always are some, and of those crates and modules that property files name.

use super::member_file::MemberFile;
use super::observed::{ObservedFunctions, report_problems};
use crate::error::Result;
use crate::project::{Package, Project, Role, TargetKind};
use crate::specs::{LibraryEntry, SpecProblem};
use camino::Utf8Path;
use rvcheck_source::observe::{Module, lines_below, paths_in};
use rvcheck_spec::language::problem::did_you_mean;
use std::borrow::Borrow;
use std::collections::BTreeSet;

/// Dependencies that are libraries without anybody saying so.
const ALWAYS: [&str; 3] = ["tokio", "tower", "hyper"];

/// The places of this code, as the recorder reads them. It complains of an entry that names no crate and no module of these files.
pub fn library_places<F: Borrow<MemberFile>>(
    entries: &[LibraryEntry],
    files: &[F],
    project: &Project,
) -> Result<Vec<String>> {
    let dependencies: Vec<(&Utf8Path, String)> = project
        .packages
        .iter()
        .filter(|it| it.1.role != Role::Member)
        .filter_map(|(folder, package)| Some((folder.as_path(), name_of(package)?)))
        .collect();
    let folders = |name: &str| -> Vec<String> {
        let found = dependencies.iter().filter(|it| is_part_of(&it.1, name));
        found.map(|(folder, _)| format!("{folder}/")).collect()
    };
    let mut places: BTreeSet<String> = ALWAYS.iter().flat_map(|it| folders(it)).collect();
    let crates = ObservedFunctions::crates_of(project.packages.values());
    let mut problems = Vec::new();
    for entry in entries {
        let path = entry.path.segments();
        let mut found = match path {
            [name] => folders(name),
            _ => Vec::new(),
        };
        for file in files {
            found.extend(places_in(file.borrow(), path, &crates));
        }
        if found.is_empty() {
            let known = names(files, &crates, dependencies.iter().map(|it| &*it.1));
            problems.push(unknown(entry, &known));
        }
        places.extend(found);
    }
    report_problems(problems, project)?;
    Ok(places.into_iter().collect())
}

/// What a package's library is called in paths.
fn name_of(package: &Package) -> Option<String> {
    let library = package.targets.iter().find(|it| it.kind == TargetKind::Lib)?;
    Some(library.name.replace('-', "_"))
}

/// Whether a crate is the one of this name, or one of those that it is divided into, as `tower_service` is of `tower`.
fn is_part_of(krate: &str, name: &str) -> bool {
    krate.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// The places of what has this path in a file of a member.
fn places_in(file: &MemberFile, path: &[String], crates: &ObservedFunctions) -> Vec<String> {
    let (krate, modules) = crates.module_of(&file.path);
    let of_file: Vec<&str> = std::iter::once(krate).chain(modules.iter().map(String::as_str)).collect();
    let common = of_file.iter().zip(path).take_while(|(here, wanted)| *here == wanted).count();
    let place = |first: u32, last: u32| format!("{}\t{first}\t{last}", file.compiled_as);
    if common == path.len() {
        return vec![place(0, u32::MAX)];
    }
    if common < of_file.len() {
        return Vec::new();
    }
    let lines = lines_below(&file.text, file.edition, &Module { krate, path: &modules }, path);
    lines.iter().map(|it| place(*it.start(), *it.end())).collect()
}

fn unknown(entry: &LibraryEntry, known: &BTreeSet<String>) -> SpecProblem {
    let path = entry.path.to_string();
    let help = did_you_mean(&path, known.iter().map(String::as_str));
    let form = "write the name of a crate, or the path of a module of the workspace from its crate";
    SpecProblem {
        file: entry.file.clone(),
        span: entry.at.clone(),
        message: format!("no crate and no module of the workspace is called `{path}`"),
        help: help.or_else(|| Some(form.to_owned())),
    }
}

/// What can be named: the crates, and what functions of the members are in.
fn names<'a, F: Borrow<MemberFile>>(
    files: &[F],
    crates: &ObservedFunctions,
    dependencies: impl Iterator<Item = &'a str>,
) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = dependencies.map(str::to_owned).collect();
    for file in files {
        let file = file.borrow();
        let (krate, modules) = crates.module_of(&file.path);
        for path in paths_in(&file.text, file.edition, &Module { krate, path: &modules }) {
            let ends = path.match_indices("::").map(|it| it.0);
            names.extend(ends.filter_map(|end| path.get(..end)).map(str::to_owned));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_that_a_library_is_divided_into_belong_to_it() {
        let cases = [
            ("tower", "tower", true),
            ("tower_service", "tower", true),
            ("towers", "tower", false),
            ("tow", "tower", false),
        ];
        for (krate, name, expected) in cases {
            assert_eq!(is_part_of(krate, name), expected, "{krate} {name}");
        }
    }
}
