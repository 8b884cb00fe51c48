//! Taking a raw lock, with what that records.

use rt::lock::{self, Held};
use rt::{Head, Loc, What};

use crate::way::{TimedWay, Way};

/// Waits for the lock.
#[inline]
pub(crate) fn lock<R, W: Way<R>>(raw: &R, head: &Head, location: Loc) -> Held {
    rt::hold_back(head, location);
    if W::try_lock(raw) {
        W::entered(raw, || lock::acquired(head, W::MODE, false, location))
    } else {
        wait::<R, W>(raw, head, location)
    }
}

#[cold]
#[inline(never)]
fn wait<R, W: Way<R>>(raw: &R, head: &Head, location: Loc) -> Held {
    let request = lock::request(head, W::MODE, location);
    let blocking = rt::block(What::Lock, location);
    W::lock(raw);
    drop(blocking);
    W::entered(raw, || request.acquired())
}

/// Takes the lock if that needs no waiting.
#[inline]
pub(crate) fn try_lock<R, W: Way<R>>(raw: &R, head: &Head, location: Loc) -> Option<Held> {
    W::try_lock(raw).then(|| W::entered(raw, || lock::acquired(head, W::MODE, true, location)))
}

/// Waits for the lock to copy its value. That has no place of the program's, and is not recorded.
#[cfg(feature = "serde")]
pub(crate) fn quietly<R, W: Way<R>>(raw: &R) -> Held {
    W::lock(raw);
    W::entered(raw, Held::none)
}

/// Takes the lock to show its value if that needs no waiting. This is not recorded either.
pub(crate) fn peek<R, W: Way<R>>(raw: &R) -> Option<Held> {
    W::try_lock(raw).then(|| W::entered(raw, Held::none))
}

/// Waits for the lock for at most that long.
#[inline]
pub(crate) fn lock_for<R, W: TimedWay<R>>(
    raw: &R,
    head: &Head,
    timeout: W::Duration,
    location: Loc,
) -> Option<Held> {
    try_lock::<R, W>(raw, head, location)
        .or_else(|| wait_in_time::<R, W>(raw, head, location, || W::lock_for(raw, timeout)))
}

/// Waits for the lock until then at most.
#[inline]
pub(crate) fn lock_until<R, W: TimedWay<R>>(
    raw: &R,
    head: &Head,
    timeout: W::Instant,
    location: Loc,
) -> Option<Held> {
    try_lock::<R, W>(raw, head, location)
        .or_else(|| wait_in_time::<R, W>(raw, head, location, || W::lock_until(raw, timeout)))
}

#[cold]
fn wait_in_time<R, W: Way<R>>(
    raw: &R,
    head: &Head,
    location: Loc,
    lock: impl FnOnce() -> bool,
) -> Option<Held> {
    let request = lock::timed_request(head, W::MODE, location);
    let blocking = rt::block(What::Lock, location);
    let locked = lock();
    drop(blocking);
    locked.then(|| W::entered(raw, || request.acquired()))
}
