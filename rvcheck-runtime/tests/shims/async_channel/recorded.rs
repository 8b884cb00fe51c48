//! What the shim of async-channel reports: behind each line stand the events that it records there, in the order of the
//! trace.
//!
//! The events that have no place follow, with their counts.
//~~ receiver_drop 6, sender_drop 6, undelivered(3) 1

use std::future::Future;
use std::pin::{pin, Pin};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use async_channel::{bounded, unbounded};
use futures_core::stream::Stream;

fn main() {
    tries();
    waits();
    polls();
    blocks();
    displaces();
}

fn tries() {
    let (sender, receiver) = bounded(1);
    sender.try_send(1).unwrap(); //~ send(1)
    sender.try_send(2).unwrap_err();
    receiver.try_recv().unwrap(); //~ recv(1)
    receiver.try_recv().unwrap_err();
    sender.clone().try_send(3).unwrap(); //~ send(3)
    receiver.close(); //~ chan_close
    sender.try_send(4).unwrap_err(); //~ closed
    drop(sender);
    drop(receiver);
    let (sender, receiver) = unbounded::<u8>();
    let weak = sender.downgrade();
    drop(weak.upgrade());
    drop(sender);
    receiver.try_recv().unwrap_err(); //~ closed
}

fn waits() {
    let (sender, receiver) = bounded(1);
    let mut receiving = pin!(receiver.recv()); //~ recv_wait recv(1)
    assert!(poll(receiving.as_mut()).is_pending());
    assert!(poll(receiving.as_mut()).is_pending());
    assert!(poll(pin!(sender.send(1))).is_ready()); //~ send(1)
    assert!(poll(receiving).is_ready());
    assert!(poll(pin!(sender.send(2))).is_ready()); //~ send(2)
    {
        let mut given_up = pin!(sender.send(3)); //~ send_wait send_cancel
        assert!(poll(given_up.as_mut()).is_pending());
    }
    let mut sending = pin!(sender.send(4)); //~ send_wait send(4)
    assert!(poll(sending.as_mut()).is_pending());
    assert!(poll(pin!(receiver.recv())).is_ready()); //~ recv(2)
    assert!(poll(sending).is_ready());
    let mut refused = pin!(sender.send(5)); //~ send_wait closed
    assert!(poll(refused.as_mut()).is_pending());
    receiver.close(); //~ chan_close
    assert!(poll(refused).is_ready());
    receiver.try_recv().unwrap(); //~ recv(4)
    assert!(poll(pin!(receiver.recv())).is_ready()); //~ closed
}

fn polls() {
    let (sender, receiver) = bounded(1);
    let mut receiver = pin!(receiver);
    assert!(poll_next(receiver.as_mut()).is_pending()); //~ recv_wait
    assert!(poll_next(receiver.as_mut()).is_pending());
    sender.try_send(1).unwrap(); //~ send(1)
    assert!(poll_next(receiver.as_mut()).is_ready()); //~ recv(1)
    drop(sender);
    assert!(poll_next(receiver.as_mut()).is_ready()); //~ closed
}

fn blocks() {
    let (sender, receiver) = bounded(1);
    sender.send_blocking(1).unwrap(); //~ send(1)
    let thread = thread::spawn(move || {
        sender.send_blocking(2).unwrap(); //~ send_wait block(recv) unblock(recv) send(2)
        thread::sleep(2 * LONG);
        sender.send_blocking(3).unwrap(); //~ send(3)
    });
    thread::sleep(LONG);
    receiver.recv_blocking().unwrap(); //~ recv(1)
    thread::sleep(LONG);
    receiver.recv_blocking().unwrap(); //~ recv(2)
    receiver.recv_blocking().unwrap(); //~ recv_wait block(recv) unblock(recv) recv(3)
    thread.join().unwrap();
}

fn displaces() {
    let (sender, _receiver) = bounded(1);
    sender.force_send(1).unwrap(); //~ send(1)
    sender.force_send(2).unwrap(); //~ send(2) recv(1)
    _receiver.try_recv().unwrap(); //~ recv(2)
}

/// Long enough for another thread to come and wait.
const LONG: Duration = Duration::from_millis(200);

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[track_caller]
fn poll_next<S: Stream>(stream: Pin<&mut S>) -> Poll<Option<S::Item>> {
    stream.poll_next(&mut Context::from_waker(Waker::noop()))
}
