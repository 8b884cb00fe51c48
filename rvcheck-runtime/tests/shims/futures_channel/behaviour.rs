//! Channels: what they return, show and wait for.

#[path = "../program_kit/polling.rs"]
mod polling;

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::pin::{pin, Pin};
use std::task::Poll;
use std::thread;

use futures_channel::mpsc::{self, SendError, TryRecvError, TrySendError};
use futures_channel::oneshot::{self, Canceled};
use futures_core::future::FusedFuture;
use futures_core::stream::{FusedStream, Stream};
use futures_sink::Sink;
use polling::{block_on, context, poll};

fn next<S: Stream + Unpin>(stream: &mut S) -> Poll<Option<S::Item>> {
    Pin::new(stream).poll_next(&mut context())
}

/// Waits for room, sends, and waits until the sink is flushed.
async fn send<S: Sink<u64, Error = SendError> + Unpin>(sink: &mut S, value: u64) -> Result<(), SendError> {
    std::future::poll_fn(|context| Pin::new(&mut *sink).poll_ready(context)).await?;
    Pin::new(&mut *sink).start_send(value)?;
    std::future::poll_fn(|context| Pin::new(&mut *sink).poll_flush(context)).await
}

/// The text. Older versions show addresses.
fn shown(it: &impl std::fmt::Debug) -> String {
    let text = format!("{it:?}");
    if cfg!(rv_futures_channel_0_3_26) {
        text
    } else {
        text.split(['(', ' ']).next().unwrap().to_owned()
    }
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
    bounded();
    unbounded();
    errors();
    sinks();
    drops();
    block_on(across_threads());
    #[cfg(rv_futures_channel_0_3_32)]
    block_on(receives());
    block_on(one_message());
    println!("{}", std::panic::catch_unwind(|| mpsc::channel::<u8>(usize::MAX)).is_err());
}

#[allow(deprecated)]
fn bounded() {
    let (mut sender, mut receiver) = mpsc::channel(1);
    println!("{} {} {:?}", shown(&sender), shown(&receiver), receiver.size_hint());
    println!("{:?} {:?} {:?}", sender.try_send(1), sender.try_send(2), sender.try_send(3));
    println!("{:?} {:?}", sender.poll_ready(&mut context()), sender.start_send(3));
    let mut other = sender.clone();
    println!("{:?} {:?}", other.poll_ready(&mut context()), other.start_send(4));
    println!("{} {}", sender.same_receiver(&other), sender.is_connected_to(&receiver));
    println!("{:?} {:?}", receiver.size_hint(), next(&mut receiver));
    println!("{:?} {:?} {:?}", next(&mut receiver), next(&mut receiver), next(&mut receiver));
    println!("{:?} {:?}", sender.poll_ready(&mut context()), receiver.try_next());
    let mut hashers = (DefaultHasher::new(), DefaultHasher::new());
    sender.hash_receiver(&mut hashers.0);
    other.hash_receiver(&mut hashers.1);
    println!("{}", hashers.0.finish() == hashers.1.finish());
    other.disconnect();
    println!("{} {} {:?}", shown(&other), other.is_closed(), other.clone().try_send(5).is_err());
    println!("{}", other.same_receiver(&sender));
    sender.try_send(6).unwrap();
    sender.close_channel();
    println!("{} {:?} {:?}", sender.is_closed(), sender.try_send(7), sender.poll_ready(&mut context()));
    println!("{:?} {}", receiver.try_next(), receiver.is_terminated());
    println!("{:?} {} {}", receiver.try_next(), receiver.is_terminated(), shown(&receiver));
}

#[allow(deprecated)]
fn unbounded() {
    let (mut sender, mut receiver) = mpsc::unbounded();
    println!("{} {}", shown(&sender), shown(&receiver));
    println!("{:?} {:?}", sender.unbounded_send(1), sender.start_send(2));
    println!("{:?} {}", sender.poll_ready(&mut context()), sender.is_connected_to(&receiver));
    #[cfg(rv_futures_channel_0_3_29)]
    println!("{} {}", sender.len(), sender.is_empty());
    let other = sender.clone();
    println!("{} {}", sender.same_receiver(&other), other.is_closed());
    println!("{:?} {:?}", receiver.size_hint(), next(&mut receiver));
    receiver.close();
    println!(
        "{:?} {:?} {:?}",
        sender.unbounded_send(3),
        sender.start_send(4),
        other.poll_ready(&mut context())
    );
    println!("{:?} {:?} {}", receiver.try_next(), receiver.try_next(), receiver.is_terminated());
    sender.disconnect();
    println!("{}", shown(&sender));
    let (sender, mut receiver) = mpsc::unbounded::<u8>();
    println!("{:?}", receiver.try_next());
    sender.close_channel();
    println!("{:?}", next(&mut receiver));
}

