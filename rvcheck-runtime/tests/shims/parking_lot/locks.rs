//! Everything that mutexes and reader-writer locks of parking_lot can do.

mod generation;

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::mem;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use generation::{back, const_fair_mutex, const_mutex, const_rwlock};
use parking_lot::{
    FairMutex, FairMutexGuard, MappedFairMutexGuard, MappedMutexGuard, MappedRwLockReadGuard,
    MappedRwLockWriteGuard, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard,
    RwLockWriteGuard,
};

const SHORT: Duration = Duration::from_millis(5);

static GLOBAL: Mutex<u32> = const_mutex(7);
static FAIR: FairMutex<u32> = const_fair_mutex(8);
static TABLE: RwLock<Vec<u32>> = const_rwlock(Vec::new());
#[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_7))]
static MADE: Mutex<BTreeMap<u8, u8>> = Mutex::new(BTreeMap::new());

#[derive(Debug, Default)]
struct Account {
    name: String,
    balance: i64,
}

#[derive(Debug, Default)]
struct Bank {
    accounts: Mutex<Vec<Account>>,
    rate: RwLock<f64>,
    fair: FairMutex<u8>,
}

/// Guards that live in structures.
struct Holds<'a> {
    first: MutexGuard<'a, u32>,
    part: MappedMutexGuard<'a, str>,
}

fn shows<T: Debug + Display>(guard: &T) -> String {
    format!("{guard:?} {guard}")
}

fn panics(f: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    mutexes();
    guards_of_mutexes();
    parts_of_mutexes();
    readers_and_writers();
    upgrades();
    parts_of_reader_writer_locks();
    contended();
    unsafe_ways();
    #[cfg(all(feature = "arc_lock", any(rv_lock_api_0_5, rv_lock_api_0_4_5)))]
    kept_alive::all();
    #[cfg(feature = "serde")]
    written();
}

fn mutexes() {
    *GLOBAL.lock() += 1;
    *FAIR.lock() += 1;
    println!("{GLOBAL:?} {FAIR:?} {:?}", Bank::default());
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_7))]
    println!("{:?}", MADE.lock().insert(1, 2));
    let mut lock = Mutex::from(5);
    *lock.get_mut() += 1;
    println!("{} {}", lock.is_locked(), shows(&lock.lock()));
    let guard = lock.try_lock().unwrap();
    println!("{} {lock:?} {}", lock.is_locked(), lock.try_lock().is_none());
    println!("{} {}", lock.try_lock_for(SHORT).is_none(), lock.try_lock_until(Instant::now()).is_none());
    drop(guard);
    println!("{:?} {:?}", lock.try_lock_for(SHORT), lock.try_lock_until(Instant::now() + SHORT));
    println!(
        "{}",
        panics(|| {
            let _guard = lock.lock();
            panic!()
        })
    );
    println!("{lock:?}");
    println!("{}", lock.into_inner());
    let unsized_lock: &Mutex<[u8]> = &Mutex::new([1, 2, 3]);
    unsized_lock.lock()[0] = 9;
    println!("{unsized_lock:?}");
    let named: Box<Mutex<dyn Debug + Send>> = Box::new(Mutex::new("who"));
    println!("{named:?} {:?}", named.lock());

    struct Counts<'a>(&'a AtomicUsize);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = AtomicUsize::new(0);
    let lock = Mutex::new(Counts(&drops));
    let inner = lock.into_inner();
    println!("{:?}", drops);
    drop(inner);
    drop(RwLock::new(Counts(&drops)));
    println!("{:?}", drops);
}

fn guards_of_mutexes() {
    let lock = Mutex::new(1);
    let mut guard = lock.lock();
    println!("{}", std::ptr::eq(MutexGuard::mutex(&guard), &lock));
    println!("{}", MutexGuard::unlocked(&mut guard, || lock.is_locked()));
    println!(
        "{}",
        MutexGuard::unlocked_fair(&mut guard, || {
            *lock.lock() = 2;
            lock.is_locked()
        })
    );
    MutexGuard::bump(&mut guard);
    println!("{guard} {}", panics(|| MutexGuard::unlocked(&mut guard, || panic!())));
    println!("{}", lock.is_locked());
    MutexGuard::unlock_fair(guard);
    println!("{}", lock.is_locked());
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_7))]
    {
        let lock = Box::leak(Box::new(Mutex::new(3)));
        *MutexGuard::leak(lock.lock()) += 1;
        println!("{lock:?}");
    }
    let fair = FairMutex::new(String::from("fair"));
    let mut guard: FairMutexGuard<String> = fair.lock();
    FairMutexGuard::bump(&mut guard);
    let guard: MappedFairMutexGuard<str> = FairMutexGuard::map(guard, |it| it.as_mut_str());
    println!("{}", shows(&&*guard));
    MappedFairMutexGuard::unlock_fair(guard);
    println!("{fair:?}");
}

