//! Mutexes, reader-writer locks, condition variables and barriers, used in the ways that real code uses them.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync as s;
use std::sync::{
    Arc, Barrier, Condvar, LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard,
    RwLockWriteGuard, TryLockError, mpsc,
};
use std::thread;
use std::time::{Duration, Instant};

static COUNTER: Mutex<u32> = Mutex::new(0);
static NAMES: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());
static TABLE: [Mutex<u8>; 3] = [const { Mutex::new(7) }; 3];
const FRESH: Mutex<u8> = Mutex::new(9);
static SIGNAL: Condvar = Condvar::new();

thread_local! {
    static LOCAL: Mutex<u8> = const { Mutex::new(1) };
    static LAZY_LOCAL: RwLock<String> = RwLock::new(String::from("local"));
}

#[derive(Debug, Default)]
struct Bank {
    accounts: Mutex<HashMap<String, i64>>,
    rate: RwLock<f64>,
    changed: Condvar,
}

impl Bank {
    fn locked(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct View<'a> {
    guard: RwLockReadGuard<'a, f64>,
}

trait Shape: Send {
    fn area(&self) -> u32;
}

struct Square(u32);

impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}

#[derive(Debug)]
struct Broken(String);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Broken {}

impl<T> From<PoisonError<T>> for Broken {
    fn from(error: PoisonError<T>) -> Broken {
        Broken(error.to_string())
    }
}

fn question_mark(lock: &Mutex<u8>) -> Result<u8, Broken> {
    Ok(*lock.lock()?)
}

fn boxed(lock: &'static RwLock<Vec<&'static str>>) -> Result<usize, Box<dyn Error>> {
    Ok(lock.read()?.len())
}

fn poison<T>(result: &LockResult<T>) -> &'static str {
    if result.is_err() { "poisoned" } else { "clean" }
}

fn main() {
    let nested_static = || s::Mutex::new(3);
    *COUNTER.lock().unwrap() += *nested_static().lock().unwrap();
    println!("{} {:?}", COUNTER.lock().unwrap(), COUNTER);
    NAMES.write().unwrap().push("a");
    println!("{:?} {}", NAMES.read().unwrap(), boxed(&NAMES).unwrap());
    for lock in &TABLE {
        *lock.lock().unwrap() += 1;
    }
    println!("{TABLE:?} {}", FRESH.into_inner().unwrap());
    LOCAL.with(|it| println!("{:?}", it.lock()));
    LAZY_LOCAL.with(|it| println!("{:?} {:?}", it.read(), it.try_write()));

    debug_output();
    guards();
    poisoning();
    unsized_values();
    condition();
    barrier();
    contention();
}

fn debug_output() {
    let bank = Bank::default();
    println!("{bank:?}");
    println!("{bank:#?}");
    let guard = bank.locked();
    println!("{bank:?} {guard:?}");
    drop(guard);
    let reading = bank.rate.read().unwrap();
    println!("{bank:?} {reading:?} {reading} {:?}", bank.rate.try_write());
    drop(reading);
    let writing = bank.rate.write().unwrap();
    println!("{:?} {writing:?} {writing} {:?}", bank.rate, bank.rate.try_read());
    println!("{:?} {:?} {:?}", Mutex::from(1), RwLock::from("x"), Barrier::new(2));
    println!("{:?} {:>5}|", Mutex::new(1).try_lock(), Mutex::new(1).lock().unwrap());
    let lock = Mutex::new(0);
    let _held = lock.lock();
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => println!("would block"),
        other => println!("{other:?}"),
    }
    println!("{}", lock.try_lock().unwrap_err());
}

fn guards() {
    let bank = Bank::default();
    bank.locked().insert("a".into(), 5);
    bank.locked().entry("a".into()).and_modify(|it| *it += 1);
    println!("{:?}", bank.accounts.lock().map(|it| it["a"]).unwrap());
    let view = View { guard: bank.rate.read().unwrap() };
    let again = bank.rate.try_read().unwrap();
    println!("{} {}", view.guard, *again + 1.0);
    drop((view, again));
    let mut writer = bank.rate.write().unwrap();
    *writer = 2.5;
    let reader = RwLockWriteGuard::downgrade(writer);
    println!("{} {}", reader, bank.rate.try_read().is_ok());
    println!("{}", bank.rate.try_write().is_err());
    drop(reader);
    let mut bank = bank;
    *bank.rate.get_mut().unwrap() = 1.0;
    bank.accounts.get_mut().unwrap().clear();
    let Bank { accounts, rate, changed } = bank;
    println!("{:?} {:?} {changed:?}", accounts.into_inner(), rate.into_inner());
    let lock = Mutex::new(String::from("swap"));
    println!("{}", std::mem::take(&mut *lock.lock().unwrap()));
    let value = match lock.lock() {
        Ok(guard) => guard.len(),
        Err(error) => error.get_ref().len(),
    };
    println!("{value}");
    fn covariant<'a>(guard: MutexGuard<'static, u32>, _: &'a u8) -> MutexGuard<'a, u32> {
        guard
    }
    println!("{}", covariant(COUNTER.lock().unwrap(), &1));
}

