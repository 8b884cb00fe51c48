//! The futures that wait for a mutex.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{ready, Context, Poll};

use rt::{Asking, Erased, Loc, Mode};

use super::{Mutex, MutexGuard, MutexGuardArc};
use crate::guards::ErasedPointer;

/// Waits for the lock.
pub struct Lock<'a, T: ?Sized> {
    asking: Asking,
    lock: &'a Mutex<T>,
    real: real::futures::Lock<'a, T>,
}

impl<'a, T: ?Sized> Lock<'a, T> {
    #[inline]
    pub(super) fn new(lock: &'a Mutex<T>, location: Loc) -> Lock<'a, T> {
        Lock { asking: Asking::new(location), lock, real: lock.real.lock() }
    }
}

// SAFETY: as for the real future.
unsafe impl<T: ?Sized + Sync> Sync for Lock<'_, T> {}

impl<'a, T: ?Sized> Future for Lock<'a, T> {
    type Output = MutexGuard<'a, T>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        if this.asking.is_delayed(&this.lock.head, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        let real = unsafe { Pin::new_unchecked(&mut this.real) };
        let polled = rt::waker::recorded(|| real.poll(context));
        let (held, real) = ready!(this.asking.polled(polled, &this.lock.head, Mode::Write));
        Poll::Ready(MutexGuard { held, real, lock: this.lock })
    }
}

impl<T: ?Sized> fmt::Debug for Lock<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock { .. }")
    }
}

/// Waits for the lock and keeps it alive.
pub struct LockArc<T: ?Sized> {
    asking: Asking,
    /// A boxed real `Lock`, once it has to wait. Borrows from `lock`, so it is dropped before.
    slow: Option<ErasedPointer>,
    /// None once it is handed on.
    lock: Option<Arc<Mutex<T>>>,
    /// For the traits.
    real: PhantomData<real::futures::LockArc<T>>,
}

impl<T: ?Sized> LockArc<T> {
    #[inline]
    pub(super) fn new(lock: Arc<Mutex<T>>, location: Loc) -> LockArc<T> {
        LockArc { asking: Asking::new(location), slow: None, lock: Some(lock), real: PhantomData }
    }
}

// SAFETY: as for the real future.
unsafe impl<T: ?Sized + Send> Send for LockArc<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for LockArc<T> {}

impl<T: ?Sized> Future for LockArc<T> {
    type Output = MutexGuardArc<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: nothing in it is pinned; the real future is in a box.
        let this = unsafe { self.get_unchecked_mut() };
        let lock = this.lock.as_ref().expect("future polled after completion");
        if this.asking.is_delayed(&lock.head, context) {
            return Poll::Pending;
        }
        let polled = rt::waker::recorded(|| poll_real(&mut this.slow, lock, context));
        let (held, real) = ready!(this.asking.polled(polled, &lock.head, Mode::Write));
        // SAFETY: the guard borrows from the lock that it is put together with.
        let (data, guard) = unsafe { MutexGuardArc::erase(real) };
        let guard = MutexGuardArc { held, data, guard, lock: Arc::clone(lock) };
        this.slow = None;
        this.lock = None;
        Poll::Ready(guard)
    }
}

/// Takes the lock if it is free; else waits for it.
fn poll_real<'l, T: ?Sized>(
    slow: &mut Option<ErasedPointer>,
    lock: &'l Mutex<T>,
    context: &mut Context<'_>,
) -> Poll<real::MutexGuard<'l, T>> {
    if slow.is_none() {
        if let Some(guard) = lock.real.try_lock() {
            return Poll::Ready(guard);
        }
    }
    let slow = slow.get_or_insert_with(|| {
        let waiting: Slow<'_, T> = Box::pin(lock.real.lock());
        // SAFETY: the lock is kept alive and in place until this is dropped.
        unsafe { Erased::new(waiting) }
    });
    // SAFETY: that is what it was made of.
    unsafe { slow.get_mut::<Slow<'l, T>>() }.as_mut().poll(context)
}

/// A real future that waits.
type Slow<'a, T> = Pin<Box<real::futures::Lock<'a, T>>>;

#[cfg(not(rv_async_lock_3))]
impl<T: ?Sized> fmt::Debug for LockArc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LockArc { .. }")
    }
}
