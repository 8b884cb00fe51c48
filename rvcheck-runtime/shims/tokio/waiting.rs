//! Futures of the real crate that are watched while they wait.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use rt::lock::{self, Held, Request};
use rt::{EventKind, Head, Loc, Mode};

/// Waits for a lock. Gives the mark that it is held together with the real guard.
pub(crate) struct Locking<'h, F> {
    /// Before the future: who gives up says so before the place in the queue is free.
    request: Option<Request>,
    head: &'h Head,
    mode: Mode,
    location: Loc,
    future: F,
}

/// Watches the future that acquires the lock.
#[inline]
pub(crate) fn locking<F>(future: F, head: &Head, mode: Mode, location: Loc) -> Locking<'_, F> {
    Locking { request: None, head, mode, location, future }
}

impl<F: Future> Future for Locking<'_, F> {
    type Output = (Held, F::Output);

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // SAFETY: the future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: as above.
        match unsafe { Pin::new_unchecked(&mut this.future) }.poll(context) {
            Poll::Pending => {
                if this.request.is_none() {
                    this.request = Some(lock::request(this.head, this.mode, this.location));
                }
                Poll::Pending
            }
            Poll::Ready(guard) => {
                let held = match this.request.take() {
                    Some(request) => request.acquired(),
                    None => lock::acquired(this.head, this.mode, false, this.location),
                };
                Poll::Ready((held, guard))
            }
        }
    }
}

/// Waits for anything else. The wait is recorded when it really begins.
pub(crate) struct Waiting<'h, F> {
    begun: bool,
    kind: EventKind,
    count: u32,
    head: &'h Head,
    location: Loc,
    future: F,
}

/// Watches the future that waits; `count` is how many permits it wants.
#[inline]
pub(crate) fn waiting<F>(
    future: F,
    kind: EventKind,
    head: &Head,
    count: u32,
    location: Loc,
) -> Waiting<'_, F> {
    Waiting { begun: false, kind, count, head, location, future }
}

impl<F: Future> Future for Waiting<'_, F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: as above.
        let polled = unsafe { Pin::new_unchecked(&mut this.future) }.poll(context);
        if polled.is_pending() && !this.begun {
            this.begun = true;
            rt::wait::begin(this.kind, this.head, this.count, this.location);
        }
        polled
    }
}
