//! Where named groups of tasks are spawned.

use super::member_file::MemberFile;
use super::observed::{ObservedFunctions, no_such, report_problems};
use crate::error::Result;
use crate::project::Project;
use crate::specs::GroupEntry;
use rvcheck_source::observe::{Module, declared_groups, lines_of};
use std::borrow::Borrow;
use std::ops::RangeInclusive;

/// The places where these groups, and those that attributes name, are spawned, as the recorder reads them. It complains of an entry that names no function in these files.
pub fn group_places<F: Borrow<MemberFile>>(
    entries: &[GroupEntry],
    files: &[F],
    project: &Project,
) -> Result<Vec<String>> {
    let crates = ObservedFunctions::crates_of(project.packages.values());
    let (mut places, mut problems) = (Vec::new(), Vec::new());
    for entry in entries {
        let before = places.len();
        for file in files {
            let file = file.borrow();
            let (krate, modules) = crates.module_of(&file.path);
            let found = lines_of(&file.text, file.edition, &Module { krate, path: &modules }, &entry.spawn);
            places.extend(found.iter().map(|it| place(&entry.name, &file.compiled_as, it)));
        }
        if places.len() == before {
            problems.push(no_such("function", &entry.spawn, (&entry.file, &entry.at), files, &crates));
        }
    }
    report_problems(problems, project)?;
    for file in files {
        let file = file.borrow();
        let found = declared_groups(&file.text, file.edition).into_iter();
        places.extend(found.map(|(name, lines)| place(&name, &file.compiled_as, &lines)));
    }
    Ok(places)
}

fn place(name: &str, file: &str, lines: &RangeInclusive<u32>) -> String {
    format!("{name}\t{file}\t{}\t{}", lines.start(), lines.end())
}
