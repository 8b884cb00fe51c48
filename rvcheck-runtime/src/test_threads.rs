//! The threads that run tests now, by the system's numbers. What they compute is their own test's doing.

use core::sync::atomic::{AtomicU32, Ordering};

/// How many are known at a time. Few harnesses run more tests at once; those beyond count as any thread.
const MOST: usize = 64;

/// Their numbers; 0 where there is none.
static THREADS: [AtomicU32; MOST] = [const { AtomicU32::new(0) }; MOST];

/// One begins on this thread.
pub(crate) fn begins(thread: u32) {
    replace(0, thread);
}

/// The one on this thread has ended.
pub(crate) fn ends(thread: u32) {
    replace(thread, 0);
}

/// Whether one runs on this thread.
pub(crate) fn has(thread: u32) -> bool {
    thread != 0 && THREADS.iter().any(|it| it.load(Ordering::Relaxed) == thread)
}

fn replace(before: u32, after: u32) {
    let replaces =
        |it: &AtomicU32| it.compare_exchange(before, after, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    // Where there is no room, nothing is replaced.
    let _is_known = THREADS.iter().any(replaces);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_runs_a_test_until_that_has_ended_and_none_has_the_number_0() {
        let thread = u32::MAX;
        assert!(!has(thread) && !has(0));
        begins(thread);
        assert!(has(thread) && !has(0));
        ends(thread);
        assert!(!has(thread));
    }
}
