//! Taking a raw lock, with what that records.

use rt::lock;
use rt::{Head, Loc, What};

use crate::way::{State, Taken, TimedWay, Way};

/// Waits for the lock.
#[inline]
pub(crate) fn lock<W: Way>(raw: &W::Raw, head: &Head, location: Loc) -> Taken<W> {
    W::introduce(head);
    rt::delay(head, location);
    match W::try_lock(raw) {
        Some(state) => (state, W::entered(raw, || lock::acquired(head, W::MODE, false, location))),
        None => wait::<W>(raw, head, location),
    }
}

#[cold]
#[inline(never)]
fn wait<W: Way>(raw: &W::Raw, head: &Head, location: Loc) -> Taken<W> {
    let request = lock::request(head, W::MODE, location);
    let blocking = rt::block(What::Lock, location);
    let state = W::lock(raw);
    drop(blocking);
    (state, W::entered(raw, || request.acquired()))
}

/// Takes the lock if that needs no waiting.
#[inline]
pub(crate) fn try_lock<W: Way>(raw: &W::Raw, head: &Head, location: Loc) -> Option<Taken<W>> {
    W::introduce(head);
    let state = W::try_lock(raw)?;
    Some((state, W::entered(raw, || lock::acquired(head, W::MODE, true, location))))
}

/// Waits for the lock to copy its value. That has no place of the program's, and is not recorded.
#[cfg(feature = "serde")]
pub(crate) fn quietly<W: Way>(raw: &W::Raw) -> Taken<W> {
    (W::lock(raw), W::entered(raw, lock::Held::none))
}

/// Takes the lock to show its value if that needs no waiting. This is not recorded either.
pub(crate) fn peek<W: Way>(raw: &W::Raw) -> Option<Taken<W>> {
    W::try_lock(raw).map(|state| (state, W::entered(raw, lock::Held::none)))
}

/// Waits for the lock for at most that long.
#[inline]
pub(crate) fn lock_for<W: TimedWay>(
    raw: &W::Raw,
    head: &Head,
    timeout: W::Duration,
    location: Loc,
) -> Option<Taken<W>> {
    try_lock::<W>(raw, head, location)
        .or_else(|| wait_in_time::<W>(raw, head, location, || W::lock_for(raw, timeout)))
}

/// Waits for the lock until then at most.
#[inline]
pub(crate) fn lock_until<W: TimedWay>(
    raw: &W::Raw,
    head: &Head,
    timeout: W::Instant,
    location: Loc,
) -> Option<Taken<W>> {
    try_lock::<W>(raw, head, location)
        .or_else(|| wait_in_time::<W>(raw, head, location, || W::lock_until(raw, timeout)))
}

#[cold]
fn wait_in_time<W: Way>(
    raw: &W::Raw,
    head: &Head,
    location: Loc,
    lock: impl FnOnce() -> Option<State<W>>,
) -> Option<Taken<W>> {
    let request = lock::timed_request(head, W::MODE, location);
    let blocking = rt::block(What::Lock, location);
    let locked = lock();
    drop(blocking);
    locked.map(|state| (state, W::entered(raw, || request.acquired())))
}
