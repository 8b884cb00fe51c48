//! Loops that do not notice that they are to stop, and ones that do.

use std::sync::{Arc, atomic::*};
use std::time::Duration;
use tokio::{
    sync::{mpsc, watch},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

async fn step() -> bool {
    sleep(Duration::from_millis(1)).await;
    true
}

pub async fn read_once(stop: &AtomicBool) {
    let stopped = stop.load(Ordering::SeqCst); //~ cancel-unresponsive
    while !stopped {
        step().await;
    }
}

pub async fn token_read_once(t: CancellationToken) {
    let done = t.is_cancelled(); //~ cancel-unresponsive
    loop {
        if done {
            break;
        }
        step().await;
    }
}

pub async fn watch_read_once(rx: watch::Receiver<bool>) {
    let stop = *rx.borrow(); //~ cancel-unresponsive
    loop {
        if stop {
            return;
        }
        step().await;
    }
}

pub async fn read_in_each_round(stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        step().await;
    }
}

pub async fn read_again(stop: &AtomicBool) {
    let mut stopped = stop.load(Ordering::SeqCst);
    while !stopped {
        step().await;
        stopped = stop.load(Ordering::SeqCst);
    }
}

pub struct Poller {
    stop: AtomicBool,
}

impl Poller {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    pub async fn asks_once(&self) {
        let stopped = self.is_stopped(); //~ cancel-unresponsive
        while !stopped {
            step().await;
        }
    }

    pub async fn asks_each_time(&self) {
        while !self.is_stopped() {
            step().await;
        }
    }
}

pub async fn no_order_to_stop(verbose: &AtomicBool, n: u32) {
    let v = verbose.load(Ordering::SeqCst);
    for i in 0..n {
        step().await;
        if v {
            println!("{i}");
        }
    }
}

pub fn read_once_by_a_thread(stop: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        let s = stop.load(Ordering::SeqCst); //~ cancel-unresponsive
        while !s {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

pub async fn tries_without_looking(mut jobs: mpsc::Receiver<u32>, mut stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            _ = stop.changed() => { break; }
            Some(_) = jobs.recv() => {
                while !step().await {
                    sleep(Duration::from_millis(5)).await; //~ cancel-unresponsive
                }
            }
        }
    }
}

pub async fn tries_without_looking_at_the_token(mut jobs: mpsc::Receiver<u32>, stop: CancellationToken) {
    loop {
        tokio::select! {
            _ = stop.cancelled() => { return; }
            job = jobs.recv() => {
                let Some(_) = job else { return };
                loop {
                    if step().await {
                        break;
                    }
                    sleep(Duration::from_millis(5)).await; //~ cancel-unresponsive
                }
            }
        }
    }
}

pub async fn tries_three_times(mut jobs: mpsc::Receiver<u32>, mut stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            _ = stop.changed() => { break; }
            Some(_) = jobs.recv() => {
                for _ in 0..3 {
                    if step().await {
                        break;
                    }
                    sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }
}

pub async fn tries_and_counts(mut jobs: mpsc::Receiver<u32>, mut stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            _ = stop.changed() => { break; }
            Some(_) = jobs.recv() => {
                let mut tries = 0;
                while !step().await {
                    tries += 1;
                    if tries > 5 {
                        break;
                    }
                    sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }
}

pub async fn tries_and_watches(mut jobs: mpsc::Receiver<u32>, mut stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            _ = stop.changed() => { break; }
            Some(_) = jobs.recv() => {
                while !step().await {
                    tokio::select! {
                        _ = stop.changed() => { return; }
                        _ = sleep(Duration::from_millis(5)) => {}
                    }
                }
            }
        }
    }
}

pub async fn tries_without_looking_at_the_flag(stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        while !step().await {
            sleep(Duration::from_millis(5)).await; //~ cancel-unresponsive
        }
    }
}

pub async fn tries_and_looks_at_the_flag(stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        while !step().await {
            if stop.load(Ordering::SeqCst) {
                return;
            }
            sleep(Duration::from_millis(5)).await;
        }
    }
}

pub async fn pauses_in_the_loop_that_looks(stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        step().await;
        sleep(Duration::from_millis(5)).await;
    }
}

pub async fn spins(ready: &AtomicBool) {
    while !ready.load(Ordering::SeqCst) { //~ cancel-unresponsive
        std::hint::spin_loop();
    }
    step().await;
}

pub async fn spins_until_a_message(rx: &mut mpsc::Receiver<u32>) -> u32 {
    loop {
        if let Ok(x) = rx.try_recv() { //~ cancel-unresponsive
            return x;
        }
    }
}

pub async fn yields(ready: &AtomicBool) {
    while !ready.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
}

pub async fn takes_what_there_is(rx: &mut mpsc::Receiver<u32>) {
    while let Ok(x) = rx.try_recv() {
        println!("{x}");
    }
    step().await;
}

pub async fn only_computes(v: Vec<u32>) -> u32 {
    let mut s = 0;
    for x in v {
        s += x;
    }
    step().await;
    s
}

pub async fn compares_and_exchanges(c: &AtomicU32) {
    let mut x = c.load(Ordering::SeqCst);
    while let Err(y) = c.compare_exchange(x, x + 1, Ordering::SeqCst, Ordering::SeqCst) {
        x = y;
    }
    step().await;
}

pub async fn looks_once_and_tries_again(stop: CancellationToken) -> Option<u32> {
    if stop.is_cancelled() {
        return None;
    }
    loop {
        if step().await {
            return Some(1);
        }
        sleep(Duration::from_millis(1)).await; //~ cancel-unresponsive
    }
}

pub async fn looks_once_and_tries_thrice(stop: CancellationToken) -> Option<u32> {
    if stop.is_cancelled() {
        return None;
    }
    for _ in 0..3 {
        if step().await {
            return Some(1);
        }
        sleep(Duration::from_millis(1)).await;
    }
    None
}

pub async fn looks_in_each_round(stop: CancellationToken) -> Option<u32> {
    if stop.is_cancelled() {
        return None;
    }
    loop {
        if step().await || stop.is_cancelled() {
            return Some(1);
        }
        sleep(Duration::from_millis(1)).await;
    }
}

pub async fn asks_until_the_channel_is_closed(
    jobs: std::sync::mpsc::Receiver<u32>,
    done: std::sync::mpsc::Sender<u32>,
) {
    use std::sync::mpsc::TryRecvError;
    loop {
        match jobs.try_recv() { //~ cancel-unresponsive
            Ok(job) => {
                let _ = done.send(job * 2);
            }
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
            Err(TryRecvError::Disconnected) => return,
        }
    }
}

pub async fn takes_all_that_there_is(jobs: std::sync::mpsc::Receiver<u32>, done: std::sync::mpsc::Sender<u32>) {
    use std::sync::mpsc::TryRecvError;
    loop {
        match jobs.try_recv() {
            Ok(job) => {
                let _ = done.send(job * 2);
            }
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => return,
        }
    }
}

pub async fn stops_when_there_is_nothing(jobs: std::sync::mpsc::Receiver<u32>) -> u32 {
    use std::sync::mpsc::TryRecvError;
    let mut sum = 0;
    loop {
        match jobs.try_recv() {
            Ok(job) => sum += job,
            Err(TryRecvError::Empty) => return sum,
            Err(TryRecvError::Disconnected) => panic!("gone"),
        }
    }
}
