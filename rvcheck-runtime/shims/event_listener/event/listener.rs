//! Listeners.

use std::fmt;
use std::future::Future;
#[cfg(feature = "std")]
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
#[cfg(feature = "std")]
use std::time::{Duration, Instant};

use real::Listener as _;
#[cfg(feature = "std")]
use rt::control::Retried;

use super::listening::Listening;
use super::slot::StackListener;
use super::Event;

/// Waits for a notification.
///
/// The trait is one of this crate because its methods take an [`Event`], and as sealed as the real one.
pub trait Listener<T = ()>: Future<Output = T> + Sealed {
    /// Blocks the thread until a notification comes.
    #[cfg(feature = "std")]
    #[track_caller]
    fn wait(self) -> T;

    /// The same for at most that long.
    #[cfg(feature = "std")]
    #[track_caller]
    fn wait_timeout(self, timeout: Duration) -> Option<T>;

    /// The same until then at most.
    #[cfg(feature = "std")]
    #[track_caller]
    fn wait_deadline(self, deadline: Instant) -> Option<T>;

    /// Listens no more, and notifies nobody in its place. Whether there was a notification.
    fn discard(self) -> bool;

    /// Whether it listens to this event.
    fn listens_to(&self, event: &Event<T>) -> bool;

    /// Whether both listen to the same event.
    fn same_event(&self, other: &Self) -> bool;
}

/// Keeps other types from being listeners.
#[doc(hidden)]
pub trait Sealed {}

impl<T> Sealed for EventListener<T> {}
impl<T> Sealed for StackListener<'_, '_, T> {}

/// A listener on the heap.
pub struct EventListener<T = ()> {
    /// Before the real one.
    listening: Option<Listening>,
    real: real::EventListener<T>,
}

impl<T> EventListener<T> {
    pub(super) fn new(listening: Option<Listening>, real: real::EventListener<T>) -> EventListener<T> {
        EventListener { listening, real }
    }
}

/// Waits with a real listener until then at most: in the `wait` call, or, in a controlled run, by driving the listener.
#[cfg(feature = "std")]
pub(super) fn waited<T, L: real::Listener<T> + Unpin>(
    mut listener: L,
    until: impl FnOnce() -> Option<Instant>,
    location: rt::Loc,
    wait: impl FnOnce(L) -> Option<T>,
) -> Option<T> {
    if !rt::control::on() {
        return wait(listener);
    }
    match rt::control::drive_until(Pin::new(&mut listener), location, until()) {
        Retried::Got(notification) => Some(notification),
        // It listens no more.
        Retried::TimedOut => listener.wait_timeout(Duration::ZERO),
        Retried::Uncontrolled => wait(listener),
    }
}

/// What both sorts of listeners do.
macro_rules! listens {
    ($listener:ty) => {
        impl<T> Listener<T> for $listener {
            #[cfg(feature = "std")]
            #[track_caller]
            fn wait(self) -> T {
                let Self { listening, real } = self;
                let location = Location::caller();
                let wait = || waited(real, || None, location, |real| Some(real.wait()));
                // It waits until there is one.
                match listening {
                    Some(listening) => listening.blocked(false, location, wait),
                    None => wait(),
                }
                .unwrap()
            }

            #[cfg(feature = "std")]
            #[track_caller]
            fn wait_timeout(self, timeout: std::time::Duration) -> Option<T> {
                let Self { listening, real } = self;
                let location = Location::caller();
                let until = || std::time::Instant::now().checked_add(timeout);
                let wait = || waited(real, until, location, |real| real.wait_timeout(timeout));
                match listening {
                    Some(listening) => listening.blocked(true, location, wait),
                    None => wait(),
                }
            }

            #[cfg(feature = "std")]
            #[track_caller]
            fn wait_deadline(self, deadline: std::time::Instant) -> Option<T> {
                let Self { listening, real } = self;
                let location = Location::caller();
                let wait = || waited(real, || Some(deadline), location, |real| real.wait_deadline(deadline));
                match listening {
                    Some(listening) => listening.blocked(true, location, wait),
                    None => wait(),
                }
            }

            fn discard(self) -> bool {
                let Self { listening, real } = self;
                drop(listening);
                real.discard()
            }

            fn listens_to(&self, event: &Event<T>) -> bool {
                self.real.listens_to(&event.real)
            }

            rt::forwards! {
                fn same_event(&self, other: &Self) -> bool;
            }
        }

        impl<T> Future for $listener {
            type Output = T;

            #[inline]
            fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
                let Self { listening, real } = &mut *self;
                // For a library that waits for something of its own, who can wake the task is as the library tells.
                let Some(listening) = listening else { return Pin::new(real).poll(context) };
                let polled = Pin::new(real).poll(&mut rt::waker::real(context));
                listening.polled(&polled);
                polled
            }
        }

        impl<T> std::panic::UnwindSafe for $listener {}
        impl<T> std::panic::RefUnwindSafe for $listener {}
        impl<T> Unpin for $listener {}
    };
}
pub(super) use listens;

listens!(EventListener<T>);

rt::forwards! {
    [T] EventListener<T>: Debug;
}