fn poisoning() {
    let lock = Arc::new(Mutex::new(1_u8));
    let rw = Arc::new(RwLock::new(1_u8));
    let (lock2, rw2) = (lock.clone(), rw.clone());
    let caught = catch_unwind(AssertUnwindSafe(move || {
        let _a = lock2.lock();
        let _b = rw2.write();
        panic!("while held");
    }));
    println!("{} {} {}", caught.is_err(), lock.is_poisoned(), rw.is_poisoned());
    println!("{lock:?} {rw:?}");
    println!("{} {}", poison(&lock.lock()), poison(&rw.read()));
    println!("{}", poison(&rw.write()));
    println!("{:?} {:?}", lock.lock(), lock.try_lock());
    println!("{:?} {:?} {:?}", rw.read(), rw.try_read(), rw.try_write());
    println!("{:?}", question_mark(&lock));
    match lock.try_lock() {
        Err(TryLockError::Poisoned(error)) => println!("{error} {}", *error.get_ref()),
        other => println!("{other:?}"),
    }
    *lock.lock().unwrap_or_else(|error| error.into_inner()) = 4;
    lock.clear_poison();
    rw.clear_poison();
    println!("{:?} {} {}", question_mark(&lock), rw.is_poisoned(), poison(&rw.read()));
    let reader = catch_unwind(AssertUnwindSafe(|| {
        let _a = rw.read();
        panic!("while read");
    }));
    println!("{} {}", reader.is_err(), rw.is_poisoned());
    let error: PoisonError<u8> = PoisonError::new(5);
    println!("{error:?} {error}");
}

fn unsized_values() {
    let shape: Arc<Mutex<dyn Shape>> = Arc::new(Mutex::new(Square(4)));
    let list: Box<RwLock<[u8]>> = Box::new(RwLock::new([1, 2, 3]));
    let sized = RwLock::new([4_u8; 2]);
    let slice: &RwLock<[u8]> = &sized;
    list.write().unwrap().reverse();
    println!("{} {list:?} {:?}", shape.lock().unwrap().area(), slice.read());
    let callbacks: Mutex<Vec<Box<dyn FnMut() -> u8 + Send>>> = Mutex::default();
    callbacks.lock().unwrap().push(Box::new(|| 6));
    println!("{}", callbacks.lock().unwrap().iter_mut().map(|f| f()).sum::<u8>());
}

fn condition() {
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    println!("{pair:?}");
    let pair2 = Arc::clone(&pair);
    let worker = thread::spawn(move || {
        let (lock, signal) = &*pair2;
        for _ in 0..3 {
            *lock.lock().unwrap() += 1;
            signal.notify_one();
            thread::sleep(Duration::from_millis(5));
        }
        signal.notify_all();
    });
    let (lock, signal) = &*pair;
    let mut guard = lock.lock().unwrap();
    while *guard < 1 {
        guard = signal.wait(guard).unwrap();
    }
    guard = signal.wait_while(guard, |it| *it < 2).unwrap();
    let (guard, timeout) = signal.wait_timeout_while(guard, Duration::from_secs(60), |it| *it < 3).unwrap();
    println!("{} {:?} {}", *guard, timeout, timeout.timed_out());
    drop(guard);
    worker.join().unwrap();
    let began = Instant::now();
    let (guard, timeout) =
        signal.wait_timeout_while(lock.lock().unwrap(), Duration::from_millis(20), |_| true).unwrap();
    println!("{timeout:?} {}", began.elapsed() >= Duration::from_millis(20));
    drop(guard);
    let mut left = true;
    while left {
        let (_guard, timeout) =
            SIGNAL.wait_timeout(COUNTER.lock().unwrap(), Duration::from_millis(1)).unwrap();
        left = !timeout.timed_out();
    }
    #[allow(deprecated)]
    while SIGNAL.wait_timeout_ms(COUNTER.lock().unwrap(), 1).unwrap().1 {}
    SIGNAL.notify_all();
    let poisoned = Mutex::new(0);
    let fresh = Condvar::default();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _guard = fresh.wait_while(poisoned.lock().unwrap(), |_| panic!("in the condition"));
    }));
    println!("{} {poisoned:?}", caught.is_err());
    let result = fresh.wait_timeout(poisoned.lock().unwrap_err().into_inner(), Duration::from_millis(1));
    println!("{}", poison(&result));
}

fn barrier() {
    let barrier = Arc::new(Barrier::new(3));
    let leaders: usize = (0..3)
        .map(|_| {
            let barrier = barrier.clone();
            thread::spawn(move || barrier.wait().is_leader())
        })
        .collect::<Vec<_>>()
        .into_iter()
        .map(|it| usize::from(it.join().unwrap()))
        .sum();
    println!("{leaders} {:?} {:?}", barrier, Barrier::new(1).wait());
}

fn contention() {
    let shared = Arc::new((Mutex::new(0_u64), RwLock::new(0_u64)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let shared = shared.clone();
            thread::spawn(move || {
                for _ in 0..200 {
                    *shared.0.lock().unwrap() += 1;
                    *shared.1.write().unwrap() += 1;
                    let _ = *shared.1.read().unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{shared:?}");
    let (sender, receiver) = mpsc::channel();
    let guard = shared.0.lock().unwrap();
    let shared2 = shared.clone();
    let waiter = thread::spawn(move || {
        sender.send(()).unwrap();
        *shared2.0.lock().unwrap()
    });
    receiver.recv().unwrap();
    thread::sleep(Duration::from_millis(10));
    drop(guard);
    println!("{}", waiter.join().unwrap());
}
