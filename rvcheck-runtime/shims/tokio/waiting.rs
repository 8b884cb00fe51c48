//! Futures of the real crate, whose waits are recorded.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use rt::lock::Held;
use rt::wait::Wait;
use rt::{Asking, EventKind, Head, Loc, Mode};

/// Waits for a lock. `finish` is handed the mark that it is held and the real guard.
pub(crate) struct Locking<'h, F, N> {
    asking: Asking,
    head: &'h Head,
    mode: Mode,
    finish: Option<N>,
    future: F,
}

/// Records how the future acquires the lock.
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
    Locking { asking: Asking::new(location), head, mode, finish: Some(finish), future }
}

impl<F, N, R> Future for Locking<'_, F, N>
where
    F: Future,
    N: FnOnce(Held, F::Output) -> R,
{
    type Output = R;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<R> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        if this.asking.is_delayed(this.head, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        match unsafe { Pin::new_unchecked(&mut this.future) }.poll(context) {
            Poll::Pending => {
                this.asking.pending(this.head, this.mode);
                Poll::Pending
            }
            // Not by `polled`, which would move the guard once more.
            Poll::Ready(guard) => {
                let held = this.asking.acquired(this.head, this.mode);
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
    wait: Wait,
    kind: EventKind,
    count: u32,
    head: &'h Head,
    location: Loc,
    finish: Option<N>,
    future: F,
}

/// Records how the future waits; `count` is how many permits it wants.
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
    Waiting { wait: Wait::new(), kind, count, head, location, finish: Some(finish), future }
}

impl<F, N, R> Future for Waiting<'_, F, N>
where
    F: Future,
    N: FnOnce(F::Output) -> R,
{
    type Output = R;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<R> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        if this.wait.is_delayed(this.head, this.location, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        let polled = unsafe { Pin::new_unchecked(&mut this.future) }.poll(context);
        this.wait.polled(&polled, this.kind, this.head, this.count, this.location);
        polled.map(|output| finished(&mut this.finish)(output))
    }
}

/// What is to be done in the end. The real futures panic themselves when they are polled after that.
#[inline]
fn finished<N>(finish: &mut Option<N>) -> N {
    finish.take().expect("`async fn` resumed after completion")
}
