//! Threads that wait for each other in every way that crossbeam-channel has.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{
    after, bounded, never, select, tick, unbounded, Receiver, RecvTimeoutError, Select, SendTimeoutError, Sender,
    TryRecvError, TrySendError,
};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    for room in [Some(0), Some(1), None] {
        messages(room);
        many(room);
        in_time(room);
        selected(room);
        ready(room);
        ends(room);
    }
    tries();
    timers();
    both_select();
    selected_sends();
    println!("done");
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

fn selected(room: Option<usize>) {
    let ((one, ones), (other, others)) = (channel(room), channel::<u8>(room));
    select! {
        recv(ones) -> it => panic!("{it:?}"),
        recv(others) -> it => panic!("{it:?}"),
        default(SHORT) => {}
    }
    let sends_ones = thread::spawn(move || (0..3).for_each(|_| one.send(1_u8).unwrap()));
    let sends_others = thread::spawn(move || (0..3).for_each(|_| other.send(2_u8).unwrap()));
    let (mut sum, mut left) = (0, [true, true]);
    let nothing = never::<u8>();
    while left != [false, false] {
        select! {
            recv(if left[0] { &ones } else { &nothing }) -> it => match it {
                Ok(it) => sum += it,
                Err(_) => left[0] = false,
            },
            recv(if left[1] { &others } else { &nothing }) -> it => match it {
                Ok(it) => sum += it,
                Err(_) => left[1] = false,
            },
        }
    }
    assert_eq!(sum, 9);
    sends_ones.join().unwrap();
    sends_others.join().unwrap();
}

fn ready(room: Option<usize>) {
    let ((one, ones), (_other, others)) = (channel(room), channel::<u8>(room));
    let sends = thread::spawn(move || one.send(1_u8).unwrap());
    let mut select = Select::new();
    select.recv(&ones);
    select.recv(&others);
    assert_eq!(select.ready(), 0);
    assert_eq!(ones.try_recv(), Ok(1));
    sends.join().unwrap();
    assert_eq!(select.ready(), 0);
    select.remove(0);
    assert!(select.ready_timeout(SHORT).is_err() && select.ready_deadline(Instant::now() + SHORT).is_err());
    assert!(select.try_ready().is_err());
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
    assert_eq!(sender.try_send(0), Err(TrySendError::Full(0)));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
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
}

fn timers() {
    let began = Instant::now();
    assert!(after(SHORT).recv().unwrap() >= began + SHORT);
    assert!(after(Duration::ZERO).try_recv().is_ok());
    let later = after(LONG);
    assert_eq!(later.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(later.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert!(later.recv_timeout(LONG * 2).is_ok());
    assert_eq!(later.recv_timeout(LONG), Err(RecvTimeoutError::Timeout));
    let ticks = tick(SHORT);
    let shared = ticks.clone();
    let other = thread::spawn(move || shared.iter().take(3).count());
    assert_eq!(ticks.iter().take(3).count() + other.join().unwrap(), 6);
    assert_eq!(never::<u8>().recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    let (_sender, receiver) = unbounded::<u8>();
    let (mut ticked, timeout) = (0, after(SHORT * 3));
    loop {
        select! {
            recv(receiver) -> it => panic!("{it:?}"),
            recv(ticks) -> _ => ticked += 1,
            recv(timeout) -> _ => break,
        }
    }
    assert!((1..=4).contains(&ticked), "{ticked}");
}

fn both_select() {
    let ((one, ones), (other, others)) = (bounded(0), bounded(0));
    let sends = thread::spawn(move || {
        for number in 0..4 {
            select! {
                send(one, number) -> it => it.unwrap(),
                send(other, number) -> it => it.unwrap(),
            }
        }
    });
    let (mut all, mut left) = (Vec::new(), true);
    while left {
        select! {
            recv(ones) -> it => it.map_or_else(|_| left = false, |it| all.push(it)),
            recv(others) -> it => it.map_or_else(|_| left = false, |it| all.push(it)),
        }
    }
    assert_eq!(all, [0, 1, 2, 3]);
    sends.join().unwrap();
}

fn selected_sends() {
    let (sender, receiver) = bounded(0);
    let sends = thread::spawn(move || {
        let mut select = Select::new();
        let index = select.send(&sender);
        let operation = select.select();
        assert_eq!(operation.index(), index);
        // The receiver waits for this meanwhile.
        thread::sleep(SHORT);
        operation.send(&sender, 5).unwrap();
    });
    let (_keep, others) = bounded::<u8>(0);
    select! {
        recv(receiver) -> it => assert_eq!(it, Ok(5)),
        recv(others) -> it => panic!("{it:?}"),
    }
    sends.join().unwrap();
}
