//! What a thread remembers of the atomics that it used last.

use core::cell::Cell;

/// How many stores, and how many loads.
const MOST: usize = 8;

/// What came of looking at an atomic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Another value than the one that was stored last.
    Missed,
    /// The value that was stored last, by which nothing may have been decided.
    Noted,
    /// The value that was stored last, by which something was decided.
    Decided,
}

/// A store or load that was recorded: the atomic, the task, and when that was.
#[derive(Clone, Copy)]
struct Done<W> {
    atomic: u32,
    task: u32,
    when: W,
}

/// The atomics that a thread used last. Forgetting something only records it once more.
pub(crate) struct RecentAtomics {
    /// `when` is how far the thread was.
    stored: [Cell<Done<usize>>; MOST],
    /// `when` is the version that was looked for, and what came of it.
    looked: [Cell<Done<(u32, Look)>>; MOST],
    /// How many bytes of the thread's records are stores.
    stores: Cell<usize>,
    /// How many records of atomics there were.
    records: Cell<u32>,
}

impl RecentAtomics {
    /// Nothing was done yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is what a thread begins with")]
    pub(crate) const NEW: RecentAtomics = RecentAtomics {
        stored: [const { Cell::new(Done { atomic: u32::MAX, task: 0, when: 0 }) }; MOST],
        looked: [const { Cell::new(Done { atomic: u32::MAX, task: 0, when: (0, Look::Missed) }) }; MOST],
        stores: Cell::new(0),
        records: Cell::new(0),
    };

    /// How far a thread is that has written up to `position`, if stores do not count.
    #[inline]
    pub(crate) fn mark(&self, position: usize) -> usize {
        position.wrapping_sub(self.stores.get())
    }

    /// Counts a record. How many there were before.
    pub(crate) fn counts(&self) -> u32 {
        let before = self.records.get();
        self.records.set(before.wrapping_add(1));
        before
    }

    /// So many bytes more are stores.
    pub(crate) fn leave_out(&self, bytes: usize) {
        self.stores.set(self.stores.get().wrapping_add(bytes));
    }

    /// The task stores. Whether the thread has recorded anything else since it did so before.
    #[inline]
    pub(crate) fn stores(&self, atomic: u32, task: u32, when: usize) -> bool {
        let cell = &self.stored[atomic as usize % MOST];
        let last = cell.get();
        cell.set(Done { atomic, task, when });
        (last.atomic, last.task, last.when) != (atomic, task, when)
    }

    /// What came of it when the task looked for this version.
    #[inline]
    pub(crate) fn look(&self, atomic: u32, task: u32, version: u32) -> Option<Look> {
        let Done { atomic: other, task: by, when: (seen, look) } = self.looked[atomic as usize % MOST].get();
        ((other, by, seen) == (atomic, task, version)).then_some(look)
    }

    /// That came of it when the task looked for this version.
    pub(crate) fn looks(&self, atomic: u32, task: u32, version: u32, look: Look) {
        self.looked[atomic as usize % MOST].set(Done { atomic, task, when: (version, look) });
    }
}
