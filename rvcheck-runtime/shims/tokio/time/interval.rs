//! `Interval`.

use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use real::time::Instant;
#[cfg(rv_tokio_1_8)]
use real::time::MissedTickBehavior;
use rt::{Awaited, Timer};

/// Ticks in turns, the first time at once.
///
/// # Panics
///
/// When the period is zero, or outside a runtime with timers.
#[track_caller]
pub fn interval(period: Duration) -> Interval {
    Interval { real: real::time::interval(period) }
}

/// Ticks in turns from some point in time on.
///
/// # Panics
///
/// When the period is zero, or outside a runtime with timers.
#[track_caller]
pub fn interval_at(start: Instant, period: Duration) -> Interval {
    Interval { real: real::time::interval_at(start, period) }
}

/// Ticks in turns.
pub struct Interval {
    real: real::time::Interval,
}

impl Interval {
    /// Waits for the next turn.
    pub fn tick(&mut self) -> Tick<'_> {
        Tick(self)
    }

    /// Polls for the next turn.
    pub fn poll_tick(&mut self, context: &mut Context<'_>) -> Poll<Instant> {
        let polled = self.real.poll_tick(&mut rt::waker::real(context));
        if polled.is_pending() {
            rt::timer::running();
        }
        polled
    }
}

rt::forwards! {
    [] Interval {
        #[cfg(rv_tokio_1_15)] pub fn reset(&mut self);
        #[cfg(rv_tokio_1_30)] pub fn reset_immediately(&mut self);
        #[cfg(rv_tokio_1_30)] pub fn reset_after(&mut self, after: Duration);
        #[cfg(rv_tokio_1_30)] pub fn reset_at(&mut self, deadline: Instant);
        #[cfg(rv_tokio_1_8)] pub fn missed_tick_behavior(&self) -> MissedTickBehavior;
        #[cfg(rv_tokio_1_8)] pub fn set_missed_tick_behavior(&mut self, behavior: MissedTickBehavior);
        #[cfg(rv_tokio_1_6)] pub fn period(&self) -> Duration;
    }
    [] Interval: Debug;
}

/// Waits for the next turn.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Tick<'a>(&'a mut Interval);

impl<'a> Tick<'a> {
    /// What the rewriter puts before `.await`.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    pub fn __rv_await<const N: u64>(self) -> Awaited<Tick<'a>> {
        Awaited::timer(self, Timer::Interval, Location::caller())
    }
}

impl Future for Tick<'_> {
    type Output = Instant;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Instant> {
        self.get_mut().0.poll_tick(context)
    }
}

rt::exchanged! {
    Interval => real::time::Interval;
}
