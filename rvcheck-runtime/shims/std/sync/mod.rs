//! `std::sync`: locks, condition variables, barriers, things that are initialised once, and channels.

#[cfg(not(rv_no_barrier))]
mod barrier;
#[cfg(not(rv_no_mutex))]
mod condvar;
#[cfg(not(rv_no_mpsc))]
pub mod mpsc;
#[cfg(not(rv_no_mutex))]
mod mutex;
#[cfg(not(rv_no_once))]
mod once;
#[cfg(not(rv_no_rwlock))]
mod rwlock;

pub use ::real::sync::*;

#[cfg(not(rv_no_barrier))]
pub use barrier::{Barrier, BarrierWaitResult};
#[cfg(not(rv_no_mutex))]
pub use condvar::Condvar;
#[cfg(not(rv_no_mutex))]
pub use mutex::{Mutex, MutexGuard};
#[cfg(not(rv_no_once))]
#[expect(
    deprecated,
    reason = "the real constant is deprecated as well, and users of it expect our type"
)]
pub use once::ONCE_INIT;
#[cfg(not(rv_no_once))]
pub use once::{LazyLock, Once, OnceLock};
#[cfg(not(rv_no_rwlock))]
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Wraps a guard that came with or without poison.
#[cfg(not(all(rv_no_mutex, rv_no_rwlock)))]
#[inline]
fn wrapped<R, G>(result: LockResult<R>, wrap: impl FnOnce(R) -> G) -> LockResult<G> {
    match result {
        Ok(real) => Ok(wrap(real)),
        Err(poisoned) => Err(PoisonError::new(wrap(poisoned.into_inner()))),
    }
}

/// The result of a lock that was tried, if it was free.
#[cfg(not(all(rv_no_mutex, rv_no_rwlock)))]
fn attempted<R>(result: TryLockResult<R>) -> Option<LockResult<R>> {
    match result {
        Ok(real) => Some(Ok(real)),
        Err(TryLockError::Poisoned(poisoned)) => Some(Err(poisoned)),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Wraps a guard that came with or without poison, if it came.
#[cfg(not(all(rv_no_mutex, rv_no_rwlock)))]
#[inline]
fn try_wrapped<R, G>(result: TryLockResult<R>, wrap: impl FnOnce(R) -> G) -> TryLockResult<G> {
    match result {
        Ok(real) => Ok(wrap(real)),
        Err(TryLockError::Poisoned(poisoned)) => Err(PoisonError::new(wrap(poisoned.into_inner())).into()),
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
    }
}
