//! In which orders locks are taken, over all tests and runs of a build.
//!
//! Two tests that each take two locks in one order show no deadlock, and yet there may be one where both orders are taken at once. So
//! the orders that tests have shown are kept beside the build, by the places where the locks were created, and those that exclude
//! each other are told as what may be: nobody knows whether they ever meet.

mod cycles;
pub mod kept;

use crate::finding::Location;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub use cycles::exclusive;

/// In a test, a lock was asked for while another one was held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Order {
    /// The package whose target the test belongs to.
    pub package: String,
    /// The lock that was held.
    pub held: End,
    /// The lock that was asked for.
    pub wanted: End,
    /// Where the other locks were created that were held as well.
    pub gates: BTreeSet<String>,
    /// The test.
    pub test: String,
}

/// One of the two locks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct End {
    /// Where it was created: `file:line:column`.
    pub class: String,
    /// What people call it.
    pub name: String,
    /// Others can hold it at the same time.
    pub shared: bool,
    /// Where it was acquired or asked for.
    pub at: Location,
}

impl Order {
    /// Whether both say the same of the same test, at whatever places.
    fn repeats(&self, other: &Order) -> bool {
        let key = |it: &Order| {
            (it.package.clone(), it.held.class.clone(), it.wanted.class.clone(), it.test.clone())
        };
        key(self) == key(other)
    }

    /// The files that it speaks of.
    fn files(&self) -> impl Iterator<Item = &str> {
        [&self.held, &self.wanted].into_iter().flat_map(|it| {
            let class = it.class.rsplitn(3, ':').nth(2).unwrap_or_default();
            [it.at.file.as_str(), class]
        })
    }
}

/// What earlier runs have shown and this one has not.
pub fn earlier(known: &[Order], seen: &[Order]) -> Vec<Order> {
    known.iter().filter(|it| !seen.iter().any(|other| other.repeats(it))).cloned().collect()
}
