//! Channels: what they return, show and wait for.

#[path = "../program_kit/polling.rs"]
mod polling;

use std::pin::{pin, Pin};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use async_channel::{bounded, unbounded, Receiver, RecvError, SendError, Sender, TryRecvError, TrySendError};
use futures_core::stream::{FusedStream, Stream};
use polling::{block_on, context, poll};

fn next<S: Stream>(stream: Pin<&mut S>) -> Poll<Option<S::Item>> {
    stream.poll_next(&mut context())
}

/// Says when it is dropped.
#[derive(Debug)]
struct Loud(&'static str);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("dropped {}", self.0);
    }
}

fn main() {
    block_on(sends_and_receives());
    waits();
    counts_and_closes();
    drops();
    streams();
    block_on(across_threads());
    #[cfg(any(feature = "std", not(rv_async_channel_2)))]
    blocks();
    #[cfg(rv_async_channel_2_3)]
    displaces();
    panics();
}

async fn sends_and_receives() {
    let (sender, receiver) = bounded(2);
    println!("{sender:?} {receiver:?}");
    println!("{:?} {:?}", sender.send(1).await, sender.try_send(2));
    println!("{:?}", sender.try_send(3));
    println!("{:?} {:?} {:?}", receiver.recv().await, receiver.try_recv(), receiver.try_recv());
    drop(sender);
    println!("{:?} {:?}", receiver.recv().await, receiver.try_recv());
    let (sender, receiver) = unbounded();
    drop(receiver);
    println!("{:?} {:?}", sender.send("gone").await, sender.try_send("gone"));
    let error: SendError<&str> = sender.send("back").await.unwrap_err();
    println!("{} {}", error, error.into_inner());
    let _: [Result<(), TrySendError<u8>>; 1] = [Err(TrySendError::Full(1))];
    let _: [Result<(), TryRecvError>; 1] = [Err(TryRecvError::Empty)];
    let _: Result<(), RecvError> = Err(RecvError);
}

fn waits() {
    let (sender, receiver) = bounded(1);
    {
        let mut receiving = pin!(receiver.recv());
        println!("{:?}", poll(receiving.as_mut()));
        sender.try_send(1).unwrap();
        println!("{:?}", poll(receiving.as_mut()));
    }
    sender.try_send(2).unwrap();
    {
        let mut sending = pin!(sender.send(3));
        println!("{:?}", poll(sending.as_mut()));
        println!("{:?}", receiver.try_recv());
        println!("{:?}", poll(sending.as_mut()));
    }
    {
        let mut given_up = pin!(sender.send(4));
        println!("{:?}", poll(given_up.as_mut()));
    }
    drop(sender.send(5));
    println!("{:?} {:?}", receiver.try_recv(), receiver.try_recv());
    let debug = format!("{:?} {:?}", sender.send(5), receiver.recv());
    println!(
        "{}",
        debug.contains("Sender { .. }") && debug.contains("Some(5)") && debug.contains("Receiver")
    );
    sender.try_send(6).unwrap();
    let mut refused = pin!(sender.send(7));
    println!("{:?}", poll(refused.as_mut()));
    receiver.close();
    println!("{:?}", poll(refused.as_mut()));
}

fn counts_and_closes() {
    let (sender, receiver): (Sender<u8>, Receiver<u8>) = bounded(2);
    println!("{:?} {:?}", sender.capacity(), unbounded::<u8>().1.capacity());
    let more = (sender.clone(), sender.clone(), receiver.clone());
    println!("{} {} {}", sender.sender_count(), receiver.sender_count(), receiver.receiver_count());
    drop(more);
    println!("{} {}", sender.sender_count(), sender.receiver_count());
    sender.try_send(1).unwrap();
    println!("{} {} {} {}", sender.len(), receiver.is_empty(), sender.is_full(), receiver.is_closed());
    let (weak_sender, weak_receiver) = (sender.downgrade(), receiver.downgrade());
    println!("{weak_sender:?} {weak_receiver:?}");
    println!("{:?}", weak_sender.clone().upgrade().unwrap().try_send(2));
    println!("{:?}", weak_receiver.clone().upgrade().unwrap().try_recv());
    println!("{} {}", sender.close(), sender.close());
    println!("{:?} {:?} {:?}", receiver.try_recv(), receiver.try_recv(), sender.is_closed());
    println!("{} {}", weak_sender.upgrade().is_none(), weak_receiver.upgrade().is_none());
    #[cfg(rv_async_channel_2_4)]
    {
        let (other, _receiver) = bounded::<u8>(2);
        println!("{} {}", sender.same_channel(&sender.clone()), sender.same_channel(&other));
        println!("{}", receiver.same_channel(&receiver.clone()));
    }
    #[cfg(rv_async_channel_2_5)]
    {
        let (sender, receiver) = bounded::<u8>(2);
        let mut closed = pin!(sender.closed());
        println!("{:?}", poll(closed.as_mut()));
        drop(receiver);
        println!("{:?}", poll(closed.as_mut()));
        println!("{}", format!("{:?}", sender.closed()).contains("Sender { .. }"));
    }
}

