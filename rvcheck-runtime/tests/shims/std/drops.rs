//! When values are dropped, and what can still be used then.

use std::cell::Cell;
use std::sync::{Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, mpsc};
use std::{mem, thread};

struct Named(&'static str);

impl Drop for Named {
    fn drop(&mut self) {
        println!("{} is dropped", self.0);
    }
}

struct Constant {
    count: Mutex<u32>,
    shared: RwLock<u32>,
    changed: Condvar,
    once: Once,
}

thread_local! {
    /// Without a destructor it is there as long as the thread is.
    static CONSTANT: Constant = const {
        Constant { count: Mutex::new(0), shared: RwLock::new(0), changed: Condvar::new(), once: Once::new() }
    };
    static LAST: User = const { User(Cell::new(0)) };
    static FIRST: User = const { User(Cell::new(0)) };
}

struct User(Cell<u32>);

impl Drop for User {
    fn drop(&mut self) {
        CONSTANT.with(|it| {
            *it.count.lock().unwrap() += self.0.get();
            *it.shared.write().unwrap() += 1;
            it.changed.notify_all();
            it.once.call_once(|| println!("only once"));
            println!("{} {}", it.count.lock().unwrap(), it.shared.read().unwrap());
        });
    }
}

fn ends_of_threads() {
    thread::spawn(|| {
        FIRST.with(|it| it.0.set(20));
        LAST.with(|it| it.0.set(3));
        CONSTANT.with(|it| *it.count.lock().unwrap() = 100);
    })
    .join()
    .unwrap();
}

fn values() {
    let both = (Mutex::new(Named("in a mutex")), RwLock::new(Named("in a lock")));
    let guard = both.0.lock().unwrap();
    drop((guard, both.1.read().unwrap()));
    let (mutex, lock) = both;
    *mutex.lock().unwrap() = Named("put into a mutex");
    drop(lock);
    drop(mutex.into_inner().unwrap());
    let once = OnceLock::new();
    let _ = once.set(Named("in a cell"));
    let refused = once.set(Named("too late"));
    drop((once, refused));
    let lazy = LazyLock::new(|| Named("made late"));
    println!("{}", lazy.0);
    drop(lazy);
    let captured = Named("never called for");
    drop(LazyLock::new(move || captured));
    let (sender, receiver) = mpsc::channel();
    for name in ["first message", "second message", "third message"] {
        sender.send(Named(name)).unwrap();
    }
    drop(receiver.recv().unwrap());
    drop(receiver);
    println!("{}", sender.send(Named("for nobody")).is_err());
    println!("{}", Mutex::new([(); 0]).lock().unwrap().len());
}

/// Whether a value may borrow what is dropped before it.
fn borrowing() {
    let (mutex, lock, once);
    let text = String::from("gone before");
    mutex = Mutex::new(&*text);
    lock = RwLock::new(&text);
    once = OnceLock::new();
    once.set(&text).unwrap();
    println!("{} {} {}", mutex.lock().unwrap(), lock.read().unwrap().len(), once.get().unwrap());
}

fn main() {
    ends_of_threads();
    values();
    borrowing();
    let drops = [
        mem::needs_drop::<Mutex<u8>>(),
        mem::needs_drop::<RwLock<u8>>(),
        mem::needs_drop::<Condvar>(),
        mem::needs_drop::<Barrier>(),
        mem::needs_drop::<Once>(),
        mem::needs_drop::<Mutex<String>>(),
    ];
    println!("{drops:?}");
}
