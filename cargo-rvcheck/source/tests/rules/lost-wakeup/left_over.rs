//! Consumers that take one item for each notification.

use crossbeam_channel::Sender;
use parking_lot::Mutex as Latch;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use tokio::sync::Notify;

/// A queue behind a trait.
pub trait Backlog {
    fn add(&self, letter: u64);
    fn next(&self) -> Option<u64>;
}

#[derive(Default)]
pub struct Letters {
    kept: Latch<BinaryHeap<u64>>,
    arrived: Notify,
}

impl Backlog for Letters {
    fn add(&self, letter: u64) {
        self.kept.lock().push(letter);
        self.arrived.notify_one();
    }

    fn next(&self) -> Option<u64> {
        self.kept.lock().pop()
    }
}

async fn arrival(letters: &Letters) {
    letters.arrived.notified().await;
}

pub async fn sorts(letters: Arc<Letters>, out: Sender<u64>) {
    loop {
        arrival(&letters).await; //~ lost-wakeup warning
        if let Some(letter) = letters.next() {
            let _ = out.send(letter);
        }
    }
}

pub async fn sorts_all(letters: Arc<Letters>, out: Sender<u64>) {
    loop {
        arrival(&letters).await;
        hands_on_all(&letters, &out);
    }
}

fn hands_on_all(letters: &Letters, out: &Sender<u64>) {
    while let Some(letter) = letters.next() {
        let _ = out.send(letter);
    }
}

pub async fn sorts_until_closed(letters: Arc<Letters>, closed: Arc<Notify>, out: Sender<u64>) {
    loop {
        tokio::select! {
            _ = letters.arrived.notified() => { //~ lost-wakeup warning
                if let Some(letter) = letters.next() {
                    let _ = out.send(letter);
                }
            }
            _ = closed.notified() => { return; }
        }
    }
}

/// A thread that is unparked for each parcel.
pub struct Parcels {
    heap: Mutex<VecDeque<String>>,
}

impl Parcels {
    pub fn bring(&self, parcel: String, carrier: &Thread) {
        self.heap.lock().unwrap().push_back(parcel);
        carrier.unpark();
    }

    pub fn carries_one(&self) {
        loop {
            thread::park(); //~ lost-wakeup warning
            let parcel = self.heap.lock().unwrap().pop_front();
            println!("{parcel:?}");
        }
    }

    pub fn carries_all(&self) {
        loop {
            thread::park();
            while let Some(parcel) = { self.heap.lock().unwrap().pop_front() } {
                println!("{parcel}");
            }
        }
    }

    pub fn looks_before_it_parks(&self) {
        loop {
            while self.heap.lock().unwrap().is_empty() {
                thread::park();
            }
            let parcel = self.heap.lock().unwrap().pop_front();
            println!("{parcel:?}");
        }
    }
}
