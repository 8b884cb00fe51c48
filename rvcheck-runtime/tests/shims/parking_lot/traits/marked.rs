//! Raw locks before lock_api 0.5 whose guards may be sent.

use std::cell::Cell;
use std::marker::PhantomData;

use lock_api::{GuardSend, RawMutex as _, RawRwLock as _};
use parking_lot::{RawMutex, RawRwLock};

/// A raw lock whose guards may be sent.
pub(crate) struct Sent(RawMutex);

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
pub(crate) struct SentRw(RawRwLock, PhantomData<Cell<u8>>);

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
