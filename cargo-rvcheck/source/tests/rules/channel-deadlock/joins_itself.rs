//! A thread that has the last handle of a value drops it, and the value's `Drop` joins the thread.

use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The thread upgrades its handle for a moment.
pub struct Gauge {
    level: Mutex<u32>,
    reader: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Gauge {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.get_mut().unwrap().take() {
            let _ = reader.join(); //~ channel-deadlock
        }
    }
}

impl Gauge {
    pub fn start() -> Arc<Gauge> {
        let gauge = Arc::new(Gauge { level: Mutex::new(0), reader: Mutex::new(None) });
        let weak = Arc::downgrade(&gauge);
        let reader = thread::spawn(move || {
            while let Some(gauge) = weak.upgrade() {
                gauge.reads();
                drop(gauge);
                thread::sleep(Duration::from_millis(5));
            }
        });
        *gauge.reader.lock().unwrap() = Some(reader);
        gauge
    }

    fn reads(&self) {
        *self.level.lock().unwrap() += 1;
    }
}

/// The same, but the thread does not wait for itself.
pub struct Careful {
    level: Mutex<u32>,
    reader: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Careful {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.get_mut().unwrap().take() {
            if reader.thread().id() != thread::current().id() {
                let _ = reader.join();
            }
        }
    }
}

impl Careful {
    pub fn start() -> Arc<Careful> {
        let gauge = Arc::new(Careful { level: Mutex::new(0), reader: Mutex::new(None) });
        let weak = Arc::downgrade(&gauge);
        let reader = thread::spawn(move || {
            while let Some(gauge) = weak.upgrade() {
                *gauge.level.lock().unwrap() += 1;
            }
        });
        *gauge.reader.lock().unwrap() = Some(reader);
        gauge
    }
}

/// The thread has what it works on, and not the value that joins it.
pub struct Owner {
    level: Arc<Mutex<u32>>,
    reader: Option<JoinHandle<()>>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

impl Owner {
    pub fn start() -> Owner {
        let level = Arc::new(Mutex::new(0));
        let its = Arc::clone(&level);
        let reader = thread::spawn(move || {
            *its.lock().unwrap() += 1;
        });
        Owner { level, reader: Some(reader) }
    }

    pub fn level(&self) -> u32 {
        *self.level.lock().unwrap()
    }
}
