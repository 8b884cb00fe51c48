//! What the shim of flume reports: behind each line stand the events that it records there, in the order of the trace.
//!
//! The events that have no place follow, with their counts.
//~~ receiver_drop 14, sender_drop 14, undelivered(1) 1, undelivered(2) 3, undelivered(3) 2, undelivered(4) 1, undelivered(5) 1, undelivered(7) 1

use std::future::Future;
use std::pin::{pin, Pin};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use flume::{bounded, unbounded, Selector};
use futures_core::Stream;
use futures_sink::Sink;

const SHORT: Duration = Duration::from_millis(5);

fn main() {
    messages();
    waits();
    futures();
    waiting_line();
    streams();
    sinks();
    selections();
    selected_sends();
}

/// Does something a while later.
fn later(what: impl FnOnce() + Send + 'static) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        what();
    })
}

fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn messages() {
    let (sender, receiver) = bounded(2);
    sender.send(1).unwrap(); //~ send(1)
    sender.try_send(2).unwrap(); //~ send(2)
    sender.try_send(3).unwrap_err();
    println!("{:?} {:?}", receiver.recv(), receiver.try_recv()); //~ recv(1) recv(2)
    receiver.try_recv().unwrap_err();
    sender.send(4).unwrap(); //~ send(4)
    sender.send(5).unwrap(); //~ send(5)
    for it in receiver.drain().take(1) { //~ recv(4)
        println!("{it}");
    }
    drop(sender.clone());
    sender.send(6).unwrap(); //~ send(6)
    for it in receiver.try_iter() { //~ recv(6)
        println!("{it}");
    }
    sender.send(7).unwrap(); //~ send(7)
    drop(receiver);
    sender.send(8).unwrap_err(); //~ closed
    sender.try_send(9).unwrap_err(); //~ closed
    let (sender, receiver) = unbounded();
    sender.send(1).unwrap(); //~ send(1)
    drop(sender);
    for it in &receiver { //~ recv(1) closed
        println!("{it}");
    }
    receiver.try_recv().unwrap_err(); //~ closed
}

fn waits() {
    let (sender, receiver) = bounded(1);
    receiver.recv_timeout(SHORT).unwrap_err(); //~ recv_wait block(recv) unblock(recv)
    sender.send(1).unwrap(); //~ send(1)
    sender.send_timeout(2, SHORT).unwrap_err(); //~ send_wait block(recv) unblock(recv)
    let other = receiver.clone();
    let thread = later(move || drop(other.recv())); //~ recv(1)
    sender.send(3).unwrap(); //~ send_wait block(recv) unblock(recv) send(3)
    thread.join().unwrap();
    drop(receiver.recv()); //~ recv(3)
    let other = sender.clone();
    let thread = later(move || other.send(4).unwrap()); //~ send(4)
    drop(receiver.recv()); //~ recv_wait block(recv) unblock(recv) recv(4)
    thread.join().unwrap();
    let thread = later(move || drop(sender));
    receiver.recv().unwrap_err(); //~ recv_wait block(recv) unblock(recv) closed
    thread.join().unwrap();
}

fn futures() {
    let (sender, receiver) = bounded(1);
    let mut receiving = receiver.recv_async(); //~ recv_wait recv(1)
    assert!(poll(&mut receiving).is_pending());
    assert!(poll(&mut sender.send_async(1)).is_ready()); //~ send(1)
    assert!(poll(&mut receiving).is_ready());
    drop(receiving);
    assert!(poll(&mut receiver.recv_async()).is_pending()); //~ recv_wait recv_cancel
    let mut sending = sender.clone().into_send_async(2); //~ send(2)
    assert!(poll(&mut sending).is_ready());
    drop(sending);
    let mut sending = sender.send_async(3); //~ send(3) send_wait
    assert!(poll(&mut sending).is_pending());
    assert!(poll(&mut receiver.clone().into_recv_async()).is_ready()); //~ recv(2)
    assert!(poll(&mut sending).is_ready());
    drop(sending);
    let mut sending = sender.send_async(4); //~ send(4) send_wait closed
    assert!(poll(&mut sending).is_pending());
    // Dropping it frees no room.
    drop(receiver);
    assert!(poll(&mut sending).is_ready());
    assert!(poll(&mut sender.send_async(5)).is_ready()); //~ closed
}

