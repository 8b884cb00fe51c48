//! Everything that the channels of tokio can do.

use std::future::Future;
use std::pin::{pin, Pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::sync::mpsc::error::{SendError, SendTimeoutError, TryRecvError, TrySendError};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    bounded().await;
    permits().await;
    polls().await;
    unbounded().await;
    once().await;
    all().await;
    last().await;
    stays_open().await;
    tokio::task::spawn_blocking(blocking).await.unwrap();
}

/// Reports that it was dropped.
#[derive(Debug)]
struct Loud(&'static str);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("dropped {}", self.0);
    }
}

async fn bounded() {
    let (sender, mut receiver) = mpsc::channel(2);
    sender.send(1).await.unwrap();
    println!("{} {} {} {}", sender.capacity(), sender.max_capacity(), receiver.len(), receiver.is_empty());
    println!("{} {} {}", receiver.capacity(), receiver.max_capacity(), receiver.is_closed());
    sender.try_send(2).unwrap();
    println!("{:?} {:?}", sender.try_send(3), sender.try_reserve().map(|_| ()));
    println!("{:?}", sender.send_timeout(4, Duration::from_millis(5)).await);
    let second = sender.clone();
    println!("{} {} {}", second.same_channel(&sender), sender.strong_count(), sender.weak_count());
    let weak = sender.downgrade();
    println!("{} {}", weak.strong_count(), weak.weak_count());
    #[cfg(rv_tokio_1_39)]
    println!("{} {}", receiver.sender_strong_count(), receiver.sender_weak_count());
    let late = tokio::spawn(async move { second.send(5).await });
    println!("{:?} {:?}", receiver.recv().await, receiver.try_recv());
    late.await.unwrap().unwrap();
    println!("{:?} {:?}", receiver.recv().await, receiver.try_recv());
    drop(sender);
    println!("{:?} {} {:?}", receiver.recv().await, weak.upgrade().is_none(), receiver.try_recv());
    println!("{:?}", weak.clone().upgrade().map(|_| ()));

    let (sender, mut receiver) = mpsc::channel::<Loud>(8);
    for name in ["a", "b", "c"] {
        sender.send(Loud(name)).await.unwrap();
    }
    receiver.close();
    println!("{} {:?}", sender.is_closed(), sender.send(Loud("d")).await.map_err(|SendError(it)| it));
    println!("{:?}", receiver.recv().await);
    drop(receiver);
    sender.closed().await;
    match sender.try_send(Loud("e")) {
        Err(TrySendError::Closed(it)) => println!("closed {}", it.0),
        other => println!("{other:?}"),
    }
    match sender.send_timeout(Loud("f"), Duration::from_secs(1)).await {
        Err(SendTimeoutError::Closed(it)) => println!("closed {}", it.0),
        other => println!("{other:?}"),
    }
    let error: Box<dyn std::error::Error> = Box::new(sender.send(Loud("g")).await.unwrap_err());
    println!("{error}");

    let (sender, mut receiver) = mpsc::channel(10);
    for step in 0..7 {
        sender.send(step).await.unwrap();
    }
    let mut taken = vec![100];
    println!("{} {taken:?}", receiver.recv_many(&mut taken, 3).await);
    println!("{} {}", receiver.recv_many(&mut taken, 0).await, receiver.recv_many(&mut taken, 10).await);
    drop(sender);
    println!("{} {taken:?}", receiver.recv_many(&mut taken, 10).await);
    std::panic::set_hook(Box::new(|info| println!("{}", info.to_string().lines().last().unwrap())));
    println!("{}", std::panic::catch_unwind(|| mpsc::channel::<u8>(0)).is_err());
    drop(std::panic::take_hook());
    let borrowed = String::from("borrowed");
    let (sender, mut receiver) = mpsc::channel(1);
    sender.send(borrowed.as_str()).await.unwrap();
    println!("{:?}", receiver.recv().await);
}

