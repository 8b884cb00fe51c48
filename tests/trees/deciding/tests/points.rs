//! Each test prints how many ns it took for each of its steps.

use deciding::{hand_between_tasks, hand_between_threads, lock_apart};
use std::time::Instant;

/// How many steps there are.
fn times() -> u64 {
    std::env::var("STEPS").ok().and_then(|it| it.parse().ok()).unwrap_or(100)
}

fn tell(begun: Instant, steps: u64) {
    println!("took {} ns", begun.elapsed().as_nanos() as f64 / steps as f64);
}

#[test]
fn locks_apart() {
    let begun = Instant::now();
    lock_apart(times());
    tell(begun, 2 * times());
}

#[test]
fn threads() {
    let begun = Instant::now();
    hand_between_threads(times());
    tell(begun, times());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks() {
    let begun = Instant::now();
    hand_between_tasks(times()).await;
    tell(begun, times());
}
