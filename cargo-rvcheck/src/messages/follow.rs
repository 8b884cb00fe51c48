//! Printing the messages of a run while they come.

use super::log::path;
use camino::Utf8Path;
use std::fs::File;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long the reader sleeps when there was nothing new.
const PAUSE: Duration = Duration::from_millis(25);

/// Whether anybody follows the messages of this process's run.
static FOLLOWED: AtomicBool = AtomicBool::new(false);

/// Whether anybody follows the messages of this process's run.
pub fn is_followed() -> bool {
    FOLLOWED.load(Ordering::Relaxed)
}

/// The messages of a run on their way to standard output.
#[derive(Debug)]
pub struct Stream {
    over: Arc<AtomicBool>,
    reader: Mutex<Option<JoinHandle<()>>>,
}

impl Stream {
    /// Prints the messages of the run in this folder, from the first one on.
    pub fn of(folder: &Utf8Path) -> Stream {
        FOLLOWED.store(true, Ordering::Relaxed);
        let over = Arc::new(AtomicBool::new(false));
        let reader = std::thread::spawn({
            let (file, over) = (path(folder), Arc::clone(&over));
            move || copy(&file, &over, &mut std::io::stdout())
        });
        Stream { over, reader: Mutex::new(Some(reader)) }
    }

    /// Prints what was reported until now, and then no more.
    pub fn finish(&self) {
        self.over.store(true, Ordering::Release);
        let reader = self.reader.lock().ok().and_then(|mut it| it.take());
        if let Some(reader) = reader {
            // What could not be printed is in the file.
            let _ = reader.join();
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Copies whole lines as they come, until it is over.
pub(super) fn copy(path: &Utf8Path, over: &AtomicBool, out: &mut dyn Write) {
    let mut file = None;
    let mut line = Vec::new();
    loop {
        // Asked for before the last look at the file.
        let is_last = over.load(Ordering::Acquire);
        if file.is_none() {
            file = File::open(path).ok();
        }
        let read = file.as_mut().map_or(Ok(0), |it| it.read_to_end(&mut line)).unwrap_or(0);
        if let Some(end) = line.iter().rposition(|it| *it == b'\n') {
            let whole: Vec<u8> = line.drain(..=end).collect();
            // Whoever closes the pipe has seen enough.
            if out.write_all(&whole).and_then(|()| out.flush()).is_err() {
                return;
            }
        }
        if is_last {
            return;
        }
        if read == 0 {
            std::thread::sleep(PAUSE);
        }
    }
}
