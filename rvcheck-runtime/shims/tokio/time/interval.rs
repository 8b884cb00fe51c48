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
    Interval { real: real::time::interval(period), next: Next::new(Instant::now(), period) }
}

/// Ticks in turns from some point in time on.
///
/// # Panics
///
/// When the period is zero, or outside a runtime with timers.
#[track_caller]
pub fn interval_at(start: Instant, period: Duration) -> Interval {
    Interval { real: real::time::interval_at(start, period), next: Next::new(start, period) }
}

/// Ticks in turns.
pub struct Interval {
    real: real::time::Interval,
    next: Next,
}

/// The next turn, in a controlled run, where the real timer does not run.
struct Next {
    at: Instant,
    period: Duration,
    timer: rt::control::Timer,
}

impl Next {
    #[track_caller]
    fn new(at: Instant, period: Duration) -> Next {
        Next { at, period, timer: rt::control::Timer::new(Location::caller()) }
    }

    /// It is at this point in time.
    fn set(&mut self, at: Instant) {
        self.at = at;
        self.timer.reset();
    }
}

/// By how much a turn may be late before it counts as missed: that of the real crate.
const LATE: Duration = Duration::from_millis(5);

impl Interval {
    /// Waits for the next turn.
    pub fn tick(&mut self) -> Tick<'_> {
        Tick(self)
    }

    /// Polls for the next turn.
    pub fn poll_tick(&mut self, context: &mut Context<'_>) -> Poll<Instant> {
        if rt::control::on() && rt::control::has_timers() {
            return self.poll_controlled(&rt::waker::real(context));
        }
        let polled = self.real.poll_tick(&mut rt::waker::real(context));
        if polled.is_pending() {
            rt::timer::running();
        }
        polled
    }
}

impl Interval {
    fn poll_controlled(&mut self, context: &Context<'_>) -> Poll<Instant> {
        if self.next.timer.poll(self.next.at.into_std(), context) != Some(true) {
            rt::timer::running();
            return Poll::Pending;
        }
        let (at, now) = (self.next.at, Instant::now());
        let next = if now > at + LATE { self.after_missed(at, now) } else { at + self.next.period };
        self.next.set(next);
        Poll::Ready(at)
    }

    /// The turn after one that was missed.
    #[cfg(rv_tokio_1_8)]
    fn after_missed(&self, at: Instant, now: Instant) -> Instant {
        let period = self.next.period;
        match self.missed_tick_behavior() {
            MissedTickBehavior::Burst => at + period,
            MissedTickBehavior::Delay => now + period,
            MissedTickBehavior::Skip => {
                let late = (now - at).as_nanos() % period.as_nanos();
                now + period - Duration::from_nanos(u64::try_from(late).unwrap_or(0))
            }
        }
    }

    /// As above; older ones make up for what they have missed.
    #[cfg(not(rv_tokio_1_8))]
    fn after_missed(&self, at: Instant, _: Instant) -> Instant {
        at + self.next.period
    }

    /// Begins anew: the next turn is one period from now.
    #[cfg(rv_tokio_1_15)]
    pub fn reset(&mut self) {
        self.next.set(Instant::now() + self.next.period);
        self.real.reset();
    }

    /// Begins anew: the next turn is now.
    #[cfg(rv_tokio_1_30)]
    pub fn reset_immediately(&mut self) {
        self.next.set(Instant::now());
        self.real.reset_immediately();
    }

    /// Begins anew: the next turn is in so much time.
    #[cfg(rv_tokio_1_30)]
    pub fn reset_after(&mut self, after: Duration) {
        self.next.set(Instant::now() + after);
        self.real.reset_after(after);
    }

    /// Begins anew: the next turn is then.
    #[cfg(rv_tokio_1_30)]
    pub fn reset_at(&mut self, deadline: Instant) {
        self.next.set(deadline);
        self.real.reset_at(deadline);
    }
}

rt::forwards! {
    [] Interval {
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

rt::exchanged_functions! {
    interval => real::time::interval;
    interval_at => real::time::interval_at;
}
