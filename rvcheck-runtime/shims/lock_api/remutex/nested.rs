//! The raw lock of a re-entrant mutex, of which only the outermost acquisition is recorded.

use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};

use real::{GetThreadId, RawMutex, RawMutexFair, RawMutexTimed};
use rt::lock::Held;
use rt::{Head, Mode};

use crate::way::{FairWay, RawReentrant, TimedWay, Way};

/// A lock that its owner can take again.
///
/// Taking it again does not wait and changes nothing for others. So nothing is recorded of that: what follows the events would
/// see somebody take a lock that they have. The mark is in the lock, since the guard that is dropped last need not be the one
/// that was made first.
pub(crate) struct Nested<R: RawReentrant, G> {
    real: real::ReentrantMutex<R, G, ()>,
    /// How many guards there are. Only the owner touches this and the mark.
    depth: Cell<usize>,
    /// Without a destructor, since the real lock has none.
    mark: Cell<ManuallyDrop<Held>>,
}

// SAFETY: what is in cells belongs to who has the lock.
unsafe impl<R: RawMutex + Sync, G: GetThreadId + Sync> Sync for Nested<R, G> {}

impl<R: RawReentrant, G> Nested<R, G> {
    /// A free lock.
    pub(super) const fn new(raw: R, get_thread_id: G) -> Nested<R, G> {
        Nested {
            #[cfg(not(rv_lock_api_0_5))]
            real: real::ReentrantMutex::const_new(raw, get_thread_id, ()),
            #[cfg(rv_lock_api_0_5)]
            real: real::ReentrantMutex::from_raw(raw, get_thread_id, ()),
            depth: Cell::new(0),
            mark: Cell::new(ManuallyDrop::new(Held::none())),
        }
    }

    /// The raw lock, and what tells threads apart.
    #[cfg(rv_lock_api_0_5)]
    pub(super) fn into_inner(self) -> (R, G) {
        let (raw, get_thread_id, ()) = self.real.into_inner_with_raw();
        (raw, get_thread_id)
    }

    /// The real lock.
    pub(super) fn real(&self) -> &real::ReentrantMutex<R, G, ()> {
        &self.real
    }
}

/// A re-entrant mutex.
pub(crate) struct Again<R, G>(PhantomData<(R, G)>);

impl<R: RawMutex, G: GetThreadId> Way for Again<R, G> {
    type Raw = Nested<R, G>;
    type State = ();
    type Mark = ();

    const MODE: Mode = Mode::Write;

    #[inline]
    fn lock(raw: &Nested<R, G>) {
        mem::forget(raw.real.lock());
    }

    #[inline]
    fn try_lock(raw: &Nested<R, G>) -> Option<()> {
        raw.real.try_lock().map(mem::forget)
    }

    #[inline]
    unsafe fn unlock(raw: &Nested<R, G>, (): ()) {
        // SAFETY: as the caller says.
        unsafe { raw.real.force_unlock() }
    }

    #[inline]
    fn entered(raw: &Nested<R, G>, record: impl FnOnce() -> Held) -> Held {
        let depth = raw.depth.get();
        if depth == 0 {
            raw.mark.set(ManuallyDrop::new(record()));
        }
        raw.depth.set(depth + 1);
        Held::none()
    }

    #[inline]
    fn left(raw: &Nested<R, G>, _held: Held) {
        let depth = raw.depth.get().saturating_sub(1);
        raw.depth.set(depth);
        if depth == 0 {
            drop(ManuallyDrop::into_inner(raw.mark.replace(ManuallyDrop::new(Held::none()))));
        }
    }

    fn assumed(_raw: &Nested<R, G>, _head: &Head) -> Held {
        Held::none()
    }
}

impl<R: RawMutexFair, G: GetThreadId> FairWay for Again<R, G> {
    #[inline]
    unsafe fn unlock_fair(raw: &Nested<R, G>, (): ()) {
        // SAFETY: as the caller says.
        unsafe { raw.real.force_unlock_fair() }
    }

    /// As the real one, only the owner of a single guard lets others go first.
    #[inline]
    unsafe fn bump(raw: &Nested<R, G>, (): &mut ()) {
        if raw.depth.get() == 0 {
            // SAFETY: as the caller says.
            unsafe { raw.real.force_unlock_fair() }
            mem::forget(raw.real.lock());
        }
    }
}

impl<R: RawMutexTimed, G: GetThreadId> TimedWay for Again<R, G> {
    type Duration = R::Duration;
    type Instant = R::Instant;

    #[inline]
    fn lock_for(raw: &Nested<R, G>, timeout: R::Duration) -> Option<()> {
        raw.real.try_lock_for(timeout).map(mem::forget)
    }

    #[inline]
    fn lock_until(raw: &Nested<R, G>, timeout: R::Instant) -> Option<()> {
        raw.real.try_lock_until(timeout).map(mem::forget)
    }
}
