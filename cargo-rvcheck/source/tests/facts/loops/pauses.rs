//! What the rounds of a loop do that lets time pass.

use crossbeam_channel::Receiver;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

fn tides(at: u32) -> bool {
    at.is_power_of_two()
}

pub fn asks_each_time(ebb: &AtomicBool) {
    while !ebb.load(Ordering::Acquire) {
        thread::sleep(Duration::from_millis(3)); //~ iterations = looks
    }
}

pub fn asks_outside_only(ebb: &AtomicBool) {
    while !ebb.load(Ordering::Acquire) {
        while !tides(3) {
            thread::sleep(Duration::from_millis(3)); //~ iterations = deaf
        }
    }
}

pub fn counts(ebb: &AtomicBool) {
    for at in 0..3 {
        if tides(at) || ebb.load(Ordering::Acquire) {
            break;
        }
        thread::sleep(Duration::from_millis(3)); //~ iterations = counts
    }
}

pub fn takes_messages(waves: &Receiver<u32>) {
    loop {
        if waves.try_recv().is_ok() {
            return;
        }
        thread::yield_now(); //~ iterations = looks
    }
}

async fn rests() {
    sleep(Duration::from_millis(3)).await;
}

fn is_over(stop: &CancellationToken) -> bool {
    stop.is_cancelled()
}

pub async fn asks_by_a_helper(stop: CancellationToken) {
    loop {
        rests().await; //~ iterations = looks
        if is_over(&stop) {
            break;
        }
    }
}

pub async fn asks_behind_a_continue(stop: CancellationToken) {
    loop {
        rests().await; //~ iterations = deaf
        if !tides(4) {
            continue;
        }
        if is_over(&stop) {
            break;
        }
    }
}
