//! What orders nothing: each of these can deadlock.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The flag is stored before the locks are taken.
pub fn stored_too_early() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        done.store(true, Ordering::Release);
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
    });
    while !ready.load(Ordering::Acquire) {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct SeenAndIgnored {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// The flag is looked at once, and decides something else.
pub fn seen_and_ignored() {
    let it = Arc::new(SeenAndIgnored { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        done.store(true, Ordering::Release);
    });
    let second = thread::spawn(move || {
        if !ready.load(Ordering::Acquire) {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// Another flag is waited for.
pub fn another_flag() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let begun = Arc::new(AtomicBool::new(false));
    let begins = begun.clone();
    let first = thread::spawn(move || {
        begins.store(true, Ordering::Release);
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        done.store(true, Ordering::Release);
    });
    while !begun.load(Ordering::Acquire) {
        thread::yield_now();
    }
    assert!(begun.load(Ordering::Relaxed) || ready.load(Ordering::Relaxed));
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct GivenUp {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// It looks for the flag a few times only.
pub fn given_up() {
    let it = Arc::new(GivenUp { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        done.store(true, Ordering::Release);
    });
    let second = thread::spawn(move || {
        for _ in 0..3 {
            if ready.load(Ordering::Acquire) {
                break;
            }
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// A sleep orders nothing.
pub fn slept() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let first = thread::spawn(move || {
        let left = same.0.lock().unwrap();
        *same.1.lock().unwrap() += *left;
    });
    thread::sleep(Duration::from_millis(20));
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct ToldTooEarly {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// The message is sent before the locks are taken.
pub fn told_too_early() {
    let it = Arc::new(ToldTooEarly { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let (tell, wait) = mpsc::channel();
    let first = thread::spawn(move || {
        tell.send(1).unwrap();
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
    });
    let second = thread::spawn(move || {
        while wait.try_recv().is_err() {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// The pointer is dropped before the locks are taken.
pub fn dropped_too_early() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let kept = Arc::new(());
    let keeps = kept.clone();
    let first = thread::spawn(move || {
        drop(keeps);
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
    });
    while Arc::strong_count(&kept) > 1 {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// One of two is enough.
pub fn counted_too_early() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let first = thread::spawn(move || {
        counted.fetch_add(1, Ordering::AcqRel);
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        counted.fetch_add(1, Ordering::AcqRel);
    });
    while count.load(Ordering::Acquire) == 0 {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// That the thread has not ended says nothing.
pub fn still_there() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let first = thread::spawn(move || {
        let left = same.0.lock().unwrap();
        *same.1.lock().unwrap() += *left;
    });
    assert!(!first.is_finished() || Arc::strong_count(&pair) > 0);
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct AddedTooEarlyPair {
    left: tokio::sync::Mutex<u32>,
    right: tokio::sync::Mutex<u32>,
}

/// The permits are added before the locks are taken.
pub async fn added_too_early() {
    let pair =
        Arc::new(AddedTooEarlyPair { left: tokio::sync::Mutex::new(0), right: tokio::sync::Mutex::new(0) });
    let same = pair.clone();
    let gate = Arc::new(Semaphore::new(0));
    let gives = gate.clone();
    let first = tokio::spawn(async move {
        gives.add_permits(1);
        {
            let left = same.left.lock().await;
            *same.right.lock().await += *left;
        }
    });
    let second = tokio::spawn(async move {
        while gate.available_permits() == 0 {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().await;
        *pair.left.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}
