//! The file with the lock dependencies that earlier runs have shown.

use super::{NamedLock, TestDependency};
use crate::digest::digest;
use crate::error::Result;
use crate::layout::{create_folder, read_value, write_value};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::lock_dependency::LockDependency;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The schema of the file.
const SCHEMA: &str = "rvcheck.orders/1";
/// How many dependencies are kept.
const MOST: usize = 5000;
/// How many files there are, one for each workspace and build.
const FILES: usize = 16;

#[derive(Serialize, Deserialize)]
struct Kept {
    schema: String,
    /// By name: what stood in the files that the dependencies speak of.
    files: BTreeMap<String, String>,
    orders: Vec<Entry>,
}

/// A dependency in the file.
#[derive(Serialize, Deserialize)]
struct Entry {
    package: String,
    held: NamedLock,
    wanted: NamedLock,
    gates: BTreeSet<String>,
    test: String,
}

impl From<Entry> for TestDependency {
    fn from(entry: Entry) -> TestDependency {
        let Entry { package, held, wanted, gates, test } = entry;
        TestDependency { package, dependency: LockDependency { held, wanted, gates }, test }
    }
}

impl From<&TestDependency> for Entry {
    fn from(it: &TestDependency) -> Entry {
        let LockDependency { held, wanted, gates } = it.dependency.clone();
        Entry { package: it.package.clone(), held, wanted, gates, test: it.test.clone() }
    }
}

/// The lock dependencies of one build of one workspace.
#[derive(Clone, Debug)]
pub struct Store {
    path: Utf8PathBuf,
    /// The root of the workspace.
    root: Utf8PathBuf,
}

impl Store {
    /// Below the tool's folder.
    pub fn of(folder: &Utf8Path, root: &Utf8Path, build: &str) -> Store {
        let path = folder.join("orders").join(format!("{}.json", digest([root.as_str(), build])));
        Store { path, root: root.to_owned() }
    }

    /// What is still true of what earlier runs have shown: the files that it speaks of are as they were. A file that makes no sense is
    /// set aside, with a warning.
    pub fn load(&self, warn: impl FnOnce(String)) -> Vec<TestDependency> {
        if !self.path.exists() {
            return Vec::new();
        }
        let kept = match read_value::<Kept>(&self.path) {
            Ok(kept) if kept.schema == SCHEMA => kept,
            other => {
                let why = match other {
                    Ok(kept) => format!("{} is of another version ({})", self.path, kept.schema),
                    Err(error) => error.to_string(),
                };
                let aside = self.path.with_extension("json.aside");
                // If it cannot be moved, it is written over.
                let _ = fs::rename(&self.path, &aside);
                warn(format!(
                    "{why}; it was set aside, and the lock dependencies of earlier runs are forgotten"
                ));
                return Vec::new();
            }
        };
        let same = |file: &str| kept.files.get(file).is_some_and(|it| self.digest(file).as_ref() == Some(it));
        let same: BTreeSet<String> = kept.files.keys().filter(|it| same(it)).cloned().collect();
        let known = kept.orders.into_iter().map(TestDependency::from);
        known.filter(|it| it.files().all(|file| same.contains(file))).collect()
    }

    /// Keeps these for later runs.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn store(&self, dependencies: &[TestDependency]) -> Result<()> {
        if dependencies.is_empty() && !self.path.exists() {
            return Ok(());
        }
        let dependencies = dependencies.get(..MOST).unwrap_or(dependencies);
        let names: BTreeSet<&str> = dependencies.iter().flat_map(TestDependency::files).collect();
        let files = names.into_iter().filter_map(|it| Some((it.to_owned(), self.digest(it)?))).collect();
        if let Some(folder) = self.path.parent() {
            create_folder(folder)?;
            self.forget_others(folder);
        }
        let orders = dependencies.iter().map(Entry::from).collect();
        write_value(&self.path, &Kept { schema: SCHEMA.to_owned(), files, orders })
    }

    /// What stands in a file of the workspace.
    fn digest(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.root.join(file)).ok().map(|it| digest([it]))
    }

    /// Removes the files that were not written for longest.
    fn forget_others(&self, folder: &Utf8Path) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let others = entries.map(|it| it.path()).filter(|it| it != self.path.as_std_path());
        let mut others: Vec<_> =
            others.map(|it| (it.metadata().and_then(|it| it.modified()).ok(), it)).collect();
        others.sort_by(|a, b| b.cmp(a));
        for (_, path) in others.into_iter().skip(FILES - 1) {
            // It is tried again by the next run.
            let _ = fs::remove_file(path);
        }
    }
}
