//! When a timer gives its messages, which a controlled run has to know.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rt::control;

/// See the module.
pub(crate) struct Alarm {
    next: Mutex<Next>,
    /// How often there is one, if there is more than one.
    period: Option<Duration>,
}

/// The next message of a timer.
#[derive(Clone, Copy)]
struct Next {
    /// Its time. `None` if there will be none, or if the run is not controlled.
    at: Option<Instant>,
    /// That was over when it was set.
    is_over: bool,
}

impl Next {
    fn of(at: Option<Instant>) -> Next {
        Next { at, is_over: at.is_some_and(|it| it <= Instant::now()) }
    }
}

impl Alarm {
    /// A timer with this first time.
    pub(super) fn of(first: impl FnOnce() -> Option<Instant>, period: Option<Duration>) -> Alarm {
        let next = if control::on() { Next::of(first()) } else { Next { at: None, is_over: false } };
        Alarm { next: Mutex::new(next), period }
    }

    /// The time of the next message, if there is one.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.get().at
    }

    fn get(&self) -> Next {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is no message yet, in a controlled run, although the real clock may say so.
    pub(crate) fn is_ahead(&self) -> bool {
        if !control::on() {
            return false;
        }
        let Next { at, is_over } = self.get();
        !is_over && at.is_some_and(|it| !control::has_come(it))
    }

    /// A message was received.
    pub(crate) fn gave<T>(&self, message: &T) {
        if control::on() {
            let time = control::instant_of(message).map_or_else(Instant::now, |it| it.max(Instant::now()));
            *self.next.lock().unwrap_or_else(PoisonError::into_inner) =
                Next::of(self.period.and_then(|it| time.checked_add(it)));
        }
    }
}
