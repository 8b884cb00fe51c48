//! Panics of tasks, threads and closures that go on as values, in several forms; each is a note.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, JoinHandle};
use tokio::task::JoinSet;

fn weigh(parcel: &str) -> u32 {
    parcel.parse().expect("a number")
}

/// The panics of workers are counted, with what they were about.
pub fn by_shelf(parcels: BTreeMap<u32, String>) -> (u32, Vec<u32>) {
    let workers: Vec<(u32, JoinHandle<u32>)> =
        parcels.into_iter().map(|(shelf, it)| (shelf, thread::spawn(move || weigh(&it)))).collect();
    let (mut sum, mut left) = (0, Vec::new());
    for (shelf, worker) in workers {
        match worker.join() { //~ panic-as-result note
            Ok(weight) => sum += weight,
            Err(_) => left.push(shelf),
        }
    }
    (sum, left)
}

pub async fn in_a_set(parcels: Vec<String>) -> u32 {
    let mut set = JoinSet::new();
    for it in parcels {
        set.spawn(async move { weigh(&it) });
    }
    let mut sum = 0;
    while let Some(done) = set.join_next().await { //~ panic-as-result note
        sum += done.unwrap_or(0);
    }
    sum
}

pub async fn in_a_set_that_goes_on(parcels: Vec<String>) -> u32 {
    let mut set = JoinSet::new();
    for it in parcels {
        set.spawn(async move { weigh(&it) });
    }
    let mut sum = 0;
    while let Some(done) = set.join_next().await {
        match done {
            Ok(weight) => sum += weight,
            Err(error) => eprintln!("a parcel is left out: {error:?}"),
        }
    }
    sum
}

/// A helper that turns a panic into `None`.
fn tries<T>(what: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(what)).ok()
}

pub fn weighs(parcel: &str) -> u32 {
    tries(|| weigh(parcel)).unwrap_or(1)
}

pub fn weighs_or_goes_down(parcel: &str) -> u32 {
    match catch_unwind(|| weigh(parcel)) {
        Ok(weight) => weight,
        Err(payload) => std::panic::resume_unwind(payload),
    }
}
