//! What tasks tell each other, or find out about each other.

use std::sync::{Arc, Mutex};
use tokio::sync::{Barrier, Notify, OnceCell, Semaphore, broadcast, mpsc, oneshot, watch};
use tokio::task::JoinSet;

struct ClosedPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// The other one has dropped its receiver.
pub async fn closed() {
    let pair = Arc::new(ClosedPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, keep) = mpsc::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        drop(keep);
    });
    let second = tokio::spawn(async move {
        while !tell.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct ClosedForAllPair {
    left: tokio::sync::Mutex<u32>,
    right: tokio::sync::Mutex<u32>,
}

/// The other one has closed the semaphore.
pub async fn closed_for_all() {
    let pair =
        Arc::new(ClosedForAllPair { left: tokio::sync::Mutex::new(0), right: tokio::sync::Mutex::new(0) });
    let same = pair.clone();
    let gate = Arc::new(Semaphore::new(0));
    let closes = gate.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().await;
            *same.right.lock().await += *left;
        }
        closes.close();
    });
    let second = tokio::spawn(async move {
        while !gate.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().await;
        *pair.left.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct ReceiverIsClosedPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// The receiver is asked.
pub async fn receiver_is_closed() {
    let pair = Arc::new(ReceiverIsClosedPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, keep) = mpsc::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        drop(tell);
    });
    let second = tokio::spawn(async move {
        while !keep.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct ChangedPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// A value is watched.
pub async fn changed() {
    let pair = Arc::new(ChangedPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, wait) = watch::channel(1);
    let _kept = tell.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        tell.send_replace(2);
    });
    let second = tokio::spawn(async move {
        while !wait.has_changed().unwrap() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct BorrowedPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// A value is looked at.
pub async fn borrowed() {
    let pair = Arc::new(BorrowedPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, wait) = watch::channel(1);
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        tell.send_replace(2);
    });
    let second = tokio::spawn(async move {
        while *wait.borrow() < 2 {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct WaitedForPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// A value is waited for.
pub async fn waited_for() {
    let pair = Arc::new(WaitedForPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, mut wait) = watch::channel(1);
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        tell.send_replace(2);
    });
    let second = tokio::spawn(async move {
        wait.wait_for(|it| *it == 2).await.unwrap();
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct NotifiedPair {
    left: tokio::sync::Mutex<u32>,
    right: tokio::sync::Mutex<u32>,
}

/// A notification is stored.
pub async fn notified() {
    let pair = Arc::new(NotifiedPair { left: tokio::sync::Mutex::new(0), right: tokio::sync::Mutex::new(0) });
    let same = pair.clone();
    let told = Arc::new(Notify::new());
    let tells = told.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().await;
            *same.right.lock().await += *left;
        }
        tells.notify_one();
    });
    let second = tokio::spawn(async move {
        told.notified().await;
        let right = pair.right.lock().await;
        *pair.left.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct AnsweredPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// The answer is looked for.
pub async fn answered() {
    let pair = Arc::new(AnsweredPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, mut wait) = oneshot::channel();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        tell.send(3).unwrap();
    });
    let second = tokio::spawn(async move {
        while wait.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct NobodyWaitsPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// Whoever would have the answer is gone.
pub async fn nobody_waits() {
    let pair = Arc::new(NobodyWaitsPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, wait) = oneshot::channel::<()>();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        drop(wait);
    });
    let second = tokio::spawn(async move {
        while !tell.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct FreePermitsPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// Permits are counted.
pub async fn free_permits() {
    let pair = Arc::new(FreePermitsPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let gate = Arc::new(Semaphore::new(0));
    let gives = gate.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        gives.add_permits(1);
    });
    let second = tokio::spawn(async move {
        while gate.available_permits() == 0 {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct TriedPermitsPair {
    left: tokio::sync::Mutex<u32>,
    right: tokio::sync::Mutex<u32>,
}

/// A permit is tried for.
pub async fn tried_permits() {
    let pair =
        Arc::new(TriedPermitsPair { left: tokio::sync::Mutex::new(0), right: tokio::sync::Mutex::new(0) });
    let same = pair.clone();
    let gate = Arc::new(Semaphore::new(0));
    let gives = gate.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().await;
            *same.right.lock().await += *left;
        }
        gives.add_permits(1);
    });
    let second = tokio::spawn(async move {
        loop {
            if let Ok(permit) = gate.try_acquire() {
                permit.forget();
                break;
            }
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().await;
        *pair.left.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct SendersPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// Senders are counted.
pub async fn senders() {
    let pair = Arc::new(SendersPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, wait) = mpsc::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        drop(tell);
    });
    let second = tokio::spawn(async move {
        while wait.sender_strong_count() > 0 {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct ReceiversPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// Receivers are counted.
pub async fn receivers() {
    let pair = Arc::new(ReceiversPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, keep) = broadcast::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        drop(keep);
    });
    let second = tokio::spawn(async move {
        while tell.receiver_count() > 0 {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct QueuedPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// What waits in the channel is counted.
pub async fn queued() {
    let pair = Arc::new(QueuedPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (tell, wait) = mpsc::unbounded_channel();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        tell.send(1).unwrap();
    });
    let second = tokio::spawn(async move {
        while wait.is_empty() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct FilledPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// A cell is looked at until it is filled.
pub async fn filled() {
    let pair = Arc::new(FilledPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let cell = Arc::new(OnceCell::new());
    let fills = cell.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        fills.set(1).unwrap();
    });
    let second = tokio::spawn(async move {
        while !cell.initialized() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct MetPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// Both meet in between.
pub async fn met() {
    let pair = Arc::new(MetPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let met = Arc::new(Barrier::new(2));
    let meets = met.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        meets.wait().await;
    });
    let second = tokio::spawn(async move {
        met.wait().await;
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct EndedPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// The task is asked whether it has ended.
pub async fn ended() {
    let pair = Arc::new(EndedPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
    });
    let ends = first.abort_handle();
    let second = tokio::spawn(async move {
        while !ends.is_finished() {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// The set of tasks becomes empty.
pub async fn none_is_left() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let left = same.0.lock().unwrap();
        *same.1.lock().unwrap() += *left;
    });
    while !tasks.is_empty() {
        if tasks.try_join_next().is_none() {
            tokio::task::yield_now().await;
        }
    }
    let second = tokio::spawn(async move {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    second.await.unwrap();
}
