//! The recorded side of a listener.

use std::sync::Arc;
use std::task::Poll;

use rt::wait::Wait;
use rt::{signal, EventKind, Head, Loc};
#[cfg(feature = "std")]
use rt::{wait, What};

/// A listener of the program's. From when it is made it gets what is notified, but nobody waits before it is polled.
#[derive(Debug)]
pub(super) struct Listening {
    /// Before the real listener: who gives up says so before the place in the queue is free.
    wait: Wait,
    head: Arc<Head>,
    /// Where it was made.
    location: Loc,
}

impl Listening {
    /// The acting task begins to listen here.
    pub(super) fn new(head: &Arc<Head>, location: Loc) -> Listening {
        rt::delay(head, location);
        Listening { wait: Wait::new(), head: Arc::clone(head), location }
    }

    /// What a poll of the real listener has told.
    pub(super) fn polled<T>(&mut self, polled: &Poll<T>) {
        self.wait.polled(polled, EventKind::SignalWait, &self.head, 0, self.location);
        if polled.is_ready() {
            signal::got(&self.head, self.location);
        }
    }

    /// Waits here with the thread, for some time at most where that is `timed`.
    #[cfg(feature = "std")]
    pub(super) fn blocked<T>(self, timed: bool, here: Loc, wait: impl FnOnce() -> Option<T>) -> Option<T> {
        let Listening { wait: mut own, head, location } = self;
        own.forget();
        rt::delay(&head, here);
        wait::begin(EventKind::SignalWait, &head, 0, location);
        let blocking = rt::block_at_most(What::Lock, timed, here);
        let got = wait();
        drop(blocking);
        if got.is_some() {
            signal::got(&head, location);
        } else {
            wait::given_up(EventKind::SignalWait, &head, location);
        }
        got
    }
}
