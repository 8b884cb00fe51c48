//! All cores busy, for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Threads that compute until this is dropped.
pub(crate) struct Load(Arc<AtomicBool>);

impl Load {
    /// One thread for each core.
    pub(crate) fn of_all_cores() -> Load {
        let is_over = Arc::new(AtomicBool::new(false));
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Load(is_over)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
