//! Going from one way of holding a reader-writer lock to another.
//!
//! An upgrade is a release and an acquisition, with a request in between if other readers have to be waited for. So nobody who
//! follows the events takes it for somebody who waits for a lock that he holds.

use std::mem;

use real::{RawRwLockUpgrade, RawRwLockUpgradeDowngrade};
use rt::lock::{self, Held, Request};
use rt::{Head, Loc, Mode, What};

use crate::hold::{Hold, Source};
use crate::way::{Upgradable, Way};

/// Becomes the writer if there are no other readers. Gives the mark of that.
pub(super) fn at_once<S>(hold: &mut Hold<S, Upgradable>, is_try: bool, location: Loc) -> Option<Held>
where
    S: Source<Raw: RawRwLockUpgrade>,
{
    let (held, source) = hold.mark();
    let (head, raw) = source.parts();
    // SAFETY: the lock is held upgradably.
    let upgraded = unsafe { raw.try_upgrade() };
    upgraded.then(|| {
        drop(mem::replace(held, Held::none()));
        lock::acquired(head, Mode::Write, is_try, location)
    })
}

/// Becomes the writer, after the other readers.
pub(super) fn after_others<S>(hold: &mut Hold<S, Upgradable>, location: Loc) -> Held
where
    S: Source<Raw: RawRwLockUpgrade>,
{
    let wait = |raw: &S::Raw| {
        // SAFETY: the lock is held upgradably.
        unsafe { raw.upgrade() };
        true
    };
    at_once(hold, false, location)
        .or_else(|| waited(hold, lock::request, location, wait))
        .unwrap_or(Held::none())
}

/// Becomes the writer if the other readers are gone in time, for which `wait` waits.
pub(super) fn in_time<S>(
    hold: &mut Hold<S, Upgradable>,
    location: Loc,
    wait: impl FnOnce(&S::Raw) -> bool,
) -> Option<Held>
where
    S: Source<Raw: RawRwLockUpgrade>,
{
    at_once(hold, true, location).or_else(|| waited(hold, lock::timed_request, location, wait))
}

#[cold]
fn waited<S>(
    hold: &mut Hold<S, Upgradable>,
    request: fn(&Head, Mode, Loc) -> Request,
    location: Loc,
    wait: impl FnOnce(&S::Raw) -> bool,
) -> Option<Held>
where
    S: Source<Raw: RawRwLockUpgrade>,
{
    let (held, source) = hold.mark();
    let (head, raw) = source.parts();
    drop(mem::replace(held, Held::none()));
    let request = request(head, Mode::Write, location);
    let blocking = rt::block(What::Lock, location);
    let upgraded = wait(raw);
    drop(blocking);
    if upgraded {
        return Some(request.acquired());
    }
    drop(request);
    *held = lock::acquired(head, Mode::Upgrade, true, location);
    None
}

/// Is the writer, with this mark, while the closure runs.
pub(super) fn as_writer<S, U>(hold: &mut Hold<S, Upgradable>, mark: Held, f: impl FnOnce() -> U) -> U
where
    S: Source<Raw: RawRwLockUpgradeDowngrade>,
{
    *hold.mark().0 = mark;
    let _back = Back(hold);
    f()
}

/// Becomes the upgradable reader again in the end.
struct Back<'h, S: Source<Raw: RawRwLockUpgradeDowngrade>>(&'h mut Hold<S, Upgradable>);

impl<S: Source<Raw: RawRwLockUpgradeDowngrade>> Drop for Back<'_, S> {
    fn drop(&mut self) {
        let (held, source) = self.0.mark();
        held.downgraded(Mode::Upgrade);
        // SAFETY: the lock is held to write.
        unsafe { source.parts().1.downgrade_to_upgradable() }
    }
}

/// Holds the lock in a weaker way, which `change` makes of the raw lock. It is recorded before, since others may come in after.
pub(super) fn downgraded<S, W, V>(mut hold: Hold<S, W>, change: impl FnOnce(&S::Raw)) -> Hold<S, V>
where
    S: Source,
    W: Way<S::Raw>,
    V: Way<S::Raw>,
{
    let (held, source) = hold.mark();
    held.downgraded(V::MODE);
    change(source.parts().1);
    hold.turned(|held| held)
}

/// What a writer's guard can become.
macro_rules! downgrades {
    (
        [$($generics:tt)*] [$($upgrade_generics:tt)*]
        $guard:ty => $read:ty, $upgradable:ty
    ) => {
        impl<$($generics)*> $guard {
            /// Goes on as a reader, without letting another writer in before.
            #[track_caller]
            pub fn downgrade(s: Self) -> $read {
                // SAFETY: the lock is held to write.
                let hold = upgrade::downgraded(s.hold, |raw| unsafe { raw.downgrade() });
                <$read>::from(hold)
            }
        }

        impl<$($upgrade_generics)*> $guard {
            /// Goes on as an upgradable reader, without letting another writer in before.
            #[track_caller]
            pub fn downgrade_to_upgradable(s: Self) -> $upgradable {
                // SAFETY: the lock is held to write.
                let hold = upgrade::downgraded(s.hold, |raw| unsafe { raw.downgrade_to_upgradable() });
                <$upgradable>::from(hold)
            }
        }
    };
}

