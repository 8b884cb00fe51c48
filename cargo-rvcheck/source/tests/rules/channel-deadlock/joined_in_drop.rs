//! A `Drop` that waits for a worker whose loop ends when the sender is gone, which the value still has.

use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

fn copies<W: Write>(mut out: W, queue: Receiver<String>) -> usize {
    let mut lines = 0;
    for line in queue {
        if writeln!(out, "{line}").is_err() {
            break;
        }
        lines += 1;
    }
    lines
}

pub struct Scribe {
    lines: Option<Sender<String>>,
    worker: Option<JoinHandle<usize>>,
}

impl Scribe {
    pub fn new(out: impl Write + Send + 'static) -> Scribe {
        let (lines, queue) = channel();
        let worker = thread::spawn(move || copies(out, queue));
        Scribe { lines: Some(lines), worker: Some(worker) }
    }

    pub fn says(&self, line: &str) -> bool {
        self.lines.as_ref().is_some_and(|it| it.send(line.to_owned()).is_ok())
    }

    /// Leaves nothing to wait for.
    pub fn closes(mut self) -> usize {
        self.lines = None;
        self.worker.take().map_or(0, |it| it.join().unwrap_or(0))
    }
}

impl Drop for Scribe {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            println!("{}", worker.join().unwrap_or(0)); //~ channel-deadlock warning
        }
    }
}

pub struct Clerk {
    lines: Option<Sender<String>>,
    worker: Option<JoinHandle<usize>>,
}

impl Clerk {
    pub fn new(out: impl Write + Send + 'static) -> Clerk {
        let (lines, queue) = channel();
        let worker = thread::spawn(move || copies(out, queue));
        Clerk { lines: Some(lines), worker: Some(worker) }
    }

    pub fn says(&self, line: &str) -> bool {
        self.lines.as_ref().is_some_and(|it| it.send(line.to_owned()).is_ok())
    }
}

impl Drop for Clerk {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(worker) = self.worker.take() {
            println!("{}", worker.join().unwrap_or(0));
        }
    }
}

/// Whoever has it closes it by hand, before it goes.
pub struct Notary {
    lines: Option<Sender<String>>,
    worker: Option<JoinHandle<usize>>,
}

impl Notary {
    pub fn new(out: impl Write + Send + 'static) -> Notary {
        let (lines, queue) = channel();
        let worker = thread::spawn(move || copies(out, queue));
        Notary { lines: Some(lines), worker: Some(worker) }
    }

    pub fn says(&self, line: &str) -> bool {
        self.lines.as_ref().is_some_and(|it| it.send(line.to_owned()).is_ok())
    }

    pub fn finishes(&mut self) {
        self.lines = None;
    }
}

impl Drop for Notary {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            println!("{}", worker.join().unwrap_or(0));
        }
    }
}
