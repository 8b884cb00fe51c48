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
    let until = after(duration);
    Timeout {
        real: real::time::timeout(duration, future),
        until,
        timer: rt::control::Timer::new(Location::caller()),
    }
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
    Timeout {
        real: real::time::timeout_at(deadline, future),
        until: Some(deadline),
        timer: rt::control::Timer::new(Location::caller()),
    }
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
    let until = after(duration);
    Timeout {
        real: real::time::timeout(duration, future),
        until,
        timer: rt::control::Timer::new(Location::caller()),
    }
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
    Timeout {
        real: real::time::timeout_at(deadline, future),
        until: Some(deadline),
        timer: rt::control::Timer::new(Location::caller()),
    }
}

/// A future with a limit of time.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Timeout<T> {
    real: real::time::Timeout<T>,
    /// When it is over, in a controlled run: the real timer does not run there. `None` if never.
    until: Option<Instant>,
    timer: rt::control::Timer,
}

/// The point in time that is so far away.
fn after(duration: Duration) -> Option<Instant> {
    rt::control::on().then(Instant::now)?.checked_add(duration)
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
        if rt::control::on() && rt::control::has_timers() {
            return self.poll_controlled(context);
        }
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

impl<T: Future> Timeout<T> {
    /// Polls what the real one would poll, but for its timer.
    fn poll_controlled(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T::Output, Elapsed>> {
        // SAFETY: nothing is moved.
        let this = unsafe { self.get_unchecked_mut() };
        let limit = rt::timer::limit();
        // SAFETY: the real one pins it with itself, and is pinned with `self`.
        let polled = unsafe { Pin::new_unchecked(this.real.get_mut()) }.poll(context);
        drop(limit);
        let Timeout { until, timer, .. } = this;
        match polled {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending
                if until
                    .is_some_and(|it| timer.poll(it.into_std(), &rt::waker::real(context)) == Some(true)) =>
            {
                Poll::Ready(Err(elapsed(context)))
            }
            Poll::Pending => {
                rt::timer::running();
                Poll::Pending
            }
        }
    }
}

/// What a timeout gives that is over. Only the real crate makes one: of a limit before the runtime began, which is over at once.
fn elapsed(context: &mut Context<'_>) -> Elapsed {
    const LONG: Duration = Duration::from_secs(1 << 30);
    let past = Instant::now().checked_sub(LONG).unwrap_or_else(Instant::now);
    let mut over = std::pin::pin!(real::time::timeout_at(past, std::future::pending::<()>()));
    loop {
        if let Poll::Ready(Err(elapsed)) = over.as_mut().poll(&mut rt::waker::real(context)) {
            return elapsed;
        }
        std::thread::yield_now();
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

rt::exchanged_functions! {
    timeout::<::core::future::Ready<()>> => real::time::timeout::<::core::future::Ready<()>>;
    timeout_at::<::core::future::Ready<()>> => real::time::timeout_at::<::core::future::Ready<()>>;
}
