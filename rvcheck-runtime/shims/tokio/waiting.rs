//! Futures of the real crate that are watched while they wait.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use rt::lock::{self, Held, Request};
use rt::{EventKind, Head, Loc, Mode};

/// Waits for a lock. `finish` is handed the mark that it is held and the real guard.
pub(crate) struct Locking<'h, F, N> {
    /// Before the future: who gives up says so before the place in the queue is free.
    request: Option<Request>,
    head: &'h Head,
    mode: Mode,
    location: Loc,
    finish: Option<N>,
    future: F,
}

/// Watches the future that acquires the lock.
#[inline]
pub(crate) fn locking<F, N, R>(
    future: F,
    head: &Head,
    mode: Mode,
    location: Loc,
    finish: N,
) -> Locking<'_, F, N>
where
    F: Future,
    N: FnOnce(Held, F::Output) -> R,
{
    Locking { request: None, head, mode, location, finish: Some(finish), future }
}

impl<F, N, R> Future for Locking<'_, F, N>
where
    F: Future,
    N: FnOnce(Held, F::Output) -> R,
{
    type Output = R;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<R> {
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
                Poll::Ready(finished(&mut this.finish)(held, guard))
            }
        }
    }
}

/// The mark and the guard, not yet put together.
#[inline]
pub(crate) fn as_they_are<G>(held: Held, guard: G) -> (Held, G) {
    (held, guard)
}

/// Waits for anything else. The wait is recorded when it really begins. `finish` is handed what there is in the end.
pub(crate) struct Waiting<'h, F, N> {
    begun: bool,
    kind: EventKind,
    count: u32,
    head: &'h Head,
    location: Loc,
    finish: Option<N>,
    future: F,
}

/// Watches the future that waits; `count` is how many permits it wants.
#[inline]
pub(crate) fn waiting<F, N, R>(
    future: F,
    kind: EventKind,
    head: &Head,
    count: u32,
    location: Loc,
    finish: N,
) -> Waiting<'_, F, N>
where
    F: Future,
    N: FnOnce(F::Output) -> R,
{
    Waiting { begun: false, kind, count, head, location, finish: Some(finish), future }
}

impl<F, N, R> Future for Waiting<'_, F, N>
where
    F: Future,
    N: FnOnce(F::Output) -> R,
{
    type Output = R;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<R> {
        // SAFETY: the future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: as above.
        match unsafe { Pin::new_unchecked(&mut this.future) }.poll(context) {
            Poll::Pending => {
                if !this.begun {
                    this.begun = true;
                    rt::wait::begin(this.kind, this.head, this.count, this.location);
                }
                Poll::Pending
            }
            Poll::Ready(output) => Poll::Ready(finished(&mut this.finish)(output)),
        }
    }
}

/// What is to be done in the end. The real futures panic themselves when they are polled after that.
#[inline]
fn finished<N>(finish: &mut Option<N>) -> N {
    finish.take().expect("`async fn` resumed after completion")
}
