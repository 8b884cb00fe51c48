//! Replaces `parking_lot` in the program under test: the same interface, whose locks are recorded.
//!
//! The locks are those of the shim for `lock_api`, around the real raw locks.

#![allow(unexpected_cfgs)]
#![warn(missing_docs)]

extern crate parking_lot as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(not(any(rv_parking_lot_0_13, rv_no_lock)))]
mod condvar;
#[cfg(not(any(rv_parking_lot_0_13, rv_no_lock)))]
mod constants;
#[cfg(not(rv_no_lock))]
mod locks;
#[cfg(not(rv_no_once))]
mod once;
#[cfg(all(rv_parking_lot_0_13, not(rv_no_lock)))]
mod recursive;

#[cfg(not(rv_no_lock))]
pub use ::lock_api;
#[cfg(all(feature = "arc_lock", any(rv_parking_lot_0_13, rv_parking_lot_0_12_3), not(rv_no_lock)))]
pub use ::lock_api::{
    ArcMutexGuard, ArcReentrantMutexGuard, ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard,
    ArcRwLockWriteGuard,
};
#[cfg(not(any(rv_parking_lot_0_13, rv_no_lock)))]
pub use condvar::Condvar;
#[cfg(not(any(rv_parking_lot_0_13, rv_no_lock)))]
pub use constants::{const_fair_mutex, const_mutex, const_reentrant_mutex, const_rwlock};
#[cfg(all(rv_parking_lot_0_13, not(rv_no_lock)))]
pub use locks::Condvar;
#[cfg(not(rv_no_lock))]
pub use locks::{
    FairMutex, FairMutexGuard, MappedFairMutexGuard, MappedMutexGuard, MappedReentrantMutexGuard,
    MappedRwLockReadGuard, MappedRwLockWriteGuard, Mutex, MutexGuard, ReentrantMutex, ReentrantMutexGuard,
    RwLock, RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard,
};
#[cfg(not(rv_no_once))]
pub use once::Once;
#[cfg(all(rv_parking_lot_0_13, not(rv_no_lock)))]
pub use recursive::{
    MappedRecursiveRwLockReadGuard, MappedRecursiveRwLockWriteGuard, RecursiveRwLock,
    RecursiveRwLockReadGuard, RecursiveRwLockUpgradableReadGuard, RecursiveRwLockWriteGuard,
};

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `parking_lot` means this crate.
    pub const IN_FORCE: () = ();
}