async fn permits() {
    let (sender, mut receiver) = mpsc::channel(3);
    let permit: mpsc::Permit<'_, u8> = sender.reserve().await.unwrap();
    println!("{}", sender.capacity());
    permit.send(1);
    drop(sender.reserve().await.unwrap());
    let several: mpsc::PermitIterator<'_, u8> = sender.reserve_many(2).await.unwrap();
    println!("{} {:?}", several.len(), sender.try_reserve_many(1).map(|_| ()));
    for (number, permit) in several.enumerate() {
        permit.send(number as u8 + 10);
    }
    println!("{:?}", sender.try_reserve_many(9).map(|_| ()));
    println!("{:?} {:?} {:?}", receiver.recv().await, receiver.recv().await, receiver.recv().await);
    let owned: mpsc::OwnedPermit<u8> = sender.reserve_owned().await.unwrap();
    let sender = owned.send(20);
    let sender = sender.try_reserve_owned().unwrap().release();
    println!("{} {:?}", sender.capacity(), receiver.recv().await);
    let owned = sender.clone().try_reserve_owned().unwrap();
    #[cfg(rv_tokio_1_46)]
    println!("{} {}", owned.same_channel_as_sender(&sender), owned.same_channel(&owned));
    drop(owned);
    let many: Vec<_> = (0..3).map(|_| sender.clone().try_reserve_owned().unwrap()).collect();
    let sender = match sender.try_reserve_owned() {
        Err(TrySendError::Full(sender)) => sender,
        other => panic!("{other:?}"),
    };
    let mut waiting = Box::pin(sender.clone().reserve_owned());
    println!("{}", waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop((waiting, many));
    receiver.close();
    println!("{:?} {:?}", sender.reserve().await.map(|_| ()), sender.reserve_many(2).await.map(|_| ()));
    println!("{:?}", sender.clone().reserve_owned().await.map(|_| ()));
    match sender.try_reserve_owned() {
        Err(TrySendError::Closed(sender)) => println!("closed {}", sender.is_closed()),
        other => println!("{other:?}"),
    }
}

async fn polls() {
    let (sender, mut receiver) = mpsc::channel(4);
    let mut context = Context::from_waker(Waker::noop());
    println!("{:?} {:?}", receiver.poll_recv(&mut context), receiver.poll_recv(&mut context));
    sender.try_send(1).unwrap();
    println!("{:?}", receiver.poll_recv(&mut context));
    let mut taken = Vec::new();
    println!("{:?}", receiver.poll_recv_many(&mut context, &mut taken, 5));
    sender.try_send(2).unwrap();
    sender.try_send(3).unwrap();
    println!("{:?} {taken:?}", receiver.poll_recv_many(&mut context, &mut taken, 5));
    drop(sender);
    println!(
        "{:?} {:?}",
        receiver.poll_recv(&mut context),
        receiver.poll_recv_many(&mut context, &mut taken, 5)
    );
    let (sender, receiver) = oneshot::channel();
    let mut receiver = pin!(receiver);
    println!("{:?}", receiver.as_mut().poll(&mut context));
    let mut sender: oneshot::Sender<u8> = sender;
    println!("{:?}", sender.poll_closed(&mut context));
    sender.send(4).unwrap();
    println!("{:?}", receiver.as_mut().poll(&mut context));
}

async fn unbounded() {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let second = sender.clone();
    for step in 0..4 {
        second.send(step).unwrap();
    }
    println!("{} {} {:?}", receiver.len(), receiver.is_empty(), receiver.recv().await);
    println!("{} {} {}", sender.same_channel(&second), sender.strong_count(), sender.weak_count());
    let weak: mpsc::WeakUnboundedSender<i32> = sender.downgrade();
    println!("{:?} {}", weak.upgrade().map(|it| it.strong_count()), weak.clone().weak_count());
    let mut taken = Vec::new();
    println!("{} {taken:?} {:?}", receiver.recv_many(&mut taken, 2).await, receiver.try_recv());
    println!("{}", receiver.try_recv() == Err(TryRecvError::Empty));
    receiver.close();
    println!("{} {} {:?}", receiver.is_closed(), sender.is_closed(), sender.send(9));
    drop(receiver);
    sender.closed().await;
    let (sender, receiver) = mpsc::unbounded_channel::<Loud>();
    sender.send(Loud("unread")).unwrap();
    drop(receiver);
    println!("{:?}", sender.send(Loud("late")).map_err(|it| it.0));
}

async fn once() {
    let (sender, receiver) = oneshot::channel();
    println!("{:?} {:?}", sender.send(5), receiver.await);
    let (sender, receiver) = oneshot::channel::<u8>();
    drop(sender);
    println!("{:?}", receiver.await);
    let (mut sender, mut receiver) = oneshot::channel::<Loud>();
    println!("{:?} {}", receiver.try_recv().map(|_| ()), sender.is_closed());
    receiver.close();
    sender.closed().await;
    println!("{:?} {:?}", sender.send(Loud("back")), receiver.try_recv().map(|_| ()));
    let (sender, receiver) = oneshot::channel();
    sender.send(Loud("never read")).unwrap();
    #[cfg(rv_tokio_1_44)]
    println!("{} {}", receiver.is_empty(), receiver.is_terminated());
    drop(receiver);
    let (sender, mut receiver) = oneshot::channel();
    tokio::spawn(async move {
        tokio::task::yield_now().await;
        sender.send("late").unwrap();
    });
    println!("{:?}", tokio::time::timeout(Duration::from_secs(5), &mut receiver).await);
    let (sender, receiver) = oneshot::channel::<u8>();
    tokio::select! {
        it = receiver => println!("{it:?}"),
        () = async { tokio::task::yield_now().await } => println!("gave up"),
    }
    println!("{:?}", sender.send(1));
    let (sender, receiver) = oneshot::channel::<u8>();
    println!(
        "{} {}",
        format!("{sender:?}").starts_with("Sender"),
        format!("{receiver:?}").starts_with("Receiver")
    );
}

async fn all() {
    let (sender, mut first) = broadcast::channel(2);
    let mut second = sender.subscribe();
    println!("{:?} {} {}", sender.send(1), sender.receiver_count(), sender.len());
    sender.send(2).unwrap();
    println!("{} {} {} {}", first.len(), first.is_empty(), sender.is_empty(), first.same_channel(&second));
    println!("{:?} {:?} {:?}", first.recv().await, first.try_recv(), first.try_recv());
    sender.send(3).unwrap();
    sender.send(4).unwrap();
    println!("{:?} {:?}", second.recv().await, second.try_recv());
    let mut third = second.resubscribe();
    println!("{:?}", third.try_recv());
    let copy = sender.clone();
    println!("{}", copy.same_channel(&sender));
    #[cfg(rv_tokio_1_44)]
    {
        let weak: broadcast::WeakSender<i32> = sender.downgrade();
        println!("{} {} {}", weak.strong_count(), weak.clone().weak_count(), weak.upgrade().is_some());
        println!("{} {}", sender.strong_count(), sender.weak_count());
        println!("{} {} {}", first.sender_strong_count(), first.sender_weak_count(), first.is_closed());
    }
    let reading = tokio::spawn(async move { (third.recv().await, third.recv().await) });
    tokio::task::yield_now().await;
    sender.send(5).unwrap();
    drop((sender, copy));
    println!("{:?}", reading.await.unwrap());
    let alone = broadcast::Sender::<u8>::new(4);
    println!("{:?} {}", alone.send(1), alone.send(1).unwrap_err());
    let receiver = alone.subscribe();
    println!("{:?}", format!("{alone:?} {receiver:?}"));
    drop(receiver);
    #[cfg(rv_tokio_1_44)]
    alone.closed().await;
}

async fn last() {
    let (sender, mut receiver) = watch::channel(1);
    println!("{} {:?} {:?}", *receiver.borrow(), receiver.has_changed(), receiver.borrow());
    sender.send(2).unwrap();
    println!("{:?} {}", receiver.has_changed(), receiver.borrow().has_changed());
    receiver.changed().await.unwrap();
    println!("{} {}", *receiver.borrow_and_update(), sender.borrow().has_changed());
    sender.send_modify(|it| *it += 10);
    println!(
        "{} {}",
        sender.send_if_modified(|_| false),
        sender.send_if_modified(|it| std::mem::replace(it, 20) != 20)
    );
    println!("{} {}", sender.send_replace(30), *sender.borrow());
    receiver.mark_unchanged();
    println!("{:?}", receiver.has_changed());
    receiver.mark_changed();
    println!("{:?}", receiver.changed().await);
    let mut other = receiver.clone();
    println!("{} {} {}", other.same_channel(&receiver), sender.receiver_count(), sender.is_closed());
    let waiting = tokio::spawn(async move {
        let limit = 40;
        let value = *other.wait_for(|it| *it > limit).await.unwrap();
        value
    });
    for value in [35, 40, 45] {
        tokio::task::yield_now().await;
        sender.send(value).unwrap();
    }
    println!("{}", waiting.await.unwrap());
    let seen = {
        let limit = String::from("short-lived");
        receiver.wait_for(|it| *it > limit.len()).await.unwrap()
    };
    println!("{seen:?} {}", *seen);
    drop(seen);
    let copy = sender.clone();
    #[cfg(rv_tokio_1_41)]
    println!("{} {}", copy.sender_count(), copy.same_channel(&sender));
    #[cfg(rv_tokio_1_54)]
    println!("{}", receiver.is_closed());
    println!("{:?} {:?}", watch::Sender::new('x'), sender.subscribe());
    #[cfg(rv_tokio_1_39)]
    println!("{:?}", *watch::Sender::<u8>::default().borrow());
    drop((sender, copy));
    println!("{:?} {:?}", receiver.changed().await, receiver.wait_for(|_| false).await.map(|it| *it));
    println!("{:?} {}", receiver.has_changed(), *receiver.borrow());
    let (sender, receiver) = watch::channel(String::from("kept"));
    drop(receiver);
    sender.closed().await;
    println!("{:?} {}", sender.send("refused".into()), sender.borrow().as_str());
}

/// A stream over a receiver, as libraries make them.
struct Stream(mpsc::Receiver<u8>);

impl Stream {
    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<u8>> {
        self.0.poll_recv(context)
    }
}

async fn stays_open() {
    let (sender, receiver) = mpsc::channel(1);
    let mut stream = pin!(Stream(receiver));
    let sending = tokio::spawn(async move {
        for step in 0..3 {
            sender.send(step).await.unwrap();
        }
    });
    let mut sum = 0;
    while let Some(step) = std::future::poll_fn(|context| stream.as_mut().poll_next(context)).await {
        sum += step;
    }
    sending.await.unwrap();
    println!("{sum}");
}

fn blocking() {
    let (sender, mut receiver) = mpsc::channel(1);
    let thread = std::thread::spawn(move || {
        for step in 0..3 {
            sender.blocking_send(step).unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    while let Some(step) = receiver.blocking_recv() {
        println!("{step}");
    }
    thread.join().unwrap();
    let (sender, mut receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(2));
        sender.send(1).unwrap();
    });
    println!("{:?} {:?}", receiver.blocking_recv(), receiver.blocking_recv());
    #[cfg(rv_tokio_1_41)]
    {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        println!("{}", receiver.blocking_recv_many(&mut Vec::new(), 9));
    }
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::spawn(move || receiver.blocking_recv());
    std::thread::sleep(Duration::from_millis(2));
    sender.send("once").unwrap();
    println!("{:?}", thread.join().unwrap());
    let (sender, mut receiver) = broadcast::channel(1);
    let thread = std::thread::spawn(move || (receiver.blocking_recv(), receiver.blocking_recv()));
    std::thread::sleep(Duration::from_millis(2));
    sender.send("all").unwrap();
    drop(sender);
    println!("{:?}", thread.join().unwrap());
}
