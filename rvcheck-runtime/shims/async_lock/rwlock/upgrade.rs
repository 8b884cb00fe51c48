//! The futures that wait until a reader can become the writer.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{ready, Context, Poll};

use rt::lock::Held;
use rt::{Asking, Erased, Head, Loc, Mode};

use super::{RwLock, RwLockUpgradableReadGuard, RwLockWriteGuard, RwLockWriteGuardArc};
use crate::guards::ErasedPointer;

/// Waits until there are no other readers, to go on as the writer.
pub struct Upgrade<'a, T: ?Sized> {
    asking: Asking,
    /// That it is held as by a reader: until the first poll, which either makes it held to write or begins to wait for that.
    /// Nobody can take it in between.
    held: Option<Held>,
    head: &'a Head,
    real: real::futures::Upgrade<'a, T>,
}

impl<'a, T: ?Sized> Upgrade<'a, T> {
    #[inline]
    pub(super) fn new(guard: RwLockUpgradableReadGuard<'a, T>, location: Loc) -> Upgrade<'a, T> {
        let RwLockUpgradableReadGuard { held, real, head } = guard;
        let real = real::RwLockUpgradableReadGuard::upgrade(real);
        Upgrade { asking: Asking::new(location), held: Some(held), head, real }
    }
}

impl<'a, T: ?Sized> Future for Upgrade<'a, T> {
    type Output = RwLockWriteGuard<'a, T>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        if this.asking.is_delayed(this.head, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        let real = unsafe { Pin::new_unchecked(&mut this.real) };
        let polled = rt::waker::recorded(|| real.poll(context));
        this.held = None;
        let (held, real) = ready!(this.asking.polled(polled, this.head, Mode::Write));
        Poll::Ready(RwLockWriteGuard { held, real, head: this.head })
    }
}

impl<T: ?Sized> fmt::Debug for Upgrade<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upgrade")
    }
}

/// Waits until there are no other readers, to go on as the writer, and keeps the lock alive.
pub struct UpgradeArc<T: ?Sized> {
    asking: Asking,
    /// As in [`Upgrade`].
    held: Option<Held>,
    /// A boxed real `Upgrade`. Borrows from `lock`, so it is dropped before.
    upgrading: Option<ErasedPointer>,
    /// None once it is handed on.
    lock: Option<Arc<RwLock<T>>>,
    /// For the traits.
    real: PhantomData<real::futures::UpgradeArc<T>>,
}

/// The real future that waits.
type Upgrading<'a, T> = Pin<Box<real::futures::Upgrade<'a, T>>>;

impl<T: ?Sized> UpgradeArc<T> {
    /// Puts a future together with its lock.
    ///
    /// # Safety
    ///
    /// The future must be one of `lock`.
    pub(super) unsafe fn new(
        held: Held,
        real: real::futures::Upgrade<'_, T>,
        lock: Arc<RwLock<T>>,
        location: Loc,
    ) -> UpgradeArc<T> {
        let upgrading: Upgrading<'_, T> = Box::pin(real);
        // SAFETY: the `Arc` keeps what the future borrows alive and in place.
        let upgrading = Some(unsafe { Erased::new(upgrading) });
        UpgradeArc {
            asking: Asking::new(location),
            held: Some(held),
            upgrading,
            lock: Some(lock),
            real: PhantomData,
        }
    }
}

impl<T: ?Sized> Future for UpgradeArc<T> {
    type Output = RwLockWriteGuardArc<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: nothing in it is pinned; the real future is in a box.
        let this = unsafe { self.get_unchecked_mut() };
        let (Some(upgrading), Some(lock)) = (&mut this.upgrading, &this.lock) else {
            panic!("cannot poll future after completion");
        };
        if this.asking.is_delayed(&lock.head, context) {
            return Poll::Pending;
        }
        // SAFETY: that is what it was made of.
        let polled = unsafe { upgrading.get_mut::<Upgrading<'_, T>>() }.as_mut().poll(context);
        this.held = None;
        let (held, real) = ready!(this.asking.polled(polled, &lock.head, Mode::Write));
        this.upgrading = None;
        let lock = Arc::clone(lock);
        // SAFETY: the guard borrows from the lock that it is put together with.
        let guard = unsafe { RwLockWriteGuardArc::new(held, real, lock) };
        this.lock = None;
        Poll::Ready(guard)
    }
}

impl<T: ?Sized> fmt::Debug for UpgradeArc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ArcUpgrade")
    }
}