fn parts_of_mutexes() {
    let lock = Mutex::new(Account { name: "me".to_owned(), balance: 3 });
    let numbers = Mutex::new(4);
    let holds =
        Holds { first: numbers.lock(), part: MutexGuard::map(lock.lock(), |it| it.name.as_mut_str()) };
    println!("{} {} {}", holds.first, holds.part, lock.is_locked());
    drop(holds);
    println!("{}", lock.is_locked());
    let guard = match MutexGuard::try_map(lock.lock(), |_| None::<&mut u8>) {
        Ok(_) => unreachable!(),
        Err(guard) => guard,
    };
    let mut mapped = MutexGuard::try_map(guard, |it| Some(&mut it.balance)).unwrap();
    *mapped += 1;
    let mapped = MappedMutexGuard::map(mapped, |it| it);
    let mapped = MappedMutexGuard::try_map(mapped, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    let mapped = MappedMutexGuard::try_map(mapped, |it| Some(it)).unwrap();
    println!("{}", shows(&mapped));
    drop(mapped);
    println!("{}", panics(|| drop(MutexGuard::map(lock.lock(), |_| -> &mut u8 { panic!() }))));
    println!("{lock:?}");
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_14))]
    {
        let (guard, error) =
            MutexGuard::try_map_or_err(lock.lock(), |_| Err::<&mut u8, _>("no")).map(|_| ()).unwrap_err();
        println!("{guard:?} {error}");
        let mapped = MutexGuard::try_map_or_err(guard, |it| Ok::<_, ()>(&mut it.name)).unwrap();
        let (mapped, error) =
            MappedMutexGuard::try_map_or_err(mapped, |_| Err::<&mut u8, _>(1)).map(|_| ()).unwrap_err();
        println!("{mapped:?} {error}");
    }
}

fn readers_and_writers() {
    TABLE.write().push(1);
    let mut lock = RwLock::from(String::from("a"));
    lock.get_mut().push('b');
    let (first, second) = (lock.read(), lock.try_read().unwrap());
    println!("{} {} {}", shows(&first), lock.is_locked(), lock.try_write().is_none());
    println!("{}", lock.try_write_for(SHORT).is_none() && lock.try_write_until(Instant::now()).is_none());
    #[cfg(not(rv_lock_api_0_5))]
    {
        println!("{:?} {:?}", lock.read_recursive(), lock.try_read_recursive());
        println!("{:?}", lock.try_read_recursive_for(SHORT));
        println!("{:?}", lock.try_read_recursive_until(Instant::now()));
    }
    println!("{:?} {:?}", lock.try_read_for(SHORT), lock.try_read_until(Instant::now()));
    drop((first, second));
    let mut guard = lock.write();
    guard.push('c');
    println!("{guard} {lock:?} {}", lock.try_read().is_none());
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_6))]
    println!("{}", lock.is_locked_exclusive());
    println!("{}", RwLockWriteGuard::unlocked(&mut guard, || lock.is_locked()));
    println!("{}", RwLockWriteGuard::unlocked_fair(&mut guard, || lock.read().len()));
    RwLockWriteGuard::bump(&mut guard);
    let mut guard = RwLockWriteGuard::downgrade(guard);
    println!("{guard} {}", std::ptr::eq(RwLockReadGuard::rwlock(&guard), &lock));
    println!("{}", RwLockReadGuard::unlocked(&mut guard, || lock.write().len()));
    println!("{}", RwLockReadGuard::unlocked_fair(&mut guard, || lock.is_locked()));
    println!("{}", panics(|| RwLockReadGuard::unlocked(&mut guard, || panic!())));
    RwLockReadGuard::bump(&mut guard);
    println!("{lock:?} {}", lock.is_locked());
    RwLockReadGuard::unlock_fair(guard);
    RwLockWriteGuard::unlock_fair(lock.write());
    println!("{lock:?}");
    println!("{}", lock.into_inner());
    let unsized_lock: &RwLock<[u8]> = &RwLock::new([1, 2]);
    println!("{unsized_lock:?} {TABLE:?}");
}

