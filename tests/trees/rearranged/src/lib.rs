//! A ledger that is opened, written to and closed, by tasks and by threads, through whatever writes.

use std::sync::Mutex;

#[derive(Default)]
pub struct Ledger {
    lines: Mutex<Vec<u32>>,
}

impl Ledger {
    pub fn open(&self) {
        self.lines.lock().unwrap().clear();
    }

    pub fn write(&self, line: u32) {
        self.lines.lock().unwrap().push(line);
    }

    pub fn close(&self) -> usize {
        self.lines.lock().unwrap().len()
    }
}

/// Whatever can be written to.
pub trait Sink: Send + Sync + 'static {
    fn put(&self, line: u32);
}

impl Sink for Ledger {
    fn put(&self, line: u32) {
        self.write(line);
    }
}

/// Writes through a helper that knows nothing of ledgers.
pub fn put_all<S: Sink>(sink: &S, lines: impl IntoIterator<Item = u32>) {
    lines.into_iter().for_each(|it| sink.put(it));
}
