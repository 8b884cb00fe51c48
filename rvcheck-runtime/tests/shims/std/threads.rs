//! Threads.

use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

struct Worker {
    handle: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Worker {
    fn start() -> std::io::Result<Worker> {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = stop.clone();
        let handle = Builder::new().name("worker".into()).stack_size(1 << 20).spawn(move || {
            while !seen.load(Ordering::Acquire) {
                thread::park_timeout(Duration::from_secs(60));
            }
            println!("{:?} stops", thread::current().name());
        })?;
        Ok(Worker { handle: Some(handle), stop })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(handle) = self.handle.take() {
            handle.thread().unpark();
            handle.join().unwrap();
        }
    }
}

fn main() {
    panic::set_hook(Box::new(|_| ()));
    println!("{:?}", thread::spawn(|| 5).join());
    // Also where all threads have one processor.
    println!("{:?}", thread::available_parallelism().ok());
    println!("{:?}", Builder::new().name("n".into()).stack_size(1 << 18));
    println!("{:?}", thread::spawn(|| ()));
    drop(Worker::start().unwrap());
    let failed = thread::spawn(|| -> Result<u8, String> { Err("no".into()) });
    println!("{:?}", failed.join().unwrap());
    let error = thread::spawn(|| panic!("{}", 3)).join().map(|()| ()).unwrap_err();
    println!("{:?}", error.downcast_ref::<String>());
    let handle = thread::spawn(thread::park);
    handle.thread().unpark();
    println!("{:?} {}", handle.join(), handle_is_finished());
    let total = AtomicUsize::new(0);
    let borrowed = [1_usize, 2, 3];
    // SAFETY: the thread is joined before anything that it borrows is gone.
    let unchecked = unsafe { Builder::new().spawn_unchecked(|| borrowed.iter().sum::<usize>()) };
    println!("{}", unchecked.unwrap().join().unwrap());

    let answer = thread::scope(|s| {
        for n in &borrowed {
            s.spawn(|| total.fetch_add(*n, Ordering::Relaxed));
        }
        let nested = s.spawn(|| s.spawn(|| 4).join().unwrap());
        let named =
            Builder::new().name("scoped".into()).spawn_scoped(s, || thread::current().name().map(str::len));
        println!("{:?} {:?}", nested.join(), named.unwrap().join());
        helper(s, &total).thread().id() != thread::current().id()
    });
    println!("{answer} {}", total.load(Ordering::Relaxed));
    let mut list = vec![1, 2, 3];
    thread::scope(|s| {
        s.spawn(|| list.push(4));
    });
    println!("{list:?}");
    let caught = panic::catch_unwind(|| {
        thread::scope(|s| {
            s.spawn(|| panic!("scoped"));
        })
    });
    println!("{:?}", caught.unwrap_err().downcast_ref::<&str>());
    thread::scope(|s| {
        println!("{:?} {}", s.spawn(|| panic!("joined")).join().map(|()| ()).is_err(), debug(s))
    });

    let began = Instant::now();
    thread::sleep(Duration::from_millis(5));
    #[allow(deprecated)]
    thread::sleep_ms(5);
    thread::park_timeout(Duration::from_millis(5));
    #[allow(deprecated)]
    thread::park_timeout_ms(5);
    println!("{}", began.elapsed() >= Duration::from_millis(10));
    thread::yield_now();
    println!("{} {}", thread::available_parallelism().is_ok(), thread::panicking());
    #[cfg(unix)]
    unix();
}

fn debug(scope: &Scope<'_, '_>) -> bool {
    format!("{scope:?}").starts_with("Scope { num_running_threads: ")
}

fn helper<'scope, 'env>(
    s: &'scope Scope<'scope, 'env>,
    total: &'env AtomicUsize,
) -> ScopedJoinHandle<'scope, ()> {
    let handle = s.spawn(|| {
        total.fetch_add(10, Ordering::Relaxed);
    });
    println!("{handle:?}");
    handle
}

fn handle_is_finished() -> bool {
    let gate = Arc::new(Mutex::new(()));
    let guard = gate.lock().unwrap();
    let waiting = thread::spawn({
        let gate = gate.clone();
        move || drop(gate.lock())
    });
    let early = waiting.is_finished();
    drop(guard);
    while !waiting.is_finished() {
        thread::yield_now();
    }
    waiting.join().unwrap();
    !early
}

#[cfg(unix)]
fn unix() {
    use std::os::unix::thread::JoinHandleExt;
    let handle = thread::spawn(|| ());
    println!("{}", handle.as_pthread_t() == handle.into_pthread_t());
}
