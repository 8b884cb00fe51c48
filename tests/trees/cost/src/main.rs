//! What primitives cost. Built twice, plainly and instrumented; prints a line `name ns` for each operation.
//!
//! Figures are CPU time of the threads that work, the least of several rounds, so that a busy machine disturbs them
//! little. Rounds are short, so that the trace stays small.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

const ROUNDS: usize = 60;
const TIMES: u32 = 2_000;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("parallel") => parallel(std::env::args().nth(2).and_then(|it| it.parse().ok()).unwrap_or(1)),
        _ => primitives(),
    }
}

fn primitives() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let outer = Mutex::new(0u64);
    let inner = Mutex::new(0u64);
    report("std lock+unlock", || {
        for _ in 0..TIMES {
            *black_box(&outer).lock().unwrap() += 1;
        }
    });
    report("std nested pair", || {
        for _ in 0..TIMES {
            let mut first = black_box(&outer).lock().unwrap();
            let mut second = black_box(&inner).lock().unwrap();
            *first += 1;
            *second += 1;
        }
    });
    let tokio_outer = tokio::sync::Mutex::new(0u64);
    let tokio_inner = tokio::sync::Mutex::new(0u64);
    on(&runtime, "tokio lock+unlock", async || {
        for _ in 0..TIMES {
            *tokio_outer.lock().await += 1;
        }
    });
    on(&runtime, "tokio nested pair", async || {
        for _ in 0..TIMES {
            let mut first = tokio_outer.lock().await;
            let mut second = tokio_inner.lock().await;
            *first += 1;
            *second += 1;
        }
    });
    let (sender, receiver) = std::sync::mpsc::channel();
    report("std mpsc send+recv", || {
        for number in 0..TIMES {
            sender.send(number).unwrap();
            black_box(receiver.recv().unwrap());
        }
    });
    let (sender, mut receiver) = mpsc::channel(8);
    on(&runtime, "tokio mpsc send+recv", async || {
        for number in 0..TIMES {
            sender.send(number).await.unwrap();
            black_box(receiver.recv().await.unwrap());
        }
    });
    on(&runtime, "await, ready at once", async || {
        for number in 0..TIMES {
            black_box(std::future::ready(black_box(number)).await);
        }
    });
    on(&runtime, "await, one suspension", async || {
        for _ in 0..TIMES {
            tokio::task::yield_now().await;
        }
    });
    on(&runtime, "tokio spawn+join", async || {
        for _ in 0..TIMES {
            tokio::spawn(async {}).await.unwrap();
        }
    });
    for count in [2_000, 200_000] {
        joined_set(&runtime, count);
    }
    let (flag, count) = (AtomicBool::new(false), AtomicU64::new(0));
    report("atomic store", || {
        for _ in 0..TIMES {
            black_box(&flag).store(true, Ordering::Release);
        }
    });
    report("atomic load", || {
        for _ in 0..TIMES {
            if !black_box(&flag).load(Ordering::Acquire) {
                black_box(&flag);
            }
        }
    });
    report("atomic fetch_add", || {
        for _ in 0..TIMES {
            black_box(&count).fetch_add(1, Ordering::Relaxed);
        }
    });
    report("lock, store, unlock", || {
        for _ in 0..TIMES {
            let mut first = black_box(&outer).lock().unwrap();
            black_box(&flag).store(true, Ordering::Release);
            *first += 1;
        }
    });
    turns("two threads in turns", TIMES);
    contended("two threads, empty section", TIMES, Duration::ZERO);
    contended("two threads, 1 µs inside", TIMES, Duration::from_micros(1));
}

/// CPU time of this thread.
fn report(name: &str, mut f: impl FnMut()) {
    let least = (0..ROUNDS)
        .map(|_| {
            let before = cpu(3);
            f();
            cpu(3) - before
        })
        .min()
        .unwrap_or_default();
    println!("{name}\t{}", least.as_nanos() as f64 / f64::from(TIMES));
}

fn on(runtime: &Runtime, name: &str, mut f: impl AsyncFnMut()) {
    report(name, || runtime.block_on(f()));
}

/// CPU time of this thread for each of so many tasks of one set. What a task costs must not depend on how many there are.
fn joined_set(runtime: &Runtime, count: u32) {
    let least = (0..3)
        .map(|_| {
            let before = cpu(3);
            runtime.block_on(async {
                let mut set = tokio::task::JoinSet::new();
                for number in 0..count {
                    set.spawn(async move { number });
                }
                while let Some(number) = set.join_next().await {
                    black_box(number.unwrap());
                }
            });
            cpu(3) - before
        })
        .min()
        .unwrap_or_default();
    println!("JoinSet of {count}\t{}", least.as_nanos() as f64 / f64::from(count));
}

/// Wall time of two threads that an atomic lets go on in turns.
fn turns(name: &str, times: u32) {
    let turn = AtomicU64::new(0);
    let take = |mine: u64| {
        for _ in 0..times {
            while turn.load(Ordering::Acquire) % 2 != mine {
                std::thread::yield_now();
            }
            turn.fetch_add(1, Ordering::AcqRel);
        }
    };
    let least = (0..ROUNDS / 4)
        .map(|_| {
            let began = Instant::now();
            std::thread::scope(|scope| {
                scope.spawn(|| take(0));
                scope.spawn(|| take(1));
            });
            began.elapsed()
        })
        .min()
        .unwrap_or_default();
    println!("{name}\t{}", least.as_nanos() as f64 / f64::from(times));
}

/// Wall time of two threads that take one lock in turns.
fn contended(name: &str, times: u32, inside: Duration) {
    let lock = Arc::new(Mutex::new(0u64));
    let least = (0..ROUNDS / 4)
        .map(|_| {
            let began = Instant::now();
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        for _ in 0..times {
                            let mut count = lock.lock().unwrap();
                            *count += 1;
                            let entered = Instant::now();
                            while inside > Duration::ZERO && entered.elapsed() < inside {
                                std::hint::spin_loop();
                            }
                        }
                    });
                }
            });
            began.elapsed()
        })
        .min()
        .unwrap_or_default();
    println!("{name}\t{}", least.as_nanos() as f64 / f64::from(2 * times));
}

/// That many tasks at once, each sleeping for a second: prints wall time and CPU time of the process in ms.
fn parallel(count: usize) {
    let runtime = Builder::new_multi_thread().enable_all().worker_threads(2).build().unwrap();
    let began = Instant::now();
    runtime.block_on(async {
        let tasks: Vec<_> =
            (0..count).map(|_| tokio::spawn(async { tokio::time::sleep(Duration::from_secs(1)).await })).collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
    println!("wall\t{}", began.elapsed().as_secs_f64() * 1e3);
    println!("cpu\t{}", cpu(2).as_secs_f64() * 1e3);
}

/// CPU time by one of the system's clocks: 2 the process, 3 the thread.
fn cpu(clock: i32) -> Duration {
    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanos: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    }
    let mut time = Timespec { seconds: 0, nanos: 0 };
    // SAFETY: the struct has C's layout on 64-bit Linux and lives through the call.
    unsafe { clock_gettime(clock, &raw mut time) };
    Duration::new(time.seconds as u64, time.nanos as u32)
}
