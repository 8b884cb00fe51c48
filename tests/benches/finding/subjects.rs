//! The crates whose tests are run.

use rvcheck_tests::Fixture;
use std::path::{Path, PathBuf};

/// A crate.
pub(crate) struct Subject {
    /// What it is called.
    pub(crate) name: String,
    /// A copy of it.
    pub(crate) fixture: Fixture,
    /// Which of its tests, as words for the harness.
    pub(crate) tests: Vec<&'static str>,
}

/// Those that variables name; else an example and the faulty tests of a tree.
pub(crate) fn subjects() -> Box<dyn Iterator<Item = Subject>> {
    let subject = |fixture, name: &str, tests| Subject { name: name.to_owned(), fixture, tests };
    match std::env::var_os("RVCHECK_BENCH_CRATES") {
        Some(folder) => Box::new(
            crates(Path::new(&folder))
                .into_iter()
                .map(move |path| subject(Fixture::copy(&path), &name(&path), Vec::new())),
        ),
        None => {
            // The others are right.
            let faulty = vec!["--skip", "in_one_step", "--skip", "a_shop_is_empty"];
            let office = subject(Fixture::example("box-office"), "box-office", Vec::new());
            let explored = move || subject(Fixture::tree("explored"), "explored", faulty);
            Box::new(std::iter::once(office).chain(std::iter::once_with(explored)))
        }
    }
}

/// The wanted crates in this folder, in the order of their names.
fn crates(folder: &Path) -> Vec<PathBuf> {
    let only = std::env::var("RVCHECK_BENCH_ONLY").unwrap_or_default();
    let words: Vec<&str> = only.split(',').filter(|it| !it.is_empty()).collect();
    let is_wanted = |path: &PathBuf| {
        let name = name(path);
        path.join("Cargo.toml").exists() && (words.is_empty() || words.iter().any(|it| name.contains(it)))
    };
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut crates: Vec<PathBuf> = entries.flatten().map(|it| it.path()).filter(is_wanted).collect();
    crates.sort();
    crates
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
