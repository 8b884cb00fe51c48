//! Everything that concerns tasks and runtimes.

use std::cell::Cell;
use std::fmt::Debug;
use std::future::Future;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::task::{AbortHandle, JoinError, JoinHandle, JoinSet, LocalSet};

tokio::task_local! {
    static NUMBER: u32;
}

fn main() {
    std::panic::set_hook(Box::new(|info| println!("{}", info.to_string().lines().last().unwrap())));
    runtimes();
    local();
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(handles());
    runtime.block_on(sets());
    runtime.block_on(macros());
    println!("{}", attribute());
    #[cfg(rv_tokio_1_51)]
    local_runtime();
}

struct Fails;

async fn fails() -> Result<u8, Fails> {
    Err(Fails)
}

fn traits<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + Debug>(_: &T) {}

/// Whether the wakers of a task, and their clones, wake each other.
async fn wakers() -> [bool; 3] {
    let mut kept = Vec::new();
    std::future::poll_fn(move |context| {
        kept.push(context.waker().clone());
        let [first, second] = &kept[..] else {
            context.waker().wake_by_ref();
            return Poll::Pending;
        };
        Poll::Ready([
            first.will_wake(second),
            first.will_wake(context.waker()),
            context.waker().will_wake(&first.clone()),
        ])
    })
    .await
}

async fn handles() {
    let handle: JoinHandle<u8> = tokio::spawn(async { 1 });
    traits(&handle);
    println!("{:?}", handle.await);
    println!("{}", tokio::task::spawn(fails()).await.unwrap().is_err());
    let error: JoinError = tokio::spawn(async { panic!("as planned") }).await.map(|()| ()).unwrap_err();
    println!("{} {:?}", error.is_panic(), error.into_panic().downcast_ref::<&str>());
    println!("{:?}", tokio::spawn(wakers()).await.unwrap());
    let handle = tokio::spawn(std::future::pending::<()>());
    println!("{}", handle.is_finished());
    let abort: AbortHandle = handle.abort_handle();
    traits(&abort);
    #[cfg(rv_tokio_1_41)]
    println!("{} {}", abort.id() == handle.id(), format!("{handle:?}").starts_with("JoinHandle { id"));
    #[cfg(rv_tokio_1_39)]
    drop(abort.clone());
    abort.abort();
    println!("{} {}", handle.await.unwrap_err().is_cancelled(), abort.is_finished());
    let mut handle = tokio::spawn(async {
        tokio::time::sleep(Duration::from_millis(2)).await;
        "slept"
    });
    println!("{:?}", tokio::time::timeout(Duration::from_secs(5), &mut handle).await);
    let handle = tokio::spawn(std::future::pending::<()>());
    handle.abort();
    println!("{}", handle.await.unwrap_err().to_string().ends_with(" was cancelled"));
    drop(tokio::spawn(async {}));
    println!("{:?}", tokio::task::spawn_blocking(|| 5).await);
    println!(
        "{}",
        tokio::task::spawn_blocking(|| panic!("blocking")).await.map(|()| ()).unwrap_err().is_panic()
    );
    println!("{}", tokio::spawn(async { tokio::task::block_in_place(|| 6) }).await.unwrap());
    println!("{}", NUMBER.scope(7, async { NUMBER.with(|it| *it) }).await);
    let current = Handle::current();
    println!(
        "{:?} {:?}",
        current.runtime_flavor() == RuntimeFlavor::MultiThread,
        current.spawn(async { 8 }).await
    );
    println!("{:?} {}", current.spawn_blocking(|| 9).await, Handle::try_current().is_ok());
    println!("{}", tokio::task::block_in_place(|| current.block_on(async { 10 })));
    println!("{}", tokio::task::unconstrained(async { 11 }).await);
    println!("{}", current.metrics().num_workers());
    let stored: Vec<Pin<Box<dyn Future<Output = Result<u8, JoinError>> + Send>>> =
        vec![Box::pin(tokio::spawn(async { 12 }))];
    for handle in stored {
        println!("{:?}", handle.await);
    }
}

