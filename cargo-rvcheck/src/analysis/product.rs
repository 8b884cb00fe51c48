//! A crate as it is without its tests, where only the tests of it were built.
//!
//! What tests call is called by somebody, so beside them a crate shows less: nobody else ends the task that a test ends. What the compiler
//! makes of the crate alone is there only if something else of the workspace needs it. Where it is not, the bodies of tests are left out of
//! what there is, so that what is found in a library does not depend on what was built beside it.

use crate::inject::member_file::MemberFile;
use crate::project::TargetKind;
use crate::project::built::Artifact;
use rvcheck_source::mir::Mir;
use rvcheck_source::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether a library or program was built to be tested, and is not among these as it is.
pub(super) fn is_built_for_tests_alone(artifact: &Artifact, all: &[Artifact]) -> bool {
    let is_product = matches!(artifact.kind, TargetKind::Lib | TargetKind::Bin);
    let is_the_same = |it: &&Artifact| it.made_from() == artifact.made_from();
    is_product && artifact.for_tests && all.iter().filter(is_the_same).all(|it| it.for_tests)
}

/// The names of the functions of a program that are test code, by the files that it is made from.
pub(super) fn of_tests(program: &Program, files: &[Arc<MemberFile>]) -> BTreeSet<String> {
    let mut items: BTreeMap<&str, Vec<(&MemberFile, bool)>> = BTreeMap::new();
    for file in files {
        for (path, of_tests) in file.items().paths() {
            items.entry(path).or_default().push((file, of_tests || file.is_of_tests()));
        }
    }
    let is_of_tests = |path: &str| {
        // The first parts of a path may be modules that are files of their own.
        let mut inner = std::iter::once(0).chain(path.match_indices("::").map(|(at, _)| at + 2));
        let named = inner.find_map(|at| Some((&path[..at], items.get(&path[at..])?)));
        named.is_some_and(|(module, named)| {
            let fits = named.iter().filter(|(file, _)| is_module(file, module));
            let fits: Vec<_> = fits.collect();
            let all = if fits.is_empty() { named.iter().collect() } else { fits };
            all.iter().all(|(_, of_tests)| *of_tests)
        })
    };
    let found = program.functions().filter(|(id, _)| is_of_tests(&program.item(*id)));
    found.map(|(_, it)| function_of(&it.body.name).to_owned()).collect()
}

/// Leaves out these functions, with the closures and state machines in them.
pub(super) fn without(mut mir: Mir, functions: &BTreeSet<String>) -> Mir {
    mir.bodies.retain(|it| !functions.contains(function_of(&it.name)));
    mir
}

/// The name of the function that a body is, or is inside of.
fn function_of(body: &str) -> &str {
    body.split("::{closure#").next().unwrap_or(body)
}

/// Whether a file is where the module `a::b::` is by its name.
fn is_module(file: &MemberFile, module: &str) -> bool {
    let path = file.path.with_extension("");
    let folder = if path.file_name() == Some("mod") { path.parent() } else { Some(path.as_path()) };
    let module = module.trim_end_matches("::").replace("::", "/");
    folder.is_some_and(|it| it.ends_with(module))
}