fn upgrades() {
    let lock = RwLock::new(1);
    let mut guard = lock.upgradable_read();
    println!("{} {:?}", shows(&guard), lock.try_read());
    println!("{} {}", lock.try_upgradable_read().is_none(), lock.try_write().is_none());
    println!("{}", lock.try_upgradable_read_for(SHORT).is_none());
    println!("{}", lock.try_upgradable_read_until(Instant::now()).is_none());
    println!("{}", RwLockUpgradableReadGuard::unlocked(&mut guard, || lock.is_locked()));
    println!("{}", RwLockUpgradableReadGuard::unlocked_fair(&mut guard, || lock.is_locked()));
    RwLockUpgradableReadGuard::bump(&mut guard);
    println!("{}", std::ptr::eq(RwLockUpgradableReadGuard::rwlock(&guard), &lock));
    let reader = lock.read();
    let guard = RwLockUpgradableReadGuard::try_upgrade(guard).map(|_| ()).unwrap_err();
    let guard = RwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT).map(|_| ()).unwrap_err();
    let guard = RwLockUpgradableReadGuard::try_upgrade_until(guard, Instant::now()).map(|_| ()).unwrap_err();
    drop(reader);
    let mut writer = RwLockUpgradableReadGuard::try_upgrade(guard).unwrap();
    *writer += 1;
    let guard = RwLockWriteGuard::downgrade_to_upgradable(writer);
    println!("{guard} {lock:?}");
    let writer = RwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT).unwrap();
    let guard = RwLockWriteGuard::downgrade_to_upgradable(writer);
    let writer = RwLockUpgradableReadGuard::try_upgrade_until(guard, Instant::now()).unwrap();
    let guard = RwLockWriteGuard::downgrade_to_upgradable(writer);
    let writer = RwLockUpgradableReadGuard::upgrade(guard);
    let guard = RwLockWriteGuard::downgrade_to_upgradable(writer);
    let reader = RwLockUpgradableReadGuard::downgrade(guard);
    println!("{reader} {lock:?} {:?}", lock.upgradable_read());
    drop(reader);
    RwLockUpgradableReadGuard::unlock_fair(lock.try_upgradable_read().unwrap());
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_12))]
    {
        let mut guard = lock.upgradable_read();
        println!("{}", guard.with_upgraded(|it| mem::replace(it, 7)));
        println!("{:?}", guard.try_with_upgraded(|it| mem::replace(it, 8)));
        println!("{:?}", guard.try_with_upgraded_for(SHORT, |it| mem::replace(it, 9)));
        println!("{:?}", guard.try_with_upgraded_until(Instant::now(), |it| mem::replace(it, 10)));
        let reader = lock.read();
        println!("{:?}", guard.try_with_upgraded(|it| *it));
        println!("{:?}", guard.try_with_upgraded_for(SHORT, |it| *it));
        println!("{:?}", guard.try_with_upgraded_until(Instant::now(), |it| *it));
        drop(reader);
        println!("{}", panics(|| guard.with_upgraded(|_| panic!())));
        println!("{guard} {:?}", lock.try_read());
    }
    println!("{lock:?} {}", lock.is_locked());
}

