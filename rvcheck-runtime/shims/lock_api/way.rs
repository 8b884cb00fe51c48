//! The ways in which a raw lock can be held.

use real::{
    RawMutex, RawMutexFair, RawMutexTimed, RawRwLock, RawRwLockFair, RawRwLockRecursive,
    RawRwLockRecursiveTimed, RawRwLockTimed, RawRwLockUpgrade, RawRwLockUpgradeFair, RawRwLockUpgradeTimed,
};
use rt::lock::{self, Held};
use rt::{Head, Mode};

/// A way of holding the raw lock `R`.
pub(crate) trait Way<R> {
    /// What is recorded.
    const MODE: Mode;

    /// Waits for the lock.
    fn lock(raw: &R);

    /// Takes the lock if that needs no waiting.
    fn try_lock(raw: &R) -> bool;

    /// Gives the lock back.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way.
    unsafe fn unlock(raw: &R);

    /// The lock has just been taken: what the guard is to keep of the mark that `record` makes.
    #[inline(always)]
    fn entered(_raw: &R, record: impl FnOnce() -> Held) -> Held {
        record()
    }

    /// The lock is about to be given back.
    #[inline(always)]
    fn left(_raw: &R, held: Held) {
        drop(held);
    }

    /// What a guard keeps that is made out of thin air.
    fn assumed(_raw: &R, head: &Head) -> Held {
        lock::assumed(head, Self::MODE)
    }
}

/// A lock that can be handed to who waits for it.
pub(crate) trait FairWay<R>: Way<R> {
    /// Gives the lock back, to a waiting thread if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way.
    unsafe fn unlock_fair(raw: &R);

    /// Lets a waiting thread go first, if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way.
    unsafe fn bump(raw: &R);
}

/// A lock that can be waited for with an end.
pub(crate) trait TimedWay<R>: Way<R> {
    /// How long.
    type Duration;
    /// Until when.
    type Instant;

    /// Waits for the lock for at most that long.
    fn lock_for(raw: &R, timeout: Self::Duration) -> bool;

    /// Waits for the lock until then at most.
    fn lock_until(raw: &R, timeout: Self::Instant) -> bool;
}

/// A mutex.
pub(crate) struct Whole;
/// A reader-writer lock, together with other readers.
pub(crate) struct Reading;
/// The same, past writers that wait.
pub(crate) struct ReadingAgain;
/// A reader-writer lock, alone.
pub(crate) struct Writing;
/// A reader-writer lock, together with other readers, of whom nobody else may become the writer.
pub(crate) struct Upgradable;

/// Implements the three traits by the functions of raw traits.
macro_rules! way {
    (
        $way:ident: $mode:ident,
        $plain:ident { $lock:ident $try_lock:ident $unlock:ident },
        $fair:ident { $unlock_fair:ident $bump:ident },
        $timed:ident { $lock_for:ident $lock_until:ident }
    ) => {
        impl<R: $plain> Way<R> for $way {
            const MODE: Mode = Mode::$mode;

            #[inline]
            fn lock(raw: &R) {
                raw.$lock();
            }

            #[inline]
            fn try_lock(raw: &R) -> bool {
                raw.$try_lock()
            }

            #[inline]
            unsafe fn unlock(raw: &R) {
                // SAFETY: as the caller says.
                unsafe { raw.$unlock() }
            }
        }

        impl<R: $plain + $fair> FairWay<R> for $way {
            #[inline]
            unsafe fn unlock_fair(raw: &R) {
                // SAFETY: as the caller says.
                unsafe { raw.$unlock_fair() }
            }

            #[inline]
            unsafe fn bump(raw: &R) {
                // SAFETY: as the caller says.
                unsafe { raw.$bump() }
            }
        }

        impl<R: $timed> TimedWay<R> for $way {
            type Duration = R::Duration;
            type Instant = R::Instant;

            #[inline]
            fn lock_for(raw: &R, timeout: R::Duration) -> bool {
                raw.$lock_for(timeout)
            }

            #[inline]
            fn lock_until(raw: &R, timeout: R::Instant) -> bool {
                raw.$lock_until(timeout)
            }
        }
    };
}

way! {
    Whole: Write,
    RawMutex { lock try_lock unlock },
    RawMutexFair { unlock_fair bump },
    RawMutexTimed { try_lock_for try_lock_until }
}
way! {
    Reading: Read,
    RawRwLock { lock_shared try_lock_shared unlock_shared },
    RawRwLockFair { unlock_shared_fair bump_shared },
    RawRwLockTimed { try_lock_shared_for try_lock_shared_until }
}
way! {
    ReadingAgain: Read,
    RawRwLockRecursive { lock_shared_recursive try_lock_shared_recursive unlock_shared },
    RawRwLockFair { unlock_shared_fair bump_shared },
    RawRwLockRecursiveTimed { try_lock_shared_recursive_for try_lock_shared_recursive_until }
}
way! {
    Writing: Write,
    RawRwLock { lock_exclusive try_lock_exclusive unlock_exclusive },
    RawRwLockFair { unlock_exclusive_fair bump_exclusive },
    RawRwLockTimed { try_lock_exclusive_for try_lock_exclusive_until }
}
way! {
    Upgradable: Upgrade,
    RawRwLockUpgrade { lock_upgradable try_lock_upgradable unlock_upgradable },
    RawRwLockUpgradeFair { unlock_upgradable_fair bump_upgradable },
    RawRwLockUpgradeTimed { try_lock_upgradable_for try_lock_upgradable_until }
}
