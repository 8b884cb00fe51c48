//! Everything that `Semaphore`, `Notify` and `Barrier` of tokio can do.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use tokio::sync::{Barrier, Notify, OwnedSemaphorePermit, Semaphore, SemaphorePermit, TryAcquireError};

static LIMIT: Semaphore = Semaphore::const_new(3);
static BELL: Notify = Notify::const_new();

#[tokio::main(flavor = "current_thread")]
async fn main() {
    semaphore().await;
    owned_permits().await;
    notify().await;
    barrier().await;
    #[cfg(rv_tokio_1_47)]
    owned_notified().await;
    #[cfg(rv_tokio_1_54)]
    tokio::task::spawn_blocking(blocking).await.unwrap();
}

async fn semaphore() {
    println!("{:?} {}", Semaphore::new(2), Semaphore::MAX_PERMITS > 1000);
    let permit = LIMIT.acquire().await.unwrap();
    println!("{} {:?}", LIMIT.available_permits(), permit);
    let two = LIMIT.acquire_many(2).await.unwrap();
    println!("{:?}", LIMIT.try_acquire().map(|_| ()));
    drop((permit, two));
    let mut all = LIMIT.try_acquire_many(3).unwrap();
    let part = all.split(1).unwrap();
    println!("{} {} {}", all.num_permits(), part.num_permits(), all.split(5).is_none());
    all.merge(part);
    all.forget();
    println!("{}", LIMIT.available_permits());
    LIMIT.add_permits(2);
    println!("{} {}", LIMIT.forget_permits(5), LIMIT.available_permits());

    let limit = Semaphore::new(0);
    println!("{}", tokio::time::timeout(Duration::from_millis(5), limit.acquire()).await.is_err());
    let (got, ()) = tokio::join!(limit.acquire(), async { limit.add_permits(1) });
    let got: SemaphorePermit<'_> = got.unwrap();
    #[cfg(rv_tokio_1_54)]
    println!("{}", std::ptr::eq(got.semaphore(), &limit));
    limit.close();
    println!("{} {:?}", limit.is_closed(), limit.acquire().await.map(|_| ()));
    println!("{}", matches!(limit.try_acquire(), Err(TryAcquireError::Closed)));
    drop(got);
    println!("{limit:?}");
}

async fn owned_permits() {
    let limit = Arc::new(Semaphore::new(4));
    let mut tasks = Vec::new();
    for step in 0..8 {
        let permit = Arc::clone(&limit).acquire_owned().await.unwrap();
        tasks.push(tokio::spawn(async move {
            let _permit = permit;
            tokio::task::yield_now().await;
            step
        }));
    }
    let mut sum = 0;
    for task in tasks {
        sum += task.await.unwrap();
    }
    println!("{sum} {}", limit.available_permits());
    let mut many: OwnedSemaphorePermit = limit.clone().acquire_many_owned(3).await.unwrap();
    println!("{:?} {} {}", many, Arc::strong_count(&limit), Arc::ptr_eq(many.semaphore(), &limit));
    let one = many.split(1).unwrap();
    println!("{} {}", many.num_permits(), Arc::strong_count(&limit));
    many.merge(one);
    println!(
        "{} {}",
        limit.clone().try_acquire_many_owned(2).is_err(),
        limit.clone().try_acquire_owned().is_ok()
    );
    let other = Arc::new(Semaphore::new(1));
    let stranger = other.clone().try_acquire_owned().unwrap();
    std::panic::set_hook(Box::new(|info| println!("{}", info.to_string().lines().last().unwrap())));
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| many.merge(stranger)));
    drop(std::panic::take_hook());
    println!("{} {}", refused.is_err(), other.available_permits());
    many.forget();
    println!("{}", limit.available_permits());
    let waiting = tokio::spawn(limit.clone().acquire_many_owned(2));
    tokio::task::yield_now().await;
    limit.add_permits(1);
    let last = waiting.await.unwrap().unwrap();
    drop(limit);
    println!("{}", last.num_permits());
}

async fn notify() {
    println!("{:?} {:?}", Notify::new(), Notify::default());
    BELL.notify_one();
    BELL.notified().await;
    let bell = Arc::new(Notify::new());
    let mut tasks = Vec::new();
    for step in 0..3 {
        let bell = bell.clone();
        tasks.push(tokio::spawn(async move {
            bell.notified().await;
            step
        }));
    }
    tokio::task::yield_now().await;
    bell.notify_last();
    tokio::task::yield_now().await;
    println!("{:?}", tasks.iter().map(|it| it.is_finished()).collect::<Vec<_>>());
    bell.notify_waiters();
    for task in tasks {
        print!("{} ", task.await.unwrap());
    }
    println!();
    let mut notified = pin!(bell.notified());
    println!("{}", notified.as_mut().enable());
    bell.notify_one();
    println!("{}", notified.as_mut().enable());
    let mut context = Context::from_waker(Waker::noop());
    println!("{:?}", notified.as_mut().poll(&mut context));
    notified.set(bell.notified());
    println!("{:?}", notified.as_mut().poll(&mut context));
    println!("{}", tokio::time::timeout(Duration::from_millis(5), notified).await.is_err());
    let names: Vec<tokio::sync::futures::Notified<'_>> = (0..2).map(|_| bell.notified()).collect();
    bell.notify_waiters();
    for notified in names {
        notified.await;
    }
    println!("all");
    tokio::select! {
        () = bell.notified() => println!("rung"),
        () = std::future::ready(()) => println!("not rung"),
    }
}

#[cfg(rv_tokio_1_47)]
async fn owned_notified() {
    let bell = Arc::new(Notify::new());
    let waiting = tokio::spawn(bell.clone().notified_owned());
    tokio::task::yield_now().await;
    bell.notify_one();
    waiting.await.unwrap();
    let mut owned: std::pin::Pin<Box<tokio::sync::futures::OwnedNotified>> =
        Box::pin(bell.clone().notified_owned());
    println!("{}", owned.as_mut().enable());
    bell.notify_one();
    println!("{}", owned.as_mut().enable());
    drop(bell);
    let mut context = Context::from_waker(Waker::noop());
    println!("{}", owned.as_mut().poll(&mut context).is_ready());
}

async fn barrier() {
    let barrier = Arc::new(Barrier::new(3));
    let mut tasks = Vec::new();
    for _ in 0..3 {
        let barrier = barrier.clone();
        tasks.push(tokio::spawn(async move { barrier.wait().await.is_leader() }));
    }
    let mut leaders = 0;
    for task in tasks {
        leaders += u32::from(task.await.unwrap());
    }
    println!("{leaders}");
}

#[cfg(rv_tokio_1_54)]
fn blocking() {
    let limit = Arc::new(Semaphore::new(2));
    println!("{}", limit.blocking_acquire().unwrap().num_permits());
    println!("{}", limit.blocking_acquire_many(2).unwrap().num_permits());
    println!("{}", limit.clone().blocking_acquire_owned().unwrap().num_permits());
    let two = limit.clone().blocking_acquire_many_owned(2).unwrap();
    let other = std::thread::spawn({
        let limit = limit.clone();
        move || limit.blocking_acquire().map(|_| ()).is_ok()
    });
    std::thread::sleep(Duration::from_millis(5));
    drop(two);
    println!("{}", other.join().unwrap());
}
