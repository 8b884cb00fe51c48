use hangs::{channels, locks, others};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, Instant};

#[test]
fn locks_in_opposite_orders() {
    locks::opposite();
}

#[tokio::test]
async fn locks_in_a_ring() {
    locks::ring().await;
}

#[test]
fn the_same_lock_twice() {
    locks::twice(&Mutex::new(vec![1]));
}

#[test]
fn a_read_lock_to_write() {
    locks::upgrade(&RwLock::new(vec![]));
}

#[tokio::test]
async fn an_own_sender() {
    channels::own_sender().await;
}

#[tokio::test]
async fn two_full_channels() {
    channels::full().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_over_a_send() {
    channels::held_over_send().await;
}

#[tokio::test]
async fn no_answer() {
    channels::no_answer().await;
}

#[tokio::test]
async fn a_future_that_nobody_polls() {
    others::unpolled().await;
}

#[tokio::test]
async fn a_signal_too_early() {
    others::too_early().await;
}

#[tokio::test]
async fn all_permits_with_one_taken() {
    others::all_permits().await;
}

#[tokio::test]
async fn too_many_permits() {
    others::too_many().await;
}

#[tokio::test]
async fn no_signal() {
    others::no_signal().await;
}

#[tokio::test]
async fn a_starved_task() {
    others::starved();
}

#[test]
fn fine_computes() {
    let begun = Instant::now();
    let mut sum = 0_u64;
    while begun.elapsed() < Duration::from_secs(3) {
        sum = std::hint::black_box(sum.wrapping_mul(31).wrapping_add(7));
    }
}

#[test]
fn fine_sleeps() {
    std::thread::sleep(Duration::from_secs(3));
}

#[tokio::test]
async fn fine_waits_for_a_timer() {
    let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(3)).await;
        sender.send(1).await
    });
    assert_eq!(receiver.recv().await, Some(1));
}

#[test]
fn fine_waits_in_time() {
    let (_sender, receiver) = std::sync::mpsc::channel::<u32>();
    assert!(receiver.recv_timeout(Duration::from_secs(3)).is_err());
}
