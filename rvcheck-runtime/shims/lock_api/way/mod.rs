//! The ways in which a raw lock can be held.

// What raw locks look like: before 0.5, and since.
#[cfg_attr(not(rv_lock_api_0_5), path = "marked.rs")]
#[cfg_attr(rv_lock_api_0_5, path = "stateful.rs")]
#[macro_use]
mod raw;

use std::marker::PhantomData;

use real::{
    RawMutex, RawMutexFair, RawMutexTimed, RawRwLock, RawRwLockDowngrade, RawRwLockFair, RawRwLockTimed,
    RawRwLockUpgrade, RawRwLockUpgradeDowngrade, RawRwLockUpgradeFair, RawRwLockUpgradeTimed,
};
use rt::lock::{self, Held};
use rt::{Head, Mode};

pub(crate) use raw::*;

/// A way of holding a raw lock.
pub(crate) trait Way {
    /// The raw lock.
    type Raw;

    /// What the raw lock gives to who gets it, and wants back from it.
    type State;

    /// What says whether a guard may be sent to another thread, where the state does not.
    type Mark;

    /// What is recorded.
    const MODE: Mode;

    /// Whether it is got past writers that wait.
    fn goes_past_writers() -> bool {
        false
    }

    /// Waits for the lock.
    fn lock(raw: &Self::Raw) -> Self::State;

    /// Takes the lock if that needs no waiting.
    fn try_lock(raw: &Self::Raw) -> Option<Self::State>;

    /// Gives the lock back.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way, with this state.
    unsafe fn unlock(raw: &Self::Raw, state: Self::State);

    /// Tells what the lock is, where that is known only when it is taken.
    #[inline(always)]
    fn introduce(_head: &Head) {}

    /// The lock has just been taken: what the guard is to keep of the mark that `record` makes.
    #[inline(always)]
    fn entered(_raw: &Self::Raw, record: impl FnOnce() -> Held) -> Held {
        record()
    }

    /// The lock is about to be given back.
    #[inline(always)]
    fn left(_raw: &Self::Raw, held: Held) {
        drop(held);
    }

    /// What a guard keeps that is made out of thin air.
    fn assumed(_raw: &Self::Raw, head: &Head) -> Held {
        lock::assumed(head, Self::MODE)
    }
}

/// A lock that can be handed to who waits for it.
pub(crate) trait FairWay: Way {
    /// Gives the lock back, to a waiting thread if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way, with this state.
    unsafe fn unlock_fair(raw: &Self::Raw, state: Self::State);

    /// Lets a waiting thread go first, if there is one.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way, with this state.
    unsafe fn bump(raw: &Self::Raw, state: &mut Self::State);
}

/// A lock that can be waited for with an end.
pub(crate) trait TimedWay: Way {
    /// How long.
    type Duration;
    /// Until when.
    type Instant;

    /// Waits for the lock for at most that long.
    fn lock_for(raw: &Self::Raw, timeout: Self::Duration) -> Option<Self::State>;

    /// Waits for the lock until then at most.
    fn lock_until(raw: &Self::Raw, timeout: Self::Instant) -> Option<Self::State>;
}

/// What a raw lock gives to who gets it in this way.
pub(crate) type State<W> = <W as Way>::State;

/// What marks a guard that holds a lock in this way.
pub(crate) type Mark<W> = <W as Way>::Mark;

/// What there is of a lock that has been taken in this way: what it gave, and the mark that it is held.
pub(crate) type Taken<W> = (State<W>, Held);

/// A mutex.
pub(crate) struct Whole<R>(PhantomData<R>);
/// A reader-writer lock, together with other readers.
pub(crate) struct Reading<R>(PhantomData<R>);
/// A reader-writer lock, alone.
pub(crate) struct Writing<R>(PhantomData<R>);
/// A reader-writer lock, together with other readers, of whom nobody else may become the writer.
pub(crate) struct Upgradable<R>(PhantomData<R>);

way! {
    Whole: Write LockApiMutex,
    RawMutex { Guard lock try_lock unlock },
    RawMutexFair { unlock_fair bump },
    RawMutexTimed { try_lock_for try_lock_until }
}
way! {
    Reading: Read LockApiRwLock,
    RawRwLock { SharedGuard lock_shared try_lock_shared unlock_shared },
    RawRwLockFair { unlock_shared_fair bump_shared },
    RawRwLockTimed { try_lock_shared_for try_lock_shared_until }
}
way! {
    Writing: Write LockApiRwLock,
    RawRwLock { ExclusiveGuard lock_exclusive try_lock_exclusive unlock_exclusive },
    RawRwLockFair { unlock_exclusive_fair bump_exclusive },
    RawRwLockTimed { try_lock_exclusive_for try_lock_exclusive_until }
}
way! {
    Upgradable: Upgrade LockApiRwLock,
    RawRwLockUpgrade { UpgradableGuard lock_upgradable try_lock_upgradable unlock_upgradable },
    RawRwLockUpgradeFair { unlock_upgradable_fair bump_upgradable },
    RawRwLockUpgradeTimed { try_lock_upgradable_for try_lock_upgradable_until }
}

// Their callers have the lock in the way of the state that they give.
turn!(upgrade: RawRwLockUpgrade Upgradable -> Writing);
turn!(try try_upgrade(): RawRwLockUpgrade Upgradable -> Writing);
turn!(try try_upgrade_for(timeout: Duration): RawRwLockUpgradeTimed Upgradable -> Writing);
turn!(try try_upgrade_until(timeout: Instant): RawRwLockUpgradeTimed Upgradable -> Writing);
turn!(downgrade: RawRwLockDowngrade Writing -> Reading);
turn!(downgrade_upgradable: RawRwLockUpgradeDowngrade Upgradable -> Reading);
turn!(downgrade_to_upgradable: RawRwLockUpgradeDowngrade Writing -> Upgradable);
