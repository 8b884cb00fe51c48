//! The names of the locks of `lock_api` around raw locks of this crate.

use real::{RawFairMutex, RawMutex, RawRwLock, RawThreadId};

/// A lock.
pub type Mutex<T> = lock_api::Mutex<RawMutex, T>;
/// The lock is held.
pub type MutexGuard<'a, T> = lock_api::MutexGuard<'a, RawMutex, T>;
/// The lock is held for a part of its data.
pub type MappedMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawMutex, T>;

/// A lock that is always handed to the thread that waits longest.
pub type FairMutex<T> = lock_api::Mutex<RawFairMutex, T>;
/// The lock is held.
pub type FairMutexGuard<'a, T> = lock_api::MutexGuard<'a, RawFairMutex, T>;
/// The lock is held for a part of its data.
pub type MappedFairMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawFairMutex, T>;

/// A lock that its owner can take again.
pub type ReentrantMutex<T> = lock_api::ReentrantMutex<RawMutex, RawThreadId, T>;
/// The lock is held.
pub type ReentrantMutexGuard<'a, T> = lock_api::ReentrantMutexGuard<'a, RawMutex, RawThreadId, T>;
/// The lock is held for a part of its data.
pub type MappedReentrantMutexGuard<'a, T> = lock_api::MappedReentrantMutexGuard<'a, RawMutex, RawThreadId, T>;

/// A reader-writer lock.
pub type RwLock<T> = lock_api::RwLock<RawRwLock, T>;
/// The lock is held to read.
pub type RwLockReadGuard<'a, T> = lock_api::RwLockReadGuard<'a, RawRwLock, T>;
/// The lock is held to write.
pub type RwLockWriteGuard<'a, T> = lock_api::RwLockWriteGuard<'a, RawRwLock, T>;
/// The lock is held to read a part of its data.
pub type MappedRwLockReadGuard<'a, T> = lock_api::MappedRwLockReadGuard<'a, RawRwLock, T>;
/// The lock is held to write a part of its data.
pub type MappedRwLockWriteGuard<'a, T> = lock_api::MappedRwLockWriteGuard<'a, RawRwLock, T>;
/// The lock is held to read, and to become the writer.
pub type RwLockUpgradableReadGuard<'a, T> = lock_api::RwLockUpgradableReadGuard<'a, RawRwLock, T>;

/// A condition variable.
#[cfg(rv_parking_lot_0_13)]
pub type Condvar = lock_api::Condvar<real::RawCondvar>;

rt::exchanged! {
    Mutex<()> => real::Mutex<()>;
    MutexGuard<'static, ()> => real::MutexGuard<'static, ()>;
    MappedMutexGuard<'static, ()> => real::MappedMutexGuard<'static, ()>;
    ReentrantMutex<()> => real::ReentrantMutex<()>;
    ReentrantMutexGuard<'static, ()> => real::ReentrantMutexGuard<'static, ()>;
    MappedReentrantMutexGuard<'static, ()> => real::MappedReentrantMutexGuard<'static, ()>;
    RwLock<()> => real::RwLock<()>;
    RwLockReadGuard<'static, ()> => real::RwLockReadGuard<'static, ()>;
    RwLockWriteGuard<'static, ()> => real::RwLockWriteGuard<'static, ()>;
    MappedRwLockReadGuard<'static, ()> => real::MappedRwLockReadGuard<'static, ()>;
    MappedRwLockWriteGuard<'static, ()> => real::MappedRwLockWriteGuard<'static, ()>;
    RwLockUpgradableReadGuard<'static, ()> => real::RwLockUpgradableReadGuard<'static, ()>;
    #[cfg(rv_parking_lot_0_13)] Condvar => real::Condvar;
}
