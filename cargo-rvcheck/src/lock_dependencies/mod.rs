//! Which locks are requested while which others are held, over all tests and runs of a build.
//!
//! Two tests that each take two locks in one order show no deadlock, and yet there may be one where both happen at once. So
//! the lock dependencies that tests have shown are kept beside the build, by the places where the locks were created. Inversions
//! among them are reported as what may be: nobody knows whether they ever meet.

mod inversions;
pub mod kept;

use crate::finding::Location;
use rvcheck_event::lock_dependency::{Lock, LockDependency};
use serde::{Deserialize, Serialize};

pub use inversions::inversions;

/// A lock dependency that a test has shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestDependency {
    /// The package whose target the test belongs to.
    pub package: String,
    /// What the test did.
    pub dependency: LockDependency<NamedLock>,
    /// The test.
    pub test: String,
}

/// A lock as people know it, and where it is used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedLock {
    /// Where it was created: `file:line:column`.
    pub class: String,
    /// What people call it.
    pub name: String,
    /// Others can hold it at the same time.
    pub shared: bool,
    /// Where it was acquired or requested.
    pub at: Location,
}

impl Lock for NamedLock {
    type Class = String;

    fn class(&self) -> &String {
        &self.class
    }

    fn waits_for(&self, held: &NamedLock) -> bool {
        !(self.shared && held.shared)
    }
}

impl TestDependency {
    /// Whether both say the same of the same test, at whatever places.
    fn repeats(&self, other: &TestDependency) -> bool {
        let key = |it: &TestDependency| {
            let LockDependency { held, wanted, .. } = &it.dependency;
            (it.package.clone(), held.class.clone(), wanted.class.clone(), it.test.clone())
        };
        key(self) == key(other)
    }

    /// The files that it speaks of.
    fn files(&self) -> impl Iterator<Item = &str> {
        [&self.dependency.held, &self.dependency.wanted].into_iter().flat_map(|it| {
            let class = it.class.rsplitn(3, ':').nth(2).unwrap_or_default();
            [it.at.file.as_str(), class]
        })
    }
}

/// What earlier runs have shown and this one has not.
pub fn earlier(known: &[TestDependency], seen: &[TestDependency]) -> Vec<TestDependency> {
    known.iter().filter(|it| !seen.iter().any(|other| other.repeats(it))).cloned().collect()
}
