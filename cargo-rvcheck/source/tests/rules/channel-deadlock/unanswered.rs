//! Replies that nobody gives any more when who answers has ended: threads and tasks, several libraries, through helpers, traits and generics.

use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

/// What a printer says of a sheet.
pub struct Printed {
    pages: u32,
}

struct Waiting {
    reply: crossbeam_channel::Sender<Printed>,
    pages: u32,
}

/// A thread that reads lines; whoever waits has put a struct with the sender into a queue.
pub struct Printer {
    waiting: Arc<Mutex<VecDeque<Waiting>>>,
}

impl Printer {
    pub fn open(lines: crossbeam_channel::Receiver<String>) -> Printer {
        let waiting = Arc::new(Mutex::new(VecDeque::new()));
        let printer = Printer { waiting: Arc::clone(&waiting) };
        thread::spawn(move || read_lines(&lines, &waiting));
        printer
    }

    pub fn print(&self, pages: u32) -> Option<Printed> {
        let (reply, printed) = crossbeam_channel::bounded(1);
        self.enlist(Waiting { reply, pages });
        printed.recv().ok() //~ channel-deadlock warning
    }

    fn enlist(&self, it: Waiting) {
        self.waiting.lock().push_back(it);
    }
}

fn read_lines(lines: &crossbeam_channel::Receiver<String>, waiting: &Mutex<VecDeque<Waiting>>) {
    while let Ok(line) = lines.recv() {
        if line == "jam" {
            return;
        }
        finish(waiting);
    }
}

fn finish(waiting: &Mutex<VecDeque<Waiting>>) {
    if let Some(first) = waiting.lock().pop_front() {
        let _ = first.reply.send(Printed { pages: first.pages });
    }
}

/// The same, where the queue is emptied behind the loop, wherever that ends.
pub struct Plotter {
    waiting: Arc<Mutex<VecDeque<Waiting>>>,
}

impl Plotter {
    pub fn open(lines: crossbeam_channel::Receiver<String>) -> Plotter {
        let waiting = Arc::new(Mutex::new(VecDeque::new()));
        let plotter = Plotter { waiting: Arc::clone(&waiting) };
        thread::spawn(move || {
            plot_lines(&lines, &waiting);
            waiting.lock().clear();
        });
        plotter
    }

    pub fn plot(&self, pages: u32) -> Option<Printed> {
        let (reply, printed) = crossbeam_channel::bounded(1);
        self.waiting.lock().push_back(Waiting { reply, pages });
        printed.recv().ok()
    }
}

fn plot_lines(lines: &crossbeam_channel::Receiver<String>, waiting: &Mutex<VecDeque<Waiting>>) {
    while let Ok(line) = lines.recv() {
        if line == "jam" {
            return;
        }
        if let Some(first) = waiting.lock().pop_front() {
            let _ = first.reply.send(Printed { pages: first.pages });
        }
    }
}

/// One question at a time, in an option.
pub struct Scale {
    asked: Arc<Mutex<Option<mpsc::Sender<u32>>>>,
}

impl Scale {
    pub fn open(readings: mpsc::Receiver<u32>) -> Scale {
        let asked: Arc<Mutex<Option<mpsc::Sender<u32>>>> = Arc::default();
        let answers = asked.clone();
        thread::spawn(move || {
            for grams in readings {
                let taken = answers.lock().take();
                if let Some(reply) = taken {
                    let _ = reply.send(grams);
                }
            }
        });
        Scale { asked }
    }

    pub fn weigh(&self) -> Option<u32> {
        let (reply, grams) = mpsc::channel();
        *self.asked.lock() = Some(reply);
        grams.recv().ok() //~ channel-deadlock warning
    }
}

/// The option is emptied by who leaves.
struct Leaves(Arc<Mutex<Option<mpsc::Sender<u32>>>>);

impl Drop for Leaves {
    fn drop(&mut self) {
        *self.0.lock() = None;
    }
}

pub struct Balance {
    asked: Arc<Mutex<Option<mpsc::Sender<u32>>>>,
}

impl Balance {
    pub fn open(readings: mpsc::Receiver<u32>) -> Balance {
        let asked: Arc<Mutex<Option<mpsc::Sender<u32>>>> = Arc::default();
        let answers = asked.clone();
        thread::spawn(move || {
            let leaves = Leaves(answers);
            for grams in readings {
                let taken = leaves.0.lock().take();
                if let Some(reply) = taken {
                    let _ = reply.send(grams);
                }
            }
        });
        Balance { asked }
    }

    pub fn weigh(&self) -> Option<u32> {
        let (reply, grams) = mpsc::channel();
        *self.asked.lock() = Some(reply);
        grams.recv().ok()
    }
}

/// Any sort of reply, behind a generic registry and a trait.
pub struct Registry<T> {
    open: Mutex<HashMap<u64, T>>,
}

impl<T> Registry<T> {
    fn park(&self, id: u64, it: T) {
        self.open.lock().insert(id, it);
    }

    fn claim(&self, id: u64) -> Option<T> {
        self.open.lock().remove(&id)
    }
}

pub trait Decode {
    fn decode(&self, raw: &[u8]) -> Option<(u64, String)>;
}

pub struct Session {
    registry: Arc<Registry<flume::Sender<String>>>,
}

impl Session {
    pub fn begin<D: Decode + Send + Sync + 'static>(decoder: D, wire: flume::Receiver<Vec<u8>>) -> Session {
        let registry = Arc::new(Registry { open: Mutex::new(HashMap::new()) });
        let session = Session { registry: Arc::clone(&registry) };
        tokio::spawn(async move {
            while let Ok(raw) = wire.recv_async().await {
                let Some((id, text)) = decoder.decode(&raw) else { break };
                if let Some(reply) = registry.claim(id) {
                    let _ = reply.send(text);
                }
            }
        });
        session
    }

    pub async fn call(&self, id: u64) -> Result<String, flume::RecvError> {
        let (reply, answer) = flume::bounded(1);
        self.registry.park(id, reply);
        answer.recv_async().await //~ channel-deadlock warning
    }
}

/// The same, where all are let go when the wire is closed.
pub struct Ledger<T> {
    open: Mutex<HashMap<u64, T>>,
}

impl<T> Ledger<T> {
    fn park(&self, id: u64, it: T) {
        self.open.lock().insert(id, it);
    }

    fn claim(&self, id: u64) -> Option<T> {
        self.open.lock().remove(&id)
    }
}

pub struct Line {
    registry: Arc<Ledger<flume::Sender<u32>>>,
}

impl Line {
    pub fn begin<D: Decode + Send + Sync + 'static>(decoder: D, wire: flume::Receiver<Vec<u8>>) -> Line {
        let registry = Arc::new(Ledger { open: Mutex::new(HashMap::new()) });
        let line = Line { registry: Arc::clone(&registry) };
        tokio::spawn(async move {
            while let Ok(raw) = wire.recv_async().await {
                let Some((id, _)) = decoder.decode(&raw) else { break };
                if let Some(reply) = registry.claim(id) {
                    let _ = reply.send(1);
                }
            }
            let left = std::mem::take(&mut *registry.open.lock());
            drop(left);
        });
        line
    }

    pub async fn call(&self, id: u64) -> Result<u32, flume::RecvError> {
        let (reply, answer) = flume::bounded(1);
        self.registry.park(id, reply);
        answer.recv_async().await
    }
}
