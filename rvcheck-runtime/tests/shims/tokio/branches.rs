//! Tasks of several workers that each take the first of several branches that are all ready, and sleep.

use std::future::ready;
use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let tasks: Vec<_> = (0..4).map(|_| tokio::spawn(taken())).collect();
    for task in tasks {
        println!("{}", task.await.unwrap());
    }
    // Whoever asks again and again comes to each of them.
    loop {
        tokio::select! {
            () = ready(()) => {}
            () = ready(()), if std::env::args().count() > 0 => break,
            else => unreachable!(),
        }
    }
    sleepers().await;
}

async fn taken() -> String {
    let mut taken = String::new();
    for _ in 0..8 {
        taken.push(tokio::select! {
            it = ready('a') => it,
            it = async { 'b' } => it,
            Some('c') | None = ready(Some('d')) => 'c',
        });
        assert!(tokio::select! { biased; it = ready(true) => it, it = ready(false) => it });
        tokio::task::yield_now().await;
    }
    taken
}

/// They sleep equally long, but compute in between, and an interval goes on meanwhile. How fast they compute decides nothing.
async fn sleepers() {
    let awake = Arc::new(Mutex::new(Vec::new()));
    let sleepers: Vec<_> = (0..20)
        .map(|number| {
            let awake = awake.clone();
            tokio::spawn(async move {
                for _ in 0..2 {
                    black_box((0..30_000).fold(0_u64, |sum, it| black_box(sum ^ it)));
                    tokio::time::sleep(Duration::from_millis(3)).await;
                    awake.lock().unwrap().push(number);
                }
            })
        })
        .collect();
    let mut interval = tokio::time::interval(Duration::from_millis(2));
    for number in 100..104 {
        interval.tick().await;
        awake.lock().unwrap().push(number);
    }
    for it in sleepers {
        it.await.unwrap();
    }
    println!("{:?}", awake.lock().unwrap());
}
