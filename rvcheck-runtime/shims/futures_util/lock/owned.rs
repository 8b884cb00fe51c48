//! Guards and futures that keep the lock alive.
//!
//! The real ones hold an `Arc` of the real lock. Ours hold one of our lock, and beside it a real guard or future that
//! borrows from it; no lifetime can say so.

use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{ready, Context, Poll};

use real::future::FusedFuture;
use rt::lock::Held;
use rt::{Asking, Erased, Loc, Mode};

use super::Mutex;

/// The lock is held and kept alive. Dropping this gives it back.
pub struct OwnedMutexGuard<T: ?Sized> {
    _held: Held,
    data: *mut T,
    /// A real guard. It borrows from `lock`, so it is dropped before.
    _guard: Erased<2>,
    lock: Arc<Mutex<T>>,
}

impl<T: ?Sized> OwnedMutexGuard<T> {
    /// Puts a guard together with its lock.
    ///
    /// # Safety
    ///
    /// The guard must be one of `lock`.
    #[inline]
    pub(super) unsafe fn new(
        held: Held,
        mut guard: real::lock::MutexGuard<'_, T>,
        lock: Arc<Mutex<T>>,
    ) -> OwnedMutexGuard<T> {
        let data: *mut T = &mut *guard;
        // SAFETY: the `Arc` keeps what the guard borrows alive and in place.
        OwnedMutexGuard { _held: held, data, _guard: unsafe { Erased::new(guard) }, lock }
    }
}

// SAFETY: the guard is an exclusive reference to the data and an `Arc` of the lock; the real one is bounded alike.
unsafe impl<T: ?Sized + Send> Send for OwnedMutexGuard<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for OwnedMutexGuard<T> {}

impl<T: ?Sized> Deref for OwnedMutexGuard<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the lock is held while the guard lives, and keeps its data in place.
        unsafe { &*self.data }
    }
}

impl<T: ?Sized> DerefMut for OwnedMutexGuard<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the guard is borrowed exclusively.
        unsafe { &mut *self.data }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for OwnedMutexGuard<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedMutexGuard").field("value", &&**self).field("mutex", &self.lock).finish()
    }
}

/// Waits for a lock and keeps it alive.
pub struct OwnedMutexLockFuture<T: ?Sized> {
    asking: Asking,
    /// A [`real::lock::MutexLockFuture`]. It borrows from `lock`, so it is dropped before.
    real: Erased<4>,
    /// Until the lock was acquired.
    lock: Option<Arc<Mutex<T>>>,
}

impl<T: ?Sized> OwnedMutexLockFuture<T> {
    #[inline]
    pub(super) fn new(lock: Arc<Mutex<T>>, location: Loc) -> OwnedMutexLockFuture<T> {
        // SAFETY: the `Arc` keeps what the future borrows alive and in place. When the guard has the `Arc`, the future has
        // the lock acquired and borrows nothing.
        let real = unsafe { Erased::new(lock.real.lock()) };
        OwnedMutexLockFuture { asking: Asking::new(location), real, lock: Some(lock) }
    }

    /// The real future.
    fn real(&self) -> &real::lock::MutexLockFuture<'_, T> {
        // SAFETY: that is what `new` put there.
        unsafe { self.real.get() }
    }
}

// SAFETY: the future is an `Arc` of the lock and a place in its queue; the real one is bounded alike.
unsafe impl<T: ?Sized + Send> Send for OwnedMutexLockFuture<T> {}
// SAFETY: through a shared reference it can only be shown.
unsafe impl<T: ?Sized> Sync for OwnedMutexLockFuture<T> {}

impl<T: ?Sized> Future for OwnedMutexLockFuture<T> {
    type Output = OwnedMutexGuard<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<OwnedMutexGuard<T>> {
        let context = &mut rt::waker::real(context);
        let OwnedMutexLockFuture { asking, real, lock: kept } = self.get_mut();
        let lock = kept.as_ref().expect("polled OwnedMutexLockFuture after completion");
        if asking.is_delayed(&lock.head, context) {
            return Poll::Pending;
        }
        // SAFETY: that is what `new` put there.
        let real: &mut real::lock::MutexLockFuture<'_, T> = unsafe { real.get_mut() };
        let polled = Pin::new(real).poll(context);
        let (held, guard) = ready!(asking.polled(polled, &lock.head, Mode::Write));
        let lock = Arc::clone(lock);
        // SAFETY: the guard is of this lock.
        let guard = unsafe { OwnedMutexGuard::new(held, guard, lock) };
        *kept = None;
        Poll::Ready(guard)
    }
}

impl<T: ?Sized> FusedFuture for OwnedMutexLockFuture<T> {
    fn is_terminated(&self) -> bool {
        self.lock.is_none()
    }
}

impl<T: ?Sized> fmt::Debug for OwnedMutexLockFuture<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Its fields, and their names, are those of the other one.
        f.write_str("Owned")?;
        self.real().fmt(f)
    }
}
