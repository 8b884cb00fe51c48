//! The guard of a reader.

use std::sync::Arc;

use rt::lock::Held;

use super::{RwLock, RwLockReadGuardArc};

/// The lock is held to read. Dropping this gives it back.
pub struct RwLockReadGuard<'a, T: ?Sized> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    pub(super) held: Held,
    pub(super) real: real::RwLockReadGuard<'a, T>,
}

impl<T> RwLockReadGuard<'_, T> {
    /// The same guard, which keeps its lock alive.
    #[inline]
    pub(super) fn owned(self, lock: &Arc<RwLock<T>>) -> RwLockReadGuardArc<T> {
        // SAFETY: the guard borrows from the lock that it is put together with.
        unsafe { RwLockReadGuardArc::new(self.held, self.real, Arc::clone(lock)) }
    }
}

rt::forwards! {
    [T: ?Sized] RwLockReadGuard<'_, T>: Guard<T>;
}
