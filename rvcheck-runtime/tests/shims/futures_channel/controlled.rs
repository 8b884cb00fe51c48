//! Threads that wait for each other in every way that futures-channel has.

use std::future::Future;
use std::pin::{pin, Pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};

use futures_channel::{mpsc, oneshot};
use futures_core::Stream;

fn main() {
    let (sender, mut receiver) = mpsc::channel(1);
    let sending: Vec<_> = (0..2)
        .map(|_| {
            let mut sender = sender.clone();
            thread::spawn(move || {
                for number in 0..3 {
                    block_on(std::future::poll_fn(|context| sender.poll_ready(context))).unwrap();
                    sender.start_send(number).unwrap();
                }
                while sender.try_send(4).is_err() {
                    thread::yield_now();
                }
            })
        })
        .collect();
    drop(sender);
    let mut sum = 0;
    while let Some(it) = next(&mut receiver) {
        sum += it;
    }
    assert_eq!(sum, 14);
    sending.into_iter().for_each(|it| it.join().unwrap());

    let (sender, mut receiver) = mpsc::unbounded();
    let sends = thread::spawn(move || (0..3).for_each(|number| sender.unbounded_send(number).unwrap()));
    assert_eq!((next(&mut receiver), next(&mut receiver), next(&mut receiver)), (Some(0), Some(1), Some(2)));
    assert_eq!(next(&mut receiver), None);
    sends.join().unwrap();

    let (sender, receiver) = oneshot::channel();
    let sends = thread::spawn(move || sender.send(1).unwrap());
    assert_eq!(block_on(receiver), Ok(1));
    sends.join().unwrap();
    let (mut sender, mut receiver) = oneshot::channel::<u8>();
    let closes = thread::spawn(move || {
        receiver.close();
        assert!(receiver.try_recv().is_err());
    });
    block_on(sender.cancellation());
    closes.join().unwrap();
    println!("done");
}

fn next<T>(stream: &mut (impl Stream<Item = T> + Unpin)) -> Option<T> {
    block_on(std::future::poll_fn(|context| Pin::new(&mut *stream).poll_next(context)))
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
