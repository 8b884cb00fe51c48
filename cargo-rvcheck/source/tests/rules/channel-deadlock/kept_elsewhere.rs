//! Senders that are kept in closures, contexts, registries and shared values while somebody waits for the end of messages.

use std::collections::HashMap;
use std::sync::mpsc as threads;
use std::sync::{Arc, Mutex};
use std::thread;
use tokio::sync::mpsc;

/// The closure that announces is still there while the announcements are read.
pub async fn closure_is_kept(guests: Vec<u32>) -> u32 {
    let (bell, mut rings) = mpsc::channel::<u32>(32);
    let ring = move |guest: u32| {
        let bell = bell.clone();
        tokio::spawn(async move {
            let _ = bell.send(guest).await;
        })
    };
    for guest in guests {
        ring(guest);
    }
    let mut seen = 0;
    while let Some(guest) = rings.recv().await { //~ channel-deadlock warning
        seen += guest;
    }
    drop(ring);
    seen
}

pub async fn closure_is_gone(guests: Vec<u32>) -> u32 {
    let (bell, mut rings) = mpsc::channel::<u32>(32);
    let ring = move |guest: u32| {
        let bell = bell.clone();
        tokio::spawn(async move {
            let _ = bell.send(guest).await;
        })
    };
    for guest in guests {
        ring(guest);
    }
    drop(ring);
    let mut seen = 0;
    while let Some(guest) = rings.recv().await {
        seen += guest;
    }
    seen
}

/// What a handler gets to answer with.
pub struct Counter {
    bell: flume::Sender<u32>,
    open: bool,
}

pub trait Serves {
    fn serve(&mut self, counter: &Counter, guest: u32) -> u32;
}

fn serves_all<S: Serves>(mut with: S, counter: Counter, queue: flume::Receiver<u32>) -> u32 {
    let mut served = 0;
    while let Ok(guest) = queue.recv() { //~ channel-deadlock warning
        served += with.serve(&counter, guest);
    }
    served
}

struct Waiter;

impl Serves for Waiter {
    fn serve(&mut self, counter: &Counter, guest: u32) -> u32 {
        if counter.open && guest > 1 {
            let _ = counter.bell.send(guest - 1);
        }
        1
    }
}

pub fn opens_a_counter() -> (flume::Sender<u32>, thread::JoinHandle<u32>) {
    let (bell, queue) = flume::unbounded();
    let counter = Counter { bell: bell.clone(), open: true };
    (bell, thread::spawn(move || serves_all(Waiter, counter, queue)))
}

/// A scope ends when its threads do, and the sender outlives it.
pub fn scope_keeps(tables: &[u32]) -> u32 {
    let (dish, pass) = crossbeam_channel::unbounded::<u32>();
    thread::scope(|scope| {
        let cook = scope.spawn(move || pass.iter().sum::<u32>());
        for table in tables {
            let dish = dish.clone();
            scope.spawn(move || drop(dish.send(*table)));
        }
        cook.join().unwrap_or(0) //~ channel-deadlock warning
    })
}

pub fn scope_lets_go(tables: &[u32]) -> u32 {
    let (dish, pass) = crossbeam_channel::unbounded::<u32>();
    thread::scope(|scope| {
        let cook = scope.spawn(move || pass.iter().sum::<u32>());
        for table in tables {
            let dish = dish.clone();
            scope.spawn(move || drop(dish.send(*table)));
        }
        drop(dish);
        cook.join().unwrap_or(0)
    })
}

/// Threads that put back what is not done each keep a sender of their own queue; who lets go of the last other one waits for them.
enum Slip {
    Cook(u32),
    Close,
}

struct Cook {
    slips: threads::Sender<Slip>,
    board: Arc<Mutex<threads::Receiver<Slip>>>,
}

impl Cook {
    fn next(&self) -> Option<Slip> {
        self.board.lock().ok()?.recv().ok()
    }

    fn work(self) {
        while let Some(Slip::Cook(left)) = self.next() {
            if left > 0 && self.slips.send(Slip::Cook(left - 1)).is_err() {
                return;
            }
        }
    }
}

pub struct Kitchen {
    slips: Option<threads::Sender<Slip>>,
    cooks: Vec<thread::JoinHandle<()>>,
}

impl Kitchen {
    pub fn open(cooks: usize) -> Kitchen {
        let (slips, board) = threads::channel();
        let board = Arc::new(Mutex::new(board));
        let cooks = (0..cooks)
            .map(|_| {
                let cook = Cook { slips: slips.clone(), board: board.clone() };
                thread::spawn(move || cook.work())
            })
            .collect();
        Kitchen { slips: Some(slips), cooks }
    }

    pub fn order(&self, size: u32) {
        if let Some(slips) = &self.slips {
            let _ = slips.send(Slip::Cook(size));
        }
    }

    /// Each cook takes one.
    pub fn close(mut self) {
        for _ in 0..self.cooks.len() {
            if let Some(slips) = &self.slips {
                let _ = slips.send(Slip::Close);
            }
        }
        for cook in self.cooks.drain(..) {
            let _ = cook.join();
        }
    }

    pub fn close_by_the_end(mut self) {
        self.slips = None;
        for cook in self.cooks.drain(..) {
            let _ = cook.join(); //~ channel-deadlock warning
        }
    }
}

/// A registry of senders, of which one is of the own queue.
pub struct Exchange {
    lines: HashMap<u32, async_channel::Sender<String>>,
    calls: async_channel::Receiver<String>,
}

impl Exchange {
    pub fn open(numbers: &[u32]) -> Exchange {
        let (line, calls) = async_channel::unbounded();
        let lines = numbers.iter().map(|it| (*it, line.clone())).collect();
        Exchange { lines, calls }
    }

    pub async fn listen(self) -> usize {
        let mut heard = 0;
        while let Ok(call) = self.calls.recv().await { //~ channel-deadlock warning
            heard += call.len() + self.lines.len();
        }
        heard
    }
}

/// The end of the producers is waited for, then that of the one who takes, before the sender is let go.
pub async fn joins_the_taker(parts: Vec<u32>) -> u32 {
    let (belt, mut taken) = mpsc::unbounded_channel::<u32>();
    let taker = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(part) = taken.recv().await {
            sum += part;
        }
        sum
    });
    let mut makers = Vec::new();
    for part in parts {
        let belt = belt.clone();
        makers.push(tokio::spawn(async move {
            let _ = belt.send(part);
        }));
    }
    for maker in makers {
        let _ = maker.await;
    }
    let sum = taker.await.unwrap_or(0); //~ channel-deadlock warning
    drop(belt);
    sum
}

/// Through a function that gives the handle, and one that waits.
fn starts_taker(taken: flume::Receiver<u32>) -> thread::JoinHandle<u32> {
    thread::spawn(move || {
        let mut sum = 0;
        for part in taken.iter() {
            sum += part;
        }
        sum
    })
}

fn waits_for(taker: thread::JoinHandle<u32>) -> u32 {
    taker.join().unwrap_or_default()
}

pub fn waits_in_a_helper(parts: &[u32]) -> u32 {
    let (belt, taken) = flume::unbounded::<u32>();
    let taker = starts_taker(taken);
    for part in parts {
        let _ = belt.send(*part);
    }
    let sum = waits_for(taker); //~ channel-deadlock warning
    println!("{sum}");
    drop(belt);
    sum
}

pub fn waits_in_a_helper_later(parts: &[u32]) -> u32 {
    let (belt, taken) = flume::unbounded::<u32>();
    let taker = starts_taker(taken);
    for part in parts {
        let _ = belt.send(*part);
    }
    drop(belt);
    waits_for(taker)
}
