//! Channels with room for all that is ever sent into one of them, and channels of the same size without.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::thread;

pub type Then = Box<dyn FnOnce(String) + Send>;

pub trait Shelf: Send + Sync + 'static {
    fn fetches(&self, number: u64, then: Then);
}

/// A thread of its own brings each book.
pub struct Cellar;

impl Shelf for Cellar {
    fn fetches(&self, number: u64, then: Then) {
        thread::spawn(move || then(number.to_string()));
    }
}

#[derive(Default)]
struct Lent {
    last: u64,
    readers: HashMap<u64, flume::Sender<String>>,
}

/// Each call has a channel of its own, for one answer; the table has its sender until then.
pub struct Library<S> {
    shelf: S,
    lent: Mutex<Lent>,
    log: Mutex<Vec<String>>,
}

impl<S: Shelf> Library<S> {
    fn waits(&self) -> (u64, flume::Receiver<String>) {
        let (to, from) = flume::bounded(1);
        let mut lent = self.lent.lock();
        lent.last += 1;
        let number = lent.last;
        lent.readers.insert(number, to);
        (number, from)
    }

    fn brings(&self, number: u64, book: String) {
        let mut lent = self.lent.lock();
        match lent.readers.remove(&number) {
            Some(reader) if book.is_empty() => drop(reader.send("lost".to_owned())),
            Some(reader) => answers(&reader, book),
            None => {}
        }
    }

    pub fn lends(self: &Arc<Self>) -> Option<String> {
        let own = Arc::clone(self);
        let (number, from) = self.waits();
        self.shelf.fetches(number, Box::new(move |book| own.brings(number, book)));
        from.recv().ok()
    }

    pub fn lends_many(self: &Arc<Self>, count: u64) {
        let own = Arc::clone(self);
        thread::spawn(move || {
            for _ in 0..count {
                if let Some(book) = own.lends() {
                    own.log.lock().push(book);
                }
            }
        });
    }
}

fn answers(reader: &flume::Sender<String>, book: String) {
    let _ = reader.send(book);
}

#[derive(Default)]
struct Copied {
    last: u64,
    readers: HashMap<u64, flume::Sender<String>>,
}

/// The same, but what has answered once goes back into the table, and answers again.
pub struct Archive<S> {
    shelf: S,
    copied: Mutex<Copied>,
    log: Mutex<Vec<String>>,
}

impl<S: Shelf> Archive<S> {
    fn waits(&self) -> (u64, flume::Receiver<String>) {
        let (to, from) = flume::bounded(1);
        let mut copied = self.copied.lock();
        copied.last += 1;
        let number = copied.last;
        copied.readers.insert(number, to);
        (number, from)
    }

    fn brings(&self, number: u64, book: String) {
        let mut copied = self.copied.lock();
        if let Some(reader) = copied.readers.remove(&number) {
            let _ = reader.send(book); //~ channel-deadlock warning
            copied.readers.insert(number, reader);
        }
    }

    pub fn lends(self: &Arc<Self>) -> Option<String> {
        let own = Arc::clone(self);
        let (number, from) = self.waits();
        self.shelf.fetches(number, Box::new(move |book| own.brings(number, book)));
        from.recv().ok()
    }

    pub fn lends_many(self: &Arc<Self>, count: u64) {
        let own = Arc::clone(self);
        thread::spawn(move || {
            for _ in 0..count {
                if let Some(book) = own.lends() {
                    own.log.lock().push(book);
                }
            }
        });
    }
}

/// Each of the senders sends once, and there is room for as many as there are.
pub fn counts(total: Arc<Mutex<u32>>) {
    let (to, from) = crossbeam_channel::bounded(3);
    for number in 0..3 {
        let (to, total) = (to.clone(), total.clone());
        thread::spawn(move || {
            let mut total = total.lock();
            *total += number;
            let _ = to.send(*total);
        });
    }
    drop(to);
    thread::spawn(move || {
        while let Ok(number) = from.recv() {
            *total.lock() += number;
        }
    });
}

/// There is one sender more.
pub fn counts_more(total: Arc<Mutex<u32>>) {
    let (to, from) = crossbeam_channel::bounded(3);
    for number in 0..4 {
        let (to, total) = (to.clone(), total.clone());
        thread::spawn(move || {
            let mut total = total.lock();
            *total += number;
            let _ = to.send(*total); //~ channel-deadlock warning
        });
    }
    drop(to);
    thread::spawn(move || {
        while let Ok(number) = from.recv() {
            *total.lock() += number;
        }
    });
}

/// Of tasks: the sender goes along with the question, and is lent to a helper that answers on each of its ways.
struct Question {
    number: u32,
    reply: tokio::sync::mpsc::Sender<u32>,
}

async fn replies(question: &Question, known: &tokio::sync::Mutex<Vec<u32>>) {
    let known = known.lock().await;
    if known.contains(&question.number) {
        let _ = question.reply.send(1).await;
    } else {
        let _ = question.reply.send(0).await;
    }
}

pub async fn asks(numbers: Vec<u32>) {
    let known = Arc::new(tokio::sync::Mutex::new(Vec::new()));
    let (to, mut questions) = tokio::sync::mpsc::unbounded_channel();
    let own = known.clone();
    let server = tokio::spawn(async move {
        while let Some(question) = questions.recv().await {
            replies(&question, &own).await;
        }
    });
    for number in numbers {
        let (reply, mut answer) = tokio::sync::mpsc::channel(1);
        let _ = to.send(Question { number, reply });
        while let Some(found) = answer.recv().await {
            known.lock().await.push(found);
        }
    }
    drop(to);
    let _ = server.await;
}

/// It says again and again what fits in once.
struct Riddle {
    number: u32,
    reply: tokio::sync::mpsc::Sender<u32>,
}

async fn replies_twice(question: &Riddle, known: &tokio::sync::Mutex<Vec<u32>>) {
    let known = known.lock().await;
    for number in known.iter() {
        let _ = question.reply.send(*number).await; //~ channel-deadlock warning
    }
}

pub async fn asks_twice(numbers: Vec<u32>) {
    let known = Arc::new(tokio::sync::Mutex::new(Vec::new()));
    let (to, mut questions) = tokio::sync::mpsc::unbounded_channel();
    let own = known.clone();
    let server = tokio::spawn(async move {
        while let Some(question) = questions.recv().await {
            replies_twice(&question, &own).await;
        }
    });
    for number in numbers {
        let (reply, mut answer) = tokio::sync::mpsc::channel(1);
        let _ = to.send(Riddle { number, reply });
        while let Some(found) = answer.recv().await {
            known.lock().await.push(found);
        }
    }
    drop(to);
    let _ = server.await;
}
