//! Threads that wait for each other in every way that std has.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, TryRecvError, TrySendError};
use std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock};
use std::thread;
use std::time::{Duration, Instant};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    meetings();
    meetings_in_time();
    nobody_to_meet();
    several_meet();
    rooms();
    locks();
    signals();
    initialisers();
    ends();
    println!("done");
}

fn meetings() {
    let (sender, receiver) = mpsc::sync_channel(0);
    let sends = thread::spawn(move || {
        for number in 0..5 {
            sender.send(number).unwrap();
        }
    });
    assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    sends.join().unwrap();

    let (sender, receiver) = mpsc::sync_channel(0);
    assert_eq!(sender.try_send(0), Err(TrySendError::Full(0)));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    let receives = thread::spawn(move || receiver.recv());
    let mut message = 7;
    while let Err(TrySendError::Full(it)) = sender.try_send(message) {
        message = it;
        thread::yield_now();
    }
    assert_eq!(receives.join().unwrap(), Ok(7));

    let (sender, receiver) = mpsc::sync_channel(0);
    let sends = thread::spawn(move || sender.send(8).unwrap());
    loop {
        match receiver.try_recv() {
            Ok(number) => break assert_eq!(number, 8),
            Err(error) => assert_eq!(error, TryRecvError::Empty),
        }
        thread::sleep(SHORT);
    }
    sends.join().unwrap();
}

fn meetings_in_time() {
    let (sender, receiver) = mpsc::sync_channel::<u8>(0);
    let began = Instant::now();
    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert!(began.elapsed() >= SHORT);
    let sends = thread::spawn(move || {
        thread::sleep(SHORT);
        sender.send(3)
    });
    assert_eq!(receiver.recv_timeout(LONG), Ok(3));
    assert_eq!(receiver.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected));
    sends.join().unwrap().unwrap();
}

fn nobody_to_meet() {
    let (sender, receiver) = mpsc::sync_channel(0);
    let sends = thread::spawn(move || sender.send(String::from("lost")));
    drop(receiver);
    assert_eq!(sends.join().unwrap().unwrap_err().0, "lost");
    let (sender, receiver) = mpsc::sync_channel::<u8>(0);
    let receives = thread::spawn(move || receiver.recv());
    drop(sender);
    assert!(receives.join().unwrap().is_err());
}

fn several_meet() {
    let (sender, receiver) = mpsc::sync_channel(0);
    let sending: Vec<_> = (0..3)
        .map(|number| {
            let sender = sender.clone();
            thread::spawn(move || sender.send(number).unwrap())
        })
        .collect();
    drop(sender);
    let mut all: Vec<u8> = receiver.iter().collect();
    all.sort();
    assert_eq!(all, [0, 1, 2]);
    sending.into_iter().for_each(|it| it.join().unwrap());
}

fn rooms() {
    let (sender, receiver) = mpsc::sync_channel(1);
    let sends = thread::spawn(move || (0..5).for_each(|number| sender.send(number).unwrap()));
    thread::sleep(SHORT);
    assert_eq!(receiver.iter().sum::<i32>(), 10);
    sends.join().unwrap();
    let (sender, receiver) = mpsc::channel::<u8>();
    assert!(receiver.recv_timeout(SHORT).is_err());
    let sends = thread::spawn(move || sender.send(1).unwrap());
    assert_eq!(receiver.recv_timeout(LONG), Ok(1));
    sends.join().unwrap();
}

fn locks() {
    let (mutex, rwlock) = (Arc::new(Mutex::new(0)), Arc::new(RwLock::new(0)));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (mutex, rwlock) = (mutex.clone(), rwlock.clone());
            thread::spawn(move || {
                let mut guard = mutex.lock().unwrap();
                *rwlock.write().unwrap() += 1;
                *guard += *rwlock.read().unwrap();
                drop(guard);
                while mutex.try_lock().is_err() || rwlock.try_write().is_err() {
                    thread::yield_now();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    assert_eq!((*mutex.lock().unwrap(), *rwlock.read().unwrap()), (6, 3));
}

fn signals() {
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    let waits: Vec<_> = (0..2)
        .map(|_| {
            let pair = pair.clone();
            thread::spawn(move || {
                let mut guard = pair.1.wait_while(pair.0.lock().unwrap(), |it| *it == 0).unwrap();
                *guard -= 1;
            })
        })
        .collect();
    for _ in 0..2 {
        *pair.0.lock().unwrap() += 1;
        pair.1.notify_one();
    }
    waits.into_iter().for_each(|it| it.join().unwrap());
    let guard = pair.0.lock().unwrap();
    let (guard, result) = pair.1.wait_timeout(guard, SHORT).unwrap();
    assert!(result.timed_out());
    let (guard, result) = pair.1.wait_timeout_while(guard, SHORT, |it| *it == 0).unwrap();
    assert!(result.timed_out());
    drop(guard);
    let waits = thread::spawn({
        let pair = pair.clone();
        move || {
            let guard = pair.0.lock().unwrap();
            let (_guard, result) = pair.1.wait_timeout_while(guard, LONG, |it| *it == 0).unwrap();
            result.timed_out()
        }
    });
    *pair.0.lock().unwrap() = 1;
    pair.1.notify_all();
    assert!(!waits.join().unwrap());

    let barrier = Arc::new(Barrier::new(3));
    let leaders = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (barrier, leaders) = (barrier.clone(), leaders.clone());
            thread::spawn(move || {
                for _ in 0..2 {
                    leaders.fetch_add(usize::from(barrier.wait().is_leader()), Ordering::SeqCst);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    assert_eq!(leaders.load(Ordering::SeqCst), 2);
}

fn initialisers() {
    static LAZY: LazyLock<u8> = LazyLock::new(|| {
        thread::sleep(SHORT);
        1
    });
    let (once, cell) = (Arc::new(Once::new()), Arc::new(OnceLock::new()));
    let threads: Vec<_> = (0..3)
        .map(|number| {
            let (once, cell) = (once.clone(), cell.clone());
            thread::spawn(move || {
                once.call_once(|| thread::sleep(SHORT));
                let value = *cell.get_or_init(|| {
                    thread::yield_now();
                    number
                });
                assert_eq!(*LAZY, 1);
                value
            })
        })
        .collect();
    once.wait();
    let value = *cell.wait();
    threads.into_iter().for_each(|it| assert_eq!(it.join().unwrap(), value));

    let once = Arc::new(Once::new());
    let fails = thread::spawn({
        let once = once.clone();
        move || once.call_once(|| panic!("planned"))
    });
    let waits = thread::spawn({
        let once = once.clone();
        move || once.wait()
    });
    let forces = thread::spawn({
        let once = once.clone();
        move || once.wait_force()
    });
    assert!(fails.join().is_err());
    assert!(waits.join().is_err());
    once.call_once_force(|state| assert!(state.is_poisoned()));
    forces.join().unwrap();
}

fn ends() {
    let count = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| count.fetch_add(1, Ordering::SeqCst));
        let inner = scope.spawn(|| scope.spawn(|| count.fetch_add(1, Ordering::SeqCst)).join());
        inner.join().unwrap().unwrap();
    });
    let parked = thread::spawn(|| {
        thread::park();
        thread::park_timeout(SHORT);
        thread::park_timeout(LONG);
    });
    parked.thread().unpark();
    parked.thread().unpark();
    parked.join().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 2);
}
