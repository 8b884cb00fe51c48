//! Asking for a lock by polls of the real future.

use core::task::{Context, Poll};

use rvcheck_event::kind::Mode;

use crate::lock::{self, Held, Request};
use crate::{Head, Loc, steer, timer, waker};

/// The recorded side of a future that asks for a lock.
#[derive(Debug)]
pub struct Asking {
    /// That it has to wait. Whoever owns this drops it before the real future: who gives up says so before the place in the
    /// queue is free.
    request: Option<Request>,
    location: Loc,
}

impl Asking {
    /// Asks for a lock at this place.
    #[inline]
    pub fn new(location: Loc) -> Asking {
        Asking { request: None, location }
    }

    /// Whether the lock is not to be asked for yet, so that a schedule can be kept. To be asked before the real future is polled.
    #[inline]
    pub fn is_delayed(&self, head: &Head, context: &Context<'_>) -> bool {
        self.request.is_none() && steer::delays(head, self.location, context)
    }

    /// A poll found the lock not free.
    #[inline]
    pub fn pending(&mut self, head: &Head, mode: Mode) {
        if self.request.is_none() {
            // Who has a limit of time does not wait for ever.
            let wanted = if timer::is_limited() { lock::timed_request } else { lock::request };
            self.request = Some(wanted(head, mode, self.location));
        }
        if !self.request.as_ref().is_some_and(Request::is_recorded) {
            waker::unrecorded();
        }
    }

    /// A poll acquired the lock. The mark that it is held goes with the real guard.
    #[inline]
    pub fn acquired(&mut self, head: &Head, mode: Mode) -> Held {
        match self.request.take() {
            Some(request) => request.acquired(),
            None => lock::acquired(head, mode, timer::is_limited(), self.location),
        }
    }

    /// Either of the two, as a poll of the real future has told.
    #[inline]
    pub fn polled<G>(&mut self, polled: Poll<G>, head: &Head, mode: Mode) -> Poll<(Held, G)> {
        match polled {
            Poll::Pending => {
                self.pending(head, mode);
                Poll::Pending
            }
            Poll::Ready(guard) => Poll::Ready((self.acquired(head, mode), guard)),
        }
    }
}
