//! Reporting violations while a process runs: a thread of the runner reads the trace as it is written, and steps the monitors.
//!
//! Nothing of this is in the program but the tickets of its records. What is reported here comes out again when the trace is checked,
//! because the tickets are the order then, too.

use crate::error::{Result, reading};
use crate::escape::one_line;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_enforcement::{EnforcedProperties, Enforcer, LiveViolation};
use rvcheck_event::id::ThreadId;
use rvcheck_event::trace::follow::Ticketed;
use rvcheck_event::trace::tail::{Listener, Source, Tail};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the reader sleeps when there was nothing new.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a record is waited for whose ticket was taken. It may have been lost.
const TIMEOUT: Duration = Duration::from_secs(1);

/// A process that is followed.
pub struct Following {
    ended: Arc<AtomicBool>,
    reader: JoinHandle<()>,
}

/// Follows the process that writes this trace; `enforced` is the file with the properties.
pub fn follow(trace: &Utf8Path, enforced: &Utf8Path) -> Result<Following> {
    let text = std::fs::read_to_string(enforced).map_err(reading(enforced))?;
    let watcher = Watcher {
        enforcement: Enforcer::new(&EnforcedProperties::read(&text).unwrap_or_default()),
        reported: Reported::default(),
    };
    let ended = Arc::new(AtomicBool::new(false));
    let reader = std::thread::spawn({
        let (trace, ended) = (trace.to_owned(), Arc::clone(&ended));
        move || read(trace, &ended, watcher)
    });
    Ok(Following { ended, reader })
}

impl Following {
    /// The process has ended: what it left is read to the end.
    pub fn finish(self) {
        self.ended.store(true, Ordering::Release);
        // What could not be reported is in the report.
        let _ = self.reader.join();
    }
}

fn read(trace: Utf8PathBuf, ended: &AtomicBool, mut watcher: Watcher) {
    let mut source = Growing { path: trace, file: None };
    let mut tail = Tail::new();
    let mut last = Instant::now();
    loop {
        // Asked for before the last look at the file.
        let is_last = ended.load(Ordering::Acquire);
        let give_up = tail.is_waiting() && last.elapsed() > TIMEOUT;
        let moved = tail.poll(&mut source, give_up || is_last, &mut watcher);
        if is_last {
            return;
        }
        if moved || !tail.is_waiting() {
            last = Instant::now();
        }
        if !moved {
            std::thread::sleep(PAUSE);
        }
    }
}

/// The file, once it is there.
struct Growing {
    path: Utf8PathBuf,
    file: Option<File>,
}

impl Source for Growing {
    fn read(&mut self, offset: u64, buffer: &mut [u8]) -> usize {
        if self.file.is_none() {
            self.file = File::open(&self.path).ok();
        }
        let Some(file) = &self.file else { return 0 };
        let mut got = 0;
        while got < buffer.len() {
            match file.read_at(&mut buffer[got..], offset + got as u64) {
                Ok(count @ 1..) => got += count,
                _ => break,
            }
        }
        got
    }
}

/// Steps the monitors, and reports each violation of a property at a place once.
struct Watcher {
    enforcement: Enforcer,
    reported: Reported,
}

impl Listener for Watcher {
    fn define(&mut self, tag: u32, payload: &[u8]) {
        self.enforcement.define(tag, payload);
    }

    fn record(&mut self, thread: ThreadId, next: Ticketed) {
        for it in self.enforcement.watch(thread, next) {
            self.reported.report(&it);
        }
    }
}

/// The violations that were reported, by property and place.
#[derive(Debug, Default)]
pub(super) struct Reported(BTreeSet<(String, String)>);

impl Reported {
    /// Reports it on standard error, unless it was reported.
    pub(super) fn report(&mut self, it: &LiveViolation) {
        if self.0.insert((it.property.clone(), it.place.clone())) {
            // Whoever closed standard error does not want to see it.
            let _ = writeln!(std::io::stderr(), "{}", one_line(&line(it)));
        }
    }
}

/// One line: how bad it is, the property, the test, and the place.
fn line(live: &LiveViolation) -> String {
    let test = live.test.as_ref().map_or(String::new(), |it| format!(" in `{it}`"));
    let LiveViolation { property, level, place, message, .. } = live;
    format!("rvcheck: {}[{property}] at {place}{test}: {message}", level.name())
}
