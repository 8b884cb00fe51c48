//! Versions that do not exist yet.

use super::list::List;
use crate::shim_kit::Crates;
use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// The lists of the newest versions, one for each crate.
pub(crate) fn newest(lists: &[List]) -> Vec<&List> {
    let mut newest: Vec<&List> = Vec::new();
    for list in lists {
        match newest.last_mut() {
            Some(last) if last.krate == list.krate => *last = later(last, list),
            _ => newest.push(list),
        }
    }
    newest
}

fn later<'a>(a: &'a List, b: &'a List) -> &'a List {
    if a.is_older_than(b) { b } else { a }
}

pub(super) fn numbers(version: &str) -> Vec<u64> {
    version.split('.').map(|it| it.parse().unwrap()).collect()
}

/// The next version of a crate, in which each module has got something more.
pub(crate) struct Newer {
    pub(crate) crates: Crates,
    /// What has been added.
    pub(crate) items: Vec<String>,
}

/// What is added.
const ADDED: &str = "
/// Added later.
pub fn added_later() {}
/// Added later.
pub mod later {
    /// Added later.
    pub struct Added;
    impl Added {
        /// Added later.
        pub fn method(&self) {}
    }
}
";

impl Newer {
    /// A changed copy of the crate's sources.
    pub(crate) fn of(list: &List, crates: &Crates) -> Newer {
        let root = crates.source(&list.krate);
        let package = root.ancestors().find(|it| it.join("Cargo.toml").exists()).unwrap();
        let mut modules: Vec<(String, PathBuf)> = modules(list)
            .into_iter()
            .filter_map(|it| {
                Some((it.clone(), file_of(root, &it)?.strip_prefix(package).unwrap().to_owned()))
            })
            .collect();
        modules.sort();
        let mut hasher = DefaultHasher::new();
        (package, &modules, ADDED).hash(&mut hasher);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newer");
        let copy = folder.join(format!("{}-{:016x}", list.krate, hasher.finish()));
        if !copy.exists() {
            // Under another name first, so that what is there is all there.
            let unfinished = folder.join(format!("unfinished-{}", std::process::id()));
            copy_folder(package, &unfinished);
            change(&unfinished, &list.version, modules.iter().map(|(_, file)| file.as_path()));
            fs::rename(unfinished, &copy).unwrap();
        }
        let items = modules.iter().flat_map(|(module, _)| {
            [
                format!("fn {module}::added_later: <>()"),
                format!("type {module}::later::Added: <>"),
                format!("fn <{module}::later::Added>::method: <'l0>(&'l0 {module}::later::Added)"),
            ]
        });
        Newer {
            items: items.collect(),
            crates: list.crates_from(&format!("path = {:?}", copy.to_str().unwrap())),
        }
    }
}

/// Makes the next version of a package.
fn change<'a>(package: &Path, version: &str, modules: impl Iterator<Item = &'a Path>) {
    let manifest = package.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let before = format!("version = {version:?}");
    assert!(text.contains(&before), "{text}");
    fs::write(&manifest, text.replacen(&before, &format!("version = {:?}", next(version)), 1)).unwrap();
    for file in modules.map(|it| package.join(it)) {
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text + ADDED).unwrap();
    }
}

/// The version that adds something and breaks nothing.
fn next(version: &str) -> String {
    match numbers(version).as_slice() {
        [0, minor, patch] => format!("0.{minor}.{}", patch + 1),
        [major, minor, ..] => format!("{major}.{}.0", minor + 1),
        _ => panic!("{version} is no version"),
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// The paths of the modules that have public items.
fn modules(list: &List) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for path in list.lines.iter().filter_map(|it| it.path()) {
        let mut path = path;
        while let Some((module, _)) = path.rsplit_once("::") {
            modules.insert(module.to_owned());
            path = module;
        }
    }
    modules
}

/// The file of a module. `None` if it has none of its own.
fn file_of(root: &Path, module: &str) -> Option<PathBuf> {
    let below: PathBuf = module.split("::").skip(1).map(|it| it.trim_start_matches("r#")).collect();
    if below.as_os_str().is_empty() {
        return Some(root.to_owned());
    }
    let stem = root.parent()?.join(below);
    [stem.with_extension("rs"), stem.join("mod.rs")].into_iter().find(|it| it.exists())
}
