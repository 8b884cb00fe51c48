//! `futures_util::lock`, as programs use it. Prints the same with the real crate and with the shim, recorded or not.

use std::fmt::Debug;
use std::future::Future;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::FusedFuture;
use futures_util::lock::{MappedMutexGuard, Mutex, MutexGuard, MutexLockFuture};
use futures_util::task::noop_waker;

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    alone();
    waiting();
    #[cfg(rv_futures_util_0_3_22)]
    owned::main();
    unsized_data();
    traits();
}

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(&noop_waker()))
}

fn ready<F: Future>(future: F) -> F::Output {
    match poll(pin!(future)) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it has to wait"),
    }
}

fn alone() {
    let mut lock = Mutex::new(String::from("a"));
    println!("{lock:?}");
    lock.get_mut().push('b');
    {
        let mut guard = ready(lock.lock());
        guard.push('c');
        println!("{guard:?} {guard:#?} {lock:?} {:?}", lock.try_lock());
        let mapped = MutexGuard::map(guard, |it| it.as_mut_str());
        println!("{mapped:?} {}", lock.try_lock().is_none());
        let mut mapped = MappedMutexGuard::map(mapped, |it| &mut it[1..]);
        mapped.make_ascii_uppercase();
        println!("{mapped:?} {}", &*mapped);
    }
    println!("{:?}", lock.try_lock());
    println!("{}", lock.into_inner());
    println!("{:?} {}", Mutex::<u8>::default(), Mutex::from(3).into_inner());
    let lock = Mutex::new(1);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        MutexGuard::map(ready(lock.lock()), |_| -> &mut u8 { panic!("in the closure") });
    }));
    println!("{} {:?}", caught.is_err(), lock.try_lock());
}

fn waiting() {
    let lock = Mutex::new(0);
    let guard = ready(lock.lock());
    let mut first = pin!(lock.lock());
    println!("{first:?} {}", first.is_terminated());
    println!("{:?} {first:?} {lock:?}", poll(first.as_mut()));
    let mut second = lock.lock();
    println!("{:?}", poll(pin!(&mut second)));
    drop(second);
    drop(guard);
    match poll(first.as_mut()) {
        Poll::Ready(mut guard) => *guard += 1,
        Poll::Pending => println!("still waits"),
    }
    println!("{first:?} {} {lock:?}", first.is_terminated());
    let again = catch_unwind(AssertUnwindSafe(|| poll(first).is_ready())).unwrap_err();
    println!("{}", again.downcast_ref::<String>().map_or_else(|| *again.downcast_ref::<&str>().unwrap(), |it| it));
    println!("{:?}", lock.try_lock());
}

#[cfg(rv_futures_util_0_3_22)]
mod owned {
    use super::*;
    use futures_util::lock::{OwnedMutexGuard, OwnedMutexLockFuture};

    pub fn main() {
        let lock = Arc::new(Mutex::new(vec![1]));
        let mut guard = ready(lock.clone().lock_owned());
        guard.push(2);
        println!("{guard:?} {:?} {}", lock.try_lock_owned(), Arc::strong_count(&lock));
        let mut waiting = lock.clone().lock_owned();
        println!("{waiting:?} {}", waiting.is_terminated());
        println!("{:?} {waiting:#?}", poll(pin!(&mut waiting)));
        let mut unlucky = lock.clone().lock_owned();
        println!("{}", poll(pin!(&mut unlucky)).is_pending());
        drop(unlucky);
        drop(guard);
        let guard = match poll(pin!(&mut waiting)) {
            Poll::Ready(guard) => guard,
            Poll::Pending => panic!("still waits"),
        };
        println!("{waiting:?} {} {}", waiting.is_terminated(), Arc::strong_count(&lock));
        let again = catch_unwind(AssertUnwindSafe(|| poll(pin!(&mut waiting)).is_ready())).unwrap_err();
        println!("{}", again.downcast_ref::<&str>().map_or_else(|| again.downcast_ref::<String>().unwrap().as_str(), |it| it));
        drop(lock);
        println!("{guard:?}");
        drop(guard);
        drop(waiting);
        let kept = {
            let lock = Arc::new(Mutex::new(Noisy));
            println!("{:?}", lock.try_lock_owned().is_some());
            ready(lock.lock_owned())
        };
        println!("kept");
        drop(kept);

        both::<OwnedMutexGuard<u8>>("OwnedMutexGuard<u8>");
        send::<OwnedMutexLockFuture<std::cell::Cell<u8>>>("OwnedMutexLockFuture<Cell>");
        sync::<OwnedMutexLockFuture<Rc<u8>>>("OwnedMutexLockFuture<Rc>");
        unpin::<OwnedMutexLockFuture<std::marker::PhantomPinned>>("OwnedMutexLockFuture");
    }

    struct Noisy;

    impl Drop for Noisy {
        fn drop(&mut self) {
            println!("dropped");
        }
    }
}

fn unsized_data() {
    let lock: Arc<Mutex<dyn Debug + Send>> = Arc::new(Mutex::new([1, 2]));
    println!("{:?}", &*ready(lock.lock()));
    let lock: &Mutex<[u8]> = &Mutex::new([3, 4]);
    println!("{:?}", &*ready(lock.lock()));
}

fn send<T: Send>(name: &str) {
    println!("{name} is Send");
}
fn sync<T: Sync>(name: &str) {
    println!("{name} is Sync");
}
fn unpin<T: Unpin>(name: &str) {
    println!("{name} is Unpin");
}
fn both<T: Send + Sync>(name: &str) {
    send::<T>(name);
    sync::<T>(name);
}

fn traits() {
    both::<Mutex<std::cell::Cell<u8>>>("Mutex<Cell>");
    both::<MutexGuard<'_, u8>>("MutexGuard<u8>");
    both::<MappedMutexGuard<'_, u8, u8>>("MappedMutexGuard<u8, u8>");
    send::<MutexLockFuture<'_, std::cell::Cell<u8>>>("MutexLockFuture<Cell>");
    sync::<MutexLockFuture<'_, Rc<u8>>>("MutexLockFuture<Rc>");
    unpin::<MutexLockFuture<'_, std::marker::PhantomPinned>>("MutexLockFuture");
}

#[cfg(rv_futures_util_0_3_32)]
static _STATIC: Mutex<u8> = Mutex::new(0);
