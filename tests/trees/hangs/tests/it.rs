use hangs::{channels, given_up, locks, others};
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, RwLock};
use std::time::{Duration, Instant};

#[test]
fn locks_in_opposite_orders() {
    locks::opposite();
}

#[tokio::test]
async fn locks_in_a_cycle() {
    locks::cycle().await;
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
async fn a_task_that_joins_itself() {
    others::joins_itself().await;
}

#[tokio::test]
async fn a_starved_task() {
    others::starved();
}

#[tokio::test]
async fn locks_after_a_delay() {
    given_up::after_a_delay().await;
}

fn read_in_vain() {
    let (mut reader, _writer) = UnixStream::pair().unwrap();
    assert_eq!(reader.read(&mut [0]).unwrap(), 1);
}

#[test]
#[ignore = "it is ended after ten times the stall timeout"]
fn a_silent_socket() {
    read_in_vain();
}

#[tokio::test]
#[ignore = "as the other one"]
async fn a_silent_socket_in_a_task() {
    tokio::task::yield_now().await;
    read_in_vain();
}

#[tokio::test]
async fn fine_gives_up() {
    let (pinned, combined, switched, seats, joined) = tokio::join!(
        given_up::pinned_in_select(),
        given_up::in_a_combinator(),
        given_up::under_a_switch(),
        given_up::seats(),
        tokio::spawn(given_up::any_of_two()),
    );
    assert!(pinned >= 1 && combined >= 1 && switched == 2 && seats == 3 && joined.unwrap() == 2);
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

/// It passes, since it waits for neither.
#[test]
fn locks_of_others_in_opposite_orders() {
    locks::opposite_in_the_background();
    std::thread::sleep(Duration::from_secs(2));
}
