//! Rings: of helpers that are started several times, of three, through traits, maps, replies and locks.

use crossbeam_channel as cb;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;
use tokio::sync::{mpsc, oneshot};

/// One function starts each stage.
fn starts(from: cb::Receiver<u32>, to: cb::Sender<u32>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        while let Ok(boat) = from.recv() {
            if to.send(boat + 1).is_err() { //~ channel-deadlock warning
                return;
            }
        }
    })
}

pub struct Canal {
    quay: cb::Sender<u32>,
    locks: Vec<thread::JoinHandle<()>>,
}

impl Canal {
    pub fn dig(width: usize) -> Canal {
        let (quay, upper) = cb::bounded(width);
        let (middle, lower) = cb::bounded(width);
        let (end, again) = cb::bounded(width);
        let locks = vec![starts(upper, middle), starts(lower, end), starts(again, quay.clone())];
        Canal { quay, locks }
    }

    pub fn enter(&self, boat: u32) {
        let _ = self.quay.send(boat);
    }
}

pub struct Straight {
    quay: cb::Sender<u32>,
    sea: cb::Receiver<u32>,
}

fn starts_one(from: cb::Receiver<u32>, to: cb::Sender<u32>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        while let Ok(boat) = from.recv() {
            if to.send(boat + 1).is_err() {
                return;
            }
        }
    })
}

impl Straight {
    pub fn dig(width: usize) -> Straight {
        let (quay, upper) = cb::bounded(width);
        let (middle, lower) = cb::bounded(width);
        let (end, sea) = cb::bounded(width);
        starts_one(upper, middle);
        starts_one(lower, end);
        Straight { quay, sea }
    }

    pub fn enter(&self, boat: u32) {
        let _ = self.quay.send(boat);
    }

    pub fn leaves(&self) -> Option<u32> {
        self.sea.recv().ok()
    }
}

/// Each subscriber has a bounded queue, which the hub fills; a subscriber tells the hub what it has read, and waits for room there.
pub enum News {
    Subscribe(u32, mpsc::Sender<String>),
    Publish(String),
    Read(u32),
}

struct Hub {
    news: mpsc::Receiver<News>,
    readers: HashMap<u32, mpsc::Sender<String>>,
    read: u32,
}

impl Hub {
    async fn publish(&self, text: &str) {
        for reader in self.readers.values() {
            let _ = reader.send(text.to_owned()).await;
        }
    }

    async fn run(mut self) {
        while let Some(news) = self.news.recv().await {
            match news {
                News::Subscribe(number, reader) => drop(self.readers.insert(number, reader)),
                News::Publish(text) => self.publish(&text).await, //~ channel-deadlock warning
                News::Read(_) => self.read += 1,
            }
        }
    }
}

#[derive(Clone)]
pub struct Press {
    hub: mpsc::Sender<News>,
}

impl Press {
    pub fn open() -> Press {
        let (hub, news) = mpsc::channel(16);
        tokio::spawn(Hub { news, readers: HashMap::new(), read: 0 }.run());
        Press { hub }
    }

    pub async fn publish(&self, text: String) {
        let _ = self.hub.send(News::Publish(text)).await;
    }

    pub async fn subscribe(&self, number: u32) {
        let (reader, mut pages) = mpsc::channel(4);
        let _ = self.hub.send(News::Subscribe(number, reader)).await;
        let hub = self.hub.clone();
        tokio::spawn(async move {
            while pages.recv().await.is_some() {
                if hub.send(News::Read(number)).await.is_err() {
                    break;
                }
            }
        });
    }
}

/// Two services behind a trait ask each other.
pub struct Question {
    depth: u32,
    answer: oneshot::Sender<u32>,
}

#[derive(Clone)]
pub struct Line {
    to: mpsc::Sender<Question>,
}

impl Line {
    async fn ask(&self, depth: u32) -> u32 {
        let (answer, answered) = oneshot::channel();
        if self.to.send(Question { depth, answer }).await.is_err() {
            return 0;
        }
        answered.await.unwrap_or(0)
    }
}

trait Answers {
    async fn answer(&self, depth: u32) -> u32;
}

struct Library {
    archive: Line,
}

struct Archive {
    library: Line,
}

impl Answers for Library {
    async fn answer(&self, depth: u32) -> u32 {
        if depth == 0 { 1 } else { self.archive.ask(depth - 1).await }
    }
}

impl Answers for Archive {
    async fn answer(&self, depth: u32) -> u32 {
        if depth == 0 { 2 } else { self.library.ask(depth - 1).await }
    }
}

