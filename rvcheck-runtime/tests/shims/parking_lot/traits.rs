//! Which traits the types have, with contents that have more and fewer of them.

#![allow(dead_code)]

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

use std::cell::Cell;
use std::fmt::Debug;

use parking_lot::*;
use raw::{Sent, SentRw};

// Raw locks whose guards may be sent.
#[cfg_attr(not(rv_lock_api_0_5), path = "traits/marked.rs")]
#[cfg_attr(rv_lock_api_0_5, path = "traits/stateful.rs")]
mod raw;

/// The guards' data may live shorter, where they may with the real ones.
fn shorter<'a, 'b: 'a>(
    read: MappedRwLockReadGuard<'b, &'b str>,
    again: MappedReentrantMutexGuard<'b, &'b str>,
) -> (MappedRwLockReadGuard<'a, &'a str>, MappedReentrantMutexGuard<'a, &'a str>) {
    (read, again)
}

fn main() {
    macro_rules! with {
        ($($content:ty)*) => {$(
            traits! {
                Mutex<$content>; MutexGuard<'static, $content>; MappedMutexGuard<'static, $content>;
                FairMutex<$content>; FairMutexGuard<'static, $content>;
                lock_api::MutexGuard<'static, Sent, $content>; lock_api::MappedMutexGuard<'static, Sent, $content>;
                RwLock<$content>; RwLockReadGuard<'static, $content>; RwLockWriteGuard<'static, $content>;
                RwLockUpgradableReadGuard<'static, $content>; MappedRwLockReadGuard<'static, $content>;
                MappedRwLockWriteGuard<'static, $content>; lock_api::RwLock<SentRw, $content>;
                lock_api::RwLockReadGuard<'static, SentRw, $content>;
                lock_api::RwLockWriteGuard<'static, SentRw, $content>;
                lock_api::MappedRwLockReadGuard<'static, SentRw, $content>;
                lock_api::MappedRwLockWriteGuard<'static, SentRw, $content>;
                ReentrantMutex<$content>; ReentrantMutexGuard<'static, $content>;
                MappedReentrantMutexGuard<'static, $content>;
            }
            #[cfg(feature = "arc_lock")]
            traits! {
                lock_api::ArcMutexGuard<RawMutex, $content>; lock_api::ArcMutexGuard<Sent, $content>;
                lock_api::ArcRwLockReadGuard<RawRwLock, $content>; lock_api::ArcRwLockReadGuard<SentRw, $content>;
                lock_api::ArcRwLockWriteGuard<RawRwLock, $content>; lock_api::ArcRwLockWriteGuard<SentRw, $content>;
                lock_api::ArcRwLockUpgradableReadGuard<RawRwLock, $content>;
                lock_api::ArcReentrantMutexGuard<RawMutex, RawThreadId, $content>;
            }
        )*};
    }
    contents! { with }
    traits! {
        Mutex<str>; RwLock<str>; Mutex<dyn Debug>; Mutex<dyn Debug + Send>; RwLock<dyn Debug + Send + Sync>;
        MutexGuard<'static, str>; RwLockReadGuard<'static, [u8]>; Condvar; Once; WaitTimeoutResult; OnceState;
    }
}
