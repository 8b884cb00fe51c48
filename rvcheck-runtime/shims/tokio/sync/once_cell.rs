//! `OnceCell`.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::pin;
use std::task::Poll;

use real::sync::SetError;
use rt::control::asks;
use rt::{lock, EndingHead, Filling, Loc, Mode, ObjectKind};

/// A cell that is filled once. To fill it is to hold it as a lock, and to need it meanwhile is to wait for that lock.
pub struct OnceCell<T> {
    head: EndingHead,
    real: real::sync::OnceCell<T>,
}

impl<T> OnceCell<T> {
    #[track_caller]
    const fn around(real: real::sync::OnceCell<T>) -> OnceCell<T> {
        OnceCell { head: EndingHead::new(ObjectKind::TokioOnce, Location::caller()), real }
    }

    /// An empty cell.
    #[track_caller]
    pub fn new() -> OnceCell<T> {
        OnceCell::around(real::sync::OnceCell::new())
    }

    /// An empty cell, in a constant.
    #[cfg(any(rv_tokio_1_30, feature = "parking_lot"))]
    #[track_caller]
    pub const fn const_new() -> OnceCell<T> {
        OnceCell::around(real::sync::OnceCell::const_new())
    }

    /// A cell that holds the value, if there is one.
    #[track_caller]
    pub fn new_with(value: Option<T>) -> OnceCell<T> {
        OnceCell::around(real::sync::OnceCell::new_with(value))
    }

    /// A full cell, in a constant.
    #[cfg(rv_tokio_1_33)]
    #[track_caller]
    pub const fn const_new_with(value: T) -> OnceCell<T> {
        OnceCell::around(real::sync::OnceCell::const_new_with(value))
    }

    /// Whether the cell is full.
    pub fn initialized(&self) -> bool {
        self.get().is_some()
    }

    /// The value, if the cell is full.
    pub fn get(&self) -> Option<&T> {
        let value = self.real.get();
        if value.is_some() {
            rt::found_made(&self.head);
        }
        value
    }

    /// Fills the cell.
    ///
    /// # Errors
    ///
    /// When it is full, or being filled.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), SetError<T>> {
        asks(&self.head, Location::caller());
        if !self.real.initialized() {
            rt::made_once(&self.head);
        }
        self.real.set(value)
    }

    /// The value, which the future makes if the cell is empty.
    #[track_caller]
    pub fn get_or_init<'a, F, Fut>(&'a self, f: F) -> impl Future<Output = &'a T> + use<'a, T, F, Fut>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = T>,
    {
        let location = Location::caller();
        async move {
            let made = self.fill(|| async { Ok::<T, Infallible>(f().await) }, location).await;
            match made {
                Ok(value) => value,
                Err(never) => match never {},
            }
        }
    }

    /// The value, which the future makes if the cell is empty and it does not fail.
    #[track_caller]
    pub fn get_or_try_init<'a, E, F, Fut>(
        &'a self,
        f: F,
    ) -> impl Future<Output = Result<&'a T, E>> + use<'a, T, E, F, Fut>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, E>>,
    {
        let location = Location::caller();
        self.fill(f, location)
    }

    async fn fill<E, F, Fut>(&self, f: F, location: Loc) -> Result<&T, E>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T, E>>,
    {
        if let Some(value) = self.get() {
            return Ok(value);
        }
        rt::delay(&self.head, location);
        let wait = Filling::default();
        let filled = self.real.get_or_try_init(|| {
            let held = match wait.end() {
                Some(request) => request.acquired(),
                None => lock::acquired(&self.head, Mode::Write, false, location),
            };
            let future = rt::waker::disguise_for(f());
            async move {
                let made = future.await;
                drop(held);
                if made.is_ok() {
                    rt::made_once(&self.head);
                }
                made
            }
        });
        let mut filled = pin!(filled);
        let filled = std::future::poll_fn(|context| {
            let polled = filled.as_mut().poll(&mut rt::waker::real(context));
            if polled.is_pending() {
                wait.begin(|| lock::request(&self.head, Mode::Write, location));
            }
            match polled {
                Poll::Ready(filled) => Poll::Ready(filled),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        if let Some(request) = wait.end() {
            // Somebody else filled it. To have waited for that is to have had it to read.
            drop(request);
            drop(lock::acquired(&self.head, Mode::Read, false, location));
        }
        if filled.is_ok() {
            rt::found_made(&self.head);
        }
        filled
    }
}

#[cfg(rv_tokio_1_8)]
impl<T> From<T> for OnceCell<T> {
    #[track_caller]
    fn from(value: T) -> OnceCell<T> {
        OnceCell::around(real::sync::OnceCell::from(value))
    }
}

rt::forwards! {
    [T] OnceCell<T> {
        pub fn get_mut(&mut self) -> Option<&mut T>;
        pub fn into_inner(self) -> Option<T>;
        pub fn take(&mut self) -> Option<T>;
    }
    [T] OnceCell<T>: Default = OnceCell::new();
    [T: Clone] OnceCell<T>: Clone = around(real);
    [T: PartialEq] OnceCell<T>: PartialEq;
    [T: Eq] OnceCell<T>: Eq;
    [T: fmt::Debug] OnceCell<T>: Debug;
}

rt::exchanged! {
    OnceCell<()> => real::sync::OnceCell<()>;
}
