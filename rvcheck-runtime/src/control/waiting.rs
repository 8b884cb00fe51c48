//! Waits with the thread: for objects that others change, for time, and for being let go on.

use core::time::Duration;
use std::time::Instant;

use rvcheck_event::exploration::word::{Operation, SpuriousKind};

use super::deadline::{Deadline, LINGERS};
use super::participant::{Status, Step};
use super::points::carry_out;
use super::state::{Control, Turn, register, with};
use super::{clock, on};
use crate::{Head, Loc, site};

/// Marks the objects that somebody waits to have alone.
const WRITER: u64 = 1 << 59;

/// What came of trying again and again.
#[derive(Debug)]
pub enum Retried<R> {
    /// What one of the tries gave.
    Got(R),
    /// The time is over.
    TimedOut,
    /// The run is not controlled: what waits for the object is to be called.
    Uncontrolled,
}

/// How a wait has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// Somebody has changed what was waited for, or has given the signal.
    Changed,
    /// The time is over.
    Late,
    /// It has ended by itself, as the documentation of the wait allows.
    Spurious,
}

/// Waits with the thread until somebody changes one of the objects, or until then. `None` if the run is not controlled.
pub(super) fn wait_for(objects: &[u64], deadline: Option<Deadline>, place: u32) -> Option<Waited> {
    wait_or_not(objects, deadline, place, false)
}

/// The same; it may also end by itself.
fn wait_or_not(
    objects: &[u64],
    deadline: Option<Deadline>,
    place: u32,
    may_be_spurious: bool,
) -> Option<Waited> {
    let (object, also) = objects.split_first().map_or((0, objects), |(first, rest)| (*first, rest));
    stand((object, place), may_be_spurious, |control, me| {
        if deadline.is_some_and(|it| !it.may_be_early) {
            control.seen.limit(place);
        }
        let is_listed = control.early.contains(&place);
        let it = &mut control.all[me];
        it.deadline = deadline.map(|it| Deadline { may_be_early: it.may_be_early || is_listed, ..it });
        it.also = also.to_vec();
        Status::Waiting(object)
    })
}

/// Waits with the thread in the status that is given. `None` if the run is not controlled.
pub(super) fn stand(
    (object, place): (u64, u32),
    may_be_spurious: bool,
    status: impl FnOnce(&mut Control, usize) -> Status,
) -> Option<Waited> {
    let answer = with(|control| {
        let me = control.acting()?;
        let step = Step { operation: Operation::Blocked, object, place };
        if control.turn != Turn::Running(me) {
            return Some((me, Some(control.comes_back(me, step))));
        }
        control.point(me, step);
        let status = status(control, me);
        if may_be_spurious && control.is_spurious(me, SpuriousKind::Wakeup) {
            control.all[me].waits_no_more();
            return Some((me, None));
        }
        Some((me, Some(control.waits(me, status))))
    })??;
    let (me, Some(answer)) = answer else { return Some(Waited::Spurious) };
    carry_out(Some(answer));
    with(|control| {
        let it = &mut control.all[me];
        it.waits_no_more();
        if core::mem::take(&mut it.is_late) { Waited::Late } else { Waited::Changed }
    })
}

/// Tries again and again, each time when somebody has changed the object. `None` if the run is not controlled, and whoever waits is to
/// wait in the real call.
#[inline]
pub fn retry<R>(head: &Head, location: Loc, attempt: impl FnMut() -> Option<R>) -> Option<R> {
    if !on() {
        return None;
    }
    match retry_until(head, location, None, attempt) {
        Retried::Got(result) => Some(result),
        Retried::TimedOut | Retried::Uncontrolled => None,
    }
}

/// Waits for an object: by trying again and again where the run is controlled, else in the `real` call.
#[inline]
pub fn waiting<R>(
    head: &Head,
    location: Loc,
    attempt: impl FnMut() -> Option<R>,
    real: impl FnOnce() -> R,
) -> R {
    retry(head, location, attempt).unwrap_or_else(real)
}

/// The same for whoever is to have the object alone, and lets nobody in meanwhile who only reads: see [`has_waiting_writer`].
#[inline]
pub fn waiting_to_write<R>(
    head: &Head,
    location: Loc,
    mut attempt: impl FnMut() -> Option<R>,
    real: impl FnOnce() -> R,
) -> R {
    if !on() {
        return real();
    }
    register();
    let object = u64::from(head.id());
    match retry_objects(&[object, WRITER | object], site::of(location).id, None, &mut attempt) {
        Retried::Got(result) => result,
        Retried::TimedOut | Retried::Uncontrolled => real(),
    }
}

/// Whether somebody waits to have this object alone. Then whoever wants to read waits behind that, as in the locks of std and `parking_lot`: in a
/// controlled run the real one does not know of it.
#[inline]
pub fn has_waiting_writer(head: &Head) -> bool {
    on() && is_wanted_alone(head)
}