fn parts_of_reader_writer_locks() {
    let lock = RwLock::new((String::from("left"), 5));
    let reader = RwLockReadGuard::map(lock.read(), |it| &it.0);
    let reader = MappedRwLockReadGuard::map(reader, |it| it.as_str());
    println!("{} {}", shows(&&*reader), lock.try_write().is_none());
    let reader = MappedRwLockReadGuard::try_map(reader, |_| None::<&u8>).map(|_| ()).unwrap_err();
    MappedRwLockReadGuard::unlock_fair(MappedRwLockReadGuard::try_map(reader, |it| it.get(1..)).unwrap());
    let reader = RwLockReadGuard::try_map(lock.read(), |_| None::<&u8>).map(|_| ()).unwrap_err();
    println!("{:?}", RwLockReadGuard::try_map(reader, |it| Some(&it.1)).unwrap());
    let mut writer = RwLockWriteGuard::map(lock.write(), |it| &mut it.1);
    *writer += 1;
    let writer = MappedRwLockWriteGuard::map(writer, |it| it);
    let writer = MappedRwLockWriteGuard::try_map(writer, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    let writer = MappedRwLockWriteGuard::try_map(writer, |it| Some(it)).unwrap();
    println!("{} {lock:?}", shows(&writer));
    MappedRwLockWriteGuard::unlock_fair(writer);
    let writer = RwLockWriteGuard::try_map(lock.write(), |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    println!("{:?} {lock:?}", RwLockWriteGuard::try_map(writer, |it| Some(&mut it.0)).unwrap());
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_14))]
    {
        let (reader, error) =
            RwLockReadGuard::try_map_or_err(lock.read(), |_| Err::<&u8, _>(1)).map(|_| ()).unwrap_err();
        let mapped = RwLockReadGuard::try_map_or_err(reader, |it| Ok::<_, ()>(&it.1)).unwrap();
        #[cfg(not(rv_lock_api_0_5))]
        let mapped = MappedRwLockReadGuard::try_map_or_else(mapped, |it| Ok::<_, ()>(it)).unwrap();
        #[cfg(rv_lock_api_0_5)]
        let mapped = MappedRwLockReadGuard::try_map_or_err(mapped, |it| Ok::<_, ()>(it)).unwrap();
        println!("{mapped} {error}");
        drop(mapped);
        let (writer, error) =
            RwLockWriteGuard::try_map_or_err(lock.write(), |_| Err::<&mut u8, _>(1)).map(|_| ()).unwrap_err();
        let mapped = RwLockWriteGuard::try_map_or_err(writer, |it| Ok::<_, ()>(&mut it.1)).unwrap();
        let mapped = MappedRwLockWriteGuard::try_map_or_err(mapped, |it| Ok::<_, ()>(it)).unwrap();
        println!("{mapped} {error}");
    }
    println!("{lock:?}");
}

