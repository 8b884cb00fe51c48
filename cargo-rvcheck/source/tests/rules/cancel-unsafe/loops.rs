//! Futures that are dropped half way in loops, and what they lose.

use std::collections::VecDeque;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt},
    sync::{mpsc, watch},
    time::{Duration, Interval, timeout},
};
pub async fn reads_exactly<R: AsyncReadExt + Unpin>(mut r: R, mut stop: watch::Receiver<u32>) {
    let mut b = [0; 4];
    loop {
        tokio::select! {
            _ = stop.changed() => { println!("changed"); }
            x = r.read_exact(&mut b) => { if x.is_err() { return; } } //~ cancel-unsafe
        }
    }
}

pub async fn reads_exactly_and_leaves<R: AsyncReadExt + Unpin>(mut r: R, mut stop: watch::Receiver<u32>) {
    let mut b = [0; 4];
    loop {
        tokio::select! {
            _ = stop.changed() => { break; }
            x = r.read_exact(&mut b) => { if x.is_err() { return; } }
        }
    }
}

pub async fn read<R: AsyncReadExt + Unpin>(mut r: R, mut stop: watch::Receiver<u32>) {
    let mut b = [0; 4];
    loop {
        tokio::select! {
            _ = stop.changed() => { println!("changed"); }
            x = r.read(&mut b) => { if x.is_err() { return; } }
        }
    }
}

pub async fn reads_a_line<R: AsyncBufReadExt + Unpin>(mut r: R, mut t: Interval) {
    let mut b = String::new();
    loop {
        tokio::select! {
            _ = t.tick() => { println!("tick"); }
            x = r.read_line(&mut b) => { if x.is_err() { return; } b.clear(); } //~ cancel-unsafe
        }
    }
}

pub async fn reads_lines_by_an_iterator<R: AsyncBufReadExt + Unpin>(r: R, mut t: Interval) {
    let mut l = r.lines();
    loop {
        tokio::select! {
            _ = t.tick() => { println!("tick"); }
            x = l.next_line() => { if x.is_err() { return; } }
        }
    }
}

async fn takes_and_sends(rx: &mut mpsc::Receiver<u32>, tx: &mpsc::Sender<u32>) -> bool {
    let Some(x) = rx.recv().await else { return false };
    tx.send(x).await.is_ok()
}

async fn takes_and_waits(rx: &mut mpsc::Receiver<String>) -> Option<String> {
    let x = rx.recv().await?;
    tokio::task::yield_now().await;
    Some(x)
}

async fn takes_and_returns(rx: &mut mpsc::Receiver<String>) -> Option<String> {
    let x = rx.recv().await?;
    println!("{x}");
    Some(x)
}

async fn reserves_first(rx: &mut mpsc::Receiver<u32>, tx: &mpsc::Sender<u32>) -> bool {
    let Ok(p) = tx.reserve().await else { return false };
    let Some(x) = rx.recv().await else { return false };
    p.send(x);
    true
}

async fn pops_and_sends(q: &std::sync::Mutex<VecDeque<u32>>, tx: &mpsc::Sender<u32>) {
    let x = q.lock().unwrap().pop_front();
    if let Some(x) = x {
        tx.send(x).await.unwrap();
    }
}

pub async fn takes_and_sends_in_a_branch(
    mut rx: mpsc::Receiver<u32>,
    tx: mpsc::Sender<u32>,
    mut t: Interval,
) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            ok = takes_and_sends(&mut rx, &tx) => { if !ok { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn takes_and_waits_in_a_branch(mut rx: mpsc::Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = takes_and_waits(&mut rx) => { if x.is_none() { break; } } //~ cancel-unsafe
        }
    }
}

pub async fn takes_and_returns_in_a_branch(mut rx: mpsc::Receiver<String>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            x = takes_and_returns(&mut rx) => { if x.is_none() { break; } }
        }
    }
}

pub async fn reserves_first_in_a_branch(mut rx: mpsc::Receiver<u32>, tx: mpsc::Sender<u32>, mut t: Interval) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            ok = reserves_first(&mut rx, &tx) => { if !ok { break; } }
        }
    }
}

pub async fn pops_and_sends_in_a_branch(
    q: std::sync::Mutex<VecDeque<u32>>,
    tx: mpsc::Sender<u32>,
    mut t: Interval,
) {
    loop {
        tokio::select! {
            _ = t.tick() => {}
            _ = pops_and_sends(&q, &tx) => {} //~ cancel-unsafe
        }
    }
}

pub async fn is_pinned_outside(mut rx: mpsc::Receiver<u32>, tx: mpsc::Sender<u32>, mut t: Interval) {
    let mut n = 0;
    let f = takes_and_sends(&mut rx, &tx);
    tokio::pin!(f);
    loop {
        tokio::select! {
            _ = t.tick() => { n += 1; println!("{n}"); }
            _ = &mut f => { break; }
        }
    }
}

pub async fn takes_and_sends_in_time(mut rx: mpsc::Receiver<u32>, tx: mpsc::Sender<u32>) {
    loop {
        match timeout(Duration::from_secs(1), takes_and_sends(&mut rx, &tx)).await { //~ cancel-unsafe
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => println!("idle"),
        }
    }
}

pub async fn leaves_after_the_time(mut rx: mpsc::Receiver<u32>, tx: mpsc::Sender<u32>) {
    while let Ok(true) = timeout(Duration::from_secs(1), takes_and_sends(&mut rx, &tx)).await {}
}

pub async fn reads_exactly_in_time<R: AsyncReadExt + Unpin>(mut r: R) {
    let mut b = [0; 4];
    loop {
        if let Ok(x) = timeout(Duration::from_secs(1), r.read_exact(&mut b)).await { //~ cancel-unsafe
            if x.is_err() {
                return;
            }
        }
    }
}

pub async fn fails_after_the_time<R: AsyncReadExt + Unpin>(mut r: R) -> std::io::Result<()> {
    let mut b = [0; 4];
    loop {
        timeout(Duration::from_secs(1), r.read_exact(&mut b)).await??;
    }
}

pub async fn sends_the_message_of_this_round(
    mut rx: mpsc::Receiver<u32>,
    tx: mpsc::Sender<u32>,
    mut t: Interval,
) {
    while let Some(x) = rx.recv().await {
        tokio::select! {
            _ = t.tick() => {}
            r = tx.send(x) => { if r.is_err() { return; } } //~ cancel-unsafe
        }
    }
}
