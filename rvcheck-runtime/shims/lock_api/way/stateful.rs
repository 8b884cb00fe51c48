//! Raw locks since 0.5: they give a state to who takes them, and want it back. Its type says whether another thread may give it.

use std::any::type_name;

use real::{GuardNoSend, RawMutex, RawRwLock};
use rt::ObjectKind;

/// What a re-entrant mutex can be made of.
pub trait RawReentrant: RawMutex {}

impl<R: RawMutex> RawReentrant for R {}

/// A real lock without a value.
pub(crate) const fn mutex<R>(raw: R) -> real::Mutex<R, ()> {
    real::Mutex::from_raw(raw, ())
}

/// What a mutex of this raw lock is, for all that is known before it is taken.
pub(crate) const fn mutex_kind<R: RawMutex>() -> ObjectKind {
    ObjectKind::LockApiSendMutex
}

/// What a reader-writer lock of this raw lock is, for all that is known before it is taken.
pub(crate) const fn rwlock_kind<R: RawRwLock>() -> ObjectKind {
    ObjectKind::LockApiSendRwLock
}

/// Whether this state stays with its thread. It cannot be asked of any type whether it may be sent; this one is known by its name.
#[inline]
pub(crate) fn stays<State>() -> bool {
    type_name::<State>() == type_name::<GuardNoSend>()
}

/// Whether readers of a lock made of this raw one go past writers that wait. That is known of one of parking_lot.
#[inline]
pub(crate) fn is_recursive<R>() -> bool {
    let name = type_name::<R>();
    name.starts_with("parking_lot::") && name.ends_with("::RawRwLock<true>")
}

/// Implements the three traits by the functions of raw traits.
macro_rules! way {
    (
        $way:ident: $mode:ident $kind:ident,
        $plain:ident { $state:ident $lock:ident $try_lock:ident $unlock:ident },
        $fair:ident { $unlock_fair:ident $bump:ident },
        $timed:ident { $lock_for:ident $lock_until:ident }
    ) => {
        impl<R: $plain> Way for $way<R> {
            type Raw = R;
            type State = R::$state;
            type Mark = ();

            const MODE: Mode = Mode::$mode;

            #[inline]
            fn lock(raw: &R) -> Self::State {
                raw.$lock()
            }

            #[inline]
            fn try_lock(raw: &R) -> Option<Self::State> {
                raw.$try_lock()
            }

            #[inline]
            unsafe fn unlock(raw: &R, state: Self::State) {
                // SAFETY: as the caller says.
                unsafe { raw.$unlock(state) }
            }

            fn goes_past_writers() -> bool {
                is_recursive::<R>()
            }

            #[inline]
            fn introduce(head: &Head) {
                if is_recursive::<R>() {
                    head.turns_out(rt::ObjectKind::RecursiveRwLock);
                } else if stays::<Self::State>() {
                    head.turns_out(rt::ObjectKind::$kind);
                }
            }
        }

        impl<R: $plain + $fair> FairWay for $way<R> {
            #[inline]
            unsafe fn unlock_fair(raw: &R, state: Self::State) {
                // SAFETY: as the caller says.
                unsafe { raw.$unlock_fair(state) }
            }

            #[inline]
            unsafe fn bump(raw: &R, state: &mut Self::State) {
                // SAFETY: as the caller says.
                unsafe { raw.$bump(state) }
            }
        }

        impl<R: $plain + $timed> TimedWay for $way<R> {
            type Duration = R::Duration;
            type Instant = R::Instant;

            #[inline]
            fn lock_for(raw: &R, timeout: R::Duration) -> Option<Self::State> {
                raw.$lock_for(timeout)
            }

            #[inline]
            fn lock_until(raw: &R, timeout: R::Instant) -> Option<Self::State> {
                raw.$lock_until(timeout)
            }
        }
    };
}

/// Makes a function of a raw trait that changes how a lock is held.
macro_rules! turn {
    ($name:ident: $raw:ident $from:ident -> $to:ident) => {
        #[inline]
        pub(crate) unsafe fn $name<R: $raw>(raw: &R, state: State<$from<R>>) -> State<$to<R>> {
            // SAFETY: as the caller says.
            unsafe { raw.$name(state) }
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
            unsafe { raw.$name(state $(, $given)?) }
        }
    };
}

/// Guards out of thin air, and locks that are given back without one. The caller has the state.
macro_rules! assumes {
    ($($what:tt)*) => {
        crate::unguarded::assumed!((guard) $($what)*);
    };
}

pub(crate) use assumes;
