//! What programs see of an old tokio.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

use tokio::runtime::{Builder, Handle};
use tokio::sync::{broadcast, mpsc, oneshot, watch, Mutex, Notify, OnceCell, RwLock, Semaphore};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    println!("{:?}", Handle::try_current().map(|_| ()).map_err(|error| error.to_string()));
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        println!("{}", Handle::try_current().is_ok());
        locks().await;
        queues();
        other_channels().await;
        watches().await;
        tasks().await;
    });
}

async fn locks() {
    println!("{:?} {:?} {:?}", Mutex::new(1), RwLock::new(2), OnceCell::new_with(Some(3)));
    let count = Arc::new(Mutex::new(0));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let count = count.clone();
            tokio::spawn(async move {
                for _ in 0..100 {
                    let mut held = count.lock().await;
                    tokio::task::yield_now().await;
                    *held += 1;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    println!("{}", *count.lock().await);
    let limit = Arc::new(Semaphore::new(3));
    let permit = limit.clone().acquire_owned().await.unwrap();
    println!("{}", limit.available_permits());
    drop(permit);
    limit.try_acquire_many(2).unwrap().forget();
    println!("{} {:?}", limit.available_permits(), limit.try_acquire_many(2).map(drop));
}

fn queues() {
    let (sender, mut receiver) = mpsc::channel(1);
    println!("{}", panic_of(|| drop(receiver.blocking_recv())));
    println!("{}", panic_of(|| drop(sender.blocking_send(1))));
    println!("{:?} {:?}", sender.try_send(1), sender.try_send(2));
    println!("{:?}", sender.try_reserve().map(drop));
    drop(receiver);
    println!("{:?} {:?}", sender.try_send(3), sender.try_reserve().map(drop));
}

async fn other_channels() {
    let (sender, mut receiver) = broadcast::channel(16);
    sender.send(4).unwrap();
    println!("{:?} {:?}", receiver.recv().await, receiver.try_recv());
    let (sender, receiver) = oneshot::channel::<u8>();
    drop(receiver);
    println!("{:?} {:?}", sender.is_closed(), sender.send(1));
}

async fn watches() {
    let (sender, receiver) = watch::channel(0);
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let mut receiver = receiver.clone();
            tokio::task::spawn_blocking(move || {
                let mut last = 0;
                let runtime = Builder::new_current_thread().build().unwrap();
                while runtime.block_on(receiver.changed()).is_ok() {
                    let value = *receiver.borrow_and_update();
                    assert!(value >= last, "{value} after {last}");
                    last = value;
                }
                last
            })
        })
        .collect();
    for value in 1..=2000 {
        sender.send(value).unwrap();
    }
    drop(sender);
    for reader in readers {
        println!("{:?}", reader.await);
    }
    println!("{:?}", receiver.borrow());
    let (sender, receiver) = watch::channel(1);
    drop(receiver);
    println!("{:?} {}", sender.send(2), sender.is_closed());
    println!("{}", *sender.borrow());
}

async fn tasks() {
    let bell = Arc::new(Notify::new());
    let waiting = tokio::spawn({
        let bell = bell.clone();
        async move { bell.notified().await }
    });
    bell.notify_one();
    println!("{:?}", waiting.await);
    let task = tokio::spawn(async { panic!("broken") });
    let result: Result<(), _> = task.await;
    println!("{}", result.unwrap_err());
    let task = tokio::spawn(std::future::pending::<()>());
    task.abort();
    println!("{}", task.await.unwrap_err());
}

/// What the closure panics with.
fn panic_of(f: impl FnOnce()) -> String {
    let payload: Box<dyn Any + Send> = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().unwrap().to_string(),
    }
}
