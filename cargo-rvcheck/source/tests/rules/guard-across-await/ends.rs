//! Where a guard ends: dropped, moved, at the end of its block.

use std::sync::{Mutex, MutexGuard};

async fn other() -> u32 {
    tokio::task::yield_now().await;
    1
}

pub async fn dropped(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap();
    let now = *guard;
    drop(guard);
    now + other().await
}

pub async fn dropped_by_path(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap();
    std::mem::drop(guard);
    other().await
}

pub async fn dropped_in_each_arm(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap();
    match *guard {
        0 => drop(guard),
        1 => {
            let moved = guard;
            drop(moved);
        }
        _ => {
            drop(guard);
            return 7;
        }
    }
    other().await
}

pub async fn dropped_in_one_arm(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap(); //~ guard-across-await
    if *guard == 0 {
        drop(guard);
    }
    other().await
}

pub async fn left_early(lock: &Mutex<u32>, stop: &std::sync::atomic::AtomicBool) -> u32 {
    let guard = lock.lock().unwrap(); //~ guard-across-await
    if stop.load(std::sync::atomic::Ordering::SeqCst) {
        return 0;
    }
    other().await + *guard
}

pub async fn awaited_where_it_was_not_dropped(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap(); //~ guard-across-await
    if *guard == 0 {
        drop(guard);
        return other().await;
    }
    other().await + *guard
}

pub async fn block(lock: &Mutex<u32>) -> u32 {
    let now = {
        let guard = lock.lock().unwrap();
        *guard
    };
    now + other().await
}

fn consumed(guard: MutexGuard<'_, u32>) -> u32 {
    *guard
}

pub async fn given_away(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap();
    consumed(guard) + other().await
}

pub async fn in_a_loop(lock: &Mutex<u32>) {
    loop {
        let guard = lock.lock().unwrap();
        if *guard > 3 {
            break;
        }
        drop(guard);
        other().await;
    }
}

pub async fn taken_again(lock: &Mutex<u32>) -> u32 {
    let mut guard = lock.lock().unwrap();
    while *guard < 9 {
        drop(guard);
        other().await;
        guard = lock.lock().unwrap();
    }
    *guard
}

pub async fn tried(lock: &Mutex<u32>) -> u32 {
    if let Ok(guard) = lock.try_lock() {
        return *guard;
    }
    other().await
}

pub async fn forgotten_flag(lock: &Mutex<u32>, early: bool) -> u32 {
    let mut sum = 0;
    for _ in 0..3 {
        let guard = lock.lock().unwrap();
        if early {
            drop(guard);
        } else {
            sum += *guard;
        }
    }
    sum + other().await
}

pub fn not_async(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap();
    let future = other();
    drop(future);
    *guard
}

pub fn a_block_of_its_own(lock: &'static Mutex<u32>) -> impl Future<Output = u32> {
    let now = *lock.lock().unwrap();
    async move { now + other().await }
}
