//! Gate locks: whoever takes a lock at a place where locks were taken in both orders takes the gate of these places first, and keeps it
//! until that lock is released.
//!
//! A gate is no lock that anybody could wait for in vain: who waits too long goes on without, and takes the gate over, so that what keeps
//! it for other reasons delays the program and never stops it. After a few times the gate is left open for good.

use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rvcheck_event::remedy::Remedy;

use super::{at_place, since};
use crate::learnt::any;
use crate::memory::List;
use crate::{Head, Loc, at_work, clock, stream, thread};

/// How long a gate is waited for.
const TIMEOUT: Duration = Duration::from_secs(1);
/// A gate is left open for good after it was given up so often.
const ENOUGH: u32 = 3;

/// A gate that somebody has gone through.
#[derive(Clone, Copy)]
struct Passed {
    /// Which one.
    gate: u16,
    /// Who.
    task: u32,
    /// The lock for which that was.
    lock: u32,
}

static TAKEN: Mutex<List<Passed>> = Mutex::new(List::new());
/// How many there are, so that others need not look.
static COUNT: AtomicU32 = AtomicU32::new(0);
static CHANGED: Condvar = Condvar::new();

fn taken() -> MutexGuard<'static, List<Passed>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The acting task is about to ask for a lock here, and may wait with its thread: it goes through the gate of the place first, if there
/// is one.
#[inline]
pub(crate) fn arrives(head: &Head, location: Loc) {
    if any() {
        arrives_at(head, location);
    }
}

#[cold]
#[inline(never)]
fn arrives_at(head: &Head, location: Loc) {
    let Some(number) = at_place(location, Remedy::Gate) else { return };
    if number.times_given_up() >= ENOUGH {
        return;
    }
    let task = thread::with(|state| {
        state.register(stream::Origin::Foreign);
        state.acting()
    });
    let lock = head.id();
    let begun = clock::nanos();
    let Some(at_work) = at_work::enter() else { return };
    let gate = number.gate();
    let mut all = taken();
    if all.iter().any(|it| it.gate == gate && it.task == task) {
        // It is inside already.
        return;
    }
    let until = Instant::now() + TIMEOUT;
    while all.iter().any(|it| it.gate == gate) {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            number.given_up();
            all.retain(|it| it.gate != gate);
            break;
        }
        all = CHANGED.wait_timeout(all, left).unwrap_or_else(PoisonError::into_inner).0;
    }
    all.push(Passed { gate, task, lock });
    COUNT.store(all.len() as u32, Ordering::Relaxed);
    drop(all);
    drop(at_work);
    number.applied(since(begun));
}

/// The lock with this head is about to be released, or is not waited for any more.
#[inline]
pub(crate) fn left(head: &Head) {
    if COUNT.load(Ordering::Relaxed) != 0 {
        left_at(head.id());
    }
}

#[cold]
#[inline(never)]
fn left_at(lock: u32) {
    let acting = thread::with(thread::State::acting);
    let Some(_at_work) = at_work::enter() else { return };
    let mut all = taken();
    let own = all.iter().position(|it| it.lock == lock && it.task == acting);
    // A guard may be dropped by another task than that which took the lock.
    let Some(at) = own.or_else(|| all.iter().position(|it| it.lock == lock)) else { return };
    all.swap_remove(at);
    COUNT.store(all.len() as u32, Ordering::Relaxed);
    drop(all);
    CHANGED.notify_all();
}
