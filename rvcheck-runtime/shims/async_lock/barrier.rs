//! `Barrier`.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use real::BarrierWaitResult;
use rt::wait::Wait;
use rt::{signal, wait, EndingHead, EventKind, Head, Loc, ObjectKind};

/// A barrier that records who arrives and who goes on.
///
/// Each arrival is a signal to all the others, because nobody goes on before everybody has arrived.
pub struct Barrier {
    head: EndingHead,
    real: real::Barrier,
}

impl Barrier {
    /// A barrier for `n` tasks.
    #[track_caller]
    pub const fn new(n: usize) -> Barrier {
        Barrier {
            head: EndingHead::new(ObjectKind::AsyncLockBarrier, Location::caller()),
            real: real::Barrier::new(n),
        }
    }

    /// Waits until all have arrived.
    #[track_caller]
    pub fn wait(&self) -> BarrierWait<'_> {
        BarrierWait {
            arrived: false,
            wait: Wait::new(),
            head: &self.head,
            location: Location::caller(),
            real: self.real.wait(),
        }
    }

    /// Waits until all have arrived, and blocks the thread meanwhile.
    #[cfg(all(rv_async_lock_3, feature = "std"))]
    #[track_caller]
    pub fn wait_blocking(&self) -> BarrierWaitResult {
        let location = Location::caller();
        signal::all(&self.head, location);
        wait::begin(EventKind::SignalWait, &self.head, 0, location);
        let blocking = rt::block(rt::What::Lock, location);
        let (future, waits) = (|| self.real.wait(), || self.real.wait_blocking());
        let result = rt::control::driving(location, future, waits);
        drop(blocking);
        signal::got(&self.head, location);
        result
    }
}

rt::forwards! {
    [] Barrier: Debug;
}

/// Waits until all have arrived.
pub struct BarrierWait<'a> {
    arrived: bool,
    wait: Wait,
    head: &'a Head,
    location: Loc,
    real: real::futures::BarrierWait<'a>,
}

impl Future for BarrierWait<'_> {
    type Output = BarrierWaitResult;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        if !this.arrived {
            this.arrived = true;
            signal::all(this.head, this.location);
        }
        // SAFETY: as above.
        let real = unsafe { Pin::new_unchecked(&mut this.real) };
        let polled = rt::waker::recorded(|| real.poll(context));
        this.wait.polled(&polled, EventKind::SignalWait, this.head, 0, this.location);
        if polled.is_ready() {
            signal::got(this.head, this.location);
        }
        polled
    }
}

impl fmt::Debug for BarrierWait<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BarrierWait { .. }")
    }
}
