//! What the shim of crossbeam-channel reports: behind each line stand the events that it records there, in the order of the
//! trace.
//!
//! The events that have no place follow, with their counts.
//~~ receiver_drop 9, sender_drop 9, undelivered(6) 1

use std::thread;
use std::time::Duration;

use crossbeam_channel::{after, at, bounded, never, select, tick, unbounded, Receiver, Select, Sender};

const SHORT: Duration = Duration::from_millis(5);

fn main() {
    messages();
    waits();
    timers();
    selections();
    macros();
}

/// Does something a while later.
fn later(what: impl FnOnce() + Send + 'static) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        what();
    })
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
    for it in receiver.try_iter() { //~ recv(4) recv(5)
        println!("{it}");
    }
    drop(sender.clone());
    sender.send(6).unwrap(); //~ send(6)
    drop(receiver.clone());
    drop(receiver);
    sender.send(7).unwrap_err(); //~ closed
    sender.try_send(8).unwrap_err(); //~ closed
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
    receiver.recv_timeout(SHORT).unwrap_err(); //~ recv_wait block(recv) unblock(recv) recv_cancel
    sender.send(1).unwrap(); //~ send(1)
    sender.send_timeout(2, SHORT).unwrap_err(); //~ send_wait block(recv) unblock(recv) send_cancel
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

fn timers() {
    drop(after(SHORT).recv()); //~ recv_wait block(recv) unblock(recv) recv(0)
    drop(at(std::time::Instant::now()).recv()); //~ recv(0)
    let ticks = tick(SHORT);
    drop(ticks.recv_timeout(Duration::from_secs(60))); //~ recv_wait block(recv) unblock(recv) recv(0)
    never::<u8>().recv_timeout(SHORT).unwrap_err(); //~ block(recv) unblock(recv)
}

fn selections() {
    let (sender, receiver) = bounded(1);
    let (nobody, _nobody) = bounded::<u8>(0);
    let mut select = Select::new();
    select.recv(&receiver);
    select.send(&nobody);
    drop(select.try_select());
    drop(select.select_timeout(SHORT)); //~ recv_wait send_wait block(recv) unblock(recv)
    select.remove(1);
    drop(select.ready_timeout(SHORT)); //~ recv_wait block(recv) unblock(recv)
    let sending = select.send(&sender);
    let operation = select.select();
    assert_eq!(operation.index(), sending);
    operation.send(&sender, 1).unwrap(); //~ send(1)
    select.remove(sending);
    let operation = select.select();
    drop(operation.recv(&receiver)); //~ recv(1)
    let (sender, receiver) = bounded::<u8>(1);
    drop(sender);
    let mut select = Select::new();
    select.recv(&receiver);
    let operation = select.select();
    operation.recv(&receiver).unwrap_err(); //~ closed
}

fn macros() {
    let (sender, receiver): (Sender<u8>, Receiver<u8>) = bounded(1);
    select! {
        recv(receiver) -> _ => {}
        default => {}
    }
    select! { //~ send(1)
        recv(receiver) -> _ => {}
        send(sender, 1) -> result => result.unwrap(),
    }
    select! { //~ recv(1)
        recv(receiver) -> _ => {}
        send(sender, 2) -> _ => {}
    }
    select! { //~ recv_wait block(recv) unblock(recv) recv_cancel
        recv(receiver) -> _ => {}
        default(SHORT) => {}
    }
    let thread = later({
        let sender = sender.clone();
        move || sender.send(3).unwrap() //~ send(2)
    });
    select! { //~ recv_wait recv_wait block(recv) unblock(recv) recv(2)
        recv(receiver) -> _ => {}
        recv(after(Duration::from_secs(60))) -> _ => {}
        recv(never::<u8>()) -> _ => {}
    }
    thread.join().unwrap();
    sender.send(4).unwrap(); //~ send(3)
    select! { //~ recv(3)
        recv(receiver) -> _ => {}
    }
}
