//! What programs see of channels and timers.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{
    after, at, bounded, never, tick, unbounded, IntoIter, Iter, Receiver, RecvTimeoutError, Select,
    SelectedOperation, SendTimeoutError, Sender, TryIter, TryRecvError, TrySendError,
};

const SHORT: Duration = Duration::from_millis(5);

fn main() {
    unlimited();
    limited();
    meeting();
    timed();
    many();
    timers();
    iterators();
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
    println!("{} {}", sender.same_channel(&other), sender.same_channel(&unbounded().0));
    drop(sender);
    println!("{:?}", receiver.try_recv());
    drop(other);
    println!("{:?} {:?} {:?}", receiver.try_recv(), receiver.recv(), receiver.recv_timeout(SHORT));
    let (sender, receiver) = unbounded();
    drop(receiver);
    println!("{:?} {:?}", sender.send(String::from("a")), sender.try_send(String::from("b")));
    println!("{}", sender.send(String::from("back")).unwrap_err().into_inner());
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
    println!("{}", receiver.same_channel(&other));
    drop(receiver);
    println!("{:?}", other.recv());
    drop(other);
    println!("{:?} {:?}", sender.send(6), sender.try_send(7));
    let (sender, receiver) = bounded(1);
    sender.send(1).unwrap();
    let thread = thread::spawn(move || sender.send(2));
    thread::sleep(SHORT);
    drop(receiver);
    println!("{:?}", thread.join().unwrap());
}

fn meeting() {
    let (sender, receiver) = bounded(0);
    println!("{:?} {:?} {:?}", sender.try_send(0), receiver.try_recv(), receiver.capacity());
    let thread = thread::spawn(move || (0..100).map(|it| sender.send(it)).filter(Result::is_ok).count());
    println!("{}", (0..50).map(|_| receiver.recv().unwrap()).sum::<u32>());
    drop(receiver);
    println!("{}", thread.join().unwrap());
}

fn timed() {
    let (sender, receiver) = bounded(1);
    println!("{:?}", receiver.recv_deadline(Instant::now()));
    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    sender.send_timeout(1, SHORT).unwrap();
    assert_eq!(sender.send_timeout(2, SHORT), Err(SendTimeoutError::Timeout(2)));
    assert_eq!(sender.send_deadline(3, Instant::now() + SHORT), Err(SendTimeoutError::Timeout(3)));
    println!("{:?}", receiver.recv_deadline(Instant::now() + SHORT));
    println!("{:?}", sender.send_deadline(4, Instant::now()));
    println!("{:?}", receiver.recv_timeout(Duration::ZERO));
    let thread = thread::spawn(move || receiver.recv_timeout(Duration::from_secs(60)));
    thread::sleep(SHORT);
    sender.send(5).unwrap();
    println!("{:?}", thread.join().unwrap());
    println!("{:?} {:?}", sender.send_timeout(6, SHORT), sender.send_deadline(7, Instant::now()));
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

fn timers() {
    let start = Instant::now();
    let receiver = after(SHORT);
    println!("{:?} {} {:?}", receiver.try_recv(), receiver.len(), receiver.capacity());
    assert!(receiver.recv().unwrap() >= start + SHORT);
    println!("{:?} {:?}", receiver.try_recv(), receiver.recv_timeout(SHORT));
    println!("{}", at(start).recv().unwrap() == start);
    let ticks = tick(Duration::from_millis(1));
    println!("{}", ticks.iter().take(3).count());
    let clone = ticks.clone();
    println!("{} {}", clone.same_channel(&ticks), clone.same_channel(&after(SHORT)));
    let nothing = never::<u8>();
    println!("{:?} {:?}", nothing.try_recv(), nothing.recv_timeout(SHORT));
    println!("{} {}", nothing.same_channel(&never()), nothing.same_channel(&unbounded().1));
    println!("{} {} {:?}", nothing.is_empty(), nothing.is_full(), nothing.clone().capacity());
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
    let (sender, receiver) = bounded(2);
    sender.send(Loud(4)).unwrap();
    drop(sender);
    println!("no sender");
    drop(receiver);
}

fn debugged() {
    let (sender, receiver) = unbounded::<u8>();
    println!("{sender:?} {receiver:?} {:?} {:?}", receiver.iter(), receiver.try_iter());
    println!("{sender:>20?} {:<30?}|{:#?}", never::<u8>(), receiver.into_iter());
    println!("{:?} {:?} {:?}", tick(SHORT), Select::new(), TryRecvError::Empty);
}

fn traits() {
    fn shared<T: Send + Sync + UnwindSafe + RefUnwindSafe + Unpin>() {}
    fn sent<T: Send>() {}
    fn fused<T: std::iter::FusedIterator>() {}
    shared::<Sender<std::cell::Cell<u8>>>();
    shared::<Receiver<std::cell::Cell<u8>>>();
    shared::<Receiver<Instant>>();
    sent::<Iter<'static, u8>>();
    sent::<TryIter<'static, u8>>();
    sent::<IntoIter<u8>>();
    fused::<Iter<'static, u8>>();
    fused::<IntoIter<u8>>();
    fn moved<T: Send + Sync + Clone + Default>() {}
    moved::<Select<'static>>();
    fn shorter<'a>(
        it: Select<'static>,
        and: SelectedOperation<'static>,
    ) -> (Select<'a>, SelectedOperation<'a>) {
        (it, and)
    }
    let _coerced = shorter;
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
