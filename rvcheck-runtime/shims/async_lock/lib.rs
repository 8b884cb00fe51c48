//! Replaces `async_lock` in the program under test: the same interface, whose locks are recorded.
//!
//! Everything is the real crate's unless it is named here. A type is wrapped only together with every function that makes
//! or takes it. Each group of types can be left out by a cfg, where it does not fit into a program.

#![allow(unexpected_cfgs)]
// The globs are there for what newer versions of the real crate add.
#![allow(unused_imports)]
// What the groups share is not needed by each of them.
#![cfg_attr(
    any(rv_no_barrier, rv_no_mutex, rv_no_once, rv_no_rwlock, rv_no_semaphore),
    allow(dead_code, unused_macros)
)]
#![warn(missing_docs)]

extern crate async_lock as real;
extern crate rvcheck_runtime as rt;

pub use real::*;

#[cfg(not(rv_no_barrier))]
mod barrier;
#[cfg(any(feature = "std", not(rv_async_lock_3)))]
mod blocking;
mod guards;
#[cfg(not(rv_no_mutex))]
mod mutex;
mod names;
#[cfg(not(rv_no_once))]
mod once_cell;
#[cfg(not(rv_no_rwlock))]
mod rwlock;
#[cfg(not(rv_no_semaphore))]
mod semaphore;

#[cfg(not(rv_no_barrier))]
pub use barrier::Barrier;
#[cfg(not(rv_no_mutex))]
pub use mutex::{Mutex, MutexGuard, MutexGuardArc};
#[cfg(not(rv_no_once))]
pub use once_cell::OnceCell;
#[cfg(not(rv_no_rwlock))]
pub use rwlock::{
    RwLock, RwLockReadGuard, RwLockReadGuardArc, RwLockUpgradableReadGuard, RwLockUpgradableReadGuardArc,
    RwLockWriteGuard, RwLockWriteGuardArc,
};
#[cfg(not(rv_no_semaphore))]
pub use semaphore::{Semaphore, SemaphoreGuard, SemaphoreGuardArc};

/// Named future types.
pub mod futures {
    pub use real::futures::*;

    #[cfg(not(rv_no_barrier))]
    pub use crate::barrier::BarrierWait;
    #[cfg(not(rv_no_mutex))]
    pub use crate::mutex::{Lock, LockArc};
    #[cfg(not(rv_no_rwlock))]
    pub use crate::rwlock::{
        Read, ReadArc, UpgradableRead, UpgradableReadArc, Upgrade, UpgradeArc, Write, WriteArc,
    };
    #[cfg(not(rv_no_semaphore))]
    pub use crate::semaphore::{Acquire, AcquireArc};
}

/// The build asserts in every instrumented crate that this is there.
#[doc(hidden)]
pub mod __rv_shim {
    /// The name `async_lock` means this crate.
    pub const IN_FORCE: () = ();
}
