//! What records an initialisation: a lock that is held while the initialiser runs.

use core::sync::atomic::{AtomicBool, Ordering};

use rvcheck_event::kind::{Mode, ObjectKind, What};

use crate::atomic::{found_made, made_once};
use crate::blocking::{Blocking, block};
use crate::lock::{self, Held, Request};
use crate::statics::Initialiser;
use crate::steer::delay;
use crate::{Head, Loc, control};

/// The lock that an initialiser holds.
#[derive(Debug)]
pub struct OnceGate {
    head: Head,
    /// Whether an initialiser runs. Whoever comes then has to wait.
    busy: AtomicBool,
    /// The last initialiser has panicked.
    failed: AtomicBool,
}

impl OnceGate {
    /// The gate of something of this kind, created at `born`.
    pub const fn new(kind: ObjectKind, born: Loc) -> OnceGate {
        OnceGate { head: Head::new(kind, born), busy: AtomicBool::new(false), failed: AtomicBool::new(false) }
    }

    /// Waits in the `real` call until the thing is there.
    pub fn wait(&self, location: Loc, is_there: impl Fn() -> bool, real: impl FnOnce()) {
        self.waiting(location, || is_there().then_some(()), real);
    }

    /// Waits until the thing can be had by the `attempt`, or in the `real` call.
    pub fn waiting<R>(
        &self,
        location: Loc,
        attempt: impl FnMut() -> Option<R>,
        real: impl FnOnce() -> R,
    ) -> R {
        control::waiting(&self.head, location, attempt, real)
    }

    /// Whether an initialiser has panicked, and none has done it since.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The thing is there. Whoever finds it so comes after its initialiser.
    #[inline]
    pub fn found(&self) {
        found_made(&self.head);
    }

    /// Somebody comes who will either initialise or wait. To be called when the thing is not initialised yet.
    pub fn come(&self, location: Loc) -> Coming<'_> {
        delay(&self.head, location);
        let wait = self.busy.load(Ordering::Relaxed).then(|| {
            let request = lock::request(&self.head, Mode::Write, location);
            (block(What::Lock, location), request)
        });
        if wait.is_some() {
            control::retry(&self.head, location, || (!self.busy.load(Ordering::Relaxed)).then_some(()));
        }
        Coming { gate: self, location, wait }
    }
}

/// Somebody on the way in. Dropped when somebody else did the work; then the wait, if there was one, ends unserved.
#[derive(Debug)]
pub struct Coming<'a> {
    gate: &'a OnceGate,
    location: Loc,
    wait: Option<(Blocking, Request)>,
}

impl<'a> Coming<'a> {
    /// It is this one's turn to initialise.
    pub fn enter(self) -> Initialising<'a> {
        let Coming { gate, location, wait } = self;
        gate.busy.store(true, Ordering::Relaxed);
        let held = match wait {
            Some((blocking, request)) => {
                drop(blocking);
                request.acquired()
            }
            None => lock::acquired(&gate.head, Mode::Write, false, location),
        };
        Initialising { held: Some(held), of_static: Initialiser::of(core::ptr::from_ref(gate).addr()), gate }
    }
}

/// The initialiser runs. Dropped when it is done or has panicked.
#[derive(Debug)]
pub struct Initialising<'a> {
    held: Option<Held>,
    of_static: Option<Initialiser>,
    gate: &'a OnceGate,
}

impl Drop for Initialising<'_> {
    fn drop(&mut self) {
        self.gate.busy.store(false, Ordering::Relaxed);
        self.gate.failed.store(std::thread::panicking(), Ordering::Relaxed);
        drop(self.of_static.take());
        drop(self.held.take());
        control::changed(&self.gate.head);
        made_once(&self.gate.head);
    }
}
