//! `Notify` and the futures that wait for it.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use rt::wait::Wait;
use rt::{signal, EventKind, Head, Loc, ObjectKind};

/// A signal that records who waits, who gives it and who gets it.
pub struct Notify {
    head: Head,
    real: real::sync::Notify,
}

rt::identified!([] Notify, it => it.head.value());

impl Notify {
    /// A signal that was not given yet.
    #[track_caller]
    #[inline]
    pub fn new() -> Notify {
        Notify {
            head: Head::new(ObjectKind::TokioNotify, Location::caller()),
            real: real::sync::Notify::new(),
        }
    }

    /// A signal that was not given yet, in a constant.
    #[cfg(any(rv_tokio_1_30, feature = "parking_lot"))]
    #[track_caller]
    #[inline]
    pub const fn const_new() -> Notify {
        Notify {
            head: Head::new(ObjectKind::TokioNotify, Location::caller()),
            real: real::sync::Notify::const_new(),
        }
    }

    /// Waits for the signal.
    #[track_caller]
    #[inline]
    pub fn notified(&self) -> Notified<'_> {
        let location = Location::caller();
        rt::delay(&self.head, location);
        Notified { stage: Stage::default(), head: &self.head, location, real: named(self.real.notified()) }
    }

    /// Gives the signal to one waiter, or to the next one.
    #[track_caller]
    #[inline]
    pub fn notify_one(&self) {
        signal::one(&self.head, Location::caller());
        self.real.notify_one();
    }

    /// Gives the signal to the waiter that came last, or to the next one.
    #[cfg(rv_tokio_1_38)]
    #[track_caller]
    #[inline]
    pub fn notify_last(&self) {
        signal::one(&self.head, Location::caller());
        self.real.notify_last();
    }

    /// Gives the signal to all who wait now.
    #[track_caller]
    #[inline]
    pub fn notify_waiters(&self) {
        signal::all(&self.head, Location::caller());
        self.real.notify_waiters();
    }
}

rt::forwards! {
    [] Notify: Default = Notify::new();
    [] Notify: Debug;
}

/// How far a wait has come.
#[derive(Default)]
struct Stage {
    wait: Wait,
    /// Recorded as over.
    over: bool,
}

impl Stage {
    fn step(&mut self, got: bool, head: &Head, location: Loc) {
        if self.over {
            return;
        }
        if got {
            self.over = true;
            self.wait.forget();
            signal::got(head, location);
        } else {
            self.wait.polled(&Poll::<()>::Pending, EventKind::SignalWait, head, 0, location);
        }
    }
}

/// Waits for the signal.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Notified<'a> {
    stage: Stage,
    head: &'a Head,
    location: Loc,
    real: Real<'a>,
}

/// The real future.
#[cfg(rv_tokio_1_7)]
type Real<'a> = real::sync::futures::Notified<'a>;

#[cfg(rv_tokio_1_7)]
fn named(real: Real<'_>) -> Real<'_> {
    real
}

/// The real future, which has no name there.
#[cfg(not(rv_tokio_1_7))]
type Real<'a> = Pin<Box<dyn Unnamed + Send + Sync + 'a>>;

#[cfg(not(rv_tokio_1_7))]
trait Unnamed: Future<Output = ()> + fmt::Debug {}
#[cfg(not(rv_tokio_1_7))]
impl<F: Future<Output = ()> + fmt::Debug> Unnamed for F {}

#[cfg(not(rv_tokio_1_7))]
fn named<'a>(real: impl Unnamed + Send + Sync + 'a) -> Real<'a> {
    Box::pin(real)
}

impl<'a> Notified<'a> {
    fn parts(self: Pin<&mut Self>) -> (impl FnOnce(bool) + '_, Pin<&mut Real<'a>>) {
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        unsafe {
            let Notified { stage, head, location, real } = self.get_unchecked_mut();
            (|got| stage.step(got, head, location), Pin::new_unchecked(real))
        }
    }

    /// Joins the waiters without being polled. Whether the signal is there already.
    #[cfg(rv_tokio_1_19)]
    pub fn enable(self: Pin<&mut Self>) -> bool {
        let (step, real) = self.parts();
        let got = real.enable();
        if got {
            step(true);
        }
        got
    }
}

impl Future for Notified<'_> {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let context = &mut rt::waker::real(context);
        let (step, real) = self.parts();
        let polled = real.poll(context);
        step(polled.is_ready());
        polled
    }
}

rt::forwards! {
    [] Notified<'_>: Debug;
}

#[cfg(rv_tokio_1_47)]
mod owned {
    use std::sync::Arc;

    use super::{fmt, Context, Future, Loc, Location, Notify, Pin, Poll, Stage};

    impl Notify {
        /// Waits for the signal, and keeps it alive meanwhile.
        #[track_caller]
        pub fn notified_owned(self: Arc<Self>) -> OwnedNotified {
            let location = Location::caller();
            rt::delay(&self.head, location);
            // SAFETY: the signal lives in the `Arc` that stays beside the future and is dropped after it.
            let signal: &'static Notify = unsafe { &*Arc::as_ptr(&self) };
            OwnedNotified { stage: Stage::default(), location, real: signal.real.notified(), notify: self }
        }
    }

    /// Waits for the signal, and keeps it alive meanwhile.
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct OwnedNotified {
        stage: Stage,
        location: Loc,
        /// Borrows from `notify`, so it is dropped before.
        real: real::sync::futures::Notified<'static>,
        notify: Arc<Notify>,
    }

    impl OwnedNotified {
        /// Joins the waiters without being polled. Whether the signal is there already.
        #[cfg(rv_tokio_1_19)]
        pub fn enable(self: Pin<&mut Self>) -> bool {
            // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
            let (this, real) = unsafe {
                let this = self.get_unchecked_mut();
                ((&mut this.stage, this.location, &this.notify), Pin::new_unchecked(&mut this.real))
            };
            let got = real.enable();
            if got {
                this.0.step(true, &this.2.head, this.1);
            }
            got
        }
    }

    impl Future for OwnedNotified {
        type Output = ();

        fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
            let context = &mut rt::waker::real(context);
            // SAFETY: as in `enable`.
            let (this, real) = unsafe {
                let this = self.get_unchecked_mut();
                ((&mut this.stage, this.location, &this.notify), Pin::new_unchecked(&mut this.real))
            };
            let polled = real.poll(context);
            this.0.step(polled.is_ready(), &this.2.head, this.1);
            polled
        }
    }

    rt::forwards! {
        [] OwnedNotified: Debug;
    }
}

#[cfg(rv_tokio_1_47)]
pub use owned::OwnedNotified;

rt::exchanged! {
    Notify => real::sync::Notify;
    Notified<'static> => real::sync::futures::Notified<'static>;
    #[cfg(rv_tokio_1_47)] OwnedNotified => real::sync::futures::OwnedNotified;
}
