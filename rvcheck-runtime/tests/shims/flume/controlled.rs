//! Threads that wait for each other in every way that flume has.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use flume::{bounded, unbounded, Receiver, RecvTimeoutError, Selector, SendTimeoutError, Sender, TryRecvError};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    for room in [Some(0), Some(1), None] {
        messages(room);
        many(room);
        in_time(room);
        futures(room);
        selected(room);
        ends(room);
    }
    tries();
    both_select();
    println!("done");
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}

/// An executor of the program's own.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Arc::new(Unpark(thread::current())).into();
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}

fn channel<T>(room: Option<usize>) -> (Sender<T>, Receiver<T>) {
    room.map_or_else(unbounded, bounded)
}

fn messages(room: Option<usize>) {
    let (sender, receiver) = channel(room);
    let sends = thread::spawn(move || (0..5).for_each(|number| sender.send(number).unwrap()));
    assert_eq!(receiver.iter().collect::<Vec<i32>>(), [0, 1, 2, 3, 4]);
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    sends.join().unwrap();
}

fn many(room: Option<usize>) {
    let (sender, receiver) = channel(room);
    let sending: Vec<_> = (0..3)
        .map(|number| {
            let sender = sender.clone();
            thread::spawn(move || (0..2).for_each(|_| sender.send(number).unwrap()))
        })
        .collect();
    drop(sender);
    let receiving: Vec<_> = (0..2)
        .map(|_| {
            let receiver = receiver.clone();
            thread::spawn(move || receiver.iter().sum::<i32>())
        })
        .collect();
    sending.into_iter().for_each(|it| it.join().unwrap());
    assert_eq!(receiving.into_iter().map(|it| it.join().unwrap()).sum::<i32>(), 6);
}

fn in_time(room: Option<usize>) {
    let (sender, receiver) = channel(room);
    let began = Instant::now();
    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert_eq!(receiver.recv_deadline(Instant::now() + SHORT), Err(RecvTimeoutError::Timeout));
    if let Some(room) = room {
        (0..room).for_each(|_| sender.send(0).unwrap());
        assert_eq!(sender.send_timeout(1, SHORT), Err(SendTimeoutError::Timeout(1)));
        assert_eq!(sender.send_deadline(1, Instant::now() + SHORT), Err(SendTimeoutError::Timeout(1)));
        (0..room).for_each(|_| assert_eq!(receiver.recv(), Ok(0)));
    }
    assert!(began.elapsed() >= SHORT);
    let sends = thread::spawn(move || {
        thread::sleep(SHORT);
        sender.send_timeout(2, LONG).unwrap();
        sender.send_deadline(3, Instant::now() + LONG).unwrap();
    });
    assert_eq!(receiver.recv_timeout(LONG), Ok(2));
    assert_eq!(receiver.recv_deadline(Instant::now() + LONG), Ok(3));
    assert_eq!(receiver.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected));
    sends.join().unwrap();
}

fn futures(room: Option<usize>) {
    let (sender, receiver) = channel(room);
    let sends = thread::spawn(move || {
        block_on(async {
            sender.send_async(1).await.unwrap();
            sender.send_async(2).await.unwrap();
        });
        sender.send_timeout(3, LONG).unwrap();
        sender.send(4).unwrap();
    });
    assert_eq!(receiver.recv(), Ok(1));
    assert_eq!(receiver.recv_timeout(LONG), Ok(2));
    assert_eq!(block_on(receiver.recv_async()), Ok(3));
    assert_eq!(block_on(receiver.recv_async()), Ok(4));
    assert!(block_on(receiver.recv_async()).is_err());
    sends.join().unwrap();
}

fn selected(room: Option<usize>) {
    let ((one, ones), (other, others)) = (channel(room), channel::<u8>(room));
    let waits = || Selector::new().recv(&ones, |it| it).recv(&others, |it| it);
    assert!(waits().wait_timeout(SHORT).is_err() && waits().wait_deadline(Instant::now() + SHORT).is_err());
    let sends_ones = thread::spawn(move || (0..3).for_each(|_| one.send(1_u8).unwrap()));
    let sends_others = thread::spawn(move || {
        (0..2).for_each(|_| block_on(other.send_async(2)).unwrap());
        other.send_timeout(2, LONG).unwrap();
    });
    let mut sum = 0;
    while sum < 9 {
        if let Ok(it) = waits().wait() {
            sum += it;
        } else {
            // One of them is closed, and always ready.
            while let Ok(it) = ones.recv().or_else(|_| others.recv()) {
                sum += it;
            }
        }
    }
    sends_ones.join().unwrap();
    sends_others.join().unwrap();
}

fn ends(room: Option<usize>) {
    let (sender, receiver) = channel::<u8>(room);
    let receives = thread::spawn(move || receiver.recv());
    drop(sender);
    assert!(receives.join().unwrap().is_err());
    if let Some(room) = room {
        let (sender, receiver) = bounded(room);
        let sends = thread::spawn(move || while sender.send(String::from("lost")).is_ok() {});
        drop(receiver);
        sends.join().unwrap();
    }
}

fn tries() {
    let (sender, receiver) = bounded(0);
    let receives = thread::spawn(move || receiver.recv());
    while sender.try_send(7).is_err() {
        thread::yield_now();
    }
    assert_eq!(receives.join().unwrap(), Ok(7));
    let (sender, receiver) = bounded(0);
    let sends = thread::spawn(move || sender.send(8).unwrap());
    while receiver.try_recv() != Ok(8) {
        thread::sleep(SHORT);
    }
    sends.join().unwrap();
    let (sender, receiver) = bounded(0);
    let selects = thread::spawn(move || Selector::new().recv(&receiver, |it| it.unwrap()).wait());
    while sender.try_send(9).is_err() {
        thread::yield_now();
    }
    assert_eq!(selects.join().unwrap(), 9);
}

fn both_select() {
    let ((one, ones), (other, others)) = (bounded(0), bounded(0));
    let sends = thread::spawn(move || {
        for number in 0..4 {
            Selector::new().send(&one, number, |it| it.unwrap()).send(&other, number, |it| it.unwrap()).wait();
        }
    });
    for number in 0..4 {
        let received = Selector::new().recv(&ones, |it| it.unwrap()).recv(&others, |it| it.unwrap()).wait();
        assert_eq!(received, number);
    }
    sends.join().unwrap();
}
