//! Rounds that do not come by what tells them to stop: orders of several kinds, in several forms.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

const ASHORE: u8 = 3;

pub struct Ferry {
    state: Arc<AtomicU8>,
    thread: Option<thread::JoinHandle<()>>,
}

fn berths(car: u32) -> bool {
    car % 7 == 0
}

fn breathes() {
    thread::park_timeout(Duration::from_millis(4));
}

/// A number that says so, and a pause that is a park in a helper of a helper.
impl Ferry {
    pub fn sails() -> Ferry {
        let state = Arc::new(AtomicU8::new(0));
        let seen = state.clone();
        let thread = thread::spawn(move || {
            let mut car = 0;
            while seen.load(Ordering::Acquire) != ASHORE {
                car += 1;
                loop {
                    if berths(car) {
                        break;
                    }
                    thread::yield_now(); //~ cancel-unresponsive warning
                }
            }
        });
        Ferry { state, thread: Some(thread) }
    }

    pub fn lands(&mut self) {
        self.state.store(ASHORE, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A `bool` behind a lock, and a round in each of two helpers.
pub struct Lock {
    open: Arc<Mutex<bool>>,
}

fn fills(car: u32) {
    while !berths(car) {
        thread::park_timeout(Duration::from_millis(4)); //~ cancel-unresponsive warning
    }
}

fn fills_and_empties(car: u32) {
    fills(car);
    breathes();
}

impl Lock {
    pub fn opens() -> Lock {
        Lock { open: Arc::new(Mutex::new(true)) }
    }

    pub fn works(&self) -> thread::JoinHandle<()> {
        let open = self.open.clone();
        thread::spawn(move || {
            let mut car = 0;
            while *open.lock().unwrap() {
                car += 1;
                fills_and_empties(car);
            }
        })
    }

    pub fn shuts(&self) {
        *self.open.lock().unwrap() = false;
    }
}

/// A message that ends the loop, whatever it is.
pub async fn rows(mut oars: mpsc::Receiver<u32>, mut ashore: broadcast::Receiver<()>) {
    loop {
        tokio::select! {
            _ = ashore.recv() => { return; }
            Some(oar) = oars.recv() => {
                while !berths(oar) {
                    tokio::task::yield_now().await; //~ cancel-unresponsive warning
                }
            }
        }
    }
}

async fn rests() {
    tokio::time::sleep(Duration::from_millis(4)).await;
}

pub async fn rows_by_a_helper(mut oars: mpsc::Receiver<u32>, mut ashore: oneshot::Receiver<()>) {
    loop {
        tokio::select! {
            _ = &mut ashore => { return; }
            Some(oar) = oars.recv() => {
                while !berths(oar) {
                    rests().await; //~ cancel-unresponsive warning
                }
            }
        }
    }
}

/// What there is to do, until there is no more.
pub async fn rows_what_there_is(mut oars: mpsc::Receiver<Vec<u32>>, mut ashore: broadcast::Receiver<()>) {
    loop {
        tokio::select! {
            _ = ashore.recv() => { return; }
            Some(mut all) = oars.recv() => {
                while let Some(oar) = all.pop() {
                    berths(oar);
                    rests().await;
                }
            }
        }
    }
}

/// Once it has heard, it may take its time.
pub async fn clears_up_afterwards(mut oars: mpsc::Receiver<u32>, ashore: &AtomicBool) {
    while !ashore.load(Ordering::Acquire) {
        oars.recv().await;
    }
    while !berths(1) {
        rests().await;
    }
}

/// A `break` that leaves the loop inside only, of a flag that is only ever set.
pub struct Wheel {
    stopped: Arc<AtomicBool>,
}

impl Wheel {
    pub fn builds() -> Wheel {
        Wheel { stopped: Arc::new(AtomicBool::new(false)) }
    }

    pub fn turns(&self, cars: Vec<u32>) -> thread::JoinHandle<()> {
        let stopped = self.stopped.clone();
        thread::spawn(move || {
            loop {
                for car in &cars {
                    if stopped.load(Ordering::Acquire) { //~ cancel-unresponsive warning
                        break;
                    }
                    berths(*car);
                }
                breathes();
            }
        })
    }

    pub fn stops(&self) {
        self.stopped.store(true, Ordering::Release);
    }
}

/// The same of one that is taken back, which is a break and no end.
pub struct Mill {
    becalmed: Arc<AtomicBool>,
}

impl Mill {
    pub fn builds() -> Mill {
        Mill { becalmed: Arc::new(AtomicBool::new(false)) }
    }

    pub fn turns(&self, cars: Vec<u32>) -> thread::JoinHandle<()> {
        let becalmed = self.becalmed.clone();
        thread::spawn(move || {
            loop {
                for car in &cars {
                    if becalmed.load(Ordering::Acquire) {
                        break;
                    }
                    berths(*car);
                }
                breathes();
            }
        })
    }

    pub fn rests(&self, still: bool) {
        self.becalmed.store(still, Ordering::Release);
    }
}

fn weighs(load: u64) -> u64 {
    (0..16).fold(load, |it, number| it.rotate_left(number) ^ load)
}

async fn weighs_all(loads: u64) -> u64 {
    let mut sum = 0;
    for load in 0..loads {
        sum ^= weighs(load); //~ cancel-unresponsive warning
    }
    sum
}

/// A limit of time on what never suspends.
pub async fn weighs_in_time(loads: u64) -> Option<u64> {
    timeout(Duration::from_secs(1), weighs_all(loads)).await.ok()
}

async fn weighs_slowly(loads: u64) -> u64 {
    let mut sum = 0;
    for load in 0..loads {
        sum ^= weighs(load);
        tokio::task::yield_now().await;
    }
    sum
}

pub async fn weighs_slowly_in_time(loads: u64) -> Option<u64> {
    timeout(Duration::from_secs(1), weighs_slowly(loads)).await.ok()
}

async fn counts_up(loads: u64, seen: &AtomicU8) {
    let mut load = 0;
    while load < loads {
        weighs(load); //~ cancel-unresponsive warning
        seen.fetch_add(1, Ordering::Relaxed);
        load += 1;
    }
}

/// A race with what never suspends.
pub async fn counts_until_told(loads: u64, seen: &AtomicU8, stop: tokio_util::sync::CancellationToken) {
    tokio::select! {
        _ = stop.cancelled() => {}
        _ = counts_up(loads, seen) => {}
    }
}

/// An abort of what blocks for ever.
pub struct Buoy {
    lamp: JoinHandle<()>,
}

fn blinks(lamp: &AtomicBool) {
    lamp.fetch_xor(true, Ordering::Relaxed);
    thread::sleep(Duration::from_millis(9));
}

impl Buoy {
    pub fn lights(lamp: Arc<AtomicBool>) -> Buoy {
        Buoy {
            lamp: tokio::task::spawn_blocking(move || {
                loop {
                    blinks(&lamp);
                }
            }),
        }
    }
}

impl Drop for Buoy {
    fn drop(&mut self) {
        self.lamp.abort(); //~ cancel-unresponsive warning
    }
}

async fn anchors(depth: u32) {
    while !berths(depth) {
        tokio::task::yield_now().await;
    }
}

/// What it calls is ended by the token.
async fn anchors_unless_told(depth: u32, stop: &tokio_util::sync::CancellationToken) -> Option<()> {
    stop.run_until_cancelled(anchors(depth)).await
}

async fn anchors_in_time(depth: u32) {
    let _ = timeout(Duration::from_secs(1), anchors(depth)).await;
}

pub async fn anchors_again(stop: tokio_util::sync::CancellationToken, mut oars: mpsc::Receiver<u32>) {
    loop {
        if anchors_unless_told(3, &stop).await.is_none() {
            break;
        }
        anchors_in_time(4).await;
        tokio::select! {
            _ = stop.cancelled() => { break; }
            _ = oars.recv() => {}
        }
    }
}
