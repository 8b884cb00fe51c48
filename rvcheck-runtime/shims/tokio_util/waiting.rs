//! Waiting for a signal.

use rt::{signal, wait, EventKind, Head, Loc};

/// What is recorded of a wait.
pub(crate) struct Wait {
    stage: Stage,
    location: Loc,
}

/// How far a wait has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Not polled.
    New,
    /// Recorded as waiting.
    Waiting,
    /// Recorded as over.
    Over,
}

impl Wait {
    #[inline]
    pub(crate) fn new(location: Loc) -> Wait {
        Wait { stage: Stage::New, location }
    }

    /// The signal is not there yet.
    #[inline]
    pub(crate) fn pending(&mut self, head: &Head) {
        if self.stage == Stage::New {
            self.stage = Stage::Waiting;
            wait::begin(EventKind::SignalWait, head, 0, self.location);
        }
    }

    /// The signal is there.
    #[inline]
    pub(crate) fn over(&mut self, head: &Head) {
        if self.stage != Stage::Over {
            self.stage = Stage::Over;
            signal::got(head, self.location);
        }
    }
}
