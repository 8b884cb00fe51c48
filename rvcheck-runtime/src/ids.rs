//! Ids: numbers that are unique in a process.

use core::sync::atomic::{AtomicU64, Ordering};

/// A counter of ids from 1; it stops at the greatest 32-bit number instead of starting again.
pub(crate) struct Ids(AtomicU64);

impl Ids {
    pub(crate) const fn new() -> Ids {
        Ids(AtomicU64::new(0))
    }

    #[inline]
    pub(crate) fn next(&self) -> u32 {
        u32::try_from(self.0.fetch_add(1, Ordering::Relaxed) + 1).unwrap_or(u32::MAX)
    }
}
