//! Tasks of several workers that each take the first of several branches that are all ready.

use std::future::ready;

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
