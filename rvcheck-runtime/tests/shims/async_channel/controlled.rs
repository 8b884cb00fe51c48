//! Threads that wait for each other in every way that async-channel has.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};

use async_channel::{bounded, unbounded, TryRecvError};

fn main() {
    for room in [Some(1), None] {
        let (sender, receiver) = room.map_or_else(unbounded, bounded);
        let sends = thread::spawn({
            let sender = sender.clone();
            move || (0..3).for_each(|number| sender.send_blocking(number).unwrap())
        });
        let polls = thread::spawn({
            let sender = sender.clone();
            move || (0..3).for_each(|number| block_on(sender.send(number)).unwrap())
        });
        drop(sender);
        let receives = thread::spawn({
            let receiver = receiver.clone();
            move || std::iter::from_fn(|| receiver.recv_blocking().ok()).sum::<i32>()
        });
        let mut sum = 0;
        while let Ok(it) = block_on(receiver.recv()) {
            sum += it;
        }
        assert_eq!(sum + receives.join().unwrap(), 6);
        sends.join().unwrap();
        polls.join().unwrap();
    }
    let (sender, receiver) = bounded(1);
    let sends = thread::spawn(move || while sender.send_blocking(1).is_ok() {});
    while receiver.try_recv() == Err(TryRecvError::Empty) {
        thread::yield_now();
    }
    receiver.close();
    sends.join().unwrap();
    println!("done");
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}

/// An executor of the program's own.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Arc::new(Unpark(thread::current())).into();
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}