/// What an upgradable reader's guard can become.
macro_rules! upgrades {
    ([$($lifetime:lifetime)?] [$($data:tt)*] $guard:ty => $write:ty, $read:ty) => {
        impl<$($lifetime,)? R: RawRwLockUpgrade $(+ $lifetime)?, $($data)*> $guard {
            /// Becomes the writer, after the other readers.
            #[track_caller]
            pub fn upgrade(mut s: Self) -> $write {
                let held = upgrade::after_others(&mut s.hold, Location::caller());
                <$write>::from(s.hold.turned(|_| held))
            }

            /// Becomes the writer if there are no other readers.
            ///
            /// # Errors
            ///
            /// The guard itself, when there are.
            #[track_caller]
            pub fn try_upgrade(mut s: Self) -> Result<$write, Self> {
                match upgrade::at_once(&mut s.hold, true, Location::caller()) {
                    Some(held) => Ok(<$write>::from(s.hold.turned(|_| held))),
                    None => Err(s),
                }
            }
        }

        impl<$($lifetime,)? R: RawRwLockUpgradeDowngrade $(+ $lifetime)?, $($data)*> $guard {
            /// Goes on as a reader like others.
            #[track_caller]
            pub fn downgrade(s: Self) -> $read {
                // SAFETY: the lock is held upgradably.
                let hold = upgrade::downgraded(s.hold, |raw| unsafe { raw.downgrade_upgradable() });
                <$read>::from(hold)
            }

            /// Is the writer while the closure runs, after the other readers.
            #[track_caller]
            pub fn with_upgraded<Ret, F: FnOnce(&mut T) -> Ret>(&mut self, f: F) -> Ret {
                let held = upgrade::after_others(&mut self.hold, Location::caller());
                let data = self.data();
                // SAFETY: the lock is held to write.
                upgrade::as_writer(&mut self.hold, held, || f(unsafe { &mut *data }))
            }

            /// Is the writer while the closure runs, if there are no other readers.
            #[track_caller]
            pub fn try_with_upgraded<Ret, F: FnOnce(&mut T) -> Ret>(&mut self, f: F) -> Option<Ret> {
                let held = upgrade::at_once(&mut self.hold, true, Location::caller())?;
                let data = self.data();
                // SAFETY: the lock is held to write.
                Some(upgrade::as_writer(&mut self.hold, held, || f(unsafe { &mut *data })))
            }
        }

        impl<$($lifetime,)? R: RawRwLockUpgradeTimed $(+ $lifetime)?, $($data)*> $guard {
            /// Becomes the writer if the other readers are gone before that long.
            ///
            /// # Errors
            ///
            /// The guard itself, when they are not.
            #[track_caller]
            pub fn try_upgrade_for(mut s: Self, timeout: R::Duration) -> Result<$write, Self> {
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R| unsafe { raw.try_upgrade_for(timeout) };
                match upgrade::in_time(&mut s.hold, Location::caller(), wait) {
                    Some(held) => Ok(<$write>::from(s.hold.turned(|_| held))),
                    None => Err(s),
                }
            }

            /// Becomes the writer if the other readers are gone before then.
            ///
            /// # Errors
            ///
            /// The guard itself, when they are not.
            #[track_caller]
            pub fn try_upgrade_until(mut s: Self, timeout: R::Instant) -> Result<$write, Self> {
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R| unsafe { raw.try_upgrade_until(timeout) };
                match upgrade::in_time(&mut s.hold, Location::caller(), wait) {
                    Some(held) => Ok(<$write>::from(s.hold.turned(|_| held))),
                    None => Err(s),
                }
            }
        }

        impl<$($lifetime,)? R: RawRwLockUpgradeTimed + RawRwLockUpgradeDowngrade $(+ $lifetime)?, $($data)*> $guard {
            /// Is the writer while the closure runs, if the other readers are gone before that long.
            #[track_caller]
            pub fn try_with_upgraded_for<Ret, F: FnOnce(&mut T) -> Ret>(
                &mut self,
                timeout: R::Duration,
                f: F,
            ) -> Option<Ret> {
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R| unsafe { raw.try_upgrade_for(timeout) };
                let held = upgrade::in_time(&mut self.hold, Location::caller(), wait)?;
                let data = self.data();
                // SAFETY: the lock is held to write.
                Some(upgrade::as_writer(&mut self.hold, held, || f(unsafe { &mut *data })))
            }

            /// Is the writer while the closure runs, if the other readers are gone before then.
            #[track_caller]
            pub fn try_with_upgraded_until<Ret, F: FnOnce(&mut T) -> Ret>(
                &mut self,
                timeout: R::Instant,
                f: F,
            ) -> Option<Ret> {
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R| unsafe { raw.try_upgrade_until(timeout) };
                let held = upgrade::in_time(&mut self.hold, Location::caller(), wait)?;
                let data = self.data();
                // SAFETY: the lock is held to write.
                Some(upgrade::as_writer(&mut self.hold, held, || f(unsafe { &mut *data })))
            }
        }
    };
}

pub(super) use {downgrades, upgrades};
