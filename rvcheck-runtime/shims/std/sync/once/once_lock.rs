//! `OnceLock`.

use real::fmt;
use real::panic::Location;
use real::sync as std;

use recorder::{ObjectKind, OnceGate, What};

/// A value that is set once, and records who sets it.
pub struct OnceLock<T> {
    gate: OnceGate,
    real: std::OnceLock<T>,
}

impl<T> OnceLock<T> {
    /// No value yet.
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new() -> OnceLock<T> {
        OnceLock { gate: OnceGate::new(ObjectKind::Once, Location::caller()), real: std::OnceLock::new() }
    }

    /// The value, if it is set.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        let value = self.real.get();
        if value.is_some() {
            self.gate.found();
        }
        value
    }

    /// Waits until the value is set.
    #[cfg(rv_std_1_86)]
    #[track_caller]
    #[inline]
    pub fn wait(&self) -> &T {
        if let Some(value) = self.get() {
            return value;
        }
        let location = Location::caller();
        let blocking = recorder::block(What::Lock, location);
        self.gate.wait(
            location,
            || self.real.get().is_some(),
            || {
                self.real.wait();
            },
        );
        drop(blocking);
        self.gate.found();
        self.real.wait()
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// Gives the value back when there is one already.
    #[track_caller]
    #[inline]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.get_or_init(|| value.take().expect("an initialiser runs at most once"));
        value.map_or(Ok(()), Err)
    }

    /// The value; if there is none, the closure makes it. Waits for one that is being made.
    #[track_caller]
    #[inline]
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        if let Some(value) = self.get() {
            return value;
        }
        let coming = self.gate.come(Location::caller());
        let value = self.real.get_or_init(move || {
            let _inside = coming.enter();
            f()
        });
        self.gate.found();
        value
    }
}

impl<T> From<T> for OnceLock<T> {
    #[track_caller]
    #[inline]
    fn from(value: T) -> OnceLock<T> {
        OnceLock {
            gate: OnceGate::new(ObjectKind::Once, Location::caller()),
            real: std::OnceLock::from(value),
        }
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[track_caller]
    #[inline]
    fn clone(&self) -> OnceLock<T> {
        OnceLock { gate: OnceGate::new(ObjectKind::Once, Location::caller()), real: self.real.clone() }
    }
}

recorder::forwards! {
    [T] OnceLock<T> {
        pub fn get_mut(&mut self) -> Option<&mut T>;
        pub fn into_inner(self) -> Option<T>;
        pub fn take(&mut self) -> Option<T>;
    }
    [T] OnceLock<T>: Default = OnceLock::new();
    [T: PartialEq] OnceLock<T>: PartialEq;
    [T: Eq] OnceLock<T>: Eq;
    [T: fmt::Debug] OnceLock<T>: Debug;
}
