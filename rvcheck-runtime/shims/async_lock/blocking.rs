//! Asking for a lock with the thread blocked.

use std::future::Future;

use rt::lock::{self, Held};
use rt::{Head, Loc, Mode, What};

/// Takes the lock, or waits for it. `tries` gives the real guard if that needs no waiting; in a controlled run, the `future` does what
/// `waits` does.
#[cfg(rv_async_lock_3)]
#[inline]
pub(crate) fn blocking<G, F: Future<Output = G>>(
    head: &Head,
    mode: Mode,
    location: Loc,
    tries: impl FnOnce() -> Option<G>,
    future: impl FnOnce() -> F,
    waits: impl FnOnce() -> G,
) -> (Held, G) {
    rt::delay(head, location);
    match tries() {
        Some(guard) => (lock::acquired(head, mode, false, location), guard),
        None => blocked(head, mode, location, future, waits),
    }
}

/// As [`blocking`], for what is known to need waiting.
#[cold]
pub(crate) fn blocked<G, F: Future<Output = G>>(
    head: &Head,
    mode: Mode,
    location: Loc,
    future: impl FnOnce() -> F,
    waits: impl FnOnce() -> G,
) -> (Held, G) {
    let request = lock::request(head, mode, location);
    let blocking = rt::block(What::Lock, location);
    let guard = rt::control::driving(location, future, waits);
    drop(blocking);
    (request.acquired(), guard)
}