async fn sets() {
    let mut set = JoinSet::new();
    for step in 0..4u32 {
        let abort: AbortHandle = set.spawn(async move { step });
        println!("{}", abort.is_finished() || !abort.is_finished());
    }
    set.spawn_on(async { 10 }, &Handle::current());
    set.spawn_blocking(|| 20);
    set.spawn_blocking_on(|| 30, &Handle::current());
    println!("{} {} {:?}", set.len(), set.is_empty(), set);
    let mut sum = 0;
    while let Some(joined) = set.join_next().await {
        sum += joined.unwrap();
    }
    println!("{sum} {:?}", set.try_join_next().is_none());
    set.spawn(async { panic!("in the set") });
    set.spawn(std::future::pending());
    println!("{}", set.join_next().await.unwrap().unwrap_err().is_panic());
    set.abort_all();
    println!("{}", set.join_next().await.unwrap().unwrap_err().is_cancelled());
    set.spawn(std::future::pending());
    set.shutdown().await;
    println!("{}", set.is_empty());
    set.spawn(async { 40 });
    set.detach_all();
    println!("{:?}", std::future::poll_fn(|context| set.poll_join_next(context)).await.map(|it| it.unwrap()));
    #[cfg(rv_tokio_1_41)]
    {
        let id = set.spawn(async { 50 }).id();
        let (joined, value) = set.join_next_with_id().await.unwrap().unwrap();
        println!("{} {value} {:?}", joined == id, set.try_join_next_with_id().is_none());
        let ended = std::future::poll_fn(|context| set.poll_join_next_with_id(context)).await;
        println!("{:?}", ended.is_none());
    }
    #[cfg(rv_tokio_1_40)]
    {
        let all: JoinSet<u32> = (0..3).map(|step| async move { step }).collect();
        println!("{}", all.join_all().await.into_iter().sum::<u32>());
        let mut failing = JoinSet::default();
        failing.spawn(async { panic!("joined") });
        let joined: JoinHandle<Vec<()>> = tokio::spawn(failing.join_all());
        println!("{}", joined.await.unwrap_err().is_panic());
    }
    #[cfg(rv_tokio_1_49)]
    set.extend([std::future::pending::<u32>()]);
    drop(set);
}

async fn macros() {
    let (a, b) = tokio::join!(async { 1 }, tokio::spawn(async { 2 }));
    println!("{a} {b:?}");
    println!("{:?}", tokio::try_join!(async { Ok::<_, u8>(1) }, async { Err::<u8, _>(2) }));
    let mut handle = tokio::spawn(std::future::pending::<()>());
    tokio::select! {
        _ = &mut handle => println!("ended"),
        () = tokio::time::sleep(Duration::from_millis(1)) => println!("slept"),
    }
    let future = async { 3 };
    tokio::pin!(future);
    println!("{}", future.await);
}

#[tokio::main]
async fn attribute() -> u8 {
    tokio::spawn(async { 4 }).await.unwrap()
}

struct Counts(Rc<Cell<u32>>);

impl Future for Counts {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        self.0.set(self.0.get() + 1);
        if self.0.get() < 3 {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.0.get())
    }
}

fn local() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let set = LocalSet::new();
    let count = Rc::new(Cell::new(0));
    let handle = set.spawn_local(Counts(count.clone()));
    println!("{:?}", set.block_on(&runtime, handle));
    runtime.block_on(async {
        let set = LocalSet::default();
        let inner = count.clone();
        let outcome = set.run_until(async move { tokio::task::spawn_local(Counts(inner)).await }).await;
        println!("{:?} {}", outcome, format!("{set:?}").starts_with("LocalSet"));
        let inner = count.clone();
        set.spawn_local(async move { inner.set(100) });
        set.await;
    });
    println!("{}", count.get());
    let set = LocalSet::new();
    {
        let _entered = set.enter();
        tokio::task::spawn_local(async {});
    }
    let mut joined = JoinSet::new();
    joined.spawn_local_on(Counts(Rc::new(Cell::new(0))), &set);
    println!("{:?}", set.block_on(&runtime, async { joined.join_next().await.unwrap().unwrap() }));
    let dropped = LocalSet::new();
    dropped.spawn_local(std::future::pending::<()>());
    drop(dropped);
}

