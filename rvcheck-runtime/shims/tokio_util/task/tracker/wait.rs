//! Waiting for the tasks of a tracker.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use rt::{Head, Loc};

use crate::waiting::Wait;

/// Waits until a tracker is closed and its tasks have ended.
#[must_use = "futures do nothing unless polled"]
pub struct TaskTrackerWaitFuture<'a> {
    wait: Wait,
    head: &'a Head,
    real: real::task::task_tracker::TaskTrackerWaitFuture<'a>,
}

impl<'a> TaskTrackerWaitFuture<'a> {
    #[inline]
    pub(super) fn new(
        head: &'a Head,
        real: real::task::task_tracker::TaskTrackerWaitFuture<'a>,
        location: Loc,
    ) -> TaskTrackerWaitFuture<'a> {
        TaskTrackerWaitFuture { wait: Wait::new(location), head, real }
    }
}

impl Future for TaskTrackerWaitFuture<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let (wait, head, real) = unsafe {
            let this = self.get_unchecked_mut();
            (&mut this.wait, this.head, Pin::new_unchecked(&mut this.real))
        };
        let polled = rt::waker::recorded(|| real.poll(context));
        match polled {
            Poll::Ready(()) => wait.over(head),
            Poll::Pending => wait.pending(head),
        }
        polled
    }
}

rt::forwards! {
    [] TaskTrackerWaitFuture<'_>: Debug;
}