#[cold]
#[inline(never)]
fn is_wanted_alone(head: &Head) -> bool {
    let object = WRITER | u64::from(head.id());
    with(|control| !control.all.waiting_for(object).is_empty()) == Some(true)
}

/// The same until some point in time, when the result is `late`.
#[inline]
pub fn waiting_until<R>(
    head: &Head,
    location: Loc,
    deadline: Option<Instant>,
    attempt: impl FnMut() -> Option<R>,
    late: impl FnOnce() -> R,
    real: impl FnOnce() -> R,
) -> R {
    match retry_until(head, location, deadline, attempt) {
        Retried::Got(result) => result,
        Retried::TimedOut => late(),
        Retried::Uncontrolled => real(),
    }
}

/// The same, until some point in time at most.
pub fn retry_until<R>(
    head: &Head,
    location: Loc,
    deadline: Option<Instant>,
    attempt: impl FnMut() -> Option<R>,
) -> Retried<R> {
    retry_any(&[head], location, deadline, attempt)
}

/// The same with several objects of which any may change; without one, only the time ends the wait.
pub fn retry_any<R>(
    heads: &[&Head],
    location: Loc,
    deadline: Option<Instant>,
    attempt: impl FnMut() -> Option<R>,
) -> Retried<R> {
    if !on() {
        return Retried::Uncontrolled;
    }
    register();
    let objects: Vec<u64> = heads.iter().map(|it| it.id().into()).collect();
    retry_objects(&objects, site::of(location).id, deadline, attempt)
}

/// How many wait with their threads for this object. `None` if the run is not controlled.
#[inline]
pub fn waiters(head: &Head) -> Option<usize> {
    if !on() {
        return None;
    }
    let object = head.id().into();
    with(|control| control.all.waiting_for(object).len())
}

/// Whether a timer that gives a signal at this time has done so: if the clock was chosen for that, or if the time was over before.
pub fn has_come(time: Instant) -> bool {
    let at = clock::at(time);
    with(|it| at <= it.over) != Some(false)
}

/// Whether the run is controlled and nobody else is left who could change anything.
#[inline]
pub fn is_alone() -> bool {
    on() && with(|it| it.all.live() <= 1) == Some(true)
}

/// Limits are computed some time before the wait begins. So much less of them is taken for that.
const TICK: u64 = 100_000;

/// A time that limits a wait.
pub(super) fn limit(time: Instant) -> Deadline {
    let at = clock::at(time);
    let due = with(|it| it.due_at(at, TICK)).unwrap_or(at);
    Deadline { at, due, ticks: u64::MAX, may_be_early: false }
}

pub(super) fn retry_objects<R>(
    objects: &[u64],
    place: u32,
    deadline: Option<Instant>,
    mut attempt: impl FnMut() -> Option<R>,
) -> Retried<R> {
    let deadline = deadline.map(limit);
    loop {
        if let Some(result) = attempt() {
            return Retried::Got(result);
        }
        match wait_for(objects, deadline, place) {
            None => return Retried::Uncontrolled,
            Some(Waited::Late) => return attempt().map_or(Retried::TimedOut, Retried::Got),
            Some(Waited::Changed | Waited::Spurious) => {}
        }
    }
}

/// Sleeps. Whether the run is controlled, and it has slept. It may be over before others have gone on.
pub fn sleep(duration: Duration, location: Loc) -> bool {
    sleep_or_be_early(duration, location, true, u64::MAX)
}

/// The same, and nobody who can go on is left behind.
pub(crate) fn linger(duration: Duration, location: Loc) -> bool {
    sleep_or_be_early(duration, location, false, LINGERS)
}

fn sleep_or_be_early(duration: Duration, location: Loc, may_be_early: bool, most: u64) -> bool {
    if !on() {
        return false;
    }
    register();
    let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    let at = clock::now().saturating_add(nanos);
    let (due, ticks) = with(|it| (it.due_after(nanos), it.ticks.saturating_add(most))).unwrap_or((at, most));
    let until = Deadline { at, due, ticks, may_be_early };
    wait_for(&[], Some(until), site::of(location).id).is_some()
}

/// Waits for a signal that somebody else gives by changing the object, or until then, and for nothing else: it does not try. Where the
/// documentation of the wait allows that, it may end by itself. `None` if the run is not controlled.
pub fn wait_for_signal(
    head: &Head,
    location: Loc,
    deadline: Option<Instant>,
    may_be_spurious: bool,
) -> Option<Waited> {
    if !on() {
        return None;
    }
    register();
    wait_or_not(&[head.id().into()], deadline.map(limit), site::of(location).id, may_be_spurious)
}