fn waiting_line() {
    let (sender, receiver) = bounded(1);
    sender.send(1).unwrap(); //~ send(1)
    // The first is given up in the line, and the second before it was there.
    let mut sending = sender.send_async(2); //~ send(2) send_wait
    assert!(poll(&mut sending).is_pending());
    drop(sending);
    drop(sender.send_async(3));
    // This one is received before its future knows, which is then given up.
    let mut sending = sender.send_async(4); //~ send(4) send_wait
    assert!(poll(&mut sending).is_pending());
    println!("{:?} {:?}", receiver.recv(), receiver.recv()); //~ recv(1) recv(4)
    drop(sending);
}

fn streams() {
    let (sender, receiver) = unbounded();
    let mut context = Context::from_waker(Waker::noop());
    let mut stream = receiver.stream(); //~ recv_wait recv(1) recv_wait closed
    assert!(Pin::new(&mut stream).poll_next(&mut context).is_pending());
    sender.send(1).unwrap(); //~ send(1)
    assert!(Pin::new(&mut stream).poll_next(&mut context).is_ready());
    assert!(Pin::new(&mut stream).poll_next(&mut context).is_pending());
    assert!(Pin::new(&mut stream).poll_next(&mut context).is_pending());
    drop(sender);
    assert!(Pin::new(&mut stream).poll_next(&mut context).is_ready());
}

fn sinks() {
    let (sender, receiver) = bounded(1);
    let mut context = Context::from_waker(Waker::noop());
    let mut sink = pin!(sender.into_sink()); //~ send(1) send(2) send_wait send(3) send_wait
    assert!(sink.as_mut().poll_ready(&mut context).is_ready());
    sink.as_mut().start_send(1).unwrap();
    assert!(sink.as_mut().poll_flush(&mut context).is_ready());
    sink.as_mut().start_send(2).unwrap();
    assert!(sink.as_mut().poll_flush(&mut context).is_pending());
    println!("{:?}", receiver.recv()); //~ recv(1)
    assert!(sink.as_mut().poll_flush(&mut context).is_ready());
    sink.as_mut().start_send(3).unwrap();
    assert!(sink.as_mut().poll_flush(&mut context).is_pending());
}

fn selections() {
    let (sender, receiver) = unbounded::<u8>();
    let (full, _others) = bounded(1);
    full.send(1).unwrap(); //~ send(1)
    sender.send(1).unwrap(); //~ send(1)
    Selector::new()
        .recv(&receiver, |it| drop(it)) //~ recv(1)
        .send(&full, 2, |it| drop(it))
        .wait();
    Selector::new()
        .recv(&receiver, |it| drop(it)) //~ recv_wait
        .send(&full, 3, |it| drop(it)) //~ send_wait
        .wait_timeout(SHORT) //~ block(recv) unblock(recv)
        .unwrap_err();
    let thread = later(move || sender.send(2).unwrap()); //~ send(2)
    Selector::new()
        .recv(&receiver, |it| { //~ recv_wait recv(2)
            drop(it);
            // The thread is blocked no longer.
            drop(bounded::<u8>(0).1.recv_timeout(SHORT)); //~ recv_wait block(recv) unblock(recv)
        })
        .wait(); //~ block(recv) unblock(recv)
    thread.join().unwrap();
    Selector::new().recv(&receiver, |it| drop(it)).wait(); //~ closed
}

fn selected_sends() {
    let (sender, receiver) = bounded(1);
    Selector::new().send(&sender, 1, |it| it.unwrap()).wait(); //~ send(1)
    let other = receiver.clone();
    let thread = later(move || drop(other.recv())); //~ recv(1)
    Selector::new()
        .send(&sender, 2, |it| it.unwrap()) //~ send_wait send(2)
        .wait(); //~ block(recv) unblock(recv)
    thread.join().unwrap();
    drop(Selector::new().send(&sender, 3, |it| it.unwrap()));
    drop(receiver);
    Selector::new().send(&sender, 4, |it| drop(it)).wait(); //~ closed
}
