//! Tasks and threads that wait for each other in every way that tokio has.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{
    broadcast, mpsc, oneshot, watch, Barrier, Mutex, Notify, OnceCell, RwLock, Semaphore, SetOnce,
};
use tokio::task::{self, JoinSet, LocalSet};
use tokio::time::{self, Instant};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    let shows = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.payload_as_str() != Some("planned") {
            shows(info);
        }
    }));
    for runtime in [Builder::new_current_thread().enable_all().build().unwrap(), Runtime::new().unwrap()] {
        runtime.block_on(async {
            locks().await;
            signals().await;
            channels().await;
            watches().await;
            cells().await;
            times().await;
            tasks().await;
            sets().await;
            blocking().await;
            locals().await;
        });
        from_threads(&runtime);
        runtime.spawn_blocking(|| std::thread::sleep(SHORT));
        runtime.shutdown_timeout(LONG);
    }
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let handle = tokio::spawn(async { task::block_in_place(|| std::thread::sleep(SHORT)) });
        task::yield_now().await;
        handle.await.unwrap();
    });
    runtime.spawn(std::future::pending::<()>());
    runtime.shutdown_background();
    println!("done");
}

async fn several<F: std::future::Future<Output = ()> + Send + 'static>(count: usize, f: impl Fn(usize) -> F) {
    let tasks: Vec<_> = (0..count).map(|it| tokio::spawn(f(it))).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn locks() {
    let all = Arc::new((Mutex::new(0), RwLock::new(0), Semaphore::new(1)));
    several(4, |number| {
        let all = all.clone();
        async move {
            let mut one = all.0.lock().await;
            let mut other = all.1.write().await;
            task::yield_now().await;
            (*one, *other) = (*one + 1, *other + 1);
            drop((one, other));
            let _permit = all.2.acquire().await.unwrap();
            time::sleep(SHORT).await;
            assert!(*all.1.read().await > 0);
            if number == 0 {
                all.2.add_permits(1);
            }
            while all.0.try_lock().is_err() || all.1.try_write().is_err() {
                task::yield_now().await;
            }
        }
    })
    .await;
    assert_eq!((*all.0.lock().await, *all.1.read().await, all.2.available_permits()), (4, 4, 2));
    let waits = tokio::spawn({
        let all = all.clone();
        async move { all.2.acquire_many(3).await.is_err() }
    });
    assert!(time::timeout(SHORT, all.2.acquire_many(3)).await.is_err());
    all.2.close();
    assert!(waits.await.unwrap());
}

async fn signals() {
    let (notify, barrier) = (Arc::new(Notify::new()), Arc::new(Barrier::new(3)));
    let waits = tokio::spawn({
        let notify = notify.clone();
        async move {
            notify.notified().await;
            time::timeout(SHORT, notify.notified()).await.is_err()
        }
    });
    notify.notify_one();
    assert!(waits.await.unwrap());
    let leaders = Arc::new(AtomicUsize::new(0));
    several(3, |_| {
        let (barrier, leaders) = (barrier.clone(), leaders.clone());
        async move {
            let is_leader = barrier.wait().await.is_leader();
            leaders.fetch_add(usize::from(is_leader), Ordering::SeqCst);
        }
    })
    .await;
    assert_eq!(leaders.load(Ordering::SeqCst), 1);
}

async fn channels() {
    let (sender, mut receiver) = mpsc::channel(1);
    let sends = tokio::spawn(async move {
        for number in 0..3 {
            sender.send(number).await.unwrap();
        }
        sender.send_timeout(3, LONG).await.unwrap();
        let permit = sender.reserve().await.unwrap();
        permit.send(4);
        let mut number = 5;
        while let Err(mpsc::error::TrySendError::Full(it)) = sender.try_send(number) {
            number = it;
            task::yield_now().await;
        }
    });
    let mut all = Vec::new();
    while let Some(it) = receiver.recv().await {
        all.push(it);
    }
    assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    sends.await.unwrap();

    let (sender, mut receiver) = mpsc::unbounded_channel();
    let sends = tokio::spawn(async move { sender.send(1).unwrap() });
    while receiver.try_recv().is_err() {
        task::yield_now().await;
    }
    sends.await.unwrap();

    let (sender, receiver) = oneshot::channel();
    let sends = tokio::spawn(async move { sender.send(1).unwrap() });
    assert_eq!(receiver.await, Ok(1));
    sends.await.unwrap();
    let (mut sender, receiver) = oneshot::channel::<u8>();
    let drops = tokio::spawn(async move { drop(receiver) });
    sender.closed().await;
    drops.await.unwrap();

    let (sender, mut receiver) = broadcast::channel(4);
    let mut other = sender.subscribe();
    let receives = tokio::spawn(async move { other.recv().await.unwrap() });
    sender.send(1).unwrap();
    assert_eq!((receiver.recv().await, receives.await.unwrap()), (Ok(1), 1));
}

