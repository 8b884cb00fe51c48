//! What the real lock knows of its being held, for condition variables.

use real::RawMutex;
use rt::Loc;

use super::MutexGuard;
use crate::way::{State, Whole};

/// Hands the real lock and its state to what gives the lock back and takes it again. The release is recorded before, the
/// acquisition after it.
pub(crate) fn lend<R: RawMutex, T: ?Sized, O>(
    guard: &mut MutexGuard<'_, R, T>,
    location: Loc,
    wait: impl FnOnce(&real::Mutex<R, ()>, &mut State<Whole<R>>) -> O,
) -> O {
    guard.hold.leave();
    let back = Back { guard, location };
    let (state, lock) = back.guard.hold.state();
    wait(&lock.real, state)
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
    lend(guard, location, |lock, _| wait(&mut std::mem::ManuallyDrop::new(real_guard(lock))))
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
