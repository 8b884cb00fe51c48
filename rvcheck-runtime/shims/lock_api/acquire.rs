//! Taking a raw lock, with what that records.

use std::any::type_name;
use std::time::Instant;

use rt::{control, lock};
use rt::{Head, Loc, Mode, What};

use crate::way::{State, Taken, TimedWay, Way};

/// Waits for the lock.
#[inline]
pub(crate) fn lock<W: Way>(raw: &W::Raw, head: &Head, location: Loc) -> Taken<W> {
    W::introduce(head);
    rt::delay(head, location);
    match try_in_turn::<W>(raw, head) {
        Some(state) => (state, W::entered(raw, || lock::acquired(head, W::MODE, false, location))),
        None => wait::<W>(raw, head, location),
    }
}

#[cold]
#[inline(never)]
fn wait<W: Way>(raw: &W::Raw, head: &Head, location: Loc) -> Taken<W> {
    let request = lock::request(head, W::MODE, location);
    let blocking = rt::block(What::Lock, location);
    let attempt = || try_in_turn::<W>(raw, head);
    let state = if matches!(W::MODE, Mode::Write) && may_wait::<W::Raw>() {
        control::waiting_to_write(head, location, attempt, || W::lock(raw))
    } else {
        waiting::<W::Raw, _>(head, location, attempt, || W::lock(raw))
    };
    drop(blocking);
    (state, W::entered(raw, || request.acquired()))
}

/// Takes the lock if that needs no waiting. Readers of parking_lot wait behind whoever waits to write.
#[inline]
fn try_in_turn<W: Way>(raw: &W::Raw, head: &Head) -> Option<State<W>> {
    let waits_behind = || matches!(W::MODE, Mode::Read) && !W::goes_past_writers() && is_of_parking_lot::<W::Raw>();
    if control::has_waiting_writer(head) && waits_behind() {
        return None;
    }
    W::try_lock(raw)
}

fn is_of_parking_lot<R>() -> bool {
    type_name::<R>().starts_with("parking_lot::")
}

/// Whether a wait for a raw lock of this type is known to be one. Those of others than parking_lot may do something else, such as panic, where
/// nobody can give them back.
fn may_wait<R>() -> bool {
    is_of_parking_lot::<R>() || !control::is_alone()
}

/// Waits for a raw lock of this type in the `real` call, or by `attempt`s where the run is controlled.
pub(crate) fn waiting<R, T>(
    head: &Head,
    location: Loc,
    attempt: impl FnMut() -> Option<T>,
    real: impl FnOnce() -> T,
) -> T {
    if may_wait::<R>() { control::waiting(head, location, attempt, real) } else { real() }
}

/// Takes the lock if that needs no waiting.
#[inline]
pub(crate) fn try_lock<W: Way>(raw: &W::Raw, head: &Head, location: Loc) -> Option<Taken<W>> {
    W::introduce(head);
    control::tries(head, location);
    let state = W::try_lock(raw);
    control::tried(head, state.is_some());
    let state = state?;
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
    let until = until(|| control::after(&timeout));
    try_lock::<W>(raw, head, location)
        .or_else(|| wait_in_time::<W>(raw, head, location, until, || W::lock_for(raw, timeout)))
}

/// Waits for the lock until then at most.
#[inline]
pub(crate) fn lock_until<W: TimedWay>(
    raw: &W::Raw,
    head: &Head,
    timeout: W::Instant,
    location: Loc,
) -> Option<Taken<W>> {
    let until = until(|| control::instant_of(&timeout).map(Some));
    try_lock::<W>(raw, head, location)
        .or_else(|| wait_in_time::<W>(raw, head, location, until, || W::lock_until(raw, timeout)))
}

#[cold]
fn wait_in_time<W: Way>(
    raw: &W::Raw,
    head: &Head,
    location: Loc,
    until: Until,
    lock: impl FnOnce() -> Option<State<W>>,
) -> Option<Taken<W>> {
    let request = lock::timed_request(head, W::MODE, location);
    let blocking = rt::block(What::Lock, location);
    let locked = until.waiting(head, location, || W::try_lock(raw).map(Some), || None, lock);
    drop(blocking);
    locked.map(|state| (state, W::entered(raw, || request.acquired())))
}

/// When a wait is over, in a controlled run. The inner one is `None` if never, the outer one where the time is one of which nothing is
/// known.
#[derive(Clone, Copy)]
pub(crate) struct Until(Option<Option<Instant>>);

/// That point in time, which is asked for where the run is controlled.
#[inline]
pub(crate) fn until(time: impl FnOnce() -> Option<Option<Instant>>) -> Until {
    Until(if control::on() { time() } else { None })
}

impl Until {
    /// The time, if the run is controlled and it is known.
    #[cfg(rv_lock_api_0_5)]
    pub(crate) fn known(self) -> Option<Option<Instant>> {
        self.0
    }

    /// Waits by `attempt`s until then, when the result is `late`; or in the `real` call.
    pub(crate) fn waiting<T>(
        self,
        head: &Head,
        location: Loc,
        attempt: impl FnMut() -> Option<T>,
        late: impl FnOnce() -> T,
        real: impl FnOnce() -> T,
    ) -> T {
        match self.0 {
            Some(deadline) => control::waiting_until(head, location, deadline, attempt, late, real),
            None => {
                let _left = control::outside(location);
                real()
            }
        }
    }
}
