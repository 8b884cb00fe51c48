//! The future that waits for a borrowed lock.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use real::future::FusedFuture;
use rt::lock::{self, Held, Request};
use rt::{Head, Loc, Mode};

use super::{Mutex, MutexGuard};

/// What is recorded of a wait for a lock.
pub(super) struct Wait {
    request: Option<Request>,
    location: Loc,
}

impl Wait {
    pub(super) fn new(location: Loc) -> Wait {
        Wait { request: None, location }
    }

    /// The lock is not free.
    #[inline]
    pub(super) fn pending(&mut self, head: &Head) {
        if self.request.is_none() {
            self.request = Some(lock::request(head, Mode::Write, self.location));
        }
    }

    /// The lock was acquired.
    #[inline]
    pub(super) fn over(&mut self, head: &Head) -> Held {
        match self.request.take() {
            Some(request) => request.acquired(),
            None => lock::acquired(head, Mode::Write, false, self.location),
        }
    }
}

/// Waits for a lock.
pub struct MutexLockFuture<'a, T: ?Sized> {
    /// Before the real future: who gives up says so before the place in the queue is free.
    wait: Wait,
    head: &'a Head,
    real: real::lock::MutexLockFuture<'a, T>,
}

impl<'a, T: ?Sized> MutexLockFuture<'a, T> {
    #[inline]
    pub(super) fn new(lock: &'a Mutex<T>, location: Loc) -> MutexLockFuture<'a, T> {
        MutexLockFuture { wait: Wait::new(location), head: &lock.head, real: lock.real.lock() }
    }
}

impl<'a, T: ?Sized> Future for MutexLockFuture<'a, T> {
    type Output = MutexGuard<'a, T>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<MutexGuard<'a, T>> {
        let this = self.get_mut();
        match Pin::new(&mut this.real).poll(context) {
            Poll::Ready(real) => Poll::Ready(MutexGuard { held: this.wait.over(this.head), real }),
            Poll::Pending => {
                this.wait.pending(this.head);
                Poll::Pending
            }
        }
    }
}

impl<T: ?Sized> FusedFuture for MutexLockFuture<'_, T> {
    fn is_terminated(&self) -> bool {
        self.real.is_terminated()
    }
}

impl<T: ?Sized> fmt::Debug for MutexLockFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real.fmt(f)
    }
}
