//! Executors whose tasks are not known.

use super::Project;

/// The packages that run futures as tasks of their own and have no shim that could tell of them.
const UNKNOWN: &[&str] = &[
    "async-executor",
    "async-global-executor",
    "async-std",
    "compio-runtime",
    "embassy-executor",
    "glommio",
    "monoio",
    "smol",
];

impl Project {
    /// The names of the executors in the graph whose tasks are not known: what such a task does is done by the thread that polls
    /// it, as far as the tool can see.
    pub fn unknown_executors(&self) -> Vec<String> {
        let mut found: Vec<String> = self.packages.values().map(|it| it.name.clone()).collect();
        found.retain(|it| UNKNOWN.contains(&it.as_str()));
        found.sort();
        found.dedup();
        found
    }
}