fn errors() {
    let (mut sender, receiver) = mpsc::channel(0);
    sender.try_send(1).unwrap();
    let full: TrySendError<u8> = sender.try_send(2).unwrap_err();
    println!("{full:?} {full} {} {} {}", full.is_full(), full.is_disconnected(), full == full.clone());
    println!("{:?} {}", full.clone().into_send_error(), full.clone().into_send_error());
    println!("{}", full.into_inner());
    drop(receiver);
    let gone = sender.try_send(3).unwrap_err();
    println!("{gone:?} {gone} {} {}", gone.is_full(), gone.is_disconnected());
    let error: Box<dyn std::error::Error> = Box::new(gone.clone());
    println!("{error} {:?} {}", gone.clone().into_send_error(), gone.into_send_error());
    println!("{:?}", sender.start_send(4));
    let _: Option<TryRecvError> = None;
}

fn sinks() {
    let (mut sender, mut receiver) = mpsc::channel::<u64>(0);
    {
        let mut sending = pin!(send(&mut sender, 1));
        println!("{:?}", poll(sending.as_mut()));
        println!("{:?}", next(&mut receiver));
        println!("{:?}", poll(sending.as_mut()));
    }
    println!("{:?}", Pin::new(&mut sender).poll_close(&mut context()));
    println!("{:?} {:?}", next(&mut receiver), Pin::new(&mut sender).poll_flush(&mut context()));
    println!("{:?}", block_on(send(&mut sender, 2)));
    let (mut sender, mut receiver) = mpsc::unbounded::<u64>();
    println!("{:?} {:?}", block_on(send(&mut sender, 1)), block_on(send(&mut &sender, 2)));
    println!("{:?} {:?}", next(&mut receiver), Pin::new(&mut &sender).poll_close(&mut context()));
    println!("{:?} {:?}", next(&mut receiver), next(&mut receiver));
    println!("{:?}", Pin::new(&mut sender).poll_close(&mut context()));
    println!("{:?} {:?}", block_on(send(&mut sender, 1)), block_on(send(&mut &sender, 2)));
}

fn drops() {
    let (mut sender, receiver) = mpsc::channel(2);
    sender.try_send(Loud("left")).unwrap();
    drop(receiver);
    println!("the receiver is gone");
    println!("{:?}", sender.start_send(Loud("refused")));
    let (sender, receiver) = oneshot::channel();
    sender.send(Loud("one")).unwrap();
    println!("sent");
    drop(receiver);
}

async fn across_threads() {
    let (sender, mut receiver) = mpsc::channel(2);
    let (unbounded, mut more) = mpsc::unbounded();
    let threads: Vec<_> = (0..4)
        .map(|at| {
            let (mut sender, unbounded) = (sender.clone(), unbounded.clone());
            thread::spawn(move || {
                block_on(async {
                    for n in 0..500 {
                        send(&mut sender, at * 500 + n).await.unwrap();
                        unbounded.unbounded_send(n).unwrap();
                    }
                })
            })
        })
        .collect();
    drop((sender, unbounded));
    let (mut sum, mut other) = (0, 0);
    while let Some(n) = std::future::poll_fn(|context| Pin::new(&mut receiver).poll_next(context)).await {
        sum += n;
    }
    while let Some(n) = std::future::poll_fn(|context| Pin::new(&mut more).poll_next(context)).await {
        other += n;
    }
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{sum} {other}");
}

#[cfg(rv_futures_channel_0_3_32)]
async fn receives() {
    let (mut sender, mut receiver) = mpsc::channel(2);
    println!("{:?}", receiver.try_recv());
    sender.try_send(1).unwrap();
    sender.try_send(2).unwrap();
    println!("{:?}", receiver.recv());
    println!("{:?} {:?}", receiver.recv().await, receiver.try_recv());
    drop(sender);
    println!("{:?} {:?}", receiver.recv().await, receiver.try_recv());
    println!("{}", receiver.recv().is_terminated());
    let (sender, mut receiver) = mpsc::unbounded::<u8>();
    sender.unbounded_send(1).unwrap();
    println!("{:?} {:?}", receiver.recv().await, receiver.try_recv());
}

async fn one_message() {
    let (sender, mut receiver) = oneshot::channel();
    println!("{sender:?} {receiver:?} {:?} {}", receiver.try_recv(), receiver.is_terminated());
    println!("{:?} {}", poll(&mut receiver), sender.is_connected_to(&receiver));
    println!("{:?}", sender.send(1));
    println!("{:?} {:?}", receiver.is_terminated(), (&mut receiver).await);
    println!("{:?} {:?} {}", receiver.try_recv(), (&mut receiver).await, receiver.is_terminated());
    let (sender, receiver) = oneshot::channel::<u8>();
    let thread = thread::spawn(move || block_on(receiver));
    println!("{:?} {:?}", sender.send(2), thread.join().unwrap());
    let (mut sender, mut receiver) = oneshot::channel::<u8>();
    println!("{:?}", sender.cancellation());
    println!("{}", sender.is_canceled());
    println!("{:?}", sender.poll_canceled(&mut context()));
    println!("{:?}", poll(&mut sender.cancellation()));
    receiver.close();
    sender.cancellation().await;
    println!("{} {:?}", sender.is_canceled(), sender.send(3));
    println!("{:?} {}", receiver.await, Canceled);
    let (sender, receiver) = oneshot::channel::<u8>();
    drop(sender);
    println!("{:?}", receiver.await);
}
