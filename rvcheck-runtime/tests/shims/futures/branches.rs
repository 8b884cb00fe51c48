//! Tasks of a pool that each take the first of several futures that are all ready.

use std::task::Poll;

use futures_executor::{block_on, ThreadPool};
use futures_util::future::{join_all, poll_fn, ready};
use futures_util::select;
use futures_util::task::SpawnExt;

fn main() {
    let pool = ThreadPool::builder().pool_size(2).create().unwrap();
    let tasks = (0..4).map(|_| pool.spawn_with_handle(taken()).unwrap());
    for taken in block_on(join_all(tasks)) {
        println!("{taken}");
    }
}

async fn taken() -> String {
    let mut taken = String::new();
    for _ in 0..8 {
        let (mut one, mut other) = (ready('b'), ready('c'));
        taken.push(select! {
            it = ready('a') => it,
            it = one => it,
            it = other => it,
        });
        yields().await;
    }
    taken
}

async fn yields() {
    let mut is_first = true;
    poll_fn(|context| {
        if !std::mem::take(&mut is_first) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
