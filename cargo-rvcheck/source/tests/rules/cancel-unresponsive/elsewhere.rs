//! Threads and tasks of other libraries that do not notice that they are to stop, and ones that do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Closed channels of other libraries.
pub fn pumps(wells: crossbeam_channel::Receiver<u32>) {
    loop {
        let Ok(water) = wells.recv() else { continue }; //~ cancel-unresponsive warning
        if water == 0 {
            return;
        }
    }
}

pub async fn drains(wells: async_channel::Receiver<u32>) {
    loop {
        let Ok(water) = wells.recv().await else { continue }; //~ cancel-unresponsive warning
        if water == 0 {
            return;
        }
    }
}

pub fn pumps_dry(wells: crossbeam_channel::Receiver<u32>) {
    loop {
        let Ok(water) = wells.recv() else { break };
        if water == 0 {
            return;
        }
    }
}

/// In a closure that is given to a thread, by a helper that is asked.
fn is_over(over: &AtomicBool) -> bool {
    over.load(Ordering::Relaxed)
}

pub fn weaves(over: Arc<AtomicBool>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let is_over = is_over(&over); //~ cancel-unresponsive warning
        while !is_over {
            thread::sleep(Duration::from_millis(3));
        }
    })
}

pub fn weaves_on(over: Arc<AtomicBool>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        while !is_over(&over) {
            thread::sleep(Duration::from_millis(3));
        }
    })
}
