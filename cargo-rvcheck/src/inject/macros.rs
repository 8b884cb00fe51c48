//! The macros that the members define: whether something can be inserted where they are invoked.

use crate::project::rust_files::rust_files;
use crate::project::{Package, Role};
use camino::Utf8PathBuf;
use rayon::prelude::*;
use rvcheck_source::macros::{OwnMacros, definitions};
use std::fs;

/// The macros in the files of these packages, as far as they are members.
pub fn own_macros<'a>(packages: impl IntoIterator<Item = (&'a Utf8PathBuf, &'a Package)>) -> OwnMacros {
    let mut crates = Vec::new();
    let mut files = Vec::new();
    for (folder, package) in packages.into_iter().filter(|it| it.1.role == Role::Member) {
        crates.extend(package.targets.iter().map(|it| it.name.replace('-', "_")));
        // What cannot be read cannot be compiled, and the compiler says so.
        let _ = rust_files(folder, &mut |it| files.push(it));
    }
    let defined: Vec<_> = files
        .par_iter()
        .filter_map(|it| fs::read_to_string(it).ok())
        .flat_map_iter(|text| definitions(&text))
        .collect();
    OwnMacros::new(crates.into_iter().collect(), defined)
}
