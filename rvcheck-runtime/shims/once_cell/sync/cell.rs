//! `OnceCell`.

use std::panic::Location;

use rt::{ObjectKind, OnceGate, What};

/// A value that is set once, and records who sets it.
pub struct OnceCell<T> {
    gate: OnceGate,
    real: real::sync::OnceCell<T>,
}

impl<T> OnceCell<T> {
    /// No value yet.
    #[track_caller]
    #[inline]
    pub const fn new() -> OnceCell<T> {
        OnceCell {
            gate: OnceGate::new(ObjectKind::OnceCell, Location::caller()),
            real: real::sync::OnceCell::new(),
        }
    }

    /// This value.
    #[track_caller]
    #[inline]
    pub const fn with_value(value: T) -> OnceCell<T> {
        OnceCell {
            gate: OnceGate::new(ObjectKind::OnceCell, Location::caller()),
            real: real::sync::OnceCell::with_value(value),
        }
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
    #[cfg(feature = "std")]
    #[track_caller]
    pub fn wait(&self) -> &T {
        if let Some(value) = self.get() {
            return value;
        }
        let location = Location::caller();
        let blocking = rt::block(What::Lock, location);
        let value = self.gate.waiting(location, || self.real.get(), || self.real.wait());
        drop(blocking);
        self.gate.found();
        value
    }

    /// The value, which is not asked whether it is set.
    ///
    /// # Safety
    ///
    /// It must be.
    #[inline]
    pub unsafe fn get_unchecked(&self) -> &T {
        self.gate.found();
        // SAFETY: as the caller says.
        unsafe { self.real.get_unchecked() }
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// Gives the value back when there is one already.
    #[track_caller]
    #[inline]
    pub fn set(&self, value: T) -> Result<(), T> {
        self.try_insert(value).map(drop).map_err(|(_, value)| value)
    }

    /// Sets the value, and gives it.
    ///
    /// # Errors
    ///
    /// Gives the one that there is already, and the new one back.
    #[track_caller]
    #[inline]
    pub fn try_insert(&self, value: T) -> Result<&T, (&T, T)> {
        let mut value = Some(value);
        let set = self.get_or_init(|| value.take().expect("an initialiser runs at most once"));
        match value {
            None => Ok(set),
            Some(value) => Err((set, value)),
        }
    }

    /// The value; if there is none, the closure makes it. Waits for one that is being made.
    #[track_caller]
    #[inline]
    pub fn get_or_init<F>(&self, f: F) -> &T
    where
        F: FnOnce() -> T,
    {
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

    /// The value; if there is none, the closure makes it. Waits for one that is being made.
    ///
    /// # Errors
    ///
    /// What the closure gives. Then there is no value.
    #[track_caller]
    #[inline]
    pub fn get_or_try_init<F, E>(&self, f: F) -> Result<&T, E>
    where
        F: FnOnce() -> Result<T, E>,
    {
        if let Some(value) = self.get() {
            return Ok(value);
        }
        let coming = self.gate.come(Location::caller());
        let value = self.real.get_or_try_init(move || {
            let _inside = coming.enter();
            f()
        })?;
        self.gate.found();
        Ok(value)
    }
}

impl<T: Clone> Clone for OnceCell<T> {
    #[track_caller]
    #[inline]
    fn clone(&self) -> OnceCell<T> {
        OnceCell { gate: OnceGate::new(ObjectKind::OnceCell, Location::caller()), real: self.real.clone() }
    }
}

rt::forwards! {
    [T] OnceCell<T> {
        pub fn get_mut(&mut self) -> Option<&mut T>;
        pub fn take(&mut self) -> Option<T>;
        pub fn into_inner(self) -> Option<T>;
    }
    [T] OnceCell<T>: Default = OnceCell::new();
    [T] OnceCell<T>: From<T> = OnceCell::with_value;
    [T: PartialEq] OnceCell<T>: PartialEq;
    [T: Eq] OnceCell<T>: Eq;
    [T: std::fmt::Debug] OnceCell<T>: Debug;
}
