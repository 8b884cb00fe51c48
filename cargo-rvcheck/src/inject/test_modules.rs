//! The files of the members that are compiled for tests only, because of the module that declares them.

use super::rewriting::PackageRules;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use rvcheck_source::edition::Edition;
use rvcheck_source::modules::{Declaring, declared_modules};
use std::collections::BTreeSet;
use std::fs;
use std::sync::OnceLock;

/// Which files are modules of tests. They are looked for when the first is asked about.
#[derive(Debug, Default)]
pub struct TestModules {
    roots: Vec<(Utf8PathBuf, Edition)>,
    files: OnceLock<BTreeSet<Utf8PathBuf>>,
}

impl TestModules {
    /// Those of these packages.
    pub fn of<'a>(packages: impl Iterator<Item = &'a PackageRules>) -> TestModules {
        let roots = packages.flat_map(|it| it.programs.iter().map(|root| (root.clone(), it.edition())));
        TestModules { roots: roots.collect(), files: OnceLock::new() }
    }

    /// Whether a file is reached by modules for tests, and by no other.
    pub fn contains(&self, file: &Utf8Path) -> bool {
        self.files.get_or_init(|| of_tests(&self.roots)).contains(file)
    }
}

/// A file that is a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Reached {
    file: Utf8PathBuf,
    edition: Edition,
    is_root: bool,
    for_tests: bool,
}

fn of_tests(roots: &[(Utf8PathBuf, Edition)]) -> BTreeSet<Utf8PathBuf> {
    let of_root = |(file, edition): &(Utf8PathBuf, Edition)| Reached {
        file: file.clone(),
        edition: *edition,
        is_root: true,
        for_tests: false,
    };
    let mut open: Vec<Reached> = roots.iter().map(of_root).collect();
    let mut seen: BTreeSet<Reached> = open.iter().cloned().collect();
    while let Some(module) = open.pop() {
        let new = modules_of(&module).into_iter().filter(|it| seen.insert(it.clone()));
        open.extend(new.collect::<Vec<_>>());
    }
    let (tests, others): (Vec<Reached>, Vec<Reached>) = seen.into_iter().partition(|it| it.for_tests);
    let others: BTreeSet<Utf8PathBuf> = others.into_iter().map(|it| it.file).collect();
    tests.into_iter().map(|it| it.file).filter(|it| !others.contains(it)).collect()
}

/// The modules that a module declares, as far as their files are there.
fn modules_of(module: &Reached) -> Vec<Reached> {
    let (Ok(text), Some(folder)) = (fs::read_to_string(&module.file), module.file.parent()) else {
        return Vec::new();
    };
    let stem = module.file.file_stem().unwrap_or_default();
    let declaring = Declaring { folder: folder.as_str(), stem, is_root: module.is_root };
    let declared = declared_modules(&text, declaring, module.edition);
    let reached = declared.into_iter().filter_map(|it| {
        let file = it.files.iter().map(|it| plain(Utf8Path::new(it))).find(|it| it.is_file())?;
        let for_tests = module.for_tests || it.for_tests;
        Some(Reached { file, edition: module.edition, is_root: it.is_named, for_tests })
    });
    reached.collect()
}

/// The path without `.` and `..`.
fn plain(path: &Utf8Path) -> Utf8PathBuf {
    let mut plain = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_of_tests_where_only_modules_for_tests_lead_to_it() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let files = [
            ("src/lib.rs", "mod a;\n#[cfg(test)] mod tests;\n#[cfg(test)] #[path = \"../kit.rs\"] mod kit;"),
            ("src/a.rs", "#[cfg(test)] mod tests;\n#[path = \"both.rs\"] mod both;"),
            ("src/a/tests.rs", "mod deep;\n#[path = \"../both.rs\"] mod both;"),
            ("src/a/tests/deep.rs", ""),
            ("src/both.rs", ""),
            ("src/tests/mod.rs", "mod inner { mod leaf; }"),
            ("src/tests/inner/leaf.rs", ""),
            ("src/tests/unused.rs", ""),
            ("kit.rs", ""),
        ];
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        let modules =
            TestModules { roots: vec![(root.join("src/lib.rs"), Edition::Rust2021)], files: OnceLock::new() };
        let found: Vec<&str> =
            files.iter().map(|it| it.0).filter(|it| modules.contains(&root.join(it))).collect();
        let expected = [
            "src/a/tests.rs",
            "src/a/tests/deep.rs",
            "src/tests/mod.rs",
            "src/tests/inner/leaf.rs",
            "kit.rs",
        ];
        assert_eq!(found, expected);
    }
}
