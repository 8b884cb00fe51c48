//! Raw locks since lock_api 0.5 whose guards may be sent.

use std::cell::Cell;
use std::marker::PhantomData;

use lock_api::{GuardNoSend, GuardSend, RawMutex as _, RawRwLock as _};
use parking_lot::{RawMutex, RawRwLock};

/// A raw lock whose guards may be sent.
pub(crate) struct Sent(RawMutex);

// SAFETY: that of the lock inside.
unsafe impl lock_api::RawMutex for Sent {
    const INIT: Sent = Sent(RawMutex::INIT);

    type Guard = GuardSend;

    fn lock(&self) -> GuardSend {
        self.0.lock();
        GuardSend::new()
    }

    fn try_lock(&self) -> Option<GuardSend> {
        self.0.try_lock().map(|_| GuardSend::new())
    }

    unsafe fn unlock(&self, _: GuardSend) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock(GuardNoSend::new()) }
    }

    fn is_locked(&self) -> bool {
        self.0.is_locked()
    }
}

/// A raw lock whose guards may be sent, and that is itself of one thread.
pub(crate) struct SentRw(RawRwLock, PhantomData<Cell<u8>>);

// SAFETY: that of the lock inside.
unsafe impl lock_api::RawRwLock for SentRw {
    const INIT: SentRw = SentRw(RawRwLock::INIT, PhantomData);

    type SharedGuard = GuardSend;
    type ExclusiveGuard = GuardSend;

    fn lock_shared(&self) -> GuardSend {
        self.0.lock_shared();
        GuardSend::new()
    }

    fn try_lock_shared(&self) -> Option<GuardSend> {
        self.0.try_lock_shared().map(|_| GuardSend::new())
    }

    unsafe fn unlock_shared(&self, _: GuardSend) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock_shared(GuardNoSend::new()) }
    }

    fn lock_exclusive(&self) -> GuardSend {
        self.0.lock_exclusive();
        GuardSend::new()
    }

    fn try_lock_exclusive(&self) -> Option<GuardSend> {
        self.0.try_lock_exclusive().map(|_| GuardSend::new())
    }

    unsafe fn unlock_exclusive(&self, _: GuardSend) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock_exclusive(GuardNoSend::new()) }
    }

    fn is_locked(&self) -> bool {
        self.0.is_locked()
    }

    fn is_locked_exclusive(&self) -> bool {
        self.0.is_locked_exclusive()
    }
}
