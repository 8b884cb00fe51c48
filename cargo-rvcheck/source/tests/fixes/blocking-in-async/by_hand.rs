//! A program that polls futures by hand. Nobody knows which ones.

use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

async fn nap() {
    thread::sleep(Duration::from_millis(1)); //~ maybe
}

pub fn naps() {
    drop(tokio::spawn(nap()));
}

pub fn by_hand(future: impl Future<Output = u32>) -> u32 {
    let mut future = std::pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(it) = future.as_mut().poll(&mut context) {
            return it;
        }
    }
}
