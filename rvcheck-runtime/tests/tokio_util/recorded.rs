//! What the stand-in of tokio-util reports: behind each line stand the events that it records there, in the order of the
//! trace.
//!
//! The events that have no place follow, with their counts.
//~~ detach 1

use std::future::{pending, ready};
use std::pin::pin;

use tokio::task::yield_now;
use tokio_util::future::FutureExt;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { //~ spawn(root) block(block_on) unblock(block_on)
        tokens().await;
        limits().await;
        trackers().await;
    });
}

async fn tokens() {
    let token = CancellationToken::new();
    let child = token.child_token();
    let grandchild = child.child_token();
    let task = tokio::spawn(async move { grandchild.cancelled().await }); //~ spawn(async) signal_wait signalled
    let other = tokio::spawn(token.clone().cancelled_owned()); //~ spawn(async) signal_wait signalled
    yield_now().await;
    token.cancel(); //~ notify_all notify_all notify_all
    task.await.unwrap(); //~ join
    other.await.unwrap(); //~ join
    child.cancelled().await; //~ signalled
    token.cancel(); //~ notify_all
    let guard = CancellationToken::new().drop_guard(); //~ notify_all
    let kept = CancellationToken::new().drop_guard();
    drop((guard, kept.disarm()));
}

async fn limits() {
    let token = CancellationToken::new();
    token.run_until_cancelled(ready(1)).await;
    let mut limited = pin!(token.run_until_cancelled(pending::<u8>())); //~ signal_wait signalled
    assert!(futures(limited.as_mut()).is_none());
    let mut also = Box::pin(pending::<u8>().with_cancellation_token(&token)); //~ signal_wait
    assert!(futures(also.as_mut()).is_none());
    drop(also);
    token.cancel(); //~ notify_all
    assert_eq!(limited.await, None);
    assert_eq!(ready(1).with_cancellation_token_owned(token.clone()).await, None); //~ signalled
}

fn futures<F: std::future::Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}

async fn trackers() {
    let tracker = TaskTracker::new();
    drop(tracker.spawn(async {})); //~ spawn(async)
    tracker.spawn_blocking(|| {}).await.unwrap(); //~ spawn(blocking) join
    yield_now().await;
    let token = tracker.token(); //~ notify_all
    let first = tracker.spawn(async {}); //~ spawn(async)
    first.await.unwrap(); //~ join
    first_of(&tracker).await;
    drop(token);
    tracker.reopen();
    tracker.close(); //~ notify_all
    tracker.wait().await; //~ signalled
}

async fn first_of(tracker: &TaskTracker) {
    tracker.close();
    let mut waiting = pin!(tracker.wait()); //~ signal_wait
    assert!(futures(waiting.as_mut()).is_none());
}
