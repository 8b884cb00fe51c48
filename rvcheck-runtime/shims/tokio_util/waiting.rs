//! Waiting for a signal.

use std::task::Poll;

use rt::{signal, EventKind, Head, Loc};

/// What is recorded of a wait.
pub(crate) struct Wait {
    wait: rt::wait::Wait,
    /// Recorded as over.
    over: bool,
    location: Loc,
}

impl Wait {
    #[inline]
    pub(crate) fn new(location: Loc) -> Wait {
        Wait { wait: rt::wait::Wait::new(), over: false, location }
    }

    /// The signal is not there yet.
    #[inline]
    pub(crate) fn pending(&mut self, head: &Head) {
        if !self.over {
            self.wait.polled(&Poll::<()>::Pending, EventKind::SignalWait, head, 0, self.location);
        }
    }

    /// The signal is there.
    #[inline]
    pub(crate) fn over(&mut self, head: &Head) {
        if !self.over {
            self.over = true;
            self.wait.forget();
            signal::got(head, self.location);
        }
    }
}
