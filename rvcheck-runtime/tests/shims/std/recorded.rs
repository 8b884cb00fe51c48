//! Everything that the shim reports. The events that are recorded at a line follow it behind `//~`, those that have no
//! place stand at the end.

use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, RwLockWriteGuard};
use std::thread;
use std::time::Duration;
use std::{fs, panic};

/// Long enough for another thread to run into what it is to run into.
const A_WHILE: Duration = Duration::from_millis(300);

static SLOW: LazyLock<u8> = LazyLock::new(|| {
    thread::sleep(Duration::from_millis(1)); //~ block(sleep) unblock(sleep)
    5
});

fn main() {
    mutex();
    rwlock();
    poisoned();
    condvar();
    once();
    unbounded();
    bounded();
    threads();
    scoped();
    blocking();
    panics();
}

fn mutex() {
    let lock = Arc::new(Mutex::new(0));
    *lock.lock().unwrap() += 1; //~ acquire(write) release(write)
    let _ = lock.try_lock(); //~ acquire(write, try) release(write, try)
    let guard = lock.lock(); //~ acquire(write) release(write)
    println!("{}", lock.try_lock().is_err());
    let other = lock.clone();
    let thread = thread::spawn(move || drop(other.lock())); //~ spawn(thread) request(write) block(lock) unblock(lock) acquire(write) release(write)
    thread::sleep(A_WHILE); //~ block(sleep) unblock(sleep)
    drop(guard);
    join(thread);
    println!("{lock:?}");
    std::mem::forget(lock.lock()); //~ acquire(write)
}

/// Waits for a thread without a record of whether it had to wait.
fn join<T>(thread: thread::JoinHandle<T>) -> T {
    while !thread.is_finished() { //~ ended ended ended ended ended ended ended
        thread::yield_now();
    }
    thread.join().unwrap() //~ join join join join join join join
}

fn rwlock() {
    let lock = Arc::new(RwLock::new(0));
    let first = lock.read(); //~ acquire(read) release(read)
    let second = lock.try_read(); //~ acquire(read, try) release(read, try)
    println!("{}", lock.try_write().is_err());
    let other = lock.clone();
    let writer = thread::spawn(move || drop(other.write())); //~ spawn(thread) request(write) block(lock) unblock(lock) acquire(write) release(write)
    thread::sleep(A_WHILE); //~ block(sleep) unblock(sleep)
    drop((first, second));
    join(writer);
    let writing = lock.write().unwrap(); //~ acquire(write) release(write) acquire(read) release(read)
    let reading = RwLockWriteGuard::downgrade(writing);
    println!("{}", lock.try_read().is_ok()); //~ acquire(read, try) release(read, try)
    drop(reading);
    println!("{}", lock.try_write().is_ok()); //~ acquire(write, try) release(write, try)
}

fn poisoned() {
    let lock = Mutex::new(0);
    let caught = panic::catch_unwind(|| {
        let _guard = lock.lock(); //~ acquire(write) release(write)
        panic!("on purpose"); //~ panic
    });
    println!("{}", caught.is_err());
    drop(lock.lock().unwrap_err()); //~ acquire(write) release(write)
    println!("{}", lock.try_lock().is_err()); //~ acquire(write, try) release(write, try)
}

fn condvar() {
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    let other = pair.clone();
    let guard = pair.0.lock().unwrap(); //~ acquire(write) release(write)
    let notifier = thread::spawn(move || { //~ spawn(thread)
        let mut guard = other.0.lock().unwrap(); //~ request(write) block(lock) unblock(lock) acquire(write) release(write)
        *guard = 1;
        other.1.notify_one(); //~ notify_one
    });
    thread::sleep(A_WHILE); //~ block(sleep) unblock(sleep)
    let guard = pair.1.wait(guard).unwrap(); //~ signal_wait block(lock) unblock(lock) signalled acquire(write) release(write)
    drop(guard);
    join(notifier);
    pair.1.notify_all(); //~ notify_all
    let guard = pair.0.lock().unwrap(); //~ acquire(write) release(write)
    let guard = pair.1.wait_while(guard, |it| *it == 0).unwrap(); //~
    let dur = Duration::from_millis(1);
    let (guard, timeout) = pair.1.wait_timeout(guard, dur).unwrap(); //~ signal_wait block(lock) unblock(lock) signal_cancel acquire(write) release(write)
    println!("{timeout:?}");
    let (guard, timeout) = pair.1.wait_timeout_while(guard, dur, |it| *it != 0).unwrap(); //~ signal_wait block(lock) unblock(lock) signal_cancel acquire(write) release(write) signal_wait block(lock) unblock(lock) signal_cancel acquire(write) release(write)
    println!("{timeout:?} {guard}");
    let barrier = Barrier::new(1);
    barrier.wait(); //~ notify_all signal_wait block(lock) unblock(lock) signalled
}

