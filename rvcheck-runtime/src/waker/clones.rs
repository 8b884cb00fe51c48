//! The clones of a task's waker that code has which records nothing: how many there are, and when the last one is gone.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::task::{RawWaker, RawWakerVTable, Waker};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

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
    is_told: AtomicBool,
}

/// A clone of the waker.
struct Counted {
    real: Waker,
    clones: Shared<Clones>,
}

impl Clones {
    /// Of a task that has not run yet. `None` if there is no memory to be had.
    pub(crate) fn of(task: u32) -> Option<Shared<Clones>> {
        Shared::new(Clones { task, state: AtomicU64::new(0), is_told: AtomicBool::new(false) })
    }

    /// The task runs.
    pub(crate) fn begin(&self) {
        self.is_told.store(false, Ordering::Relaxed);
        self.state.fetch_add(STEP, Ordering::Relaxed);
    }

    /// The task waits. Whether anybody has a clone, or has just used one.
    pub(crate) fn suspend(&self) -> bool {
        self.state.fetch_add(STEP, Ordering::AcqRel) as u32 != 0 || self.is_told.load(Ordering::Relaxed)
    }

    /// The task is over.
    pub(crate) fn end(&self) {
        self.is_told.store(true, Ordering::Relaxed);
    }
}

impl Shared<Clones> {
    /// Counts a clone. If there is no memory to be had, it is given back uncounted.
    pub(super) fn counted(&self, real: Waker) -> Result<Waker, Waker> {
        let clone = real.clone();
        self.state.fetch_add(1, Ordering::Relaxed);
        // What is not made is dropped, and counted off again.
        let Some(counted) = Shared::new(Counted { real, clones: self.clone() }) else { return Err(clone) };
        let data = counted.into_place().as_ptr();
        // SAFETY: the functions of the table keep the contract of wakers, on any thread.
        Ok(unsafe { Waker::new(data.cast(), &COUNTED) })
    }
}

// A static, so that it has one address.
static COUNTED: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, forget);

/// # Safety
///
/// The data of a waker with the table [`COUNTED`].
unsafe fn place(data: *const ()) -> NonNull<Owned<Counted>> {
    // SAFETY: as above.
    unsafe { NonNull::new_unchecked(data.cast_mut().cast()) }
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: called for wakers with this table, of which this one goes on to own what it does.
    let counted = unsafe { core::mem::ManuallyDrop::new(Shared::at(place(data))) };
    RawWaker::new(Shared::clone(&counted).into_place().as_ptr().cast(), &COUNTED)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: called for wakers with this table.
    unsafe {
        wake_by_ref(data);
        forget(data);
    }
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as for a clone.
    let counted = unsafe { core::mem::ManuallyDrop::new(Shared::at(place(data))) };
    counted.real.wake_by_ref();
    // The task may run at once. Then nothing is said of a clone that is dropped before it runs again.
    counted.clones.is_told.store(true, Ordering::Release);
}

unsafe fn forget(data: *const ()) {
    // SAFETY: called for wakers with this table, which are gone then.
    drop(unsafe { Shared::at(place(data)) });
}

impl Drop for Counted {
    fn drop(&mut self) {
        let Clones { task, state, is_told } = &*self.clones;
        let before = state.fetch_sub(1, Ordering::AcqRel);
        let order = (before >> 32) as u32;
        // A task that runs tells it when it suspends.
        let waits = order.is_multiple_of(2);
        if before as u32 == 1 && waits && switch::on() && !is_told.load(Ordering::Acquire) {
            stream::push(Record::event(EventKind::WakerDrop, 0, 0, *task, order));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_knows_whether_anybody_has_its_waker() {
        let clones = Clones::of(1).expect("the thread is not busy");
        let counted = || clones.counted(Waker::noop().clone()).expect("the thread is not busy");
        clones.begin();
        let one = counted();
        let other = one.clone();
        assert!(one.will_wake(&other));
        drop(one);
        assert!(clones.suspend());
        drop(other);
        clones.begin();
        assert!(!clones.suspend());
        clones.begin();
        counted().wake();
        assert!(clones.suspend(), "it is polled again");
    }
}
