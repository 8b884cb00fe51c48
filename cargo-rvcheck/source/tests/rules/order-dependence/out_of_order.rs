//! Numbers that are taken by one operation and sent by another one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};

pub struct Letter {
    number: u64,
    text: String,
}

fn writes(number: u64, text: &str) -> Letter {
    Letter { number, text: text.to_owned() }
}

#[derive(Clone)]
pub struct Desk {
    last: Arc<AtomicU64>,
    post: mpsc::Sender<Letter>,
}

impl Desk {
    fn next(&self) -> u64 {
        self.last.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub fn posts(&self, text: &str) -> Result<u64, mpsc::SendError<Letter>> {
        let number = self.next(); //~ order-dependence warning
        self.post.send(writes(number, text))?;
        Ok(number)
    }
}

/// What comes late counts as sent twice.
#[derive(Default)]
pub struct Archive {
    last: u64,
    texts: Vec<String>,
}

impl Archive {
    pub fn takes(&mut self, letter: Letter) {
        if letter.number <= self.last {
            return;
        }
        self.last = letter.number;
        self.texts.push(letter.text);
    }
}

/// The number is taken and the message sent under one lock.
pub struct Counter {
    last: Mutex<u64>,
    post: mpsc::Sender<Letter>,
}

impl Counter {
    pub fn posts(&self, text: &str) -> Result<u64, mpsc::SendError<Letter>> {
        let mut last = self.last.lock().unwrap();
        *last += 1;
        self.post.send(writes(*last, text))?;
        Ok(*last)
    }
}

/// Nobody goes by the order of these.
pub struct Ticket {
    number: u64,
}

pub struct Booth {
    last: AtomicU64,
    tickets: mpsc::Sender<Ticket>,
}

impl Booth {
    pub fn sells(&self) -> u64 {
        let number = self.last.fetch_add(1, Ordering::SeqCst);
        let _ = self.tickets.send(Ticket { number });
        number
    }
}

pub fn is_it(ticket: &Ticket, number: u64) -> bool {
    ticket.number == number
}

/// Whoever receives puts them in order.
pub struct Page {
    number: u64,
    text: String,
}

pub struct Printer {
    last: AtomicU64,
    pages: mpsc::Sender<Page>,
}

impl Printer {
    pub fn prints(&self, text: &str) {
        let number = self.last.fetch_add(1, Ordering::SeqCst);
        let _ = self.pages.send(Page { number, text: text.to_owned() });
    }
}

#[derive(Default)]
pub struct Binder {
    next: u64,
    early: BTreeMap<u64, String>,
    bound: Vec<String>,
}

impl Binder {
    pub fn binds(&mut self, page: Page) {
        if page.number < self.next {
            return;
        }
        self.early.insert(page.number, page.text);
        while let Some(text) = self.early.remove(&self.next) {
            self.next += 1;
            self.bound.push(text);
        }
    }
}
