//! `Once`. It counts as a lock that is held while the closure runs.

use std::fmt;
use std::panic::Location;

use real::OnceState;
use rt::lock::{self, Held, Request};
use rt::{Blocking, Head, Loc, Mode, ObjectKind, What};

/// Runs one closure, and records it.
pub struct Once {
    head: Head,
    real: real::Once,
}

impl Once {
    /// Nothing did run yet.
    #[track_caller]
    #[inline]
    pub const fn new() -> Once {
        Once { head: Head::new(ObjectKind::ParkingLotOnce, Location::caller()), real: real::Once::new() }
    }

    /// A closure did run.
    #[cfg(rv_parking_lot_0_13)]
    #[track_caller]
    #[inline]
    pub const fn new_completed() -> Once {
        Once {
            head: Head::new(ObjectKind::ParkingLotOnce, Location::caller()),
            real: real::Once::new_completed(),
        }
    }

    /// How far the closure is.
    #[inline]
    pub fn state(&self) -> OnceState {
        self.real.state()
    }

    /// Runs the closure unless one did run; waits for one that runs now.
    ///
    /// # Panics
    ///
    /// When an earlier closure panicked.
    #[track_caller]
    #[inline]
    pub fn call_once<F>(&self, f: F)
    where
        F: FnOnce(),
    {
        if let Some(coming) = self.come(Location::caller()) {
            self.real.call_once(move || {
                let _held = coming.enter();
                f();
            });
        }
    }

    /// Runs the closure unless one did run to its end; waits for one that runs now.
    #[track_caller]
    #[inline]
    pub fn call_once_force<F>(&self, f: F)
    where
        F: FnOnce(OnceState),
    {
        if let Some(coming) = self.come(Location::caller()) {
            self.real.call_once_force(move |state| {
                let _held = coming.enter();
                f(state);
            });
        }
    }

    /// Whether a closure did run.
    #[cfg(rv_parking_lot_0_13)]
    #[inline]
    pub fn is_completed(&self) -> bool {
        self.real.is_completed()
    }

    /// Waits until a closure did run.
    ///
    /// # Panics
    ///
    /// When a closure panicked.
    #[cfg(rv_parking_lot_0_13)]
    #[track_caller]
    pub fn wait(&self) {
        if !self.real.is_completed() {
            let _blocking = rt::block(What::Lock, Location::caller());
            self.real.wait();
        }
    }

    /// Waits until a closure did run, even if an earlier one panicked.
    #[cfg(rv_parking_lot_0_13)]
    #[track_caller]
    pub fn wait_force(&self) {
        if !self.real.is_completed() {
            let _blocking = rt::block(What::Lock, Location::caller());
            self.real.wait_force();
        }
    }

    /// Somebody comes who will either run the closure or wait, unless one did run.
    #[inline]
    fn come(&self, location: Loc) -> Option<Coming<'_>> {
        let wait = match self.real.state() {
            OnceState::Done => return None,
            OnceState::InProgress => {
                let request = lock::request(&self.head, Mode::Write, location);
                Some((rt::block(What::Lock, location), request))
            }
            OnceState::New | OnceState::Poisoned => None,
        };
        Some(Coming { head: &self.head, location, wait })
    }
}

/// Somebody on the way in. Dropped when somebody else's closure did run; then the wait, if there was one, ends unserved.
struct Coming<'a> {
    head: &'a Head,
    location: Loc,
    wait: Option<(Blocking, Request)>,
}

impl Coming<'_> {
    /// It is this one's turn.
    fn enter(self) -> Held {
        match self.wait {
            Some((blocking, request)) => {
                drop(blocking);
                request.acquired()
            }
            None => lock::acquired(self.head, Mode::Write, false, self.location),
        }
    }
}

impl Default for Once {
    #[track_caller]
    #[inline]
    fn default() -> Once {
        Once::new()
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}