fn drops() {
    let (sender, receiver) = bounded(1);
    sender.try_send(Loud("first")).unwrap();
    {
        let mut waiting = pin!(sender.send(Loud("never sent")));
        println!("{}", poll(waiting.as_mut()).is_pending());
    }
    drop(receiver);
    println!("receivers are gone");
    println!("{:?}", sender.try_send(Loud("refused")).is_err());
    drop(sender);
    println!("all are gone");
}

fn streams() {
    let (sender, receiver) = bounded(2);
    let mut receiver = pin!(receiver);
    println!("{:?} {}", next(receiver.as_mut()), receiver.is_terminated());
    sender.try_send(1).unwrap();
    println!("{:?} {:?}", next(receiver.as_mut()), next(receiver.as_mut()));
    sender.try_send(2).unwrap();
    drop(sender);
    println!("{} {:?}", receiver.is_terminated(), next(receiver.as_mut()));
    println!("{} {:?}", receiver.is_terminated(), next(receiver.as_mut()));
}

async fn across_threads() {
    let (sender, receiver) = bounded(3);
    let senders: Vec<_> = (0..4u64)
        .map(|at| {
            let sender = sender.clone();
            thread::spawn(move || {
                block_on(async {
                    for n in 0..500 {
                        sender.send(at * 500 + n).await.unwrap();
                    }
                })
            })
        })
        .collect();
    drop(sender);
    let other = receiver.clone();
    let second = thread::spawn(move || {
        block_on(async {
            let mut sum = 0;
            while let Ok(n) = other.recv().await {
                sum += n;
            }
            sum
        })
    });
    let mut sum = 0;
    while let Ok(n) = receiver.recv().await {
        sum += n;
    }
    senders.into_iter().for_each(|it| it.join().unwrap());
    println!("{}", sum + second.join().unwrap());
}

#[cfg(any(feature = "std", not(rv_async_channel_2)))]
fn blocks() {
    let (sender, receiver) = bounded(1);
    println!("{:?}", sender.send_blocking(1));
    let sending = thread::spawn(move || {
        let sent = sender.send_blocking(2);
        thread::sleep(Duration::from_millis(20));
        (sent, sender.send_blocking(3))
    });
    thread::sleep(Duration::from_millis(20));
    println!("{:?} {:?} {:?}", receiver.recv_blocking(), receiver.recv_blocking(), receiver.recv_blocking());
    println!("{:?}", sending.join().unwrap());
    println!("{:?}", receiver.recv_blocking());
    let (sender, receiver) = bounded(1);
    drop(receiver);
    println!("{:?}", sender.send_blocking(1));
}

#[cfg(rv_async_channel_2_3)]
fn displaces() {
    let (sender, receiver) = bounded(1);
    println!("{:?} {:?}", sender.force_send(1), sender.force_send(2));
    println!("{:?}", receiver.try_recv());
    drop(receiver);
    println!("{:?}", sender.force_send(3));
}

fn panics() {
    std::panic::set_hook(Box::new(|info| {
        let file = info.location().unwrap().file();
        println!("{info}", info = info.to_string().replace(file, "that file").split(':').next().unwrap());
    }));
    println!("{}", std::panic::catch_unwind(|| bounded::<u8>(0)).is_err());
}
