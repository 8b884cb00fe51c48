//! What a unit leaves behind: how many of its tasks and threads have not ended, and whether one of them still goes on.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::memory;

/// How much is added for one step: those that go on are counted below.
const STEP: u64 = 1 << 32;

/// See the module.
#[derive(Debug)]
pub(crate) struct Rest {
    /// Tasks, closures and threads that have not ended.
    alive: AtomicU32,
    /// In the lower half those that go on or were not begun, in the upper half how often one began to go on.
    steps: AtomicU64,
    /// How many pauses let it go on although the body is over.
    pauses: AtomicU32,
}

/// A pause that lets the rest go on.
#[derive(Debug)]
pub(crate) struct Pause(&'static Rest);

impl Drop for Pause {
    fn drop(&mut self) {
        self.0.pauses.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Of what belongs to no test.
pub(crate) static PROCESS: Rest = Rest::new();

impl Rest {
    const fn new() -> Rest {
        Rest { alive: AtomicU32::new(0), steps: AtomicU64::new(0), pauses: AtomicU32::new(0) }
    }

    /// That of a test which begins. It lives as long as the process, since threads of the test may.
    pub(crate) fn of_test() -> &'static Rest {
        memory::keep(Rest::new())
    }

    /// The body is over, and the rest goes on until what this gives is dropped.
    pub(crate) fn pause(&'static self) -> Pause {
        self.pauses.fetch_add(1, Ordering::Relaxed);
        Pause(self)
    }

    /// Whether only a pause lets it go on.
    pub(crate) fn is_paused_for(&self) -> bool {
        self.pauses.load(Ordering::Relaxed) != 0
    }

    /// Something is spawned, and has not begun.
    pub(crate) fn spawned(&self) {
        self.alive.fetch_add(1, Ordering::Relaxed);
        self.steps.fetch_add(STEP + 1, Ordering::Relaxed);
    }

    /// One that waited goes on.
    #[inline]
    pub(crate) fn goes_on(&self) {
        self.steps.fetch_add(STEP + 1, Ordering::Relaxed);
    }

    /// One that went on waits.
    #[inline]
    pub(crate) fn waits(&self) {
        self.steps.fetch_sub(1, Ordering::Relaxed);
    }

    /// One that went on, or was not begun, has ended.
    pub(crate) fn ended(&self) {
        self.steps.fetch_sub(1, Ordering::Relaxed);
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether everything has ended.
    pub(crate) fn is_empty(&self) -> bool {
        self.alive.load(Ordering::Relaxed) == 0
    }

    /// What is another number as soon as one goes on.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Whether one goes on, or was not begun.
    pub(crate) fn is_busy(&self) -> bool {
        self.steps() as u32 != 0
    }
}