fn runtimes() {
    let runtime = Runtime::new().unwrap();
    traits(&runtime);
    println!("{}", runtime.block_on(async { 1 }));
    println!("{:?}", runtime.block_on(runtime.spawn(async { 2 })));
    println!("{:?}", runtime.block_on(runtime.spawn_blocking(|| 3)));
    let handle: &Handle = runtime.handle();
    traits_of_handle(handle);
    println!("{:?}", handle.block_on(handle.clone().spawn(async { 4 })));
    println!("{}", Handle::try_current().is_err());
    {
        let _entered = runtime.enter();
        println!("{:?}", runtime.block_on(tokio::spawn(async { 5 })));
        let _nested = handle.enter();
    }
    println!("{}", runtime.metrics().num_workers() > 0);
    runtime.shutdown_timeout(Duration::from_secs(1));
    Runtime::new().unwrap().shutdown_background();
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(2)
        .thread_name("named")
        .thread_name_fn(|| "made".into())
        .thread_stack_size(2 << 20)
        .thread_keep_alive(Duration::from_secs(1))
        .on_thread_start(|| {})
        .on_thread_stop(|| {})
        .on_thread_park(|| {})
        .on_thread_unpark(|| {})
        .global_queue_interval(31)
        .event_interval(61)
        .max_io_events_per_tick(1024)
        .enable_io()
        .enable_time()
        .enable_all()
        .build()
        .unwrap();
    println!(
        "{:?}",
        runtime.block_on(async {
            tokio::spawn(async { std::thread::current().name().map(str::to_owned) }).await.unwrap()
        })
    );
    let mut builder = Builder::new_current_thread();
    builder.enable_time().start_paused(true);
    println!("{}", format!("{builder:?}").starts_with("Builder {"));
    let paused = builder.build().unwrap();
    println!("{}", format!("{:?}", paused.handle()).starts_with("Handle {"));
    paused.block_on(async { tokio::time::sleep(Duration::from_secs(1000)).await });
    println!(
        "{}",
        std::panic::catch_unwind(|| drop(Builder::new_multi_thread().worker_threads(0).build())).is_err()
    );
    println!("{}", std::panic::catch_unwind(|| tokio::spawn(async {})).is_err());
    println!("{}", std::panic::catch_unwind(Handle::current).is_err());
    let nested = Builder::new_current_thread().build().unwrap();
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        nested.block_on(async { nested.block_on(async {}) })
    }));
    println!("{}", refused.is_err());
}

fn traits_of_handle<T: Send + Sync + Clone + Debug + Unpin>(_: &T) {}

#[cfg(rv_tokio_1_51)]
fn local_runtime() {
    use tokio::runtime::{LocalOptions, LocalRuntime};
    let runtime = LocalRuntime::new().unwrap();
    let count = Rc::new(Cell::new(0));
    println!("{:?}", runtime.block_on(runtime.spawn_local(Counts(count))));
    println!("{:?}", runtime.block_on(runtime.spawn_blocking(|| 1)));
    println!("{:?}", runtime.block_on(runtime.handle().spawn(async { 2 })));
    let _entered = runtime.enter();
    let other = Builder::new_current_thread()
        .enable_all()
        .name("other")
        .build_local(LocalOptions::default())
        .unwrap();
    println!("{:?} {}", other.handle().name(), other.metrics().num_workers());
    other.shutdown_timeout(Duration::from_millis(10));
    println!("{:?}", tokio::runtime::worker_index());
}
