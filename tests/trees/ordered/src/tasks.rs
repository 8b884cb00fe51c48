//! What tasks tell each other, or find out about each other.

use std::sync::{Arc, Mutex};
use tokio::sync::{Barrier, Notify, OnceCell, Semaphore, broadcast, mpsc, oneshot, watch};
use tokio::task::JoinSet;

/// The other one has dropped its receiver.
pub async fn closed() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, keep) = mpsc::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(keep);
    });
    let second = tokio::spawn(async move {
        while !tell.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// The other one has closed the semaphore.
pub async fn closed_for_all() {
    let pair = Arc::new((tokio::sync::Mutex::new(0_u32), tokio::sync::Mutex::new(0_u32)));
    let same = pair.clone();
    let gate = Arc::new(Semaphore::new(0));
    let closes = gate.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().await;
            *same.1.lock().await += *left;
        }
        closes.close();
    });
    let second = tokio::spawn(async move {
        while !gate.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().await;
        *pair.0.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// The receiver is asked.
pub async fn receiver_is_closed() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, keep) = mpsc::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(tell);
    });
    let second = tokio::spawn(async move {
        while !keep.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// A value is watched.
pub async fn changed() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, wait) = watch::channel(1);
    let keep = tell.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.send_replace(2);
    });
    let second = tokio::spawn(async move {
        while !wait.has_changed().unwrap() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    drop(keep);
    second.await.unwrap();
}

/// A value is looked at.
pub async fn borrowed() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, wait) = watch::channel(1);
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.send_replace(2);
    });
    let second = tokio::spawn(async move {
        while *wait.borrow() < 2 {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// A value is waited for.
pub async fn waited_for() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, mut wait) = watch::channel(1);
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.send_replace(2);
    });
    let second = tokio::spawn(async move {
        wait.wait_for(|it| *it == 2).await.unwrap();
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// A notification is stored.
pub async fn notified() {
    let pair = Arc::new((tokio::sync::Mutex::new(0_u32), tokio::sync::Mutex::new(0_u32)));
    let same = pair.clone();
    let told = Arc::new(Notify::new());
    let tells = told.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().await;
            *same.1.lock().await += *left;
        }
        tells.notify_one();
    });
    let second = tokio::spawn(async move {
        told.notified().await;
        let right = pair.1.lock().await;
        *pair.0.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// The answer is looked for.
pub async fn answered() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, mut wait) = oneshot::channel();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.send(3).unwrap();
    });
    let second = tokio::spawn(async move {
        while wait.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// Whoever would have the answer is gone.
pub async fn nobody_waits() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, wait) = oneshot::channel::<()>();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(wait);
    });
    let second = tokio::spawn(async move {
        while !tell.is_closed() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// Permits are counted.
pub async fn free_permits() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let gate = Arc::new(Semaphore::new(0));
    let gives = gate.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        gives.add_permits(1);
    });
    let second = tokio::spawn(async move {
        while gate.available_permits() == 0 {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// A permit is tried for.
pub async fn tried_permits() {
    let pair = Arc::new((tokio::sync::Mutex::new(0_u32), tokio::sync::Mutex::new(0_u32)));
    let same = pair.clone();
    let gate = Arc::new(Semaphore::new(0));
    let gives = gate.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().await;
            *same.1.lock().await += *left;
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
        let right = pair.1.lock().await;
        *pair.0.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// Senders are counted.
pub async fn senders() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, wait) = mpsc::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(tell);
    });
    let second = tokio::spawn(async move {
        while wait.sender_strong_count() > 0 {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// Receivers are counted.
pub async fn receivers() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, keep) = broadcast::channel::<()>(1);
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(keep);
    });
    let second = tokio::spawn(async move {
        while tell.receiver_count() > 0 {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// What waits in the channel is counted.
pub async fn queued() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (tell, wait) = mpsc::unbounded_channel();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.send(1).unwrap();
    });
    let second = tokio::spawn(async move {
        while wait.is_empty() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// A cell is looked at until it is filled.
pub async fn filled() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let cell = Arc::new(OnceCell::new());
    let fills = cell.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        fills.set(1).unwrap();
    });
    let second = tokio::spawn(async move {
        while !cell.initialized() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// Both meet in between.
pub async fn met() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let met = Arc::new(Barrier::new(2));
    let meets = met.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        meets.wait().await;
    });
    let second = tokio::spawn(async move {
        met.wait().await;
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

/// The task is asked whether it has ended.
pub async fn ended() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
    });
    let ends = first.abort_handle();
    let second = tokio::spawn(async move {
        while !ends.is_finished() {
            tokio::task::yield_now().await;
        }
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
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
