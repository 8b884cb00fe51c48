//! Going from one way of holding a reader-writer lock to another.
//!
//! An upgrade is a release and an acquisition, with a request in between if other readers have to be waited for. So nobody who
//! follows the events takes it for somebody who waits for a lock that they hold.

use std::cell::Cell;

use real::{RawRwLockUpgrade, RawRwLockUpgradeDowngrade};
use rt::lock::{self, Held, Request};
use rt::{control, Blocking, Head, Loc, Mode, What};

use crate::acquire::{self, Until};
use crate::hold::{surely, Hold, Source};
use crate::way::{self, State, Taken, Upgradable, Way, Writing};

/// Becomes the writer if there are no other readers.
pub(super) fn at_once<R: RawRwLockUpgrade>(
    (head, raw): (&Head, &R),
    (state, held): Taken<Upgradable<R>>,
    is_try: bool,
    location: Loc,
) -> Result<Taken<Writing<R>>, Taken<Upgradable<R>>> {
    if is_try {
        control::tries(head, location);
    } else {
        control::asks(head, location);
    }
    // SAFETY: the lock is held upgradably.
    let upgraded = unsafe { way::try_upgrade(raw, state) };
    if is_try {
        control::tried(head, upgraded.is_ok());
    }
    match upgraded {
        Ok(state) => {
            drop(held);
            Ok((state, lock::acquired(head, Mode::Write, is_try, location)))
        }
        Err(state) => Err((state, held)),
    }
}

/// Becomes the writer, after the other readers.
pub(super) fn after_others<R: RawRwLockUpgrade>(
    lock: (&Head, &R),
    taken: Taken<Upgradable<R>>,
    location: Loc,
) -> Taken<Writing<R>> {
    at_once(lock, taken, false, location).unwrap_or_else(|(state, held)| {
        let waiting = Waiting::begin(lock.0, held, lock::request, location);
        let state = Cell::new(Some(state));
        let attempt = || attempt(lock.1, &state);
        let upgrade = || {
            let state = state.take().expect("the lock is held upgradably");
            // SAFETY: as it says.
            unsafe { way::upgrade(lock.1, state) }
        };
        (acquire::waiting::<R, _>(lock.0, location, attempt, upgrade), waiting.over())
    })
}

/// Becomes the writer if there are no other readers, without recording anything.
fn attempt<R: RawRwLockUpgrade>(
    raw: &R,
    held: &Cell<Option<State<Upgradable<R>>>>,
) -> Option<State<Writing<R>>> {
    // SAFETY: the lock is held upgradably.
    unsafe { way::try_upgrade(raw, held.take()?) }.map_err(|state| held.set(Some(state))).ok()
}

/// Becomes the writer if the other readers are gone in time, for which `wait` waits.
pub(super) fn in_time<R: RawRwLockUpgrade>(
    lock: (&Head, &R),
    taken: Taken<Upgradable<R>>,
    location: Loc,
    until: Until,
    wait: impl FnOnce(&R, State<Upgradable<R>>) -> Result<State<Writing<R>>, State<Upgradable<R>>>,
) -> Result<Taken<Writing<R>>, Taken<Upgradable<R>>> {
    at_once(lock, taken, true, location).or_else(|(state, held)| {
        let waiting = Waiting::begin(lock.0, held, lock::timed_request, location);
        let state = Cell::new(Some(state));
        let held = || state.take().expect("the lock is held upgradably");
        let attempt = || attempt(lock.1, &state).map(Ok);
        let upgraded = until.waiting(lock.0, location, attempt, || Err(held()), || wait(lock.1, held()));
        match upgraded {
            Ok(state) => Ok((state, waiting.over())),
            Err(state) => {
                drop(waiting);
                Err((state, lock::acquired(lock.0, Mode::Upgrade, true, location)))
            }
        }
    })
}

/// A wait for the other readers, whose own lock counts as given back. Dropped when it is given up.
struct Waiting {
    blocking: Blocking,
    request: Request,
}

impl Waiting {
    #[cold]
    fn begin(head: &Head, held: Held, request: fn(&Head, Mode, Loc) -> Request, location: Loc) -> Waiting {
        drop(held);
        let request = request(head, Mode::Write, location);
        Waiting { blocking: rt::block(What::Lock, location), request }
    }

