//! Points before visible operations: the acting participant says what it is about to do, and waits for its turn. Where the operation may fail, it
//! says afterwards whether it has: who fails again and again waits for a change.

use rvcheck_event::exploration::word::{Operation, SpuriousKind};
use rvcheck_event::kind::{ObjectKind, Sort};

use super::on;
use super::parker::{Here, here};
use super::participant::{JOINED, Look, Step};
use super::state::{Answer, register, with};
use crate::thread::State;
use crate::{Head, Loc, site, thread};

/// Marks the numbers of atomics among those of objects.
const ATOMIC: u64 = 1 << 63;

/// What all observed calls have to do with: properties may speak of any of them together.
const CALLS: u64 = 1 << 59;

/// Carries out what comes of a point: returns when it is the turn of whoever has come.
pub(super) fn carry_out(answer: Option<Answer>) {
    if let Some(Answer::Wait(handover, parker)) = answer {
        handover.carry_out(true);
        parker.wait();
    }
}

/// The acting participant is about to do something visible with this object.
pub(crate) fn before(head: &Head, location: Loc) {
    register();
    let site = site::of(location);
    if !site.own {
        return;
    }
    let operation = match head.kind().map(ObjectKind::sort) {
        Some(Sort::Chan) => Operation::Send,
        Some(Sort::Sem) => Operation::Permit,
        Some(Sort::Signal) => Operation::Wait,
        _ => Operation::Lock,
    };
    let step = Step { operation, object: head.id().into(), place: site.id };
    carry_out(with(|it| it.comes(step)));
}

/// The acting participant is about to do something visible with this object that never waits. To be called before the real call.
#[inline]
pub fn asks(head: &Head, location: Loc) {
    if on() {
        ask(head, location);
    }
}

#[cold]
#[inline(never)]
fn ask(head: &Head, location: Loc) {
    before(head, location);
}

/// The acting participant is about to try something that does not wait. To be called before the real call, whose result is to be told by
/// [`tried`].
#[inline]
pub fn tries(head: &Head, location: Loc) {
    if on() {
        try_it(head, location);
    }
}

#[cold]
#[inline(never)]
fn try_it(head: &Head, location: Loc) {
    register();
    let site = site::of(location);
    if site.own {
        let step = Step { operation: Operation::Try, object: head.id().into(), place: site.id };
        carry_out(with(|it| it.comes(step)));
    }
}

/// What was tried with this object has succeeded, or not.
#[inline]
pub fn tried(head: &Head, succeeded: bool) {
    if on() {
        look_at(head.id().into(), u64::from(succeeded), succeeded);
    }
}

/// The acting participant is about to read or write the atomic at this address.
pub(crate) fn before_atomic(address: usize, location: Loc) {
    if !thread::with(State::may_follow) {
        return;
    }
    let site = site::of(location);
    let step = Step { operation: Operation::Atomic, object: ATOMIC | address as u64, place: site.id };
    carry_out(with(|it| it.comes(step)));
}

/// Whether the weak exchange of the acting participant fails although it finds the value that it expects.
pub(crate) fn fails_spuriously() -> bool {
    on() && thread::with(State::may_follow)
        && with(|control| {
            let me = here(Here::holder)?;
            Some(control.is_spurious(me, SpuriousKind::Failure))
        }) == Some(Some(true))
}

/// The acting participant is about to make an observed call here, or to return from one.
pub(crate) fn before_call(place: u32) {
    register();
    carry_out(with(|it| it.comes(Step { operation: Operation::Call, object: CALLS, place })));
}

/// The acting participant has found this value in the atomic at this address.
pub(crate) fn looked(address: usize, value: u64) {
    look_at(ATOMIC | address as u64, value, false);
}

/// The acting participant has written to the atomic at this address.
pub(crate) fn changed_atomic(address: usize) {
    with(|it| it.changed(ATOMIC | address as u64));
}

/// Does what does not wait, with the question before it.
#[inline]
pub fn trying<R>(
    head: &Head,
    location: Loc,
    attempt: impl FnOnce() -> R,
    has_succeeded: impl FnOnce(&R) -> bool,
) -> R {
    tries(head, location);
    let result = attempt();
    if on() {
        tried(head, has_succeeded(&result));
    }
    result
}

/// The acting participant is about to ask for this task to be cancelled.
pub(crate) fn before_abort(task: u32, location: Loc) {
    register();
    let site = site::of(location);
    if site.own {
        let step = Step { operation: Operation::Notify, object: JOINED | u64::from(task), place: site.id };
        let answer = with(|control| {
            let answer = control.comes(step);
            control.may_cancel_later(task);
            answer
        });
        carry_out(answer);
    }
}

fn look_at(object: u64, value: u64, has_come_on: bool) {
    with(|control| {
        let Some(me) = here(Here::holder) else { return };
        let look = &mut control.all[me].look;
        let is_same = (look.object, look.value) == (object, value) && !has_come_on;
        let times = if is_same { look.times + 1 } else { 0 };
        *look = Look { object, value, times };
    });
}

/// The thread lets others go on.
pub fn yields(location: Loc) {
    if !on() {
        return;
    }
    register();
    let step = Step { operation: Operation::Yield, object: 0, place: site::of(location).id };
    let answer = with(|control| {
        if let Some(me) = control.acting() {
            control.chooser.yields(me);
        }
        control.comes(step)
    });
    carry_out(answer);
}

/// Somebody has changed this object, of which nothing is recorded. Whoever waits for it may try again.
#[inline]
pub fn changed(head: &Head) {
    if on() {
        with(|it| it.changed(head.id().into()));
    }
}
