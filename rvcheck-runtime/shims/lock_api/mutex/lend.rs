//! What the real lock knows of its being held, for condition variables.

use std::ptr;
use std::time::Instant;

use real::RawMutex;
use rt::{control, Head, Loc};

use super::MutexGuard;
use crate::hold::surely;
use crate::way::{State, Way, Whole};

/// Hands the real lock and its state to what gives the lock back and takes it again. The release is recorded before, the
/// acquisition after it.
pub(crate) fn lend<R: RawMutex, T: ?Sized, O>(
    guard: &mut MutexGuard<'_, R, T>,
    location: Loc,
    wait: impl FnOnce(&Head, &real::Mutex<R, ()>, &mut State<Whole<R>>) -> O,
) -> O {
    guard.hold.leave();
    let back = Back { guard, location };
    let (state, lock) = back.guard.hold.state();
    wait(&lock.head, &lock.real, state)
}

/// In a controlled run: gives the raw lock of this identity back, waits for the signal until then at most, and takes the lock again.
/// Whether there was a signal.
///
/// # Safety
///
/// The lock is held with this state.
pub(crate) unsafe fn wait_in_turn<R: RawMutex>(
    head: &Head,
    raw: &R,
    state: &mut State<Whole<R>>,
    signal: &Head,
    deadline: Option<Instant>,
    location: Loc,
) -> bool {
    surely(|| {
        // SAFETY: as the caller says. Nobody sees the state before there is a new one.
        unsafe { Whole::<R>::unlock(raw, ptr::read(state)) };
        // Nobody else goes on between the two.
        // Unlike that of std, it is documented not to end by itself.
        let waited = control::wait_for_signal(signal, location, deadline, false);
        let attempt = || Whole::<R>::try_lock(raw);
        let taken = control::waiting(head, location, attempt, || Whole::<R>::lock(raw));
        // SAFETY: the old one is gone.
        unsafe { ptr::write(state, taken) };
        waited == Some(control::Waited::Changed)
    })
}

/// Records in the end that the lock is held again, which it is even after a panic.
struct Back<'g, 'a, R: RawMutex, T: ?Sized> {
    guard: &'g mut MutexGuard<'a, R, T>,
    location: Loc,
}

impl<R: RawMutex, T: ?Sized> Drop for Back<'_, '_, R, T> {
    fn drop(&mut self) {
        let _dropping = rt::dropping();
        self.guard.hold.enter(self.location);
    }
}

/// The same with a real guard, which is what condition variables took before 0.5.
#[cfg(not(rv_lock_api_0_5))]
pub fn lend_real<R: RawMutex, T: ?Sized, O>(
    guard: &mut MutexGuard<'_, R, T>,
    location: Loc,
    wait: impl FnOnce(&mut real::MutexGuard<'_, R, ()>) -> O,
) -> O {
    lend(guard, location, |_, lock, _| wait(&mut std::mem::ManuallyDrop::new(real_guard(lock))))
}

/// Waits for a signal in a controlled run, until then at most. Whether there was one.
#[cfg(not(rv_lock_api_0_5))]
pub fn wait_for_signal<R: RawMutex, T: ?Sized>(
    guard: &mut MutexGuard<'_, R, T>,
    signal: &Head,
    deadline: Option<Instant>,
    location: Loc,
    around: impl FnOnce(&mut dyn FnMut() -> bool) -> bool,
) -> bool {
    lend(guard, location, |head, lock, state| {
        // SAFETY: the guard exists, and the raw lock is given back only by what takes it again.
        let raw = unsafe { lock.raw() };
        // SAFETY: it is held with this state.
        around(&mut || unsafe { wait_in_turn(head, raw, state, signal, deadline, location) })
    })
}

/// The guard of the real lock, which is held.
#[cfg(rv_lock_api_0_4_11)]
fn real_guard<R: RawMutex>(lock: &real::Mutex<R, ()>) -> real::MutexGuard<'_, R, ()> {
    // SAFETY: the lock is held by our guard, and the real one is not dropped.
    unsafe { lock.make_guard_unchecked() }
}

/// The same before there was a function for that.
#[cfg(not(any(rv_lock_api_0_5, rv_lock_api_0_4_11)))]
fn real_guard<R: RawMutex>(lock: &real::Mutex<R, ()>) -> real::MutexGuard<'_, R, ()> {
    const { assert!(size_of::<real::MutexGuard<'_, R, ()>>() == size_of::<&()>()) };
    // SAFETY: in these versions, which are what they are, a guard is a reference to its lock and a marker; and as above.
    unsafe { std::mem::transmute_copy(&lock) }
}
