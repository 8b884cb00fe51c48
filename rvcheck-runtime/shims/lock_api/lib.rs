//! Replaces `lock_api` in the program under test: the same interface, whose locks are recorded.
//!
//! The types are made of raw locks, as the real ones are, so that whatever implements the raw traits is seen: the locks of
//! `parking_lot` and any other crate's. The traits themselves are the real ones.

#![allow(unexpected_cfgs)]
// What the groups share is not needed by each of them.
#![cfg_attr(
    any(rv_no_mutex, rv_no_remutex, rv_no_rwlock, not(feature = "arc_lock")),
    allow(dead_code, unused_imports, unused_macros)
)]
// Before 0.4 the raw traits trusted whoever unlocks.
#![cfg_attr(not(rv_lock_api_0_4), allow(unused_unsafe))]
#![warn(missing_docs)]

extern crate lock_api as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

mod acquire;
#[cfg(all(rv_lock_api_0_5, not(rv_no_mutex)))]
mod condvar;
mod guards;
mod hold;
#[cfg(not(rv_no_mutex))]
mod mutex;
// Before 0.4.10 there was no such feature, and the type was always there.
mod part;
#[cfg(all(not(rv_no_remutex), any(feature = "atomic_usize", not(any(rv_lock_api_0_5, rv_lock_api_0_4_10)))))]
mod remutex;
#[cfg(not(rv_no_rwlock))]
mod rwlock;
mod unguarded;
mod way;

#[cfg(all(rv_lock_api_0_5, not(rv_no_mutex)))]
pub use condvar::Condvar;
#[cfg(all(feature = "arc_lock", not(rv_no_mutex)))]
pub use mutex::ArcMutexGuard;
#[cfg(not(rv_no_mutex))]
pub use mutex::{MappedMutexGuard, Mutex, MutexGuard};
#[cfg(all(
    feature = "arc_lock",
    not(rv_no_remutex),
    any(feature = "atomic_usize", not(any(rv_lock_api_0_5, rv_lock_api_0_4_10)))
))]
pub use remutex::ArcReentrantMutexGuard;
#[cfg(all(
    not(rv_no_remutex),
    any(feature = "atomic_usize", not(any(rv_lock_api_0_5, rv_lock_api_0_4_10)))
))]
pub use remutex::{MappedReentrantMutexGuard, ReentrantMutex, ReentrantMutexGuard};
#[cfg(all(feature = "arc_lock", not(rv_no_rwlock)))]
pub use rwlock::{ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard, ArcRwLockWriteGuard};
#[cfg(not(rv_no_rwlock))]
pub use rwlock::{
    MappedRwLockReadGuard, MappedRwLockWriteGuard, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard,
    RwLockWriteGuard,
};

/// What other shims and the build need of this one.
#[doc(hidden)]
pub mod __rv_shim {
    #[cfg(not(any(rv_lock_api_0_5, rv_no_mutex)))]
    pub use crate::mutex::{lend_real, wait_for_signal};

    /// The build asserts in every instrumented crate that this is there.
    pub const IN_FORCE: () = ();
}
