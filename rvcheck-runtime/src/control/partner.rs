//! The mutex with which a condition variable is used, for those that refuse a second one.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::waiters;
use crate::Head;

/// See the module. Only a controlled run needs it: there nobody waits in the real call, which would refuse the second one.
#[derive(Debug)]
pub struct Partner(AtomicUsize);

impl Partner {
    /// None so far.
    #[must_use]
    pub const fn new() -> Partner {
        Partner(AtomicUsize::new(0))
    }

    /// Somebody is about to wait for this signal with the mutex.
    ///
    /// # Panics
    ///
    /// As the real one, when others wait with another mutex.
    pub fn takes<M: ?Sized>(&self, signal: &Head, mutex: &M) {
        let mutex = core::ptr::from_ref(mutex).addr();
        let before = self.0.swap(mutex, Ordering::Relaxed);
        if before != mutex && waiters(signal).is_some_and(|it| it > 0) {
            self.0.store(before, Ordering::Relaxed);
            panic!("attempted to use a condition variable with more than one mutex");
        }
    }
}

impl Default for Partner {
    fn default() -> Partner {
        Partner::new()
    }
}
