//! What records an initialisation.

use core::sync::atomic::{AtomicBool, Ordering};

use rt::lock::{self, Held, Request};
use rt::{Blocking, Head, Loc, Mode, ObjectKind, What};

/// The lock that an initialiser holds.
pub(super) struct Gate {
    head: Head,
    /// Whether an initialiser runs. Whoever comes then has to wait.
    busy: AtomicBool,
}

impl Gate {
    /// The gate of something created at `born`.
    pub(super) const fn new(born: Loc) -> Gate {
        Gate { head: Head::new(ObjectKind::OnceCell, born), busy: AtomicBool::new(false) }
    }

    /// The thing is there. Whoever finds it so comes after its initialiser.
    #[inline]
    pub(super) fn found(&self) {
        rt::found_made(&self.head);
    }

    /// Somebody comes who will either initialise or wait. To be called when the thing is not initialised yet.
    pub(super) fn come(&self, location: Loc) -> Coming<'_> {
        rt::delay(&self.head, location);
        let wait = self.busy.load(Ordering::Relaxed).then(|| {
            let request = lock::request(&self.head, Mode::Write, location);
            (rt::block(What::Lock, location), request)
        });
        Coming { gate: self, location, wait }
    }
}

/// Somebody on the way in. Dropped when somebody else did the work; then the wait, if there was one, ends unserved.
pub(super) struct Coming<'a> {
    gate: &'a Gate,
    location: Loc,
    wait: Option<(Blocking, Request)>,
}

impl<'a> Coming<'a> {
    /// It is this one's turn to initialise.
    pub(super) fn enter(self) -> Inside<'a> {
        let Coming { gate, location, wait } = self;
        gate.busy.store(true, Ordering::Relaxed);
        let held = match wait {
            Some((blocking, request)) => {
                drop(blocking);
                request.acquired()
            }
            None => lock::acquired(&gate.head, Mode::Write, false, location),
        };
        Inside { held: Some(held), gate }
    }
}

/// The initialiser runs. Dropped when it is done or has panicked.
pub(super) struct Inside<'a> {
    held: Option<Held>,
    gate: &'a Gate,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.gate.busy.store(false, Ordering::Relaxed);
        drop(self.held.take());
        rt::made_once(&self.gate.head);
    }
}
