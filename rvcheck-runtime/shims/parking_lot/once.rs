//! `Once`. It counts as a lock that is held while the closure runs.

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
        let state = self.real.state();
        if state == OnceState::Done {
            rt::found_made(&self.head);
        }
        state
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
                let _inside = coming.enter();
                f();
            });
            rt::found_made(&self.head);
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
                let _inside = coming.enter();
                f(state);
            });
            rt::found_made(&self.head);
        }
    }

    /// Whether a closure did run.
    #[cfg(rv_parking_lot_0_13)]
    #[inline]
    pub fn is_completed(&self) -> bool {
        self.state() == OnceState::Done
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
        rt::found_made(&self.head);
    }

    /// Waits until a closure did run, even if an earlier one panicked.
    #[cfg(rv_parking_lot_0_13)]
    #[track_caller]
    pub fn wait_force(&self) {
        if !self.real.is_completed() {
            let _blocking = rt::block(What::Lock, Location::caller());
            self.real.wait_force();
        }
        rt::found_made(&self.head);
    }

    /// Somebody comes who will either run the closure or wait, unless one did run.
    #[inline]
    fn come(&self, location: Loc) -> Option<Coming<'_>> {
        let wait = match self.state() {
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

impl<'a> Coming<'a> {
    /// It is this one's turn.
    fn enter(self) -> Inside<'a> {
        let held = match self.wait {
            Some((blocking, request)) => {
                drop(blocking);
                request.acquired()
            }
            None => lock::acquired(self.head, Mode::Write, false, self.location),
        };
        Inside { held: Some(held), head: self.head }
    }
}

/// The closure runs. Dropped when it is done or has panicked.
struct Inside<'a> {
    held: Option<Held>,
    head: &'a Head,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        drop(self.held.take());
        rt::made_once(self.head);
    }
}

rt::forwards! {
    [] Once: Default = Once::new();
    [] Once: Debug;
}

rt::exchanged! {
    Once => real::Once;
}
