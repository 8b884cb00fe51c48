//! Awaits: recorded only where a future really suspends.

use core::future::{Future, IntoFuture};
use core::panic::Location;
use core::pin::Pin;
use core::task::{Context, Poll};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use crate::{Loc, site, start, thread};

/// What the rewriter puts before every `.await`.
pub trait RvAwait: IntoFuture + Sized {
    /// The same future, which records that the task waits here.
    #[track_caller]
    #[inline(always)]
    fn __rv_await(self) -> Awaited<Self::IntoFuture> {
        Awaited {
            mark: Mark(core::ptr::from_ref::<Location<'static>>(Location::caller()) as usize),
            future: self.into_future(),
        }
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
        let polled = future.poll(context);
        if polled.is_pending() != mark.is_suspended() {
            mark.turn();
        }
        polled
    }
}

/// The address of a `Location`; its lowest bit tells that the await is suspended.
#[derive(Debug)]
struct Mark(usize);

impl Mark {
    #[inline(always)]
    fn is_suspended(&self) -> bool {
        self.0 & 1 != 0
    }

    #[inline(never)]
    fn turn(&mut self) {
        self.0 ^= 1;
        self.record(if self.is_suspended() { EventKind::Await } else { EventKind::Resume });
    }

    fn record(&self, kind: EventKind) {
        if start::on() {
            // SAFETY: without its lowest bit this is the address of a static `Location`.
            let location: Loc = unsafe { &*((self.0 & !1) as *const Location<'static>) };
            let site = site::of(location);
            if site.own {
                thread::push(Record::event(kind, 0, site.id, 0, 0));
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
