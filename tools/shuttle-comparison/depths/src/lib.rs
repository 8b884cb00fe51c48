//! Two threads and faults of known depth: how many orders of two operations have to come about.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// What both threads see.
#[derive(Default)]
pub struct Shared {
    value: AtomicU32,
    other: AtomicU32,
}

impl Shared {
    /// Points that have nothing to do with the fault.
    fn steps(&self) {
        for _ in 0..4 {
            self.other.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn get(&self) -> u32 {
        self.value.load(Ordering::SeqCst)
    }

    fn set(&self, value: u32) {
        self.value.store(value, Ordering::SeqCst);
    }
}

/// Runs both at once; what the second one returns.
pub fn both(first: fn(&Shared), second: fn(&Shared) -> bool) -> bool {
    let shared = Shared::default();
    thread::scope(|scope| {
        let first = scope.spawn(|| first(&shared));
        let second = scope.spawn(|| second(&shared));
        first.join().unwrap();
        second.join().unwrap()
    })
}

/// Depth 1: the second one comes before the first one.
pub fn depth_1() -> bool {
    both(
        |it| {
            it.steps();
            it.set(1);
            it.steps();
        },
        |it| {
            it.steps();
            it.get() == 1
        },
    )
}

/// Depth 2: the first one writes between two operations of the second one.
pub fn depth_2() -> bool {
    both(
        |it| {
            it.steps();
            it.set(1);
            it.steps();
        },
        |it| {
            it.steps();
            let before = it.get();
            let after = it.get();
            it.steps();
            before == after
        },
    )
}

/// Depth 3: what one writes is seen, answered, and the answer seen.
pub fn depth_3() -> bool {
    both(
        |it| {
            it.set(1);
            // The other one answers here.
            if it.get() == 2 {
                it.set(3);
            }
        },
        |it| {
            if it.get() == 1 {
                it.set(2);
                // And here it sees what comes of that.
                return it.get() != 3;
            }
            true
        },
    )
}
