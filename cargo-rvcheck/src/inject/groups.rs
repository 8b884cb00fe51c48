//! Where named groups of tasks are spawned.

use super::member_file::MemberFile;
use super::observed::{ObservedFunctions, no_such_function, told};
use crate::error::Result;
use crate::project::Project;
use crate::specs::GroupEntry;
use rvcheck_source::observe::{Module, lines_of};
use std::borrow::Borrow;

/// The places where these groups are spawned, as the recorder reads them. It complains of an entry that names no function in these files.
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
            let place = |it: std::ops::RangeInclusive<u32>| {
                format!("{}\t{}\t{}\t{}", entry.name, file.compiled_as, it.start(), it.end())
            };
            places.extend(found.into_iter().map(place));
        }
        if places.len() == before {
            problems.push(no_such_function(&entry.spawn, (&entry.file, &entry.at), files, &crates));
        }
    }
    told(problems, project)?;
    Ok(places)
}
