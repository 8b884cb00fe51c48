//! Tasks that wait for each other in every way that tokio-util has.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, Semaphore};
use tokio::{task, time};
use tokio_util::sync::{CancellationToken, PollSemaphore, PollSender};
use tokio_util::task::TaskTracker;

const SHORT: Duration = Duration::from_millis(50);

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        tokens().await;
        trackers().await;
        polled().await;
    });
    println!("done");
}

async fn tokens() {
    let token = CancellationToken::new();
    let tasks: Vec<_> = (0..3)
        .map(|number| {
            let (token, child) = (token.clone(), token.child_token());
            tokio::spawn(async move {
                match number {
                    0 => token.cancelled().await,
                    1 => child.cancelled_owned().await,
                    _ => {
                        while !token.is_cancelled() {
                            task::yield_now().await;
                        }
                    }
                }
            })
        })
        .collect();
    assert!(time::timeout(SHORT, token.cancelled()).await.is_err());
    assert_eq!(token.run_until_cancelled(async { 1 }).await, Some(1));
    let guard = token.clone().drop_guard();
    drop(guard);
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(token.run_until_cancelled(std::future::pending::<()>()).await, None);
}

async fn trackers() {
    let tracker = TaskTracker::new();
    for number in 0..4 {
        if number == 0 {
            tracker.spawn_blocking(|| std::thread::sleep(SHORT));
        } else {
            tracker.spawn(async move {
                task::yield_now().await;
                number
            });
        }
    }
    assert!(time::timeout(SHORT, tracker.wait()).await.is_err());
    let closes = tokio::spawn({
        let tracker = tracker.clone();
        async move { tracker.close() }
    });
    tracker.wait().await;
    assert!(closes.await.unwrap());
    assert!(tracker.is_empty());
}

async fn polled() {
    let limit = Arc::new(Semaphore::new(1));
    let mut poll = PollSemaphore::new(limit.clone());
    let permit = std::future::poll_fn(|context| poll.poll_acquire(context)).await.unwrap();
    let waits = tokio::spawn(async move {
        let permit = std::future::poll_fn(|context| poll.poll_acquire(context)).await;
        permit.is_some()
    });
    task::yield_now().await;
    drop(permit);
    assert!(waits.await.unwrap());
    let (sender, mut receiver) = mpsc::channel(1);
    let sends = tokio::spawn(async move {
        let mut sender = PollSender::new(sender);
        for number in 0..3 {
            std::future::poll_fn(|context| sender.poll_reserve(context)).await.unwrap();
            sender.send_item(number).unwrap();
        }
    });
    let mut sum = 0;
    while let Some(it) = receiver.recv().await {
        sum += it;
    }
    assert_eq!(sum, 3);
    sends.await.unwrap();
}
