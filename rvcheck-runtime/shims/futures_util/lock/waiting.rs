//! The future that waits for a borrowed lock.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use real::future::FusedFuture;
use rt::{Asking, Head, Loc, Mode};

use super::{Mutex, MutexGuard};

/// Waits for a lock.
pub struct MutexLockFuture<'a, T: ?Sized> {
    asking: Asking,
    head: &'a Head,
    real: real::lock::MutexLockFuture<'a, T>,
}

impl<'a, T: ?Sized> MutexLockFuture<'a, T> {
    #[inline]
    pub(super) fn new(lock: &'a Mutex<T>, location: Loc) -> MutexLockFuture<'a, T> {
        MutexLockFuture { asking: Asking::new(location), head: &lock.head, real: lock.real.lock() }
    }
}

impl<'a, T: ?Sized> Future for MutexLockFuture<'a, T> {
    type Output = MutexGuard<'a, T>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<MutexGuard<'a, T>> {
        let context = &mut rt::waker::real(context);
        let this = self.get_mut();
        if this.asking.is_delayed(this.head, context) {
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.real).poll(context);
        this.asking.polled(polled, this.head, Mode::Write).map(|(held, real)| MutexGuard { held, real })
    }
}

rt::forwards! {
    [T: ?Sized] MutexLockFuture<'_, T>: FusedFuture {
        fn is_terminated(&self) -> bool;
    }
    [T: ?Sized] MutexLockFuture<'_, T>: Debug;
}
