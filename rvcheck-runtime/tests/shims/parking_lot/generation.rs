//! What is called otherwise since parking_lot 0.13 and lock_api 0.5.

#![allow(dead_code, unused_imports, unused_macros)]

use std::time::Duration;

use parking_lot::{FairMutex, Mutex, ReentrantMutex, RwLock, RwLockReadGuard};

#[cfg(not(rv_lock_api_0_5))]
pub(crate) use parking_lot::{const_fair_mutex, const_mutex, const_reentrant_mutex, const_rwlock};

#[cfg(rv_lock_api_0_5)]
pub(crate) const fn const_mutex<T>(value: T) -> Mutex<T> {
    Mutex::new(value)
}

#[cfg(rv_lock_api_0_5)]
pub(crate) const fn const_fair_mutex<T>(value: T) -> FairMutex<T> {
    FairMutex::new(value)
}

#[cfg(rv_lock_api_0_5)]
pub(crate) const fn const_reentrant_mutex<T>(value: T) -> ReentrantMutex<T> {
    ReentrantMutex::new(value)
}

#[cfg(rv_lock_api_0_5)]
pub(crate) const fn const_rwlock<T>(value: T) -> RwLock<T> {
    RwLock::new(value)
}

/// Calls a function that wants back what the raw lock gave: nothing before 0.5.
#[cfg(not(rv_lock_api_0_5))]
macro_rules! back {
    ($lock:expr, $function:ident) => {
        $lock.$function()
    };
}
#[cfg(rv_lock_api_0_5)]
macro_rules! back {
    ($lock:expr, $function:ident) => {
        $lock.$function(lock_api::GuardNoSend::new())
    };
}
pub(crate) use back;

/// Reads past writers that wait, where a reader-writer lock lets all do so.
#[track_caller]
pub(crate) fn read_again<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    #[cfg(not(rv_lock_api_0_5))]
    return lock.read_recursive();
    #[cfg(rv_lock_api_0_5)]
    lock.read()
}

#[track_caller]
pub(crate) fn try_read_again_for<T>(lock: &RwLock<T>, length: Duration) -> Option<RwLockReadGuard<'_, T>> {
    #[cfg(not(rv_lock_api_0_5))]
    return lock.try_read_recursive_for(length);
    #[cfg(rv_lock_api_0_5)]
    lock.try_read_for(length)
}
