//! Listeners on the stack.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use real::Listener as _;

#[cfg(feature = "std")]
use super::listener::waited;
use super::listener::{listens, Listener};
use super::listening::Listening;
use super::Event;

/// Listens to an event without memory of the heap.
#[macro_export]
macro_rules! listener {
    ($event:expr => $listener:ident) => {
        let mut $listener = $crate::__private::StackSlot::new(&$event);
        // SAFETY: the name stands for something else from here on, so it cannot be moved.
        let mut $listener = unsafe { $crate::__private::Pin::new_unchecked(&mut $listener) };
        #[allow(unused_mut)]
        let mut $listener = $listener.listen();
    };
}

/// Where a listener on the stack has its place.
pub struct StackSlot<'ev, T> {
    event: &'ev Event<T>,
    real: real::__private::StackSlot<'ev, T>,
}

impl<'ev, T> StackSlot<'ev, T> {
    /// A place on the stack.
    #[inline]
    pub fn new(event: &'ev Event<T>) -> StackSlot<'ev, T> {
        StackSlot { event, real: real::__private::StackSlot::new(&event.real) }
    }

    /// Begins to listen.
    #[track_caller]
    #[inline]
    pub fn listen(self: Pin<&mut Self>) -> StackListener<'ev, '_, T> {
        let listening = self.event.listening(Location::caller());
        // SAFETY: the real place is pinned with `self` and never moved.
        let real = unsafe { self.map_unchecked_mut(|it| &mut it.real) };
        StackListener { listening, real: real.listen() }
    }
}

/// A listener on the stack.
pub struct StackListener<'ev, 'stack, T> {
    /// Before the real one.
    listening: Option<Listening>,
    real: real::__private::StackListener<'ev, 'stack, T>,
}

listens!(StackListener<'_, '_, T>);

rt::forwards! {
    [T] StackSlot<'_, T>: Debug;
    [T] StackListener<'_, '_, T>: Debug;
}
