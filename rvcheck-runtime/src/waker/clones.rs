//! The waker that a task is polled with, and its clones that code has which records nothing: how many there are, and when the last one is
//! gone.
//!
//! It is told apart from the real one by its table. Its data is what counts its clones, so that all of them would wake each other, as
//! those of the real one would. A clone owns a clone of the real one, bit for bit: so many owners has that, too.

use core::cell::UnsafeCell;
use core::mem::{ManuallyDrop, MaybeUninit, forget};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::task::{RawWaker, RawWakerVTable, Waker};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use super::Uses;
use super::apart::Apart;
use super::shared::{Owned, Shared};
use crate::{stream, switch};

/// One step of the task: the clones are counted below.
const STEP: u64 = 1 << 32;

/// See the module. Each task has one.
#[derive(Debug)]
pub(crate) struct Clones {
    task: u32,
    /// In the lower half how many clones there are, in the upper half how many ordered events the task had: who reads both at once knows
    /// which of two changes came first.
    state: AtomicU64,
    /// A clone has woken the task since it began to run last, or it is over.
    is_woken: AtomicBool,
    /// The task is polled with this waker now.
    is_lent: AtomicBool,
    /// What was done with it since it was lent.
    uses: Uses,
    /// The real waker, as long as this one is lent or has clones. It is borrowed from the poll, and each clone owns it once more.
    real: UnsafeCell<MaybeUninit<Waker>>,
}

// SAFETY: wakers are. The real one is only put in its place where nobody else has this waker, by the thread that polls the task.
unsafe impl Sync for Clones {}

impl Clones {
    /// Of a task that has not run yet. `None` if there is no memory to be had.
    pub(crate) fn of(task: u32) -> Option<Shared<Clones>> {
        Shared::new(Clones {
            task,
            state: AtomicU64::new(0),
            is_woken: AtomicBool::new(false),
            is_lent: AtomicBool::new(false),
            uses: Uses::default(),
            real: UnsafeCell::new(MaybeUninit::uninit()),
        })
    }

    /// The task runs.
    pub(crate) fn begin(&self) {
        self.is_woken.store(false, Ordering::Relaxed);
        self.state.fetch_add(STEP, Ordering::Relaxed);
    }

    /// The task waits. Whether anybody has a clone, or has just used one.
    pub(crate) fn suspend(&self) -> bool {
        self.state.fetch_add(STEP, Ordering::AcqRel) as u32 != 0 || self.is_woken.load(Ordering::Relaxed)
    }

    /// The task is over.
    pub(crate) fn end(&self) {
        self.is_woken.store(true, Ordering::Relaxed);
    }

    /// There is a clone more.
    pub(super) fn add(&self) {
        self.state.fetch_add(1, Ordering::Relaxed);
    }

    /// There is a clone less. The last one is told.
    pub(super) fn remove(&self) {
        let before = self.state.fetch_sub(1, Ordering::AcqRel);
        let order = (before >> 32) as u32;
        // A task that runs tells it when it suspends.
        let waits = order.is_multiple_of(2);
        if before as u32 == 1 && waits && switch::on() && !self.is_woken.load(Ordering::Acquire) {
            stream::push(Record::event(EventKind::WakerDrop, 0, 0, self.task, order));
        }
    }

    /// A clone is about to wake the task: nothing is said of a clone that is dropped before it runs again.
    pub(super) fn tell(&self) {
        self.is_woken.store(true, Ordering::Release);
    }

    /// # Safety
    ///
    /// The waker is lent, or has a clone, as long as the result is used.
    unsafe fn real<'a>(&self) -> &'a Waker {
        // SAFETY: as above.
        unsafe { (*self.real.get()).assume_init_ref() }
    }
}

impl Shared<Clones> {
    /// The waker of a poll with that real one. `None` where an outer poll of the task, or a clone, has another real one.
    pub(super) fn lend(&self, real: &Waker) -> Option<Lent<'_>> {
        let is_nested = self.is_lent.load(Ordering::Relaxed);
        // Whoever dropped the last clone does not look at the real one any more.
        if is_nested || self.state.load(Ordering::Acquire) as u32 != 0 {
            // SAFETY: it is lent or has a clone, and only this thread lends it.
            let is_same = unsafe { self.real() }.will_wake(real);
            if !is_same {
                return None;
            }
        } else {
            // SAFETY: nobody has this waker. The copy is a borrow, and is never dropped.
            unsafe { core::ptr::copy_nonoverlapping(real, (*self.real.get()).as_mut_ptr(), 1) };
        }
        self.is_lent.store(true, Ordering::Relaxed);
        let data = self.place().as_ptr().cast();
        // SAFETY: the functions of the table keep the contract of wakers, on any thread.
        let waker = ManuallyDrop::new(unsafe { Waker::new(data, &CLONES) });
        Some(Lent { clones: self, waker, outer: self.uses.begin(), is_nested })
    }
}

