//! Tests in which time is stopped, or jumps.

use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn a_long_sleep_takes_no_time() {
    let began = tokio::time::Instant::now();
    tokio::spawn(tokio::time::sleep(Duration::from_secs(3600))).await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(3600));
}

#[tokio::test]
async fn time_is_stopped_and_moved_by_hand() {
    tokio::time::pause();
    let slow = tokio::spawn(tokio::time::timeout(Duration::from_secs(60), std::future::pending::<()>()));
    tokio::task::yield_now().await;
    tokio::time::advance(Duration::from_secs(61)).await;
    assert!(slow.await.unwrap().is_err());
    tokio::time::resume();
}

#[tokio::test(start_paused = true)]
async fn a_thread_blocks_though_time_is_stopped() {
    tokio::spawn(async { std::thread::sleep(Duration::from_millis(200)) }).await.unwrap();
}