async fn watches() {
    let (sender, mut receiver) = watch::channel(0);
    let reads = tokio::spawn(async move {
        let mut sum = 0;
        while receiver.changed().await.is_ok() {
            let seen = receiver.borrow_and_update();
            // Somebody may want to write meanwhile.
            std::thread::yield_now();
            sum += *seen;
        }
        sum
    });
    for _ in 0..3 {
        sender.send_modify(|it| {
            std::thread::yield_now();
            *it += 1;
        });
        task::yield_now().await;
    }
    let mut other = sender.subscribe();
    let waits = tokio::spawn(async move { *other.wait_for(|it| *it == 9).await.unwrap() });
    sender.send_replace(9);
    assert_eq!(waits.await.unwrap(), 9);
    drop(sender);
    assert!(reads.await.unwrap() >= 9);
}

async fn cells() {
    let all = Arc::new((OnceCell::new(), SetOnce::new()));
    let waits = tokio::spawn({
        let all = all.clone();
        async move { *all.1.wait().await }
    });
    several(3, |number| {
        let all = all.clone();
        async move {
            all.0
                .get_or_init(|| async {
                    task::yield_now().await;
                    number
                })
                .await;
        }
    })
    .await;
    all.1.set(5).unwrap();
    assert_eq!(waits.await.unwrap(), 5);
}

async fn times() {
    let began = Instant::now();
    let mut interval = time::interval(SHORT);
    for _ in 0..3 {
        interval.tick().await;
    }
    time::sleep_until(began + LONG).await;
    assert!(began.elapsed() >= LONG);
    tokio::select! {
        () = time::sleep(LONG) => panic!("late"),
        () = time::sleep(SHORT) => {}
    }
    assert_eq!(time::timeout(LONG, async { 1 }).await, Ok(1));
    assert!(time::timeout_at(Instant::now() + SHORT, std::future::pending::<()>()).await.is_err());
}

struct Counts(Arc<AtomicUsize>);

impl Drop for Counts {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

async fn tasks() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let victim = tokio::spawn({
        let counts = Counts(dropped.clone());
        async move {
            let _counts = counts;
            std::future::pending::<()>().await
        }
    });
    task::yield_now().await;
    victim.abort();
    assert!(victim.await.unwrap_err().is_cancelled());
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
    assert!(tokio::spawn(async { panic!("planned") }).await.unwrap_err().is_panic());
    let ends = tokio::spawn(async {});
    while !ends.is_finished() {
        task::yield_now().await;
    }
    ends.await.unwrap();
}

async fn sets() {
    let mut set = JoinSet::new();
    for number in 0..4 {
        set.spawn(async move {
            task::yield_now().await;
            number
        });
    }
    set.spawn_blocking(|| 4);
    let mut sum = 0;
    while let Some(joined) = set.join_next().await {
        sum += joined.unwrap();
    }
    assert_eq!(sum, 10);
    set.spawn(async { 1 });
    let joined = loop {
        match set.try_join_next() {
            Some(joined) => break joined,
            None => task::yield_now().await,
        }
    };
    assert_eq!(joined.unwrap(), 1);
    set.spawn(std::future::pending());
    set.shutdown().await;
    set.spawn(std::future::pending());
    set.abort_all();
    assert!(set.join_next().await.unwrap().unwrap_err().is_cancelled());
    set.spawn(std::future::pending());
}

async fn blocking() {
    let (sender, mut receiver) = mpsc::channel(1);
    let lock = Arc::new((Mutex::new(0), RwLock::new(0)));
    let guard = lock.0.lock().await;
    let other = task::spawn_blocking({
        let lock = lock.clone();
        move || {
            *lock.0.blocking_lock() += 1;
            let read = *lock.1.blocking_read();
            *lock.1.blocking_write() += read;
            (0..3).for_each(|number| sender.blocking_send(number).unwrap());
        }
    });
    time::sleep(SHORT).await;
    drop(guard);
    let receives = task::spawn_blocking(move || {
        let mut sum = 0;
        while let Some(it) = receiver.blocking_recv() {
            sum += it;
        }
        sum
    });
    other.await.unwrap();
    assert_eq!(receives.await.unwrap(), 3);
    let (sender, receiver) = oneshot::channel();
    let receives = task::spawn_blocking(|| receiver.blocking_recv().unwrap());
    sender.send(1).unwrap();
    assert_eq!(receives.await.unwrap(), 1);
    let handle = Handle::current();
    let drives = task::spawn_blocking(move || handle.block_on(async { tokio::spawn(async { 2 }).await.unwrap() }));
    assert_eq!(drives.await.unwrap(), 2);
}

async fn locals() {
    let set = LocalSet::new();
    let (sender, mut receiver) = mpsc::channel(1);
    let sends = set.spawn_local(async move {
        for number in 0..3 {
            sender.send(number).await.unwrap();
            task::yield_now().await;
        }
    });
    set.run_until(async {
        let waits = task::spawn_local(async { time::sleep(SHORT).await });
        let mut sum = 0;
        while let Some(it) = receiver.recv().await {
            sum += it;
        }
        assert_eq!(sum, 3);
        waits.await.unwrap();
    })
    .await;
    sends.await.unwrap();
}

fn from_threads(runtime: &Runtime) {
    let (sender, mut receiver) = mpsc::channel(1);
    std::thread::scope(|scope| {
        scope.spawn(|| runtime.block_on(async { sender.send(1).await.unwrap() }));
        scope.spawn(|| assert_eq!(receiver.blocking_recv(), Some(1)));
        scope.spawn(|| runtime.handle().block_on(async { time::sleep(SHORT).await }));
    });
}
