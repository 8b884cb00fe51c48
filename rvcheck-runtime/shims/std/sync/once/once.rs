//! `Once`.

use real::panic::Location;
use real::sync as std;

use recorder::{ObjectKind, OnceGate, What};

use super::super::OnceState;

/// Runs one initialiser, and records it.
pub struct Once {
    gate: OnceGate,
    real: std::Once,
}

/// A `Once` that did not run.
#[deprecated(since = "1.38.0", note = "the `Once::new()` function is now preferred")]
pub const ONCE_INIT: Once = Once::new();

impl Once {
    /// Nothing did run yet.
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new() -> Once {
        Once { gate: OnceGate::new(ObjectKind::Once, Location::caller()), real: std::Once::new() }
    }

    /// Runs the closure unless one did run; waits for one that runs now.
    ///
    /// # Panics
    ///
    /// When an earlier closure panicked.
    #[track_caller]
    #[inline]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        if self.is_completed() {
            return;
        }
        let coming = self.gate.come(Location::caller());
        self.real.call_once(move || {
            let _inside = coming.enter();
            f();
        });
        self.gate.found();
    }

    /// Runs the closure unless one did run to its end; waits for one that runs now.
    #[track_caller]
    #[inline]
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        if self.is_completed() {
            return;
        }
        let coming = self.gate.come(Location::caller());
        self.real.call_once_force(move |state| {
            let _inside = coming.enter();
            f(state);
        });
        self.gate.found();
    }

    /// Whether a closure did run.
    #[inline]
    pub fn is_completed(&self) -> bool {
        let is_completed = self.real.is_completed();
        if is_completed {
            self.gate.found();
        }
        is_completed
    }

    /// Waits until a closure did run.
    ///
    /// # Panics
    ///
    /// When the closure panicked.
    #[cfg(rv_std_1_86)]
    #[track_caller]
    pub fn wait(&self) {
        if !self.real.is_completed() {
            let location = Location::caller();
            let _blocking = recorder::block(What::Lock, location);
            let is_over = || self.real.is_completed() || self.gate.has_failed();
            self.gate.wait(location, is_over, || self.real.wait());
            // One that has failed says so.
            self.real.wait();
        }
        self.gate.found();
    }

    /// Waits until a closure did run, even if an earlier one panicked.
    #[cfg(rv_std_1_86)]
    #[track_caller]
    pub fn wait_force(&self) {
        if !self.real.is_completed() {
            let location = Location::caller();
            let _blocking = recorder::block(What::Lock, location);
            self.gate.wait(location, || self.real.is_completed(), || self.real.wait_force());
        }
        self.gate.found();
    }
}

recorder::forwards! {
    [] Once: Debug;
}