    /// The lock is held to write.
    fn over(self) -> Held {
        drop(self.blocking);
        self.request.acquired()
    }
}

/// Is the writer, which `turn` makes of the reader, while the closure runs.
pub(super) fn as_writer<S, R, U>(
    hold: &mut Hold<S, Upgradable<R>>,
    turn: impl FnOnce((&Head, &R), Taken<Upgradable<R>>) -> Taken<Writing<R>>,
    f: impl FnOnce() -> U,
) -> U
where
    S: Source<Raw = R>,
    R: RawRwLockUpgradeDowngrade,
{
    // SAFETY: it is put back when the writer is dropped.
    let (lock, taken) = unsafe { hold.take() };
    let writer = Some(surely(|| turn(lock, taken)));
    let _writer = Writer { hold, writer };
    f()
}

/// Is the writer while the closure runs, if `turn` makes it of the reader.
pub(super) fn try_as_writer<S, R, U>(
    hold: &mut Hold<S, Upgradable<R>>,
    turn: impl FnOnce((&Head, &R), Taken<Upgradable<R>>) -> Result<Taken<Writing<R>>, Taken<Upgradable<R>>>,
    f: impl FnOnce() -> U,
) -> Option<U>
where
    S: Source<Raw = R>,
    R: RawRwLockUpgradeDowngrade,
{
    // SAFETY: it is put back here, or when the writer is dropped.
    let (lock, taken) = unsafe { hold.take() };
    match surely(|| turn(lock, taken)) {
        Ok(taken) => {
            let _writer = Writer { hold, writer: Some(taken) };
            Some(f())
        }
        Err(taken) => {
            hold.put(taken);
            None
        }
    }
}

/// Becomes the upgradable reader again in the end.
struct Writer<'h, S: Source<Raw = R>, R: RawRwLockUpgradeDowngrade> {
    hold: &'h mut Hold<S, Upgradable<R>>,
    writer: Option<Taken<Writing<R>>>,
}

impl<S: Source<Raw = R>, R: RawRwLockUpgradeDowngrade> Drop for Writer<'_, S, R> {
    fn drop(&mut self) {
        let Some((state, mut held)) = self.writer.take() else { return };
        held.downgraded(Mode::Upgrade);
        let (_, raw) = self.hold.source().parts();
        // SAFETY: the lock is held to write.
        let state = surely(|| unsafe { way::downgrade_to_upgradable(raw, state) });
        self.hold.put((state, held));
    }
}

