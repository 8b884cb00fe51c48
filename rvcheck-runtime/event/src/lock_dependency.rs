//! Lock dependencies: a lock was requested while another one was held. Where dependencies of different places form a cycle, the
//! locks are taken in inverted orders.

use crate::cycles;
use std::collections::{BTreeMap, BTreeSet};

/// A lock was requested while another one was held.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LockDependency<L: Lock> {
    /// The lock that was held.
    pub held: L,
    /// The lock that was requested.
    pub wanted: L,
    /// The other locks that were held as well.
    pub gates: BTreeSet<L::Class>,
}

/// A lock at one end of a dependency.
pub trait Lock {
    /// What tells locks apart.
    type Class: Ord + Clone;

    /// Which lock it is.
    fn class(&self) -> &Self::Class;

    /// Whether a request for it waits while the same lock is held like that.
    fn waits_for(&self, held: &Self) -> bool;
}

impl<L: Lock> LockDependency<L> {
    /// Whether a task that waits like this waits for one that does as the other says.
    fn waits_for(&self, other: &LockDependency<L>) -> bool {
        self.wanted.class() == other.held.class() && self.wanted.waits_for(&other.held)
    }

    /// Whether two tasks can be at both at once: neither has what the other has.
    fn can_meet(&self, other: &LockDependency<L>) -> bool {
        self.held.class() != other.held.class() && self.gates.is_disjoint(&other.gates)
    }
}

/// Calls `visit` with each cycle of at most `longest` of these: each dependency waits for the next one, and the last one for the first.
/// Cycles of two come first. At most `work` steps are searched.
pub fn cycles<L: Lock>(
    dependencies: &[&LockDependency<L>],
    longest: usize,
    work: u64,
    mut visit: impl FnMut(&[u32]),
) {
    let mut by_held: BTreeMap<&L::Class, Vec<u32>> = BTreeMap::new();
    for (number, it) in (0..).zip(dependencies) {
        by_held.entry(it.held.class()).or_default().push(number);
    }
    let of = |number: u32| dependencies[number as usize];
    let nexts = |it: &&LockDependency<L>| {
        let nexts = by_held.get(it.wanted.class()).into_iter().flatten().copied();
        nexts.filter(|next| it.waits_for(of(*next))).collect()
    };
    let graph: Vec<Vec<u32>> = dependencies.iter().map(nexts).collect();
    let limits = cycles::Limits { connected: true, longest, work };
    let fits = |one, other| of(one).can_meet(of(other));
    cycles::each(&graph, limits, fits, |cycle| {
        visit(cycle);
        true
    });
}
