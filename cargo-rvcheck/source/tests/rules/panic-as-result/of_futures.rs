//! Panics of futures that are caught, and go on as values; each is a note.

use futures::future::FutureExt;
use std::panic::AssertUnwindSafe;

async fn reads(sensor: &str) -> i32 {
    tokio::task::yield_now().await;
    sensor.parse().expect("a number") //~ panic-as-result note
}

pub async fn warmest(sensors: Vec<String>) -> Option<i32> {
    let mut warmest = None;
    for it in &sensors {
        let read = AssertUnwindSafe(reads(it)).catch_unwind().await;
        warmest = warmest.max(read.ok());
    }
    warmest
}

pub async fn warmest_and_says_so(sensors: Vec<String>) -> Option<i32> {
    let mut warmest = None;
    for it in &sensors {
        match AssertUnwindSafe(reads(it)).catch_unwind().await {
            Ok(read) => warmest = warmest.max(Some(read)),
            Err(panic) => eprintln!("{it} panicked: {panic:?}"),
        }
    }
    warmest
}
