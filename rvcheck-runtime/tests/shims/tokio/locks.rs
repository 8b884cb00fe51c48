//! Everything that `Mutex`, `RwLock`, `OnceCell` and `SetOnce` of tokio can do.

use std::fmt::{Debug, Display};
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{
    MappedMutexGuard, Mutex, MutexGuard, OnceCell, OwnedMappedMutexGuard, OwnedMutexGuard,
    OwnedRwLockMappedWriteGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock, RwLockMappedWriteGuard,
    RwLockReadGuard, RwLockWriteGuard, SetError, TryLockError,
};

static GLOBAL: Mutex<u32> = Mutex::const_new(7);
static TABLE: RwLock<Vec<u32>> = RwLock::const_new(Vec::new());
static FEW: RwLock<u8> = RwLock::const_with_max_readers(1, 2);
static CELL: OnceCell<String> = OnceCell::const_new();
static FULL: OnceCell<u8> = OnceCell::const_new_with(9);

#[derive(Debug, Default)]
struct Account {
    name: String,
    balance: i64,
}

#[derive(Debug, Default)]
struct Bank {
    accounts: Mutex<Vec<Account>>,
    rate: RwLock<f64>,
}

struct Holds<'a> {
    first: MutexGuard<'a, u32>,
    second: OwnedMutexGuard<String>,
}

trait Named: Send {
    fn name(&self) -> String;
}

impl Named for Account {
    fn name(&self) -> String {
        self.name.clone()
    }
}

fn shows<T: Debug + Display>(guard: T) -> String {
    format!("{guard:?} {guard}")
}

fn is_send<T: Send>(it: T) -> T {
    it
}

fn main() {
    blocking();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        mutex().await;
        owned_mutex().await;
        borrowed().await;
        rwlock().await;
        owned_rwlock().await;
        cells().await;
        given_up().await;
    });
}

