//! Receives with a time limit, whose loops take a channel that is closed for time that is over, and ones that tell them apart.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU32, Ordering},
};
use std::thread::{self, JoinHandle};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_millis(40);

pub fn waits_for_the_next(tides: Receiver<u32>) {
    let mut level = 0;
    loop {
        let Ok(tide) = tides.recv_timeout(PATIENCE) else { continue }; //~ cancel-unresponsive
        level += tide;
        if level > 9 {
            return;
        }
    }
}

pub fn ends_with_the_last(tides: Receiver<u32>) -> u32 {
    let mut level = 0;
    loop {
        match tides.recv_timeout(PATIENCE) {
            Ok(tide) => level += tide,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return level,
        }
    }
}

pub fn ends_with_the_time(tides: flume::Receiver<u32>) -> u32 {
    let mut level = 0;
    while let Ok(tide) = tides.recv_timeout(PATIENCE) {
        level += tide;
    }
    level
}

pub fn ends_by_a_flag(tides: crossbeam_channel::Receiver<u32>, ebb: &AtomicBool) -> u32 {
    let mut level = 0;
    while !ebb.load(Ordering::Acquire) {
        if let Ok(tide) = tides.recv_timeout(PATIENCE) {
            level += tide;
        }
    }
    level
}

/// What is done each time that nothing came may be what the loop is for.
fn writes_down(log: &Mutex<Vec<u32>>) {
    log.lock().unwrap().push(0);
}

pub fn writes_down_meanwhile(tides: Receiver<u32>, log: &Mutex<Vec<u32>>) {
    loop {
        match tides.recv_timeout(PATIENCE) { //~ cancel-unresponsive note
            Ok(tide) => log.lock().unwrap().push(tide),
            Err(_) => writes_down(log),
        }
    }
}

enum Seen {
    Tide(u32),
    Calm,
    Gone,
}

trait Gauge {
    fn read(&self) -> Seen;
}

struct Coarse(crossbeam_channel::Receiver<u32>);
struct Fine(flume::Receiver<u32>);

impl Gauge for Coarse {
    fn read(&self) -> Seen {
        match self.0.recv_timeout(PATIENCE) { //~ cancel-unresponsive
            Ok(tide) => Seen::Tide(tide),
            Err(_) => Seen::Calm,
        }
    }
}

impl Gauge for Fine {
    fn read(&self) -> Seen {
        match self.0.recv_timeout(PATIENCE) {
            Ok(tide) => Seen::Tide(tide),
            Err(flume::RecvTimeoutError::Timeout) => Seen::Calm,
            Err(flume::RecvTimeoutError::Disconnected) => Seen::Gone,
        }
    }
}

fn follow(gauge: &impl Gauge, level: &AtomicU32) {
    loop {
        match gauge.read() {
            Seen::Tide(tide) => level.store(tide, Ordering::Relaxed),
            Seen::Calm => {}
            Seen::Gone => break,
        }
    }
}

pub struct Station {
    tides: Option<crossbeam_channel::Sender<u32>>,
    follower: Option<JoinHandle<()>>,
}

impl Station {
    pub fn coarse(level: Arc<AtomicU32>) -> Station {
        let (tides, gauge) = crossbeam_channel::bounded(4);
        let follower = thread::spawn(move || follow(&Coarse(gauge), &level));
        Station { tides: Some(tides), follower: Some(follower) }
    }
}

impl Drop for Station {
    fn drop(&mut self) {
        self.tides = None;
        if let Some(it) = self.follower.take() {
            let _ = it.join();
        }
    }
}

pub fn fine(level: Arc<AtomicU32>) -> (flume::Sender<u32>, JoinHandle<()>) {
    let (tides, gauge) = flume::bounded(4);
    (tides, thread::spawn(move || follow(&Fine(gauge), &level)))
}

/// Who has a sender itself is never told that there is none.
struct Both {
    tides: Receiver<u32>,
    again: Sender<u32>,
}

impl Both {
    fn run(&self) {
        loop {
            let Ok(tide) = self.tides.recv_timeout(PATIENCE) else { continue };
            let _ = self.again.send(tide / 2);
        }
    }
}

pub fn keeps_one() -> Sender<u32> {
    let (again, tides) = mpsc::channel();
    let first = again.clone();
    thread::spawn(move || Both { tides, again }.run());
    first
}