fn once() {
    let once = Arc::new(Once::new());
    let other = once.clone();
    let first = thread::spawn(move || { //~ spawn(thread)
        other.call_once(|| thread::sleep(A_WHILE)); //~ acquire(write) block(sleep) unblock(sleep) release(write)
    });
    thread::sleep(A_WHILE / 2); //~ block(sleep) unblock(sleep)
    once.call_once(|| unreachable!()); //~ request(write) block(lock) unblock(lock) withdraw(write)
    once.call_once(|| unreachable!());
    join(first);
    let cell = OnceLock::new();
    println!("{:?} {:?}", cell.get(), cell.get_or_init(|| 1)); //~ acquire(write) release(write)
    println!("{:?} {:?}", cell.set(2), cell.wait());
    println!("{} {}", *SLOW, *SLOW); //~ acquire(write) release(write)
}

fn unbounded() {
    let (sender, receiver) = channel();
    println!("{:?}", receiver.try_recv());
    sender.send(1).unwrap(); //~ send(1)
    sender.send(2).unwrap(); //~ send(2)
    println!("{:?} {:?}", receiver.recv(), receiver.try_recv()); //~ recv(1) recv(2)
    let second = sender.clone();
    let thread = thread::spawn(move || { //~ spawn(thread)
        thread::sleep(A_WHILE); //~ block(sleep) unblock(sleep)
        second.send(3).unwrap(); //~ send(3)
    });
    println!("{:?}", receiver.recv()); //~ recv_wait block(recv) unblock(recv) recv(3)
    join(thread);
    println!("{:?}", receiver.recv_timeout(Duration::from_millis(1))); //~ recv_wait block(recv) unblock(recv) recv_cancel
    sender.send(4).unwrap(); //~ send(4)
    sender.send(5).unwrap(); //~ send(5)
    sender.send(6).unwrap(); //~ send(6)
    println!("{:?}", receiver.try_iter().map(|it| it + 1).next()); //~ recv(4)
    drop(sender);
    for n in &receiver { //~ recv(5)
        println!("{n}");
        break;
    }
    drop(receiver);
    let (sender, receiver) = channel::<u8>();
    drop(sender);
    println!("{:?} {:?}", receiver.recv(), receiver.into_iter().next()); //~ closed closed
}

fn bounded() {
    let (sender, receiver) = sync_channel(1);
    sender.try_send(1).unwrap(); //~ send(1)
    println!("{:?}", sender.try_send(2));
    let thread = thread::spawn(move || { //~ spawn(thread)
        thread::sleep(A_WHILE); //~ block(sleep) unblock(sleep)
        receiver.recv().unwrap(); //~ recv(1)
        receiver
    });
    sender.send(3).unwrap(); //~ send_wait block(recv) unblock(recv) send(3)
    let receiver = join(thread);
    drop(receiver);
    println!("{:?} {:?}", sender.send(4), sender.try_send(5)); //~ send_wait block(recv) unblock(recv) closed closed
}

fn threads() {
    drop(thread::spawn(|| ())); //~ spawn(thread)
    let slow = thread::spawn(|| thread::sleep(A_WHILE)); //~ spawn(thread) block(sleep) unblock(sleep)
    slow.join().unwrap(); //~ join_wait block(join) unblock(join) join
    let named = thread::Builder::new().name("named".into());
    join(named.spawn(|| 5).unwrap()); //~ spawn(thread)
}

fn scoped() {
    thread::scope(|s| { //~ block(join) unblock(join)
        s.spawn(|| ()); //~ spawn(thread)
        let slow = s.spawn(|| thread::sleep(A_WHILE)); //~ spawn(thread) block(sleep) unblock(sleep)
        slow.join().unwrap(); //~ join_wait block(join) unblock(join) join
    });
}

fn blocking() {
    thread::current().unpark();
    thread::park(); //~ block(park) unblock(park)
    thread::park_timeout(Duration::from_millis(1)); //~ block(sleep) unblock(sleep)
    println!("{}", fs::read_to_string("/does/not/exist").is_err()); //~ block(fs) unblock(fs)
}

fn panics() {
    let failed = thread::spawn(|| panic!("in a thread")); //~ spawn(thread) panic
    while !failed.is_finished() { //~ ended
        thread::yield_now();
    }
    println!("{}", failed.join().is_err()); //~ join
}

//~~ detach 1, detach(by owner) 1, receiver_drop 3, sender_drop 3, undelivered(3) 1, undelivered(6) 1
