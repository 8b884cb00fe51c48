//! Awaits: recorded only where a future really suspends.

use core::future::{Future, IntoFuture};
use core::panic::Location;
use core::pin::Pin;
use core::task::{Context, Poll};

use rvcheck_event::kind::{EventKind, Timer};
use rvcheck_event::record::Record;

use crate::{Loc, control, site, steer, stop, stream, switch, tickets, waker};

/// What the rewriter puts before every `.await`.
pub trait RvAwait: IntoFuture + Sized {
    /// The same future, which records that the task waits here. `N` is the number of the place, for whoever reads the
    /// compiler's MIR.
    #[track_caller]
    #[inline(always)]
    fn __rv_await<const N: u64>(self) -> Awaited<Self::IntoFuture> {
        Awaited { mark: Mark::at(Location::caller()), future: self.into_future() }
    }
}

impl<F: IntoFuture> RvAwait for F {}

/// A future that is awaited at a known place.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are polled"]
pub struct Awaited<F> {
    /// Before the future, so that a cancelled await is recorded before what the future releases.
    mark: Mark,
    future: F,
}

impl<F> Awaited<F> {
    /// A future that waits for nothing but a timer, or for another one no longer than that, and is awaited here. A shim gives
    /// such a type a method `__rv_await` of its own, which the compiler prefers to that of [`RvAwait`].
    #[inline]
    pub fn timer(future: F, timer: Timer, location: Loc) -> Awaited<F> {
        let Mark(address) = Mark::at(location);
        Awaited { mark: Mark(address | (timer as usize) << 1 & SPARE), future }
    }
}

impl<F: Future> Future for Awaited<F> {
    type Output = F::Output;

    /// The caller is handed on, since what a `JoinHandle` remembers is where it was awaited.
    #[inline]
    #[track_caller]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future is never moved out of the pinned value, and the mark does not care.
        let (mark, future) = unsafe {
            let this = self.get_unchecked_mut();
            (&mut this.mark, Pin::new_unchecked(&mut this.future))
        };
        if tickets::wanted() && mark.is_delayed(context) {
            return Poll::Pending;
        }
        let polled = future.poll(context);
        if polled.is_pending() != mark.is_suspended() {
            mark.turn();
            stop::point();
        }
        polled
    }
}

/// The address of a `Location`; its lowest bit tells that the await is suspended, those above it which timer it waits for.
#[derive(Debug)]
struct Mark(usize);

/// The bits that are no part of an address: three, or where there are fewer, one, and no timer is told.
const SPARE: usize = if align_of::<Location<'static>>() >= 8 { 0b111 } else { 0b1 };

impl Mark {
    #[inline(always)]
    fn at(location: Loc) -> Mark {
        Mark(core::ptr::from_ref::<Location<'static>>(location) as usize)
    }

    #[inline(always)]
    fn is_suspended(&self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the future is not to be polled for the first time yet, so that a schedule can be kept.
    #[cold]
    #[inline(never)]
    fn is_delayed(&self, context: &Context<'_>) -> bool {
        if self.is_suspended() {
            return false;
        }
        if control::on() && self.0 & SPARE & !1 != 0 && !self.is_timeout() {
            control::awaits_timer();
        }
        steer::delays_await(self.location(), &waker::real(context))
    }

    /// Whether what is awaited may end before its time.
    fn is_timeout(&self) -> bool {
        (self.0 & SPARE) >> 1 == Timer::Timeout as usize
    }

    fn location(&self) -> Loc {
        // SAFETY: without its lowest bits this is the address of a static `Location`.
        unsafe { &*((self.0 & !SPARE) as *const Location<'static>) }
    }

    #[inline(never)]
    fn turn(&mut self) {
        self.0 ^= 1;
        self.record(if self.is_suspended() { EventKind::Await } else { EventKind::Resume });
    }

    fn record(&self, kind: EventKind) {
        if switch::on() {
            let site = site::of(self.location());
            if site.own {
                stream::push(Record::event(kind, (self.0 & SPARE) as u8 >> 1, site.id, 0, 0));
            }
        }
    }
}

impl Drop for Mark {
    #[inline(always)]
    fn drop(&mut self) {
        if self.is_suspended() {
            self.record(EventKind::AwaitCancel);
        }
    }
}