async fn serves<A: Answers>(with: A, mut questions: mpsc::Receiver<Question>) {
    while let Some(question) = questions.recv().await {
        let answer = with.answer(question.depth).await; //~ channel-deadlock warning
        let _ = question.answer.send(answer);
    }
}

pub fn opens_both() -> (Line, Line) {
    let (to_library, at_library) = mpsc::channel(8);
    let (to_archive, at_archive) = mpsc::channel(8);
    let (library, archive) = (Line { to: to_library }, Line { to: to_archive });
    tokio::spawn(serves(Library { archive: archive.clone() }, at_library));
    tokio::spawn(serves(Archive { library: library.clone() }, at_archive));
    (library, archive)
}

/// A service that asks itself through a handle that it has been given.
pub struct Clerk {
    desk: async_channel::Receiver<(u32, async_channel::Sender<u32>)>,
    own: async_channel::Sender<(u32, async_channel::Sender<u32>)>,
}

async fn asks(desk: &async_channel::Sender<(u32, async_channel::Sender<u32>)>, number: u32) -> u32 {
    let (reply, answer) = async_channel::bounded(1);
    let _ = desk.send((number, reply)).await;
    answer.recv().await.unwrap_or(0)
}

impl Clerk {
    async fn work(self) {
        while let Ok((number, reply)) = self.desk.recv().await {
            let answer = if number > 9 { asks(&self.own, number / 10).await } else { number }; //~ channel-deadlock warning
            let _ = reply.send(answer).await;
        }
    }

    pub fn hire() -> async_channel::Sender<(u32, async_channel::Sender<u32>)> {
        let (own, desk) = async_channel::unbounded();
        tokio::spawn(Clerk { desk, own: own.clone() }.work());
        own
    }
}

/// Who asks holds the lock that the one who answers takes first.
pub struct Ledger {
    pages: Arc<Mutex<Vec<u32>>>,
    jobs: std::sync::mpsc::Sender<std::sync::mpsc::Sender<usize>>,
}

impl Ledger {
    pub fn open() -> Ledger {
        let pages = Arc::new(Mutex::new(Vec::new()));
        let (jobs, queue) = std::sync::mpsc::channel::<std::sync::mpsc::Sender<usize>>();
        let shared = pages.clone();
        thread::spawn(move || {
            for reply in queue {
                let length = shared.lock().unwrap().len();
                let _ = reply.send(length);
            }
        });
        Ledger { pages, jobs }
    }

    pub fn count_under_lock(&self) -> usize {
        let pages = self.pages.lock().unwrap();
        let (reply, answer) = std::sync::mpsc::channel();
        let _ = self.jobs.send(reply);
        let counted = answer.recv().unwrap_or(0); //~ channel-deadlock warning
        counted.max(pages.len())
    }

    pub fn count(&self) -> usize {
        let (reply, answer) = std::sync::mpsc::channel();
        let _ = self.jobs.send(reply);
        answer.recv().unwrap_or(0).max(self.pages.lock().unwrap().len())
    }
}

/// Who joins holds the lock that the other one takes.
pub fn joins_under_lock(sum: Arc<Mutex<u64>>) -> u64 {
    let shared = sum.clone();
    let held = sum.lock().unwrap();
    let adder = thread::spawn(move || *shared.lock().unwrap() += 1);
    let _ = adder.join(); //~ channel-deadlock warning
    *held
}

pub fn joins_without_lock(sum: Arc<Mutex<u64>>) -> u64 {
    let shared = sum.clone();
    let adder = thread::spawn(move || *shared.lock().unwrap() += 1);
    let _ = adder.join();
    *sum.lock().unwrap()
}

/// Both hand over before they take: neither hand is free.
pub fn swaps() -> u32 {
    let (left, at_right) = cb::bounded::<u32>(0);
    let (right, at_left) = cb::bounded::<u32>(0);
    let other = thread::spawn(move || {
        let _ = right.send(1);
        at_right.recv().unwrap_or(0)
    });
    let _ = left.send(2); //~ channel-deadlock warning
    at_left.recv().unwrap_or(0) + other.join().unwrap_or(0)
}

pub fn swaps_in_turn() -> u32 {
    let (left, at_right) = cb::bounded::<u32>(0);
    let (right, at_left) = cb::bounded::<u32>(0);
    let other = thread::spawn(move || {
        let taken = at_right.recv().unwrap_or(0);
        let _ = right.send(1);
        taken
    });
    let _ = left.send(2);
    at_left.recv().unwrap_or(0) + other.join().unwrap_or(0)
}
