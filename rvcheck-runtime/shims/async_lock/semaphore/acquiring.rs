//! The futures that wait for a permit.

use std::fmt;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rt::wait::Wait;
use rt::{EventKind, Loc};

use super::{Semaphore, SemaphoreGuard, SemaphoreGuardArc};

/// Waits for a permit.
pub struct Acquire<'a> {
    wait: Wait,
    semaphore: &'a Semaphore,
    location: Loc,
    real: real::futures::Acquire<'a>,
}

impl<'a> Acquire<'a> {
    pub(super) fn new(semaphore: &'a Semaphore, location: Loc) -> Acquire<'a> {
        Acquire { wait: Wait::new(), semaphore, location, real: semaphore.real.acquire() }
    }
}

impl<'a> Future for Acquire<'a> {
    type Output = SemaphoreGuard<'a>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        if this.wait.is_delayed(&this.semaphore.head, this.location, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        let real = unsafe { Pin::new_unchecked(&mut this.real) };
        let polled = rt::waker::recorded(|| real.poll(context));
        this.wait.polled(&polled, EventKind::PermitWait, &this.semaphore.head, 1, this.location);
        polled.map(|real| SemaphoreGuard::taken(real, this.semaphore, this.location))
    }
}

impl fmt::Debug for Acquire<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Acquire { .. }")
    }
}

/// Waits for a permit that keeps the semaphore alive.
pub struct AcquireArc {
    /// Borrows from `semaphore`, so it is dropped before.
    acquiring: Acquire<'static>,
    semaphore: Arc<Semaphore>,
}

impl AcquireArc {
    pub(super) fn new(semaphore: Arc<Semaphore>, location: Loc) -> AcquireArc {
        let acquiring = Acquire::new(&semaphore, location);
        // SAFETY: only the lifetime changes, and the `Arc` keeps what the future borrows alive and in place.
        let acquiring = unsafe { mem::transmute::<Acquire<'_>, Acquire<'static>>(acquiring) };
        AcquireArc { acquiring, semaphore }
    }
}

impl Future for AcquireArc {
    type Output = SemaphoreGuardArc;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the inner future is pinned with `self` and never moved; the other field does not care.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: as above.
        let polled = unsafe { Pin::new_unchecked(&mut this.acquiring) }.poll(context);
        // SAFETY: the permit goes together with the `Arc` that it borrows from.
        polled.map(|permit| unsafe { SemaphoreGuardArc::new(permit, Arc::clone(&this.semaphore)) })
    }
}

impl fmt::Debug for AcquireArc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AcquireArc { .. }")
    }
}
