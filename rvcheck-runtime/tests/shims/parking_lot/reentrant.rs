//! Everything that `ReentrantMutex` of parking_lot can do.

mod generation;

use std::cell::{Cell, RefCell};
use std::mem;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use generation::const_reentrant_mutex;
use parking_lot::{MappedReentrantMutexGuard, ReentrantMutex, ReentrantMutexGuard};

static GLOBAL: ReentrantMutex<Cell<u32>> = const_reentrant_mutex(Cell::new(7));

const SHORT: Duration = Duration::from_millis(5);

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    GLOBAL.lock().set(8);
    println!("{GLOBAL:?}");
    nested();
    given_back();
    parts();
    contended();
    #[cfg(all(feature = "arc_lock", any(rv_lock_api_0_5, rv_lock_api_0_4_5)))]
    kept_alive();
}

/// Whether another thread gets the lock.
fn is_free<T: Send>(lock: &ReentrantMutex<T>) -> bool {
    thread::scope(|scope| scope.spawn(|| lock.try_lock().is_some()).join().unwrap())
}

fn nested() {
    let mut lock = ReentrantMutex::from(1);
    *lock.get_mut() += 1;
    let first = lock.lock();
    let second = lock.try_lock().unwrap();
    let third = lock.try_lock_for(SHORT).unwrap();
    let fourth = lock.try_lock_until(Instant::now()).unwrap();
    println!("{first:?} {second} {} {}", *third + *fourth, is_free(&lock));
    println!("{lock:?} {}", thread::scope(|scope| scope.spawn(|| format!("{lock:?}")).join().unwrap()));
    // The outermost one need not be the last.
    drop(first);
    drop((second, third));
    println!("{} {} {}", is_free(&lock), lock.is_locked(), lock.is_owned_by_current_thread());
    drop(fourth);
    println!("{} {} {}", is_free(&lock), lock.is_locked(), lock.is_owned_by_current_thread());
    println!("{:?} {}", ReentrantMutex::<u8>::default(), lock.into_inner());
}

fn given_back() {
    let lock = ReentrantMutex::new(1);
    let mut guard = lock.lock();
    println!("{}", std::ptr::eq(ReentrantMutexGuard::remutex(&guard), &lock));
    println!("{}", ReentrantMutexGuard::unlocked(&mut guard, || is_free(&lock)));
    println!("{}", ReentrantMutexGuard::unlocked_fair(&mut guard, || is_free(&lock)));
    let mut inner = lock.lock();
    println!("{}", ReentrantMutexGuard::unlocked(&mut inner, || is_free(&lock)));
    ReentrantMutexGuard::bump(&mut inner);
    ReentrantMutexGuard::unlock_fair(inner);
    ReentrantMutexGuard::bump(&mut guard);
    let caught = catch_unwind(AssertUnwindSafe(|| ReentrantMutexGuard::unlocked(&mut guard, || panic!())));
    println!("{} {}", caught.is_err(), is_free(&lock));
    ReentrantMutexGuard::unlock_fair(guard);
    println!("{}", is_free(&lock));
    mem::forget((lock.lock(), lock.lock()));
    // SAFETY: the guards were forgotten.
    unsafe {
        lock.force_unlock();
        println!("{}", is_free(&lock));
        lock.force_unlock_fair();
    }
    println!("{}", is_free(&lock));
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_11))]
    {
        mem::forget(lock.lock());
        // SAFETY: the guard was forgotten.
        println!("{}", unsafe { lock.make_guard_unchecked() });
        println!("{}", is_free(&lock));
    }
}

fn parts() {
    let lock = ReentrantMutex::new((1, "two"));
    let guard = ReentrantMutexGuard::map(lock.lock(), |it| &it.1);
    println!("{guard} {guard:?} {}", is_free(&lock));
    let guard = MappedReentrantMutexGuard::map(guard, |it| *it);
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_9))]
    let guard = MappedReentrantMutexGuard::try_map(guard, |_| None::<&u8>).map(|_| ()).unwrap_err();
    println!("{} {}", &*guard, is_free(&lock));
    MappedReentrantMutexGuard::unlock_fair(guard);
    println!("{}", is_free(&lock));
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_9))]
    {
        let guard = ReentrantMutexGuard::try_map(lock.lock(), |_| None::<&u8>).map(|_| ()).unwrap_err();
        println!("{}", ReentrantMutexGuard::try_map(guard, |it| Some(&it.0)).unwrap());
    }
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_14))]
    {
        let (guard, error) =
            ReentrantMutexGuard::try_map_or_err(lock.lock(), |_| Err::<&u8, _>(1)).map(|_| ()).unwrap_err();
        let mapped = ReentrantMutexGuard::try_map_or_err(guard, |it| Ok::<_, ()>(&it.0)).unwrap();
        let mapped = MappedReentrantMutexGuard::try_map_or_err(mapped, |it| Ok::<_, ()>(it)).unwrap();
        println!("{mapped} {error}");
    }
    println!("{}", is_free(&lock));
}

fn contended() {
    let lock = Arc::new(ReentrantMutex::new(RefCell::new(0)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let lock = lock.clone();
            thread::spawn(move || {
                for _ in 0..500 {
                    let mut outer = lock.lock();
                    *lock.lock().borrow_mut() += 1;
                    // In lock_api 0.4.6, whoever has let another thread in has lost its count afterwards, and hangs or panics.
                    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_14))]
                    ReentrantMutexGuard::bump(&mut outer);
                    #[cfg(not(any(rv_lock_api_0_5, rv_lock_api_0_4_14)))]
                    let _ = &mut outer;
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    println!("{lock:?}");
}

#[cfg(all(feature = "arc_lock", any(rv_lock_api_0_5, rv_lock_api_0_4_5)))]
fn kept_alive() {
    use parking_lot::lock_api::ArcReentrantMutexGuard;

    let lock = Arc::new(ReentrantMutex::new(1));
    let mut guard = lock.lock_arc();
    println!("{} {} {}", *guard, is_free(&lock), Arc::strong_count(&lock));
    println!("{}", ArcReentrantMutexGuard::unlocked(&mut guard, || is_free(&lock)));
    println!("{}", ArcReentrantMutexGuard::unlocked_fair(&mut guard, || is_free(&lock)));
    ArcReentrantMutexGuard::bump(&mut guard);
    let inner = (lock.try_lock_arc(), lock.try_lock_arc_for(SHORT), lock.try_lock_arc_until(Instant::now()));
    println!("{}", Arc::ptr_eq(ArcReentrantMutexGuard::remutex(&guard), &lock));
    drop(guard);
    println!("{}", is_free(&lock));
    drop(inner);
    println!("{}", is_free(&lock));
    ArcReentrantMutexGuard::unlock_fair(lock.lock_arc());
    #[cfg(any(rv_lock_api_0_5, rv_lock_api_0_4_14))]
    {
        println!("{:?}", ArcReentrantMutexGuard::into_arc(lock.lock_arc()));
        println!("{:?}", ArcReentrantMutexGuard::into_arc_fair(lock.lock_arc()));
    }
    println!("{lock:?} {}", Arc::strong_count(&lock));
}
