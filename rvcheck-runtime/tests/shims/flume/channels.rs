//! What programs see of channels.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use flume::{bounded, unbounded, Drain, IntoIter, Iter, Receiver, Sender, TryIter, TrySendError};

const SHORT: Duration = Duration::from_millis(5);

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    unlimited();
    limited();
    meeting();
    timed();
    many();
    iterators();
    drained();
    dropped();
    debugged();
    traits();
}

fn unlimited() {
    let (sender, receiver) = unbounded();
    println!("{:?} {:?}", receiver.try_recv(), receiver.recv_timeout(SHORT));
    sender.send(1).unwrap();
    sender.try_send(2).unwrap();
    println!("{} {} {} {:?}", sender.len(), sender.is_empty(), sender.is_full(), sender.capacity());
    println!("{} {} {} {:?}", receiver.len(), receiver.is_empty(), receiver.is_full(), receiver.capacity());
    println!("{:?} {:?} {:?}", receiver.recv(), receiver.try_recv(), receiver.try_recv());
    let other = sender.clone();
    drop(sender);
    println!("{:?} {}", receiver.try_recv(), receiver.is_disconnected());
    drop(other);
    println!("{:?} {:?} {:?}", receiver.try_recv(), receiver.recv(), receiver.recv_timeout(SHORT));
    println!("{}", receiver.is_disconnected());
    let (sender, receiver) = unbounded();
    drop(receiver);
    println!("{:?} {:?}", sender.send(String::from("a")), sender.try_send(String::from("b")));
    println!("{} {}", sender.send(String::from("back")).unwrap_err().into_inner(), sender.is_disconnected());
}

fn limited() {
    let (sender, receiver) = bounded(1);
    sender.send(1).unwrap();
    println!("{:?} {} {:?}", sender.try_send(2), sender.is_full(), sender.capacity());
    assert_eq!(sender.try_send(3), Err(TrySendError::Full(3)));
    let late = sender.clone();
    let thread = thread::spawn(move || late.send(4));
    thread::sleep(SHORT);
    println!("{:?} {:?}", receiver.recv(), receiver.recv());
    println!("{:?}", thread.join().unwrap());
    sender.send(5).unwrap();
    let other = receiver.clone();
    drop(receiver);
    println!("{:?}", other.recv());
    drop(other);
    println!("{:?} {:?}", sender.send(6), sender.try_send(7));
}

fn meeting() {
    let (sender, receiver) = bounded(0);
    println!("{:?} {:?} {:?}", sender.try_send(0), receiver.try_recv(), receiver.capacity());
    let thread = thread::spawn(move || (0..100).map(|it| sender.send(it)).filter(Result::is_ok).count());
    println!("{}", (0..100).map(|_| receiver.recv().unwrap()).sum::<u32>());
    println!("{}", thread.join().unwrap());
}

fn timed() {
    let (sender, receiver) = bounded(1);
    println!("{:?}", receiver.recv_deadline(Instant::now()));
    println!("{:?}", receiver.recv_timeout(SHORT));
    sender.send_timeout(1, SHORT).unwrap();
    println!("{:?}", sender.send_timeout(2, SHORT).unwrap_err().into_inner());
    println!("{}", sender.send_deadline(3, Instant::now() + SHORT).unwrap_err());
    println!("{:?}", receiver.recv_deadline(Instant::now() + SHORT));
    println!("{:?}", sender.send_deadline(4, Instant::now()));
    println!("{:?}", receiver.recv_timeout(Duration::ZERO));
    let thread = thread::spawn(move || receiver.recv_timeout(Duration::from_secs(60)));
    thread::sleep(SHORT);
    sender.send(5).unwrap();
    println!("{:?}", thread.join().unwrap());
    println!("{:?} {:?}", sender.send_timeout(6, SHORT), sender.send_deadline(7, Instant::now()));
    // Some versions panic.
    let sent = std::panic::catch_unwind(|| unbounded().0.send_timeout(1, Duration::MAX));
    println!("{:?}", sent.map_err(|it| it.downcast_ref::<&str>().copied()));
    let receiver = unbounded::<u8>().1;
    let received = std::panic::catch_unwind(move || receiver.recv_timeout(Duration::MAX));
    println!("{:?}", received.map_err(|it| it.downcast_ref::<&str>().copied()));
}

fn many() {
    static SUM: AtomicU32 = AtomicU32::new(0);
    for (sender, receiver) in [bounded(0), bounded(3), unbounded()] {
        thread::scope(|scope| {
            for first in 0..4 {
                let (sender, receiver) = (sender.clone(), receiver.clone());
                scope.spawn(move || (0..100).for_each(|it| sender.send(first * 100 + it).unwrap()));
                scope.spawn(move || {
                    receiver.iter().for_each(|it| {
                        SUM.fetch_add(it, Ordering::Relaxed);
                    })
                });
            }
            drop((sender, receiver));
        });
        println!("{}", SUM.swap(0, Ordering::Relaxed));
    }
}

fn iterators() {
    let (sender, receiver) = unbounded();
    (0..6).for_each(|it| sender.send(it).unwrap());
    println!("{:?}", receiver.try_iter().take(2).collect::<Vec<_>>());
    println!("{:?}", receiver.iter().take(1).collect::<Vec<_>>());
    drop(sender);
    for it in &receiver {
        println!("{it}");
        if it == 4 {
            break;
        }
    }
    println!("{:?}", receiver.into_iter().collect::<Vec<_>>());
}

fn drained() {
    let (sender, receiver) = bounded(3);
    (0..3).for_each(|it| sender.send(it).unwrap());
    let mut drain = receiver.drain();
    println!("{} {:?} {drain:?}", drain.len(), drain.next());
    sender.send(4).unwrap();
    println!("{:?} {:?}", drain.collect::<Vec<_>>(), receiver.drain().len());
}

/// Says when it is dropped.
struct Loud(u8);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("{} dropped", self.0);
    }
}

fn dropped() {
    let (sender, receiver) = unbounded();
    sender.send(Loud(1)).unwrap();
    sender.send(Loud(2)).unwrap();
    drop(receiver.recv());
    drop(receiver);
    println!("no receiver");
    drop(sender.send(Loud(3)));
    drop(sender);
    println!("no sender");
    let (sender, receiver) = bounded(2);
    sender.send(Loud(4)).unwrap();
    drop(sender);
    println!("no sender");
    drop(receiver.drain());
    println!("drained");
}

fn debugged() {
    let (sender, receiver) = unbounded::<u8>();
    println!("{sender:?} {receiver:?} {receiver:#?} {:?}", receiver.try_recv());
}

fn traits() {
    fn shared<T: Send + Sync + Unpin>() {}
    fn sent<T: Send>() {}
    fn sized<T: ExactSizeIterator>() {}
    shared::<Sender<std::cell::Cell<u8>>>();
    shared::<Receiver<std::cell::Cell<u8>>>();
    sent::<Iter<'static, u8>>();
    sent::<TryIter<'static, u8>>();
    sent::<IntoIter<u8>>();
    sized::<Drain<'static, u8>>();
    // What is sent may borrow, and be of no size.
    let text = String::from("borrowed");
    let (sender, receiver) = bounded::<&str>(1);
    sender.send(&text).unwrap();
    println!("{}", receiver.recv().unwrap());
    let (sender, receiver) = bounded(0);
    thread::scope(|scope| {
        scope.spawn(|| sender.send(()).unwrap());
        println!("{:?}", receiver.recv());
    });
}
