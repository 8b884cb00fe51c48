//! `OnceCell`.

#[cfg(any(feature = "std", not(rv_async_lock_3)))]
mod blocking;
mod filling;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::Location;

use rt::{Asking, Head, Mode, ObjectKind};

use filling::Filling;

/// A cell that is filled once. To fill it is to hold it as a lock, and to need it meanwhile is to wait for that lock.
pub struct OnceCell<T> {
    filling: Filling,
    real: real::OnceCell<T>,
}

impl<T> OnceCell<T> {
    /// An empty cell.
    #[track_caller]
    pub const fn new() -> OnceCell<T> {
        OnceCell { filling: Filling::new(Location::caller()), real: real::OnceCell::new() }
    }

    /// Whether the cell is full.
    pub fn is_initialized(&self) -> bool {
        self.get().is_some()
    }

    /// The value, if the cell is full.
    pub fn get(&self) -> Option<&T> {
        let value = self.real.get();
        if value.is_some() {
            rt::found_made(&self.filling.head);
        }
        value
    }

    /// The value.
    ///
    /// # Safety
    ///
    /// The cell must be full.
    pub unsafe fn get_unchecked(&self) -> &T {
        // SAFETY: as the caller says.
        unsafe { self.real.get_unchecked() }
    }

    /// Waits until the cell is full.
    #[track_caller]
    pub fn wait(&self) -> impl Future<Output = &T> {
        let location = Location::caller();
        async move {
            if let Some(value) = self.get() {
                return value;
            }
            let mut asking = Asking::new(location);
            let mut waiting = std::pin::pin!(self.real.wait());
            let (held, value) = std::future::poll_fn(|context| {
                asking.polled(waiting.as_mut().poll(context), &self.filling.head, Mode::Read)
            })
            .await;
            drop(held);
            rt::found_made(&self.filling.head);
            value
        }
    }

    /// The value, which the future makes if the cell is empty and it does not fail.
    #[track_caller]
    pub fn get_or_try_init<E, Fut: Future<Output = Result<T, E>>>(
        &self,
        closure: impl FnOnce() -> Fut,
    ) -> impl Future<Output = Result<&T, E>> {
        let location = Location::caller();
        filling::fill(self, closure, location)
    }

    /// The value, which the future makes if the cell is empty.
    #[track_caller]
    pub fn get_or_init<Fut: Future<Output = T>>(
        &self,
        closure: impl FnOnce() -> Fut,
    ) -> impl Future<Output = &T> {
        let location = Location::caller();
        async move {
            let made = filling::fill(self, || async { Ok::<T, Infallible>(closure().await) }, location);
            made.await.unwrap_or_else(|never| match never {})
        }
    }

    /// Fills the cell, or waits until somebody else has.
    #[track_caller]
    pub fn set(&self, value: T) -> impl Future<Output = Result<&T, T>> {
        let location = Location::caller();
        async move {
            let mut value = Some(value);
            let mut take = || value.take().expect("a cell is filled at most once");
            let made = filling::fill(self, || async { Ok::<T, Infallible>(take()) }, location).await;
            let Ok(filled) = made;
            value.map_or(Ok(filled), Err)
        }
    }

    /// Fills the cell.
    ///
    /// # Errors
    ///
    /// The value, when the cell is full or being filled.
    #[cfg(rv_async_lock_3_5)]
    #[track_caller]
    pub fn try_set(&self, value: T) -> Result<(), T> {
        rt::control::asks(&self.filling.head, Location::caller());
        if !self.real.is_initialized() {
            rt::made_once(&self.filling.head);
        }
        self.real.try_set(value)
    }
}

impl<T> From<T> for OnceCell<T> {
    #[track_caller]
    fn from(value: T) -> OnceCell<T> {
        OnceCell { filling: Filling::new(Location::caller()), real: real::OnceCell::from(value) }
    }
}

rt::forwards! {
    [T] OnceCell<T> {
        pub fn get_mut(&mut self) -> Option<&mut T>;
        pub fn take(&mut self) -> Option<T>;
        pub fn into_inner(self) -> Option<T>;
    }
    #[cfg(rv_async_lock_3_1)] [T] OnceCell<T>: Default = OnceCell::new();
    [T: fmt::Debug] OnceCell<T>: Debug;
}