/// Holds the lock in a weaker way, which `change` makes of the raw lock. It is recorded before, since others may come in after.
pub(super) fn downgraded<S, W, V>(
    hold: Hold<S, W>,
    change: impl FnOnce(&W::Raw, State<W>) -> State<V>,
) -> Hold<S, V>
where
    S: Source<Raw = W::Raw>,
    W: Way,
    V: Way<Raw = W::Raw>,
{
    hold.turned(|(_, raw), (state, mut held)| {
        held.downgraded(V::MODE);
        (change(raw, state), held)
    })
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
                <$read>::from(upgrade::downgraded(s.hold, |raw, state| unsafe { way::downgrade(raw, state) }))
            }
        }

        impl<$($upgrade_generics)*> $guard {
            /// Goes on as an upgradable reader, without letting another writer in before.
            #[track_caller]
            pub fn downgrade_to_upgradable(s: Self) -> $upgradable {
                let hold = upgrade::downgraded(s.hold, |raw, state| {
                    // SAFETY: the lock is held to write.
                    unsafe { way::downgrade_to_upgradable(raw, state) }
                });
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
            pub fn upgrade(s: Self) -> $write {
                let at = Location::caller();
                <$write>::from(s.hold.turned(|lock, taken| upgrade::after_others(lock, taken, at)))
            }

            /// Becomes the writer if there are no other readers.
            ///
            /// # Errors
            ///
            /// The guard itself, when there are.
            #[track_caller]
            pub fn try_upgrade(s: Self) -> Result<$write, Self> {
                let at = Location::caller();
                let turned = s.hold.try_turned(|lock, taken| upgrade::at_once(lock, taken, true, at));
                turned.map(<$write>::from).map_err(Self::from)
            }
        }

        impl<$($lifetime,)? R: RawRwLockUpgradeDowngrade $(+ $lifetime)?, $($data)*> $guard {
            /// Goes on as a reader like others.
            #[track_caller]
            pub fn downgrade(s: Self) -> $read {
                let hold = upgrade::downgraded(s.hold, |raw, state| {
                    // SAFETY: the lock is held upgradably.
                    unsafe { way::downgrade_upgradable(raw, state) }
                });
                <$read>::from(hold)
            }

            /// Is the writer while the closure runs, after the other readers.
            #[track_caller]
            pub fn with_upgraded<Ret, F: FnOnce(&mut T) -> Ret>(&mut self, f: F) -> Ret {
                let (at, data) = (Location::caller(), self.data());
                let turn = |lock: (&Head, &R), taken| upgrade::after_others(lock, taken, at);
                // SAFETY: the lock is held to write.
                upgrade::as_writer(&mut self.hold, turn, || f(unsafe { &mut *data }))
            }

            /// Is the writer while the closure runs, if there are no other readers.
            #[track_caller]
            pub fn try_with_upgraded<Ret, F: FnOnce(&mut T) -> Ret>(&mut self, f: F) -> Option<Ret> {
                let (at, data) = (Location::caller(), self.data());
                let turn = |lock: (&Head, &R), taken| upgrade::at_once(lock, taken, true, at);
                // SAFETY: the lock is held to write.
                upgrade::try_as_writer(&mut self.hold, turn, || f(unsafe { &mut *data }))
            }
        }

        impl<$($lifetime,)? R: RawRwLockUpgradeTimed $(+ $lifetime)?, $($data)*> $guard {
            /// Becomes the writer if the other readers are gone before that long.
            ///
            /// # Errors
            ///
            /// The guard itself, when they are not.
            #[track_caller]
            pub fn try_upgrade_for(s: Self, timeout: R::Duration) -> Result<$write, Self> {
                let at = Location::caller();
                let until = crate::acquire::until(|| rt::control::after(&timeout));
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R, state| unsafe { way::try_upgrade_for(raw, state, timeout) };
                let turned = s.hold.try_turned(|lock, taken| upgrade::in_time(lock, taken, at, until, wait));
                turned.map(<$write>::from).map_err(Self::from)
            }

            /// Becomes the writer if the other readers are gone before then.
            ///
            /// # Errors
            ///
            /// The guard itself, when they are not.
            #[track_caller]
            pub fn try_upgrade_until(s: Self, timeout: R::Instant) -> Result<$write, Self> {
                let at = Location::caller();
                let until = crate::acquire::until(|| rt::control::instant_of(&timeout).map(Some));
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R, state| unsafe { way::try_upgrade_until(raw, state, timeout) };
                let turned = s.hold.try_turned(|lock, taken| upgrade::in_time(lock, taken, at, until, wait));
                turned.map(<$write>::from).map_err(Self::from)
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
                let (at, data) = (Location::caller(), self.data());
                let until = crate::acquire::until(|| rt::control::after(&timeout));
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R, state| unsafe { way::try_upgrade_for(raw, state, timeout) };
                let turn = |lock: (&Head, &R), taken| upgrade::in_time(lock, taken, at, until, wait);
                // SAFETY: the lock is held to write.
                upgrade::try_as_writer(&mut self.hold, turn, || f(unsafe { &mut *data }))
            }

            /// Is the writer while the closure runs, if the other readers are gone before then.
            #[track_caller]
            pub fn try_with_upgraded_until<Ret, F: FnOnce(&mut T) -> Ret>(
                &mut self,
                timeout: R::Instant,
                f: F,
            ) -> Option<Ret> {
                let (at, data) = (Location::caller(), self.data());
                let until = crate::acquire::until(|| rt::control::instant_of(&timeout).map(Some));
                // SAFETY: the lock is held upgradably.
                let wait = |raw: &R, state| unsafe { way::try_upgrade_until(raw, state, timeout) };
                let turn = |lock: (&Head, &R), taken| upgrade::in_time(lock, taken, at, until, wait);
                // SAFETY: the lock is held to write.
                upgrade::try_as_writer(&mut self.hold, turn, || f(unsafe { &mut *data }))
            }
        }
    };
}

pub(super) use {downgrades, upgrades};