/// The waker of a task while it is polled.
pub(super) struct Lent<'a> {
    clones: &'a Clones,
    waker: ManuallyDrop<Waker>,
    /// What was done with it in the poll around this one.
    outer: [bool; 2],
    is_nested: bool,
}

impl Lent<'_> {
    /// The waker.
    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    /// What was done with it.
    pub(super) fn uses(&self) -> &Uses {
        &self.clones.uses
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.clones.uses.end(self.outer);
        self.clones.is_lent.store(self.is_nested, Ordering::Relaxed);
    }
}

/// The real waker behind one that a task is polled with, or a clone of that.
pub(super) fn behind(waker: &Waker) -> Option<&Waker> {
    if !core::ptr::eq(waker.vtable(), &raw const CLONES) {
        return None;
    }
    // SAFETY: the table says what it is. What is borrowed is lent or a clone.
    Some(unsafe { clones(waker.data()).real() })
}

// A static, so that it has one address.
static CLONES: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, forget_clone);

/// # Safety
///
/// The data of a waker with the table [`CLONES`], of which the result is used no longer than that.
unsafe fn clones(data: *const ()) -> ManuallyDrop<Shared<Clones>> {
    // SAFETY: as above.
    ManuallyDrop::new(unsafe { Shared::at(NonNull::new_unchecked(data.cast_mut().cast::<Owned<Clones>>())) })
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: called for wakers with this table.
    let (clones, real) = unsafe {
        let clones = clones(data);
        let real = clones.real();
        (clones, real)
    };
    clones.uses.note_clone();
    let copy = real.clone();
    if !copy.will_wake(real) {
        return Apart::counted(&clones, copy, &clones.uses);
    }
    forget(copy);
    clones.add();
    RawWaker::new(Shared::clone(&clones).into_place().as_ptr().cast(), &CLONES)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: called for clones with this table, each of which owns a copy of the real one.
    unsafe {
        let clones = clones(data);
        clones.uses.note_wake();
        let real = core::ptr::read(clones.real());
        // The task may run at once, and then counts who has its waker.
        clones.tell();
        release(data);
        real.wake();
    }
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: called for wakers with this table.
    let clones = unsafe { clones(data) };
    clones.uses.note_wake();
    clones.tell();
    // SAFETY: as above.
    unsafe { clones.real() }.wake_by_ref();
}

unsafe fn forget_clone(data: *const ()) {
    // SAFETY: called for clones with this table, each of which owns a copy of the real one.
    unsafe {
        let real = core::ptr::read(clones(data).real());
        release(data);
        drop(real);
    }
}

/// # Safety
///
/// The data of a clone with the table [`CLONES`] that is gone then, and whose real waker is somewhere else.
unsafe fn release(data: *const ()) {
    // SAFETY: as above.
    let clones = ManuallyDrop::into_inner(unsafe { clones(data) });
    clones.remove();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waker::real;
    use core::task::Context;
    use std::sync::Arc;
    use std::task::Wake;

    struct Owned(#[expect(dead_code, reason = "only its owners matter")] u8);

    impl Wake for Owned {
        fn wake(self: Arc<Self>) {}
    }

    #[test]
    fn a_task_knows_whether_anybody_has_its_waker() {
        let clones = Clones::of(1).expect("the thread is not busy");
        clones.begin();
        let one = clones.lend(Waker::noop()).expect("nobody has another one").waker().clone();
        let other = one.clone();
        drop(one);
        assert!(clones.suspend());
        drop(other);
        clones.begin();
        assert!(!clones.suspend());
        clones.begin();
        let clone = clones.lend(Waker::noop()).expect("nobody has another one").waker().clone();
        clone.wake();
        assert!(clones.suspend(), "it is polled again");
    }

    #[test]
    fn clones_are_one_waker_and_own_the_real_one_as_often() {
        let owned = Arc::new(Owned(1));
        let waker = Waker::from(Arc::clone(&owned));
        let clones = Clones::of(1).expect("the thread is not busy");
        let kept = {
            let lent = clones.lend(&waker).expect("nobody has another one");
            let kept = [lent.waker().clone(), lent.waker().clone()];
            assert!(kept[0].will_wake(&kept[1]) && kept[0].will_wake(lent.waker()));
            assert!(real(&Context::from_waker(&kept[0])).waker().will_wake(&waker));
            assert_eq!(Arc::strong_count(&owned), 4);
            kept
        };
        let again = clones.lend(&waker).expect("it is the same");
        assert!(kept[0].will_wake(again.waker()));
        drop(again);
        assert!(clones.lend(Waker::noop()).is_none(), "the clones wake another one");
        let [one, other] = kept;
        one.wake();
        drop(other);
        assert_eq!(Arc::strong_count(&owned), 2);
        assert!(clones.lend(Waker::noop()).is_some());
    }
}
