//! The real guard in place of ours, for condition variables.

use std::mem::ManuallyDrop;

use real::RawMutex;
use rt::lock;
use rt::{Loc, Mode};

use super::{Mutex, MutexGuard};

/// Hands the real guard to what gives the lock back and takes it again. The release is recorded before, the acquisition after it.
pub fn lend<R: RawMutex, T: ?Sized, O>(
    guard: &mut MutexGuard<'_, R, T>,
    location: Loc,
    wait: impl FnOnce(&mut real::MutexGuard<'_, R, ()>) -> O,
) -> O {
    guard.hold.leave();
    let back = Back { guard, location };
    let mut real = ManuallyDrop::new(real_guard(back.guard.hold.source()));
    wait(&mut real)
}

/// Records in the end that the lock is held again, which it is even after a panic.
struct Back<'g, 'a, R: RawMutex, T: ?Sized> {
    guard: &'g mut MutexGuard<'a, R, T>,
    location: Loc,
}

impl<R: RawMutex, T: ?Sized> Drop for Back<'_, '_, R, T> {
    fn drop(&mut self) {
        let (held, lock) = self.guard.hold.mark();
        let _dropping = rt::dropping();
        *held = lock::acquired(&lock.head, Mode::Write, false, self.location);
    }
}

/// The guard of the real lock, which is held.
#[cfg(rv_lock_api_0_4_11)]
fn real_guard<R: RawMutex, T: ?Sized>(lock: &Mutex<R, T>) -> real::MutexGuard<'_, R, ()> {
    // SAFETY: the lock is held by our guard, and the real one is not dropped.
    unsafe { lock.real.make_guard_unchecked() }
}

/// The same before there was a function for that.
#[cfg(not(rv_lock_api_0_4_11))]
fn real_guard<R: RawMutex, T: ?Sized>(lock: &Mutex<R, T>) -> real::MutexGuard<'_, R, ()> {
    const { assert!(size_of::<real::MutexGuard<'_, R, ()>>() == size_of::<&()>()) };
    // SAFETY: in these versions, which are what they are, a guard is a reference to its lock and a marker; and as above.
    unsafe { std::mem::transmute_copy(&&lock.real) }
}
