//! Threads and tasks that keep a sender until they are stopped, which happens behind the loop that waits for all senders.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc;

fn beats(every: Duration, beats: &Sender<u32>, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Acquire) {
        thread::sleep(every);
        let _ = beats.send(0);
    }
}

pub fn stops_behind_the_loop(parts: Vec<u32>) -> u32 {
    let is_over = AtomicBool::new(false);
    let (sends, sums) = channel();
    let mut sum = 0;
    thread::scope(|scope| {
        for part in parts {
            let sends = sends.clone();
            scope.spawn(move || {
                let _ = sends.send(part);
            });
        }
        let (own, is_over) = (sends.clone(), &is_over);
        scope.spawn(move || beats(Duration::from_millis(5), &own, is_over));
        drop(sends);
        for part in sums { //~ channel-deadlock warning
            sum += part;
        }
        is_over.store(true, Ordering::Release);
    });
    sum
}

fn beats_before(every: Duration, beats: &Sender<u32>, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Acquire) {
        thread::sleep(every);
        let _ = beats.send(0);
    }
}

pub fn stops_before_the_loop(parts: Vec<u32>) -> u32 {
    let is_over = AtomicBool::new(false);
    let (sends, sums) = channel();
    let mut sum = 0;
    thread::scope(|scope| {
        let (own, is_over) = (sends.clone(), &is_over);
        scope.spawn(move || beats_before(Duration::from_millis(5), &own, is_over));
        for part in parts {
            let _ = sends.send(part);
        }
        drop(sends);
        is_over.store(true, Ordering::Release);
        for part in sums {
            sum += part;
        }
    });
    sum
}

fn beats_others(every: Duration, beats: &Sender<u32>, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Acquire) {
        thread::sleep(every);
        let _ = beats.send(0);
    }
}

/// The one that beats has no sender of that channel.
pub fn beats_elsewhere(parts: Vec<u32>) -> u32 {
    let is_over = AtomicBool::new(false);
    let (sends, sums) = channel();
    let (others, _kept) = channel();
    let mut sum = 0;
    thread::scope(|scope| {
        let is_over = &is_over;
        scope.spawn(move || beats_others(Duration::from_millis(5), &others, is_over));
        for part in parts {
            let _ = sends.send(part);
        }
        drop(sends);
        for part in sums {
            sum += part;
        }
        is_over.store(true, Ordering::Release);
    });
    sum
}

async fn reports(lines: mpsc::Sender<u32>, is_over: Arc<AtomicBool>) {
    while !is_over.load(Ordering::Acquire) {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let _ = lines.try_send(1);
    }
}

pub async fn task_stops_behind_the_loop() -> u32 {
    let is_over = Arc::new(AtomicBool::new(false));
    let (lines, mut read) = mpsc::channel(8);
    let reporter = tokio::spawn(reports(lines, is_over.clone()));
    let mut sum = 0;
    while let Some(line) = read.recv().await { //~ channel-deadlock warning
        sum += line;
    }
    is_over.store(true, Ordering::Release);
    let _ = reporter.await;
    sum
}

async fn reports_enough(lines: mpsc::Sender<u32>, is_over: Arc<AtomicBool>) {
    while !is_over.load(Ordering::Acquire) {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let _ = lines.try_send(1);
    }
}

/// A message says that it is enough.
pub async fn a_message_ends_the_loop() -> u32 {
    let is_over = Arc::new(AtomicBool::new(false));
    let (lines, mut read) = mpsc::channel(8);
    let reporter = tokio::spawn(reports_enough(lines, is_over.clone()));
    let mut sum = 0;
    while let Some(line) = read.recv().await {
        sum += line;
        if sum > 9 {
            break;
        }
    }
    is_over.store(true, Ordering::Release);
    let _ = reporter.await;
    sum
}