/// Many threads, each of which has to wait now and then.
fn contended() {
    let lock = Arc::new((Mutex::new(0u32), RwLock::new(0u32), FairMutex::new(0u32)));
    let gate = Arc::new(Barrier::new(4));
    let threads: Vec<_> = (0..4)
        .map(|me| {
            let (lock, gate) = (lock.clone(), gate.clone());
            thread::spawn(move || {
                gate.wait();
                for turn in 0..500 {
                    *lock.0.lock() += 1;
                    *lock.2.lock() += 1;
                    if turn % 4 == me {
                        *lock.1.write() += 1;
                    } else if turn % 4 == 3 {
                        let guard = lock.1.upgradable_read();
                        *RwLockUpgradableReadGuard::upgrade(guard) += 0;
                    } else {
                        assert!(*lock.1.read() <= 500);
                    }
                    if let Some(mut guard) = lock.0.try_lock_for(Duration::from_secs(60)) {
                        *guard += 1;
                        MutexGuard::bump(&mut guard);
                    }
                    let mut guard = lock.0.lock();
                    MutexGuard::unlocked_fair(&mut guard, || {});
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{lock:?}");
}

fn unsafe_ways() {
    use parking_lot::lock_api::{RawMutex as _, RawRwLock as _};
    let lock = Mutex::new(1);
    mem::forget(lock.lock());
    // SAFETY: the guard was forgotten.
    unsafe { back!(lock, force_unlock) };
    mem::forget(lock.lock());
    // SAFETY: the guard was forgotten.
    unsafe { back!(lock, force_unlock_fair) };
    // SAFETY: there is no guard.
    unsafe {
        lock.raw().lock();
        back!(lock.raw(), unlock);
    }
    let table = RwLock::new(2);
    mem::forget((table.read(), table.read()));
    // SAFETY: the guards were forgotten.
    unsafe {
        back!(table, force_unlock_read);
        back!(table, force_unlock_read_fair);
    }
    mem::forget(table.write());
    // SAFETY: the guard was forgotten.
    unsafe { back!(table, force_unlock_write) };
    mem::forget(table.write());
    // SAFETY: the guard was forgotten.
    unsafe { back!(table, force_unlock_write_fair) };
    // SAFETY: there is no guard.
    unsafe {
        table.raw().lock_shared();
        back!(table.raw(), unlock_shared);
    }
    println!("{lock:?} {table:?}");
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_11))]
    // SAFETY: each time a guard was forgotten.
    unsafe {
        mem::forget((lock.lock(), table.read()));
        println!("{} {}", back!(lock, make_guard_unchecked), back!(table, make_read_guard_unchecked));
        mem::forget(table.write());
        println!("{}", back!(table, make_write_guard_unchecked));
        mem::forget(table.upgradable_read());
        println!("{}", back!(table, make_upgradable_guard_unchecked));
        println!("{} {}", *lock.data_ptr(), *table.data_ptr());
    }
    println!("{lock:?} {table:?}");
}

/// Guards with an `Arc` of their lock.
#[cfg(all(feature = "arc_lock", any(rv_lock_api_0_5, rv_lock_api_0_4_5)))]
mod kept_alive {
    use parking_lot::lock_api::{
        ArcMutexGuard, ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard, ArcRwLockWriteGuard,
    };

    use super::*;

    pub(super) fn all() {
        mutexes();
        reader_writer_locks();
        upgrades();
    }

    fn mutexes() {
        let lock = Arc::new(Mutex::new(1));
        let mut guard = lock.lock_arc();
        *guard += 1;
        println!("{lock:?} {} {}", *guard, lock.try_lock_arc().is_none());
        println!("{}", lock.try_lock_arc_for(SHORT).is_none());
        println!("{}", lock.try_lock_arc_until(Instant::now()).is_none());
        println!("{}", ArcMutexGuard::unlocked(&mut guard, || lock.is_locked()));
        println!("{}", ArcMutexGuard::unlocked_fair(&mut guard, || lock.is_locked()));
        ArcMutexGuard::bump(&mut guard);
        ArcMutexGuard::unlock_fair(guard);
        let guard = lock.try_lock_arc().unwrap();
        println!("{}", Arc::ptr_eq(ArcMutexGuard::mutex(&guard), &lock));
        drop(guard);
        println!("{}", lock.try_lock_arc_for(SHORT).is_some());
        println!("{} {}", lock.try_lock_arc_until(Instant::now()).is_some(), Arc::strong_count(&lock));
        let guard = lock.lock_arc();
        drop(lock);
        println!("{}", *guard);
        #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_14))]
        {
            let lock = ArcMutexGuard::into_arc(guard);
            println!("{lock:?}");
            println!("{:?}", ArcMutexGuard::into_arc_fair(lock.lock_arc()));
        }
    }

    fn reader_writer_locks() {
        let lock = Arc::new(RwLock::new(1));
        let mut guard = lock.read_arc();
        println!("{} {}", shows(&guard), lock.try_write_arc().is_none());
        println!("{}", lock.try_write_arc_for(SHORT).is_none());
        println!("{}", lock.try_write_arc_until(Instant::now()).is_none());
        println!("{:?} {:?}", lock.try_read_arc(), lock.try_read_arc_for(SHORT));
        println!("{:?}", lock.try_read_arc_until(Instant::now()));
        #[cfg(not(rv_lock_api_0_5))]
        {
            println!("{:?} {:?}", lock.read_arc_recursive(), lock.try_read_recursive_arc());
            println!("{:?}", lock.try_read_arc_recursive_for(SHORT));
            println!("{:?}", lock.try_read_arc_recursive_until(Instant::now()));
        }
        println!("{}", ArcRwLockReadGuard::unlocked(&mut guard, || lock.is_locked()));
        println!("{}", ArcRwLockReadGuard::unlocked_fair(&mut guard, || lock.is_locked()));
        ArcRwLockReadGuard::bump(&mut guard);
        println!("{}", Arc::ptr_eq(ArcRwLockReadGuard::rwlock(&guard), &lock));
        ArcRwLockReadGuard::unlock_fair(guard);
        let mut guard = lock.write_arc();
        *guard += 1;
        println!("{} {lock:?} {}", shows(&guard), lock.try_read_arc().is_none());
        println!("{}", ArcRwLockWriteGuard::unlocked(&mut guard, || lock.is_locked()));
        println!("{}", ArcRwLockWriteGuard::unlocked_fair(&mut guard, || lock.is_locked()));
        ArcRwLockWriteGuard::bump(&mut guard);
        println!("{:?} {}", ArcRwLockWriteGuard::downgrade(guard), Arc::strong_count(&lock));
        ArcRwLockWriteGuard::unlock_fair(lock.try_write_arc().unwrap());
        let guard = lock.try_write_arc_for(SHORT).unwrap();
        println!("{}", Arc::ptr_eq(ArcRwLockWriteGuard::rwlock(&guard), &lock));
        drop(guard);
        println!("{:?}", lock.try_write_arc_until(Instant::now()));
        #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_14))]
        {
            println!("{:?}", ArcRwLockWriteGuard::into_arc(lock.write_arc()));
            println!("{:?}", ArcRwLockWriteGuard::into_arc_fair(lock.write_arc()));
            println!("{:?}", ArcRwLockReadGuard::into_arc(lock.read_arc()));
            println!("{:?}", ArcRwLockReadGuard::into_arc_fair(lock.read_arc()));
        }
    }

    fn upgrades() {
        let lock = Arc::new(RwLock::new(1));
        let mut guard = lock.upgradable_read_arc();
        println!("{} {}", shows(&guard), lock.try_upgradable_read_arc().is_none());
        println!("{}", lock.try_upgradable_read_arc_for(SHORT).is_none());
        println!("{}", lock.try_upgradable_read_arc_until(Instant::now()).is_none());
        println!("{}", ArcRwLockUpgradableReadGuard::unlocked(&mut guard, || lock.is_locked()));
        println!("{}", ArcRwLockUpgradableReadGuard::unlocked_fair(&mut guard, || lock.is_locked()));
        ArcRwLockUpgradableReadGuard::bump(&mut guard);
        let reader = lock.read_arc();
        let guard = ArcRwLockUpgradableReadGuard::try_upgrade(guard).unwrap_err();
        let guard = ArcRwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT).unwrap_err();
        let guard = ArcRwLockUpgradableReadGuard::try_upgrade_until(guard, Instant::now()).unwrap_err();
        drop(reader);
        let writer = ArcRwLockUpgradableReadGuard::try_upgrade(guard).unwrap();
        let guard = ArcRwLockWriteGuard::downgrade_to_upgradable(writer);
        let writer = ArcRwLockUpgradableReadGuard::try_upgrade_for(guard, SHORT).unwrap();
        let guard = ArcRwLockWriteGuard::downgrade_to_upgradable(writer);
        let mut writer = ArcRwLockUpgradableReadGuard::upgrade(guard);
        *writer += 1;
        let guard = ArcRwLockWriteGuard::downgrade_to_upgradable(writer);
        println!("{}", Arc::ptr_eq(ArcRwLockUpgradableReadGuard::rwlock(&guard), &lock));
        println!("{:?} {}", ArcRwLockUpgradableReadGuard::downgrade(guard), Arc::strong_count(&lock));
        ArcRwLockUpgradableReadGuard::unlock_fair(lock.upgradable_read_arc());
        #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_12))]
        {
            let mut guard = lock.upgradable_read_arc();
            println!("{}", guard.with_upgraded(|it| mem::replace(it, 5)));
            println!("{:?}", guard.try_with_upgraded(|it| mem::replace(it, 6)));
            println!("{:?}", guard.try_with_upgraded_for(SHORT, |it| *it));
            println!("{:?}", guard.try_with_upgraded_until(Instant::now(), |it| *it));
        }
        #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_11))]
        // SAFETY: each time a guard was forgotten.
        unsafe {
            mem::forget(lock.read());
            println!("{}", back!(lock, make_arc_read_guard_unchecked));
            mem::forget(lock.write());
            println!("{}", back!(lock, make_arc_write_guard_unchecked));
            mem::forget(lock.upgradable_read());
            println!("{}", back!(lock, make_upgradable_arc_guard_unchecked));
        }
        println!("{lock:?} {}", Arc::strong_count(&lock));
    }
}

#[cfg(feature = "serde")]
fn written() {
    let lock = (Mutex::new(1), RwLock::new("two".to_owned()), parking_lot::ReentrantMutex::new(3));
    let text = serde_json::to_string(&lock).unwrap();
    println!("{text}");
    let read: (Mutex<u8>, RwLock<String>, parking_lot::ReentrantMutex<u8>) =
        serde_json::from_str(&text).unwrap();
    println!("{read:?}");
    let owner = owning_ref::OwningRef::new(lock.1.read()).map(|it| &it[1..]);
    println!("{} {lock:?}", &*owner);
}
