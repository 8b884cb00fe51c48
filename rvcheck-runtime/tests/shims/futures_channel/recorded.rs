//! What the shim of futures-channel reports: behind each line stand the events that it records there, in the order of
//! the trace.
//!
//! The events that have no place follow, with their counts.
//~~ receiver_drop 7, sender_drop 11, undelivered(1) 2, undelivered(3) 1

use std::future::Future;
use std::pin::{pin, Pin};
use std::task::{Context, Poll, Waker};

use futures_channel::{mpsc, oneshot};
use futures_core::stream::Stream;
use futures_sink::Sink;

fn main() {
    bounded();
    unbounded();
    sinks();
    futures();
    one_message();
}

fn bounded() {
    let (mut sender, mut receiver) = mpsc::channel(0);
    assert!(poll_next(&mut receiver).is_pending()); //~ recv_wait
    assert!(poll_next(&mut receiver).is_pending());
    sender.try_send(1).unwrap(); //~ send(1)
    sender.try_send(2).unwrap_err();
    assert!(sender.poll_ready(&mut context()).is_pending()); //~ send_wait
    assert!(sender.poll_ready(&mut context()).is_pending());
    assert!(poll_next(&mut receiver).is_ready()); //~ recv(1)
    assert!(sender.poll_ready(&mut context()).is_ready());
    sender.start_send(3).unwrap(); //~ send(3)
    let mut other = sender.clone();
    other.disconnect();
    other.try_send(4).unwrap_err(); //~ closed
    receiver.close(); //~ chan_close
    sender.start_send(5).unwrap_err(); //~ closed
    assert!(sender.poll_ready(&mut context()).is_ready()); //~ closed
}

fn unbounded() {
    let (sender, mut receiver) = mpsc::unbounded();
    sender.unbounded_send(1).unwrap(); //~ send(1)
    receiver.try_recv().unwrap(); //~ recv(1)
    receiver.try_recv().unwrap_err();
    sender.clone().unbounded_send(2).unwrap(); //~ send(2)
    drop(sender);
    assert!(poll_next(&mut receiver).is_ready()); //~ recv(2)
    receiver.try_recv().unwrap_err(); //~ closed
    let (sender, receiver) = mpsc::unbounded();
    drop(receiver);
    sender.unbounded_send(3).unwrap_err(); //~ closed
    sender.close_channel(); //~ chan_close
}

fn sinks() {
    let (mut sender, receiver) = mpsc::channel(0);
    Pin::new(&mut sender).start_send(1).unwrap(); //~ send(1)
    assert!(Pin::new(&mut sender).poll_flush(&mut context()).is_pending()); //~ send_wait
    drop(receiver);
    assert!(Pin::new(&mut sender).poll_flush(&mut context()).is_ready()); //~ closed
    assert!(Pin::new(&mut sender).poll_close(&mut context()).is_ready());
}

fn futures() {
    let (mut sender, mut receiver) = mpsc::channel(0);
    {
        let mut receiving = pin!(receiver.recv());
        assert!(receiving.as_mut().poll(&mut context()).is_pending()); //~ recv_wait
        sender.try_send(1).unwrap(); //~ send(1)
        assert!(receiving.as_mut().poll(&mut context()).is_ready()); //~ recv(1)
    }
    drop(sender);
    assert!(pin!(receiver.recv()).poll(&mut context()).is_ready()); //~ closed
}

fn one_message() {
    let (sender, mut receiver) = oneshot::channel();
    assert!(Pin::new(&mut receiver).poll(&mut context()).is_pending()); //~ recv_wait
    assert!(Pin::new(&mut receiver).poll(&mut context()).is_pending());
    receiver.try_recv().unwrap();
    sender.send(1).unwrap(); //~ send(1)
    assert!(Pin::new(&mut receiver).poll(&mut context()).is_ready()); //~ recv(1)
    let (sender, mut receiver) = oneshot::channel();
    sender.send(1).unwrap(); //~ send(1)
    receiver.try_recv().unwrap(); //~ recv(1)
    receiver.try_recv().unwrap_err(); //~ closed
    let (sender, receiver) = oneshot::channel();
    drop(receiver);
    sender.send(1).unwrap_err(); //~ closed
    let (sender, receiver) = oneshot::channel();
    sender.send(1).unwrap(); //~ send(1)
    drop(receiver);
}

fn context() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

#[track_caller]
fn poll_next<S: Stream + Unpin>(stream: &mut S) -> Poll<Option<S::Item>> {
    Pin::new(stream).poll_next(&mut context())
}
