//! Raw locks before 0.5: they say whether they were taken, and a marker says whether another thread may give them back.

use std::marker::PhantomData;

use real::{RawMutex, RawRwLock, RawRwLockFair, RawRwLockRecursive, RawRwLockRecursiveTimed};
use rt::{Mode, ObjectKind};

use super::{FairWay, TimedWay, Way};

/// What a re-entrant mutex can be made of.
pub trait RawReentrant {}

impl<R> RawReentrant for R {}

/// A real lock without a value.
pub(crate) const fn mutex<R>(raw: R) -> real::Mutex<R, ()> {
    real::Mutex::const_new(raw, ())
}

/// What a mutex of this raw lock is.
pub(crate) const fn mutex_kind<R: RawMutex>() -> ObjectKind {
    if are_sent::<R::GuardMarker>() {
        ObjectKind::LockApiSendMutex
    } else {
        ObjectKind::LockApiMutex
    }
}

/// What a reader-writer lock of this raw lock is.
pub(crate) const fn rwlock_kind<R: RawRwLock>() -> ObjectKind {
    if are_sent::<R::GuardMarker>() {
        ObjectKind::LockApiSendRwLock
    } else {
        ObjectKind::LockApiRwLock
    }
}

/// Whether guards with this marker may be sent to another thread. A marker that forbids it, such as `GuardNoSend`, holds a pointer.
const fn are_sent<Marker>() -> bool {
    size_of::<Marker>() == 0
}

/// Implements the three traits by the functions of raw traits.
macro_rules! way {
    (
        $way:ident: $mode:ident $kind:ident $(recursive $is_recursive:literal)?,
        $plain:ident { $state:ident $lock:ident $try_lock:ident $unlock:ident },
        $fair:ident { $unlock_fair:ident $bump:ident },
        $timed:ident { $lock_for:ident $lock_until:ident }
    ) => {
        impl<R: $plain> Way for $way<R> {
            type Raw = R;
            type State = ();
            type Mark = R::GuardMarker;

            const MODE: Mode = Mode::$mode;

            $(fn goes_past_writers() -> bool {
                $is_recursive
            })?

            #[inline]
            fn lock(raw: &R) {
                raw.$lock();
            }

            #[inline]
            fn try_lock(raw: &R) -> Option<()> {
                raw.$try_lock().then_some(())
            }

            #[inline]
            unsafe fn unlock(raw: &R, (): ()) {
                // SAFETY: as the caller says.
                unsafe { raw.$unlock() }
            }
        }

        impl<R: $plain + $fair> FairWay for $way<R> {
            #[inline]
            unsafe fn unlock_fair(raw: &R, (): ()) {
                // SAFETY: as the caller says.
                unsafe { raw.$unlock_fair() }
            }

            #[inline]
            unsafe fn bump(raw: &R, (): &mut ()) {
                // SAFETY: as the caller says.
                unsafe { raw.$bump() }
            }
        }

        impl<R: $plain + $timed> TimedWay for $way<R> {
            type Duration = R::Duration;
            type Instant = R::Instant;

            #[inline]
            fn lock_for(raw: &R, timeout: R::Duration) -> Option<()> {
                raw.$lock_for(timeout).then_some(())
            }

            #[inline]
            fn lock_until(raw: &R, timeout: R::Instant) -> Option<()> {
                raw.$lock_until(timeout).then_some(())
            }
        }
    };
}

/// A reader-writer lock, together with other readers, past writers that wait.
pub(crate) struct ReadingAgain<R>(PhantomData<R>);

way! {
    ReadingAgain: Read LockApiRwLock recursive true,
    RawRwLockRecursive { SharedGuard lock_shared_recursive try_lock_shared_recursive unlock_shared },
    RawRwLockFair { unlock_shared_fair bump_shared },
    RawRwLockRecursiveTimed { try_lock_shared_recursive_for try_lock_shared_recursive_until }
}

/// Makes a function of a raw trait that changes how a lock is held.
macro_rules! turn {
    ($name:ident: $raw:ident $from:ident -> $to:ident) => {
        #[inline]
        pub(crate) unsafe fn $name<R: $raw>(raw: &R, _: State<$from<R>>) -> State<$to<R>> {
            // SAFETY: as the caller says.
            unsafe { raw.$name() }
        }
    };
    (try $name:ident($($given:ident: $type:ident)?): $raw:ident $from:ident -> $to:ident) => {
        #[inline]
        pub(crate) unsafe fn $name<R: $raw>(
            raw: &R,
            state: State<$from<R>>,
            $($given: R::$type,)?
        ) -> Result<State<$to<R>>, State<$from<R>>> {
            // SAFETY: as the caller says.
            unsafe { raw.$name($($given)?) }.then_some(()).ok_or(state)
        }
    };
}

/// Guards out of thin air, and locks that are given back without one. The caller has nothing to say but that the lock is held.
macro_rules! assumes {
    ($($what:tt)*) => {
        crate::unguarded::assumed!(() $($what)*);
    };
}

pub(crate) use assumes;
