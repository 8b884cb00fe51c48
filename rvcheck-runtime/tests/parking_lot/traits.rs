//! Which traits the types have, with contents that have more and fewer of them.

#![allow(dead_code)]

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

use std::cell::Cell;
use std::fmt::Debug;
use std::marker::PhantomData;

use lock_api::{GuardSend, RawMutex as _, RawRwLock as _};
use parking_lot::*;

/// A raw lock whose guards may be sent.
struct Sent(RawMutex);

// SAFETY: that of the lock inside.
unsafe impl lock_api::RawMutex for Sent {
    const INIT: Sent = Sent(RawMutex::INIT);

    type GuardMarker = GuardSend;

    fn lock(&self) {
        self.0.lock();
    }

    fn try_lock(&self) -> bool {
        self.0.try_lock()
    }

    unsafe fn unlock(&self) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock() }
    }
}

/// A raw lock whose guards may be sent, and that is itself of one thread.
struct SentRw(RawRwLock, PhantomData<Cell<u8>>);

// SAFETY: that of the lock inside.
unsafe impl lock_api::RawRwLock for SentRw {
    const INIT: SentRw = SentRw(RawRwLock::INIT, PhantomData);

    type GuardMarker = GuardSend;

    fn lock_shared(&self) {
        self.0.lock_shared();
    }

    fn try_lock_shared(&self) -> bool {
        self.0.try_lock_shared()
    }

    unsafe fn unlock_shared(&self) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock_shared() }
    }

    fn lock_exclusive(&self) {
        self.0.lock_exclusive();
    }

    fn try_lock_exclusive(&self) -> bool {
        self.0.try_lock_exclusive()
    }

    unsafe fn unlock_exclusive(&self) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock_exclusive() }
    }
}

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
