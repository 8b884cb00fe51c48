//! `Timeout`.

use std::fmt;
use std::future::Future;
#[cfg(rv_tokio_1_39)]
use std::future::IntoFuture;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use real::time::{error::Elapsed, Instant};
use rt::{Awaited, Timer};

/// Drives a future for some time.
///
/// # Panics
///
/// Outside a runtime with timers.
#[cfg(rv_tokio_1_39)]
#[track_caller]
#[inline]
pub fn timeout<F: IntoFuture>(duration: Duration, future: F) -> Timeout<F::IntoFuture> {
    Timeout { real: real::time::timeout(duration, future) }
}

/// Drives a future until some point in time.
///
/// # Panics
///
/// Outside a runtime with timers.
#[cfg(rv_tokio_1_39)]
#[track_caller]
#[inline]
pub fn timeout_at<F: IntoFuture>(deadline: Instant, future: F) -> Timeout<F::IntoFuture> {
    Timeout { real: real::time::timeout_at(deadline, future) }
}

/// Drives a future for some time.
///
/// # Panics
///
/// Outside a runtime with timers.
#[cfg(not(rv_tokio_1_39))]
#[track_caller]
#[inline]
pub fn timeout<F: Future>(duration: Duration, future: F) -> Timeout<F> {
    Timeout { real: real::time::timeout(duration, future) }
}

/// Drives a future until some point in time.
///
/// # Panics
///
/// Outside a runtime with timers.
#[cfg(not(rv_tokio_1_39))]
#[track_caller]
#[inline]
pub fn timeout_at<F: Future>(deadline: Instant, future: F) -> Timeout<F> {
    Timeout { real: real::time::timeout_at(deadline, future) }
}

/// A future with a limit of time.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Timeout<T> {
    real: real::time::Timeout<T>,
}

impl<T> Timeout<T> {
    /// What the rewriter puts before `.await`.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    pub fn __rv_await<const N: u64>(self) -> Awaited<Timeout<T>> {
        Awaited::timer(self, Timer::Timeout, Location::caller())
    }
}

impl<T: Future> Future for Timeout<T> {
    type Output = Result<T::Output, Elapsed>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let limit = rt::timer::limit();
        // SAFETY: the real one is pinned with `self` and never moved.
        let polled = unsafe { self.map_unchecked_mut(|it| &mut it.real) }.poll(context);
        drop(limit);
        if polled.is_pending() {
            rt::timer::running();
        }
        polled
    }
}

rt::forwards! {
    [T] Timeout<T> {
        pub fn get_ref(&self) -> &T;
        pub fn get_mut(&mut self) -> &mut T;
        pub fn into_inner(self) -> T;
    }
    [T: fmt::Debug] Timeout<T>: Debug;
}

rt::exchanged! {
    Timeout<()> => real::time::Timeout<()>;
}
