//! `Sleep`.

use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use real::time::Instant;
use rt::{Awaited, Timer};

/// Waits for some time.
///
/// # Panics
///
/// Outside a runtime with timers.
#[track_caller]
#[inline]
pub fn sleep(duration: Duration) -> Sleep {
    Sleep { real: real::time::sleep(duration), timer: rt::control::Timer::new(Location::caller()) }
}

/// Waits until some point in time.
///
/// # Panics
///
/// Outside a runtime with timers.
#[track_caller]
#[inline]
pub fn sleep_until(deadline: Instant) -> Sleep {
    Sleep { real: real::time::sleep_until(deadline), timer: rt::control::Timer::new(Location::caller()) }
}

/// Waits until some point in time.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Sleep {
    real: real::time::Sleep,
    timer: rt::control::Timer,
}

impl Sleep {
    /// Changes the point in time.
    pub fn reset(mut self: Pin<&mut Self>, deadline: Instant) {
        self.as_mut().timer().reset();
        self.real().reset(deadline);
    }

    /// Whether it is over.
    pub fn is_elapsed(&self) -> bool {
        self.real.is_elapsed()
            || rt::control::on() && self.timer.is_polled() && Instant::now() >= self.deadline()
    }

    /// What the rewriter puts before `.await`.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    pub fn __rv_await<const N: u64>(self) -> Awaited<Sleep> {
        Awaited::timer(self, Timer::Sleep, Location::caller())
    }

    fn timer(self: Pin<&mut Self>) -> &mut rt::control::Timer {
        // SAFETY: it need not stay where it is.
        unsafe { &mut self.get_unchecked_mut().timer }
    }

    fn real(self: Pin<&mut Self>) -> Pin<&mut real::time::Sleep> {
        // SAFETY: the real one is pinned with `self` and never moved.
        unsafe { self.map_unchecked_mut(|it| &mut it.real) }
    }
}

impl Future for Sleep {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let context = &mut rt::waker::real(context);
        let deadline = self.deadline().into_std();
        let polled = match self.as_mut().timer().poll(deadline, context) {
            Some(true) => Poll::Ready(()),
            Some(false) => Poll::Pending,
            None => self.real().poll(context),
        };
        if polled.is_pending() {
            rt::timer::running();
        }
        polled
    }
}

rt::forwards! {
    [] Sleep {
        pub fn deadline(&self) -> Instant;
    }
    [] Sleep: Debug;
}

rt::exchanged! {
    Sleep => real::time::Sleep;
}

rt::exchanged_functions! {
    sleep => real::time::sleep;
    sleep_until => real::time::sleep_until;
}
