//! What programs see of futures, sinks and streams.

#[path = "../program_kit/polling.rs"]
mod polling;

use std::pin::{pin, Pin};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use flume::r#async::{RecvFut, RecvStream, SendFut, SendSink};
use flume::{bounded, unbounded};
use futures_core::future::FusedFuture;
use futures_core::stream::{FusedStream, Stream};
use futures_sink::Sink;
use polling::{block_on, context, poll};

fn next<S: Stream + Unpin>(stream: &mut S) -> Poll<Option<S::Item>> {
    Pin::new(stream).poll_next(&mut context())
}

fn main() {
    futures();
    given_up();
    owned();
    streams();
    sinks();
    across_threads();
    dropped();
    traits();
}

fn futures() {
    let (sender, receiver) = bounded(1);
    let mut receiving = receiver.recv_async();
    println!("{:?} {}", poll(&mut receiving), receiving.is_terminated());
    let mut sending = sender.send_async(1);
    println!("{:?} {:?} {:?}", sending.is_full(), sending.len(), sending.capacity());
    println!("{:?} {:?}", poll(&mut sending), poll(&mut sending));
    println!("{} {:?}", receiving.is_empty(), poll(&mut receiving));
    block_on(sender.send_async(2)).unwrap();
    let mut sending = sender.send_async(3);
    println!("{:?} {:?}", poll(&mut sending), poll(&mut sending));
    println!("{:?} {:?}", receiver.try_recv(), poll(&mut sending));
    println!("{:?}", block_on(receiver.recv_async()));
    let mut sending = [sender.send_async(4), sender.send_async(5)];
    println!("{:?}", sending.each_mut().map(poll));
    let mut late = sender.send_async(6);
    drop(receiving);
    drop(receiver);
    println!("{:?} {} {}", sending.each_mut().map(poll), late.is_terminated(), late.is_disconnected());
    println!("{:?} {:?}", poll(&mut late), poll(&mut late));
    let (sender, receiver) = unbounded::<u8>();
    let mut receiving = receiver.recv_async();
    println!("{:?}", poll(&mut receiving));
    drop(sender);
    println!("{:?} {}", poll(&mut receiving), receiving.is_terminated());
}

fn given_up() {
    let (sender, receiver) = bounded(1);
    sender.send(1).unwrap();
    let mut sending = sender.send_async(2);
    println!("{:?}", poll(&mut sending));
    drop(sending);
    drop(sender.send_async(3));
    println!("{:?} {:?}", receiver.try_recv(), receiver.try_recv());
    let mut first = receiver.recv_async();
    let mut second = receiver.recv_async();
    println!("{:?} {:?}", poll(&mut first), poll(&mut second));
    drop(first);
    sender.send(4).unwrap();
    println!("{:?}", poll(&mut second));
}

fn owned() {
    let (sender, receiver) = bounded::<String>(1);
    let mut sending = sender.into_send_async("moved".into());
    println!("{:?}", poll(&mut sending));
    let moved = Box::new(sending);
    println!("{}", receiver.is_disconnected());
    drop(moved);
    println!("{}", receiver.is_disconnected());
    println!("{:?}", block_on(receiver.into_recv_async()));
}

fn streams() {
    let (sender, receiver) = unbounded();
    let mut stream = receiver.stream();
    println!("{:?} {}", next(&mut stream), stream.is_terminated());
    (0..3).for_each(|it| sender.send(it).unwrap());
    println!("{:?} {:?} {}", next(&mut stream), next(&mut stream.clone()), stream.len());
    let mut owned = receiver.clone().into_stream();
    println!("{:?} {:?}", next(&mut owned), next(&mut owned));
    drop(sender);
    println!("{:?} {:?} {}", next(&mut owned), next(&mut stream), stream.is_terminated());
    println!("{:?} {:?}", owned.is_disconnected(), stream.size_hint());
}

fn sinks() {
    let (sender, receiver) = bounded(1);
    let mut context = context();
    let mut sink = pin!(sender.sink());
    println!("{:?}", sink.as_mut().poll_ready(&mut context));
    println!("{:?} {}", sink.as_mut().start_send(1), receiver.len());
    println!("{:?} {}", sink.as_mut().poll_flush(&mut context), receiver.len());
    println!("{:?}", sink.as_mut().start_send(2));
    println!("{:?}", sink.as_mut().poll_ready(&mut context));
    println!("{:?} {:?}", receiver.try_recv(), sink.as_mut().poll_ready(&mut context));
    println!("{:?}", sink.as_mut().start_send(3));
    println!("{:?} {:?}", sink.as_mut().poll_flush(&mut context), sink.as_mut().start_send(4));
    println!("{:?} {:?}", receiver.try_recv(), receiver.try_recv());
    println!("{:?} {:?}", sink.as_mut().poll_close(&mut context), receiver.try_recv());
    println!("{:?} {:?} {}", sink.capacity(), sink.clone().is_empty(), sink.is_disconnected());
    drop(receiver);
    println!("{:?} {:?}", sink.as_mut().start_send(5), sink.as_mut().poll_flush(&mut context));
    println!("{:?}", sink.as_mut().poll_close(&mut context));
}

fn across_threads() {
    for (sender, receiver) in [bounded(0), bounded(2), unbounded()] {
        thread::scope(|scope| {
            for _ in 0..2 {
                let sender = sender.clone();
                scope.spawn(move || {
                    block_on(async {
                        for it in 0..100 {
                            sender.send_async(it).await.unwrap();
                        }
                    })
                });
            }
            drop(sender);
            let sums = [0, 1].map(|_| {
                let receiver = receiver.clone();
                scope.spawn(move || {
                    block_on(async {
                        let mut sum = 0;
                        while let Ok(it) = receiver.recv_async().await {
                            sum += it;
                        }
                        sum
                    })
                })
            });
            println!("{}", sums.into_iter().map(|it| it.join().unwrap()).sum::<u32>());
        });
    }
    // One side waits as a thread, the other as a task.
    let (sender, receiver) = bounded(0);
    let thread = thread::spawn(move || receiver.iter().sum::<u32>());
    thread::sleep(Duration::from_millis(5));
    block_on(async move {
        for it in 0..100 {
            sender.send_async(it).await.unwrap();
        }
    });
    println!("{}", thread.join().unwrap());
}

/// Says when it is dropped.
struct Loud(u8);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("{} dropped", self.0);
    }
}

fn dropped() {
    let (sender, receiver) = bounded(1);
    sender.send(Loud(1)).unwrap();
    let mut sending = sender.send_async(Loud(2));
    println!("{}", poll(&mut sending).is_pending());
    drop(sending);
    println!("given up");
    let mut owned = sender.into_send_async(Loud(3));
    println!("{}", poll(&mut owned).is_pending());
    drop(receiver);
    println!("no receiver");
    drop(owned);
    println!("no sender");
}

fn traits() {
    fn sent<T: Send + Sync + Unpin>() {}
    sent::<SendFut<'static, u8>>();
    sent::<RecvFut<'static, std::cell::Cell<u8>>>();
    sent::<SendSink<'static, u8>>();
    sent::<RecvStream<'static, std::cell::Cell<u8>>>();
    fn unpin<T: Unpin>() {}
    unpin::<SendFut<'static, std::marker::PhantomPinned>>();
    unpin::<RecvFut<'static, std::marker::PhantomPinned>>();
}
