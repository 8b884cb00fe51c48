//! What the shim of tokio-util reports: behind each line stand the events that it records there, in the order of the
//! trace.
//!
//! The events that have no place follow, with their counts.
//~~ detach 1, receiver_drop 1, sender_drop 4

use std::future::{pending, ready};
use std::pin::{pin, Pin};
use std::sync::Arc;
use std::task::{Context, Waker};

use futures_core::Stream;
use futures_sink::Sink;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tokio_util::future::FutureExt;
use tokio_util::sync::{CancellationToken, PollSemaphore, PollSender};
use tokio_util::task::TaskTracker;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { //~ spawn(root) block(block_on) unblock(block_on)
        tokens().await;
        limits().await;
        trackers().await;
        polled();
    });
}

fn polled() {
    let context = &mut Context::from_waker(Waker::noop());
    let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
    let mut sender = PollSender::new(sender);
    assert!(sender.poll_reserve(context).is_ready());
    sender.send_item(1).unwrap(); //~ send(1)
    let mut again = sender.clone();
    assert!(Pin::new(&mut again).poll_ready(context).is_pending()); //~ send_wait
    receiver.try_recv().unwrap(); //~ recv(1)
    assert!(Pin::new(&mut again).poll_ready(context).is_ready());
    Pin::new(&mut again).start_send(2).unwrap(); //~ send(2)
    receiver.try_recv().unwrap(); //~ recv(2)
    let mut limit = PollSemaphore::new(Arc::new(Semaphore::new(2)));
    let one = limit.poll_acquire(context); //~ permit(1) permit_release(1)
    let two = Pin::new(&mut limit).poll_next(context); //~ permit(1) permit_release(1)
    assert!(limit.poll_acquire_many(context, 2).is_pending()); //~ permit_wait(2)
    drop((one, two));
    drop(limit.poll_acquire_many(context, 2)); //~ permit(2) permit_release(2)
    limit.add_permits(3); //~ permit_release(3, added)
}

async fn tokens() {
    let token = CancellationToken::new();
    let child = token.child_token();
    let grandchild = child.child_token();
    let task = tokio::spawn(async move { grandchild.cancelled().await }); //~ spawn(async) signal_wait signalled
    let other = tokio::spawn(token.clone().cancelled_owned()); //~ spawn(async) signal_wait signalled
    yield_now().await;
    token.cancel(); //~ notify_all notify_all notify_all
    task.await.unwrap(); //~ join_wait join
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
    let mut also = Box::pin(pending::<u8>().with_cancellation_token(&token)); //~ signal_wait signal_cancel
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
    first.await.unwrap(); //~ join_wait join
    first_of(&tracker).await;
    drop(token);
    tracker.reopen();
    tracker.close(); //~ notify_all
    tracker.wait().await; //~ signalled
}

async fn first_of(tracker: &TaskTracker) {
    tracker.close();
    let mut waiting = pin!(tracker.wait()); //~ signal_wait signal_cancel
    assert!(futures(waiting.as_mut()).is_none());
}
