//! Locks in constants. Since 0.13, their types' own functions make them.

use real::{RawFairMutex, RawMutex, RawRwLock, RawThreadId};

use crate::locks::{FairMutex, Mutex, ReentrantMutex, RwLock};

/// A free lock around the value, in a constant.
#[track_caller]
pub const fn const_mutex<T>(val: T) -> Mutex<T> {
    Mutex::const_new(<RawMutex as lock_api::RawMutex>::INIT, val)
}

/// A free fair lock around the value, in a constant.
#[track_caller]
pub const fn const_fair_mutex<T>(val: T) -> FairMutex<T> {
    FairMutex::const_new(<RawFairMutex as lock_api::RawMutex>::INIT, val)
}

/// A free re-entrant lock around the value, in a constant.
#[track_caller]
pub const fn const_reentrant_mutex<T>(val: T) -> ReentrantMutex<T> {
    ReentrantMutex::const_new(
        <RawMutex as lock_api::RawMutex>::INIT,
        <RawThreadId as lock_api::GetThreadId>::INIT,
        val,
    )
}

/// A free reader-writer lock around the value, in a constant.
#[track_caller]
pub const fn const_rwlock<T>(val: T) -> RwLock<T> {
    RwLock::const_new(<RawRwLock as lock_api::RawRwLock>::INIT, val)
}

rt::exchanged_functions! {
    const_mutex::<()> => real::const_mutex::<()>;
    const_fair_mutex::<()> => real::const_fair_mutex::<()>;
    const_reentrant_mutex::<()> => real::const_reentrant_mutex::<()>;
    const_rwlock::<()> => real::const_rwlock::<()>;
}
