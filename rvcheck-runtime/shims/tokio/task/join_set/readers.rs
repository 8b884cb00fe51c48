//! The reading sides of a set's tasks.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use real::task::Id;
use rt::task::Handle;
use rt::{Loc, TaskId};

/// The handles of the tasks whose results were not taken yet.
///
/// Dropping them says that the set is gone, which cancels its tasks.
#[derive(Default)]
pub(super) struct Readers {
    open: Vec<(Id, Handle)>,
    /// Where each of them is.
    places: HashMap<Id, usize, BuildHasherDefault<OfNumber>>,
    /// Where the set was last waited for.
    waited: Option<Loc>,
}

impl Readers {
    /// A task was spawned into the set.
    pub(super) fn opened(&mut self, id: Id, handle: Handle) {
        if rt::on() {
            self.places.insert(id, self.open.len());
            self.open.push((id, handle));
        }
    }

    /// The tasks whose results were not taken.
    pub(super) fn ids(&self) -> Vec<TaskId> {
        self.open.iter().map(|(_, handle)| handle.id()).collect()
    }

    /// None of the tasks that are waited for here has ended. Two of them stand for all: any of them lets the waiter go on.
    pub(super) fn pending(&mut self, location: Loc) {
        let most = if rt::control::on() { usize::MAX } else { 2 };
        for (_, handle) in self.open.iter_mut().take(most) {
            handle.polled(location);
        }
    }

    /// The set is waited for here.
    pub(super) fn waited(&mut self, location: Loc) {
        self.waited = Some(location);
    }

    /// The result of the task was taken here.
    pub(super) fn joined(&mut self, id: Id, location: Loc) {
        let Some(at) = self.places.remove(&id) else { return };
        self.open.swap_remove(at).1.joined(location);
        if let Some((moved, _)) = self.open.get(at) {
            self.places.insert(*moved, at);
        }
    }

    /// All results were taken here, whatever they were.
    pub(super) fn all_joined(&mut self, location: Loc) {
        self.take().iter_mut().for_each(|handle| handle.joined(location));
    }

    /// All tasks are asked to end.
    pub(super) fn aborted(&mut self, location: Loc) {
        self.open.sort_by_key(|(_, handle)| handle.id());
        self.places.clear();
        for (at, (id, handle)) in self.open.iter().enumerate() {
            self.places.insert(*id, at);
            rt::task::aborted(handle.id(), location);
        }
    }

    /// The tasks go on without the set, and nobody will read their results.
    pub(super) fn detached(&mut self) {
        drop(self.take());
    }

    /// The handles, in the order in which their tasks were spawned.
    fn take(&mut self) -> Vec<Handle> {
        self.places.clear();
        let mut open: Vec<_> = self.open.drain(..).map(|(_, handle)| handle).collect();
        open.sort_by_key(Handle::id);
        if let Some(location) = self.waited {
            open.iter_mut().for_each(|handle| handle.noted(location));
        }
        open
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.take().iter_mut().for_each(Handle::detached_by_owner);
    }
}

/// Hashes an id, which is a number that nobody chooses.
#[derive(Default)]
struct OfNumber(u64);

impl Hasher for OfNumber {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|it| self.write_u64(u64::from(*it)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }
}