async fn mutex() {
    println!("{:?} {:?}", Mutex::new(1), Mutex::<String>::default());
    let lock = Mutex::from(5);
    {
        let mut guard = lock.lock().await;
        *guard += 1;
        println!("{lock:?} {guard:?} {guard} {:?}", lock.try_lock().map(|it| *it));
        println!("{:?}", lock.try_lock().unwrap_err().to_string());
        println!("{}", std::ptr::eq(MutexGuard::mutex(&guard), &lock));
    }
    let mut lock = lock;
    *lock.get_mut() += 1;
    println!("{}", lock.into_inner());

    let bank = Arc::new(Bank::default());
    let mut tasks = Vec::new();
    for step in 0..20 {
        let bank = Arc::clone(&bank);
        tasks.push(tokio::spawn(is_send(async move {
            let mut accounts = bank.accounts.lock().await;
            tokio::task::yield_now().await;
            accounts.push(Account { name: format!("a{step}"), balance: step });
        })));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let total: i64 = bank.accounts.lock().await.iter().map(|it| it.balance).sum();
    println!("{total} {}", bank.accounts.lock().await.len());
    *bank.rate.write().await = 0.5;
    println!("{:?}", Bank::default());

    let guard = MutexGuard::map(bank.accounts.lock().await, |it| &mut it[3]);
    let mut balance: MappedMutexGuard<'_, i64> = MappedMutexGuard::map(guard, |it| &mut it.balance);
    *balance += 100;
    println!("{}", shows(balance));
    let failed =
        MutexGuard::try_map(bank.accounts.lock().await, |it| it.get_mut(99)).map(|_| ()).unwrap_err();
    println!("{}", failed.len());
    drop(failed);
    let found = MutexGuard::try_map(bank.accounts.lock().await, |it| it.get_mut(3)).unwrap();
    let name = MappedMutexGuard::try_map(found, |it| Some(&mut it.name)).unwrap();
    let nothing = MappedMutexGuard::try_map(name, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    println!("{nothing} {:?}", bank.accounts.try_lock().is_err());
    drop(nothing);
    println!("{}", bank.accounts.try_lock().is_ok());

    let dynamic: Arc<Mutex<dyn Named>> = Arc::new(Mutex::new(Account { name: "dyn".into(), balance: 0 }));
    println!("{}", dynamic.lock().await.name());
    println!("{}", dynamic.lock_owned().await.name());
    let slice: Box<Mutex<[u8]>> = Box::new(Mutex::new([1, 2, 3]));
    slice.lock().await[1] = 9;
    println!("{slice:?}");

    *GLOBAL.lock().await += 1;
    println!("{}", GLOBAL.lock().await);
    let panicked = tokio::spawn(async {
        let _guard = GLOBAL.lock().await;
        panic!("with the lock held");
    });
    println!("{} {:?}", panicked.await.unwrap_err().is_panic(), GLOBAL.try_lock());
}

async fn owned_mutex() {
    let lock = Arc::new(Mutex::new(vec![1, 2, 3]));
    let guard = Arc::clone(&lock).lock_owned().await;
    println!(
        "{:?} {} {}",
        guard,
        Arc::strong_count(&lock),
        Arc::ptr_eq(OwnedMutexGuard::mutex(&guard), &lock)
    );
    println!("{:?}", Arc::clone(&lock).try_lock_owned().map(|_| ()).unwrap_err().to_string());
    let mut one: OwnedMappedMutexGuard<Vec<i32>, i32> = OwnedMutexGuard::map(guard, |it| &mut it[1]);
    *one = 20;
    println!("{}", shows(one));
    let guard = Arc::clone(&lock).try_lock_owned().unwrap();
    let guard = OwnedMutexGuard::try_map(guard, |it| it.get_mut(7)).map(|_| ()).unwrap_err();
    let part = OwnedMutexGuard::try_map(guard, |it| it.get_mut(1)).unwrap();
    let part = OwnedMappedMutexGuard::map(part, |it| it);
    let part = OwnedMappedMutexGuard::try_map(part, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    let part = OwnedMappedMutexGuard::try_map(part, |it| Some(it)).unwrap();
    println!("{} {}", *part, Arc::strong_count(&lock));
    // The guard is the last to hold the lock.
    drop(lock);
    let moved = tokio::spawn(async move { *part }).await.unwrap();
    println!("{moved}");

    let text = Arc::new(Mutex::new(String::from("held")));
    let number = Mutex::new(1);
    let holds = Holds { first: number.lock().await, second: text.clone().lock_owned().await };
    println!("{} {} {}", holds.first, holds.second, number.try_lock().is_err() && text.try_lock().is_err());
    let Holds { first, second } = holds;
    drop(first);
    println!("{} {}", number.try_lock().is_ok(), text.try_lock().is_ok());
    drop(second);
    println!("{}", text.try_lock().is_ok());
}

async fn borrowed() {
    let word = String::from("not static");
    let lock = Arc::new(Mutex::new(word.as_str()));
    println!("{}", lock.clone().lock_owned().await);
    let lock = Arc::new(RwLock::new(word.as_str()));
    println!("{}", lock.clone().read_owned().await);
    println!("{}", lock.write_owned().await);
}

async fn rwlock() {
    println!("{:?} {:?} {:?}", RwLock::new(1), RwLock::<u8>::default(), RwLock::from("x"));
    let lock = RwLock::new((1, String::from("one")));
    {
        let (a, b) = (lock.read().await, lock.read().await);
        println!("{:?} {} {:?}", a, b.1, lock.try_write().map(|_| ()).unwrap_err().to_string());
        println!("{}", lock.try_read().unwrap().0);
        let name: RwLockReadGuard<'_, String> = RwLockReadGuard::map(a, |it| &it.1);
        let name = RwLockReadGuard::try_map(name, |_| None::<&u8>).map(|_| ()).unwrap_err();
        let name = RwLockReadGuard::try_map(name, |it| Some(it.as_str())).unwrap();
        println!("{}", shows(name));
    }
    {
        let mut guard = lock.write().await;
        guard.0 += 1;
        println!("{guard:?} {lock:?}");
        let mut number: RwLockMappedWriteGuard<'_, i32> = RwLockWriteGuard::map(guard, |it| &mut it.0);
        *number += 1;
        let number = RwLockMappedWriteGuard::map(number, |it| it);
        let number = RwLockMappedWriteGuard::try_map(number, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
        let number = RwLockMappedWriteGuard::try_map(number, |it| Some(it)).unwrap();
        println!("{}", shows(number));
    }
    {
        let guard = lock.try_write().unwrap();
        let guard = RwLockWriteGuard::try_map(guard, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
        println!("{}", RwLockWriteGuard::try_map(guard, |it| Some(&mut it.0)).unwrap());
        println!("{:?}", RwLockWriteGuard::into_mapped(lock.write().await));
        let reader = lock.write().await.downgrade();
        println!("{} {} {}", reader.0, lock.try_read().is_ok(), lock.try_write().is_ok());
    }
    let reader = RwLockWriteGuard::downgrade_map(lock.write().await, |it| &it.1);
    println!("{reader}");
    drop(reader);
    let guard =
        RwLockWriteGuard::try_downgrade_map(lock.write().await, |_| None::<&u8>).map(|_| ()).unwrap_err();
    println!("{}", RwLockWriteGuard::try_downgrade_map(guard, |it| Some(&it.0)).unwrap());
    let mut lock = lock;
    lock.get_mut().0 = 50;
    println!("{:?}", lock.into_inner());
    let few = RwLock::with_max_readers(1, 1);
    let only = few.read().await;
    println!("{} {}", few.try_read().is_err(), *only);
    let (a, b) = (FEW.read().await, FEW.read().await);
    println!("{} {}", FEW.try_read().is_err(), *a + *b);
    TABLE.write().await.push(3);
    println!("{:?}", TABLE.read().await);
    let dynamic: Arc<RwLock<dyn Named + Sync>> = Arc::new(RwLock::new(Account::default()));
    println!("{:?}", dynamic.read_owned().await.name());
}

async fn owned_rwlock() {
    let lock = Arc::new(RwLock::new((1, String::from("one"))));
    let guard: OwnedRwLockReadGuard<(i32, String)> = Arc::clone(&lock).read_owned().await;
    println!("{:?} {}", guard, Arc::ptr_eq(OwnedRwLockReadGuard::rwlock(&guard), &lock));
    let guard = OwnedRwLockReadGuard::map(guard, |it| &it.1);
    let guard = OwnedRwLockReadGuard::try_map(guard, |_| None::<&u8>).map(|_| ()).unwrap_err();
    println!(
        "{} {}",
        shows(OwnedRwLockReadGuard::try_map(guard, |it| Some(it)).unwrap()),
        Arc::strong_count(&lock)
    );
    let mut guard: OwnedRwLockWriteGuard<(i32, String)> = lock.clone().write_owned().await;
    guard.0 = 2;
    println!(
        "{:?} {}",
        guard,
        lock.clone().try_read_owned().is_err() && lock.clone().try_write_owned().is_err()
    );
    println!("{}", Arc::ptr_eq(OwnedRwLockWriteGuard::rwlock(&guard), &lock));
    let guard = OwnedRwLockWriteGuard::try_map(guard, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    let mut part: OwnedRwLockMappedWriteGuard<(i32, String), i32> =
        OwnedRwLockWriteGuard::map(guard, |it| &mut it.0);
    *part += 1;
    println!("{}", Arc::ptr_eq(OwnedRwLockMappedWriteGuard::rwlock(&part), &lock));
    let part = OwnedRwLockMappedWriteGuard::map(part, |it| it);
    let part = OwnedRwLockMappedWriteGuard::try_map(part, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    println!("{}", shows(OwnedRwLockMappedWriteGuard::try_map(part, |it| Some(it)).unwrap()));
    let whole = OwnedRwLockWriteGuard::into_mapped(lock.clone().try_write_owned().unwrap());
    println!("{whole:?}");
    drop(whole);
    println!(
        "{}",
        OwnedRwLockWriteGuard::try_map(lock.clone().write_owned().await, |it| Some(&mut it.0)).unwrap()
    );
    let reader = lock.clone().write_owned().await.downgrade();
    println!("{:?} {} {}", reader, lock.try_read().is_ok(), lock.try_write().is_ok());
    drop(reader);
    let reader = OwnedRwLockWriteGuard::downgrade_map(lock.clone().write_owned().await, |it| &it.1);
    println!("{reader} {}", lock.try_write().is_err());
    drop(reader);
    let guard = lock.clone().write_owned().await;
    let guard = OwnedRwLockWriteGuard::try_downgrade_map(guard, |_| None::<&u8>).map(|_| ()).unwrap_err();
    let reader = OwnedRwLockWriteGuard::try_downgrade_map(guard, |it| Some(&it.0)).unwrap();
    drop(lock);
    println!("{}", tokio::spawn(async move { *reader }).await.unwrap());
}

async fn cells() {
    let made = AtomicUsize::new(0);
    let make = || async {
        made.fetch_add(1, Ordering::Relaxed);
        tokio::task::yield_now().await;
        String::from("made")
    };
    let (a, b) = tokio::join!(CELL.get_or_init(make), CELL.get_or_init(make));
    println!("{a} {b} {} {:?} {:?}", made.load(Ordering::Relaxed), CELL, FULL.get());
    let cell = OnceCell::new();
    println!("{:?} {:?}", cell.get_or_try_init(|| async { Err::<u8, _>("no") }).await, cell.initialized());
    println!("{:?}", cell.get_or_try_init(|| async { Ok::<u8, &str>(3) }).await);
    println!("{:?} {}", cell.set(4), matches!(cell.set(4), Err(SetError::AlreadyInitializedError(4))));
    let mut copy = cell.clone();
    println!("{} {:?}", copy == cell, copy.get_mut());
    println!("{:?}", copy.take());
    println!("{copy:?} {:?} {:?}", OnceCell::from(1), OnceCell::new_with(Some(2)).into_inner());
    println!("{:?}", OnceCell::<u8>::default());
    let borrowed = String::from("local");
    let cell: OnceCell<&str> = OnceCell::new();
    println!("{}", cell.get_or_init(|| async { borrowed.as_str() }).await);
    // The first one gives up, and the second one fills the cell.
    let cell = OnceCell::new();
    let (first, second) = tokio::join!(
        tokio::time::timeout(Duration::from_millis(5), cell.get_or_init(|| std::future::pending())),
        cell.get_or_init(|| async { 2 })
    );
    println!("{} {second}", first.is_err());
    #[cfg(rv_tokio_1_47)]
    {
        static LATER: tokio::sync::SetOnce<u8> = tokio::sync::SetOnce::const_new();
        let waiting = tokio::spawn(async { *LATER.wait().await });
        tokio::task::yield_now().await;
        println!("{:?} {:?} {:?}", LATER.set(1), LATER.set(2), LATER);
        println!("{} {:?} {}", waiting.await.unwrap(), LATER.get(), LATER.wait().await);
        let set = tokio::sync::SetOnce::from(3);
        println!("{} {} {:?}", set.clone() == set, set.initialized(), set.into_inner());
    }
}

async fn given_up() {
    let lock = Arc::new(Mutex::new(0));
    let guard = lock.lock().await;
    println!("{}", tokio::time::timeout(Duration::from_millis(5), lock.lock()).await.is_err());
    tokio::select! {
        biased;
        _ = lock.lock() => println!("locked"),
        () = tokio::task::yield_now() => println!("gave up"),
    }
    let waiting = tokio::spawn(Arc::clone(&lock).lock_owned());
    tokio::task::yield_now().await;
    waiting.abort();
    println!("{}", waiting.await.unwrap_err().is_cancelled());
    drop(guard);
    println!("{}", lock.try_lock().is_ok());
    let unpolled = lock.lock();
    println!("{}", lock.try_lock().is_ok());
    drop(unpolled);
    let boxed: std::pin::Pin<Box<dyn Future<Output = MutexGuard<'_, i32>> + Send>> = Box::pin(lock.lock());
    println!("{}", boxed.await);
    let failed: Result<_, TryLockError> = lock.try_lock();
    println!("{failed:?}");
}

fn blocking() {
    let lock = Arc::new(Mutex::new(1));
    *lock.blocking_lock() += 1;
    let held = lock.clone().blocking_lock_owned();
    let other = Arc::clone(&lock);
    let thread = std::thread::spawn(move || *other.blocking_lock());
    std::thread::sleep(Duration::from_millis(5));
    drop(held);
    println!("{}", thread.join().unwrap());
    let lock = RwLock::new(3);
    println!("{}", lock.blocking_read());
    println!("{}", lock.blocking_write());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _context = runtime.enter();
    std::panic::set_hook(Box::new(|info| println!("{info}")));
    let refused = std::panic::catch_unwind(|| runtime.block_on(async { *Mutex::new(1).blocking_lock() }));
    println!("{}", refused.is_err());
    drop(std::panic::take_hook());
}
