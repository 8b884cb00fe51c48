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
    Sleep { real: real::time::sleep(duration) }
}

/// Waits until some point in time.
///
/// # Panics
///
/// Outside a runtime with timers.
#[track_caller]
#[inline]
pub fn sleep_until(deadline: Instant) -> Sleep {
    Sleep { real: real::time::sleep_until(deadline) }
}

/// Waits until some point in time.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Sleep {
    real: real::time::Sleep,
}

impl Sleep {
    /// Changes the point in time.
    pub fn reset(self: Pin<&mut Self>, deadline: Instant) {
        self.real().reset(deadline);
    }

    /// What the rewriter puts before `.await`.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    pub fn __rv_await<const N: u64>(self) -> Awaited<Sleep> {
        Awaited::timer(self, Timer::Sleep, Location::caller())
    }

    fn real(self: Pin<&mut Self>) -> Pin<&mut real::time::Sleep> {
        // SAFETY: the real one is pinned with `self` and never moved.
        unsafe { self.map_unchecked_mut(|it| &mut it.real) }
    }
}

impl Future for Sleep {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let context = &mut rt::waker::real(context);
        let polled = self.real().poll(context);
        if polled.is_pending() {
            rt::timer::running();
        }
        polled
    }
}

rt::forwards! {
    [] Sleep {
        pub fn deadline(&self) -> Instant;
        pub fn is_elapsed(&self) -> bool;
    }
    [] Sleep: Debug;
}

rt::exchanged! {
    Sleep => real::time::Sleep;
}
