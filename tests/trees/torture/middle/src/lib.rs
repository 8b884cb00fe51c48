//! Edition 2021: statics of every kind, generics, and tokio's own macros.

#![deny(warnings, missing_docs)]

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, RwLock};

use tokio::sync::{oneshot, watch};

static NAMES: LazyLock<RwLock<Vec<String>>> = LazyLock::new(RwLock::default);
static FIRST: OnceLock<String> = OnceLock::new();
static COUNT: Mutex<u32> = Mutex::new(0);
static SHARDS: [Mutex<Vec<u32>>; 4] = [const { Mutex::new(Vec::new()) }; 4];
static GATE: tokio::sync::Semaphore = tokio::sync::Semaphore::const_new(2);
static CELL: tokio::sync::OnceCell<u32> = tokio::sync::OnceCell::const_new();

thread_local! {
    static DEPTH: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Registers a name; returns the first one that was ever registered, and how many there are.
pub async fn register<N: Into<String> + Clone>(name: N) -> (&'static str, u32) {
    let _permit = GATE.acquire().await.unwrap();
    DEPTH.with(|it| it.borrow_mut().push("register"));
    NAMES.write().unwrap().push(name.clone().into());
    let first = FIRST.get_or_init(|| name.into());
    SHARDS[first.len() % SHARDS.len()].lock().unwrap().push(1);
    let count = {
        let mut count = COUNT.lock().unwrap();
        *count += 1;
        *count
    };
    DEPTH.with(|it| it.borrow_mut().pop());
    (first, count + *CELL.get_or_init(|| async { 0 }).await)
}

/// The first of two answers, or `None` when the time is up.
pub async fn first<T>(a: oneshot::Receiver<T>, b: oneshot::Receiver<T>) -> Option<T> {
    tokio::select! {
        biased;
        Ok(it) = a => Some(it),
        Ok(it) = b => Some(it),
        () = tokio::time::sleep(std::time::Duration::from_millis(10)) => None,
        else => None,
    }
}

/// Both, and what a dependency outside says of them.
pub async fn both(a: impl std::future::Future<Output = u32>, b: u32) -> (u32, u32) {
    let (a, b) = tokio::join!(a, async { outside::doubled(b).await });
    match tokio::try_join!(async { Ok::<_, ()>(a) }, async { if b > 0 { Ok(b) } else { Err(()) } }) {
        Ok(pair) => pair,
        Err(()) => (0, 0),
    }
}

/// Shows something that changes, for as long as it changes.
pub async fn follow<T: Debug + Clone>(mut values: watch::Receiver<T>, seen: Arc<Mutex<Vec<String>>>) {
    loop {
        let text = format!("{:?}", *values.borrow_and_update());
        seen.lock().unwrap().push(text);
        if values.changed().await.is_err() {
            break;
        }
    }
}

/// Counts with closures that give futures.
pub async fn counted(times: u32) -> u32 {
    let total = AtomicU32::new(0);
    let add = |by: u32| {
        let total = &total;
        async move {
            tokio::task::yield_now().await;
            total.fetch_add(by, Ordering::Relaxed)
        }
    };
    for by in 0..times {
        add(by).await;
    }
    total.into_inner()
}
