//! Loops that are told to stop, by a token, a closed channel or an abort.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinHandle;
use tokio::time::{Duration, Interval, sleep};
use tokio_util::sync::CancellationToken;

pub async fn leaves_the_loop_inside(token: CancellationToken, n: u32) {
    loop {
        for _ in 0..n {
            tokio::select! {
                _ = token.cancelled() => { break; } //~ cancel-unresponsive
                _ = sleep(Duration::from_secs(1)) => {}
            }
        }
        sleep(Duration::from_secs(1)).await;
    }
}

pub async fn leaves_the_loop_inside_by_a_look(token: CancellationToken, n: u32) {
    loop {
        for _ in 0..n {
            if token.is_cancelled() { //~ cancel-unresponsive
                break;
            }
            sleep(Duration::from_secs(1)).await;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

pub async fn leaves_both_loops_by_looks(token: CancellationToken, n: u32) {
    loop {
        for _ in 0..n {
            if token.is_cancelled() {
                break;
            }
            sleep(Duration::from_secs(1)).await;
        }
        if token.is_cancelled() {
            break;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

pub async fn leaves_both_loops(token: CancellationToken, n: u32) {
    'all: loop {
        for _ in 0..n {
            tokio::select! {
                _ = token.cancelled() => { break 'all; }
                _ = sleep(Duration::from_secs(1)) => {}
            }
        }
        sleep(Duration::from_secs(1)).await;
    }
}

pub async fn begins_again_with_another_token(mut token: CancellationToken) {
    loop {
        tokio::select! {
            _ = token.cancelled() => { token = CancellationToken::new(); }
            _ = sleep(Duration::from_secs(1)) => {}
        }
    }
}

pub async fn spins_once_it_is_closed(mut rx: Receiver<u32>, mut t: Interval) {
    let mut sum = 0;
    loop {
        tokio::select! {
            x = rx.recv() => { if let Some(x) = x { sum += x; } } //~ cancel-unresponsive
            _ = t.tick() => { println!("{sum}"); }
        }
    }
}

pub async fn ends_once_it_is_closed(mut rx: Receiver<u32>, mut t: Interval) {
    let mut sum = 0;
    loop {
        tokio::select! {
            x = rx.recv() => { match x { Some(x) => sum += x, None => return } }
            _ = t.tick() => { println!("{sum}"); }
        }
    }
}

pub async fn waits_once_it_is_closed(mut rx: Receiver<u32>) {
    let mut sum = 0;
    loop {
        match rx.recv().await {
            Some(x) => sum += x,
            None => sleep(Duration::from_secs(u64::from(sum))).await,
        }
    }
}

pub async fn looks_whether_all_are_closed(mut a: Receiver<u32>, mut b: Receiver<u32>) {
    let (mut first, mut second) = (true, true);
    while first || second {
        tokio::select! {
            x = a.recv() => { if x.is_none() { first = false; } }
            x = b.recv() => { if x.is_none() { second = false; } }
        }
    }
}

pub async fn continues_once_it_is_closed(rx: flume::Receiver<u32>) {
    loop {
        let Ok(x) = rx.recv_async().await else { continue }; //~ cancel-unresponsive
        if x == 0 {
            return;
        }
    }
}

pub async fn has_a_sender_itself() {
    let (tx, mut rx) = mpsc::channel::<u32>(4);
    let _task = tokio::spawn(async { sleep(Duration::from_secs(1)).await });
    loop {
        let Some(x) = rx.recv().await else { continue };
        if x == 0 {
            break;
        }
    }
    let _ = tx.try_send(1);
}

pub struct Endless {
    task: JoinHandle<()>,
}

impl Endless {
    pub fn start(count: Arc<AtomicU64>) -> Endless {
        let task = tokio::task::spawn_blocking(move || {
            loop {
                count.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        Endless { task }
    }

    pub fn stop(self) {
        self.task.abort(); //~ cancel-unresponsive
    }
}

pub struct Looking {
    task: JoinHandle<()>,
}

impl Looking {
    pub fn start(stop: Arc<AtomicBool>) -> Looking {
        let task = tokio::task::spawn_blocking(move || {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        Looking { task }
    }

    pub fn stop(self) {
        self.task.abort();
    }
}

pub struct Short {
    task: JoinHandle<()>,
}

impl Short {
    pub fn start() -> Short {
        let task = tokio::task::spawn_blocking(|| {
            for _ in 0..3 {
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        Short { task }
    }

    pub fn stop(self) {
        self.task.abort();
    }
}

async fn tries_until_it_works(send: &impl AsyncFn(u32) -> bool, x: u32) {
    while !send(x).await {
        sleep(Duration::from_secs(1)).await; //~ cancel-unresponsive
    }
}

async fn tries_three_times(send: &impl AsyncFn(u32) -> bool, x: u32) {
    for _ in 0..3 {
        if send(x).await {
            return;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

pub async fn stops_but_for_what_it_calls(token: CancellationToken, mut rx: Receiver<u32>, send: impl AsyncFn(u32) -> bool) {
    loop {
        tokio::select! {
            _ = token.cancelled() => { return; }
            x = rx.recv() => {
                let Some(x) = x else { return };
                tries_until_it_works(&send, x).await;
                tries_three_times(&send, x).await;
            }
        }
    }
}

pub async fn is_not_told_to_stop(mut rx: Receiver<u32>, send: impl AsyncFn(u32) -> bool) {
    while let Some(x) = rx.recv().await {
        tries_until_it_works(&send, x).await;
    }
}
