//! How far looking at the source is, where that takes a while: nobody waits for a minute without being told for what.

use crate::console::Console;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a line is written.
const PERIOD: Duration = Duration::from_secs(5);

/// See the module. Nothing more is written once it is dropped.
pub(super) struct Progress {
    looked_at: Arc<AtomicUsize>,
    what: Arc<Mutex<&'static str>>,
    _writer: Sender<()>,
}

impl Progress {
    /// So many crates are to be looked at that were not looked at before.
    pub(super) fn begin(crates: usize, console: Console) -> Progress {
        let (writer, dropped) = channel();
        let looked_at = Arc::new(AtomicUsize::new(0));
        let what = Arc::new(Mutex::new(""));
        let progress = Progress { looked_at: looked_at.clone(), what: what.clone(), _writer: writer };
        std::thread::spawn(move || {
            let begun = Instant::now();
            while dropped.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                let what = *what.lock().unwrap_or_else(PoisonError::into_inner);
                let done = looked_at.load(Ordering::Relaxed);
                console.status("Analysing", line(done, crates, what, begun.elapsed()));
            }
        });
        progress
    }

    /// One more crate was looked at.
    pub(super) fn step(&self) {
        self.looked_at.fetch_add(1, Ordering::Relaxed);
    }

    /// All crates were looked at, and this is next.
    pub(super) fn go_on(&self, what: &'static str) {
        *self.what.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }
}

fn line(done: usize, crates: usize, what: &str, passed: Duration) -> String {
    let seconds = passed.as_secs();
    if what.is_empty() {
        format!("{done} of {crates} crates done after {seconds} s")
    } else {
        format!("{what}, after {seconds} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_counts_crates_and_then_says_what_is_looked_for() {
        let passed = Duration::from_secs(20);
        assert_eq!(line(3, 12, "", passed), "3 of 12 crates done after 20 s");
        assert_eq!(line(12, 12, "proofs", passed), "proofs, after 20 s");
    }
}
