//! `Once`. It counts as a lock that is held while the closure runs.

use std::panic::Location;

use real::OnceState;
#[cfg(rv_parking_lot_0_13)]
use rt::What;
use rt::{Coming, Loc, ObjectKind, OnceGate};

/// Runs one closure, and records it.
pub struct Once {
    gate: OnceGate,
    real: real::Once,
}

impl Once {
    /// Nothing did run yet.
    #[track_caller]
    #[inline]
    pub const fn new() -> Once {
        Once { gate: OnceGate::new(ObjectKind::ParkingLotOnce, Location::caller()), real: real::Once::new() }
    }

    /// A closure did run.
    #[cfg(rv_parking_lot_0_13)]
    #[track_caller]
    #[inline]
    pub const fn new_completed() -> Once {
        Once {
            gate: OnceGate::new(ObjectKind::ParkingLotOnce, Location::caller()),
            real: real::Once::new_completed(),
        }
    }

    /// How far the closure is.
    #[inline]
    pub fn state(&self) -> OnceState {
        let state = self.real.state();
        if state == OnceState::Done {
            self.gate.found();
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
            self.gate.found();
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
            self.gate.found();
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
            let location = Location::caller();
            let _blocking = rt::block(What::Lock, location);
            let is_over = || self.real.is_completed() || self.gate.has_failed();
            self.gate.wait(location, is_over, || self.real.wait());
            // One that has failed says so.
            self.real.wait();
        }
        self.gate.found();
    }

    /// Waits until a closure did run, even if an earlier one panicked.
    #[cfg(rv_parking_lot_0_13)]
    #[track_caller]
    pub fn wait_force(&self) {
        if !self.real.is_completed() {
            let location = Location::caller();
            let _blocking = rt::block(What::Lock, location);
            self.gate.wait(location, || self.real.is_completed(), || self.real.wait_force());
        }
        self.gate.found();
    }

    /// Somebody comes who will either run the closure or wait, unless one did run.
    #[inline]
    fn come(&self, location: Loc) -> Option<Coming<'_>> {
        (self.state() != OnceState::Done).then(|| self.gate.come(location))
    }
}

rt::forwards! {
    [] Once: Default = Once::new();
    [] Once: Debug;
}

rt::exchanged! {
    Once => real::Once;
}
