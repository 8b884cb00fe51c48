//! All cores busy, for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Threads that compute until this is dropped.
pub(super) struct Load {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// One thread for each core.
    pub(super) fn of_all_cores() -> Load {
        let over = Arc::new(AtomicBool::new(false));
        let thread = |_| {
            let over = Arc::clone(&over);
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        };
        let threads = (0..cores()).map(thread).collect();
        Load { over, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // It cannot have panicked.
            let _ = thread.join();
        }
    }
}

/// How many cores there are.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
