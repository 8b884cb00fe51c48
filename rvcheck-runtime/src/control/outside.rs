//! Leaving control: while a participant does what is not controlled, others go on, and it waits for its turn when it comes back.

use rvcheck_event::exploration::word::{Cause, Operation};
use rvcheck_event::kind::What;

use super::handover::Handover;
use super::on;
use super::parker::{Here, here};
use super::participant::Step;
use super::points::carry_out;
use super::state::{Control, register, with};
use crate::{Loc, site};

/// The acting participant does something that is not controlled until this is dropped.
#[derive(Debug)]
pub struct Left(usize);

/// The acting participant leaves control, in order to do something for this reason.
pub(crate) fn leave(cause: Cause, location: Loc) -> Option<Left> {
    if !on() {
        return None;
    }
    register();
    left(site::of(location).id, |control, me| control.leaves(me, cause))
}

/// The acting participant does what is not controlled, such as a wait of which nothing is known, until the result is dropped.
#[inline]
pub fn outside(location: Loc) -> Option<Left> {
    leave(Cause::Foreign, location)
}

fn left(place: u32, leaves: impl FnOnce(&mut Control, usize) -> Handover) -> Option<Left> {
    let (me, handover) = with(|control| {
        let me = control.acting()?;
        control.point(me, Step { operation: Operation::Blocked, object: 0, place });
        control.all.halt(me, Some(here(Here::parker)));
        Some((me, leaves(control, me)))
    })??;
    handover.carry_out(true);
    Some(Left(me))
}

impl Drop for Left {
    fn drop(&mut self) {
        let me = self.0;
        carry_out(with(|control| {
            let step = Step { operation: Operation::Blocked, ..control.all[me].next };
            control.comes_back(me, step)
        }));
    }
}

/// Whether the acting participant waits for this kind of thing in a call that is not controlled.
pub(crate) fn blocked(what: What) -> Option<Cause> {
    Some(match what {
        What::Fs => Cause::Fs,
        What::Net => Cause::Net,
        What::Process => Cause::Process,
        _ => return None,
    })
}

/// Dropping this lets others go on, until what belongs to it is dropped.
#[derive(Debug)]
pub struct Leaves;

/// Dropping this waits for the turn again.
#[derive(Debug)]
pub struct Returns;

impl Drop for Leaves {
    fn drop(&mut self) {
        if on() {
            register();
            let left = left(0, |control, me| control.steps_aside(me, Cause::Foreign));
            here(|it| it.left.set(left.map(|it| core::mem::ManuallyDrop::new(it).0)));
        }
    }
}

impl Drop for Returns {
    fn drop(&mut self) {
        drop(here(|it| it.left.take()).map(Left));
    }
}
