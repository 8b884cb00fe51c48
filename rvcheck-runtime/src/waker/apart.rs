//! A waker that is not the one of the task: what a combinator polls one of its futures with. It lives as long as the poll, and each clone
//! has the real one.

use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use core::task::{RawWaker, RawWakerVTable, Waker};

use super::Uses;
use super::clones::Clones;
use super::shared::{Owned, Shared};

/// See the module. The poll may use it on several threads.
pub(super) struct Apart<'a> {
    real: &'a Waker,
    /// What counts the clones; `None` where no task is known, and clones are those of the real one.
    clones: Option<&'a Shared<Clones>>,
    /// What was done with it.
    pub(super) uses: Uses,
}

impl<'a> Apart<'a> {
    /// The waker of a poll with that real one.
    pub(super) fn new(real: &'a Waker, clones: Option<&'a Shared<Clones>>) -> Apart<'a> {
        Apart { real, clones, uses: Uses::default() }
    }

    /// The waker.
    pub(super) fn waker(&self) -> ManuallyDrop<Waker> {
        // SAFETY: the functions of the table keep the contract of wakers, on any thread. The data lives until the poll is over, and so does
        // this waker, since its clones have data of their own.
        ManuallyDrop::new(unsafe { Waker::new((&raw const *self).cast(), &APART) })
    }

    /// A clone that is counted. If there is no memory to be had, it is the real one, and a use.
    pub(super) fn counted(clones: &Shared<Clones>, real: Waker, uses: &Uses) -> RawWaker {
        clones.add();
        let spare = real.clone();
        // What is not made is dropped, and counted off again.
        if let Some(counted) = Shared::new(Counted { real, clones: clones.clone() }) {
            return RawWaker::new(counted.into_place().as_ptr().cast(), &COUNTED);
        }
        uses.note_wake();
        raw(spare)
    }
}

/// The parts of a waker.
fn raw(waker: Waker) -> RawWaker {
    let waker = ManuallyDrop::new(waker);
    RawWaker::new(waker.data(), waker.vtable())
}

/// The real waker behind one that lives as long as a poll.
pub(super) fn behind(waker: &Waker) -> Option<&Waker> {
    if !core::ptr::eq(waker.vtable(), &raw const APART) {
        return None;
    }
    // SAFETY: the table says what it is, and the real one lives as long.
    Some(unsafe { apart(waker.data()) }.real)
}

// A static, so that it has one address.
static APART: RawWakerVTable = RawWakerVTable::new(clone, wake, wake, forget);

/// # Safety
///
/// The data of a waker with the table [`APART`], which lives as long as the poll for which it was made.
unsafe fn apart<'a>(data: *const ()) -> &'a Apart<'a> {
    // SAFETY: as above.
    unsafe { &*data.cast() }
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: called for wakers with this table.
    let Apart { real, clones, uses } = unsafe { apart(data) };
    uses.note_clone();
    if let Some(clones) = clones {
        return Apart::counted(clones, (*real).clone(), uses);
    }
    uses.note_wake();
    raw((*real).clone())
}

unsafe fn wake(data: *const ()) {
    // SAFETY: called for wakers with this table.
    let apart = unsafe { apart(data) };
    apart.uses.note_wake();
    apart.real.wake_by_ref();
}

unsafe fn forget(_: *const ()) {}

/// A clone of the waker.
struct Counted {
    real: Waker,
    clones: Shared<Clones>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.clones.remove();
    }
}

// A static, so that it has one address.
static COUNTED: RawWakerVTable =
    RawWakerVTable::new(clone_counted, wake_counted, wake_counted_by_ref, forget_counted);

/// # Safety
///
/// The data of a waker with the table [`COUNTED`].
unsafe fn counted(data: *const ()) -> Shared<Counted> {
    // SAFETY: as above.
    unsafe { Shared::at(NonNull::new_unchecked(data.cast_mut().cast::<Owned<Counted>>())) }
}

unsafe fn clone_counted(data: *const ()) -> RawWaker {
    // SAFETY: called for wakers with this table, of which this one goes on to own what it does.
    let counted = ManuallyDrop::new(unsafe { counted(data) });
    RawWaker::new(Shared::clone(&counted).into_place().as_ptr().cast(), &COUNTED)
}

unsafe fn wake_counted(data: *const ()) {
    // SAFETY: called for wakers with this table, which are gone then.
    let counted = unsafe { counted(data) };
    let real = counted.real.clone();
    // The task may run at once, and then counts who has its waker.
    counted.clones.tell();
    drop(counted);
    real.wake();
}

unsafe fn wake_counted_by_ref(data: *const ()) {
    // SAFETY: as for a clone.
    let counted = ManuallyDrop::new(unsafe { counted(data) });
    counted.clones.tell();
    counted.real.wake_by_ref();
}

unsafe fn forget_counted(data: *const ()) {
    // SAFETY: called for wakers with this table, which are gone then.
    drop(unsafe { counted(data) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_a_waker_that_is_not_the_task_s_are_counted_for_the_task() {
        let clones = Clones::of(1).expect("the thread is not busy");
        clones.begin();
        let clone = {
            let apart = Apart::new(Waker::noop(), Some(&clones));
            let waker = apart.waker();
            assert!(behind(&waker).is_some_and(|it| it.will_wake(Waker::noop())));
            Waker::clone(&waker)
        };
        let other = clone.clone();
        assert!(clone.will_wake(&other));
        drop(clone);
        assert!(clones.suspend());
        drop(other);
        clones.begin();
        assert!(!clones.suspend());
    }
}
