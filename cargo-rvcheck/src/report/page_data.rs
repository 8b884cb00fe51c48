//! What the pages show beside the report. It is kept next to it and no part of its schema.

use crate::finding::Location;
use crate::lock_dependencies::TestDependency;
use rvcheck_page::{LockEdge, SlowRow};
use serde::{Deserialize, Serialize};

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageData {
    /// Which locks are requested while which others are held.
    pub locks: Vec<LockEdge>,
    /// The polls that took longest, the longest first.
    pub polls: Vec<SlowRow>,
    /// The waits that took longest, the longest first.
    pub waits: Vec<SlowRow>,
}

/// The edges of the lock-dependency graph, each once.
pub fn lock_edges(dependencies: &[TestDependency]) -> Vec<LockEdge> {
    let mut edges: Vec<LockEdge> = Vec::new();
    for TestDependency { dependency, test, .. } in dependencies {
        let (held, wanted) = (&dependency.held, &dependency.wanted);
        let edge = LockEdge {
            held: held.class.clone(),
            held_name: held.name.clone(),
            wanted: wanted.class.clone(),
            wanted_name: wanted.name.clone(),
            at: shown(&wanted.at),
            test: test.clone(),
            finding: None,
        };
        let is_same = |it: &LockEdge| (&it.held, &it.wanted, &it.at) == (&edge.held, &edge.wanted, &edge.at);
        if !edges.iter().any(is_same) {
            edges.push(edge);
        }
    }
    edges
}

/// `file:line:column`.
pub(super) fn shown(at: &Location) -> String {
    format!("{}:{}:{}", at.file, at.line, at.column)
}
