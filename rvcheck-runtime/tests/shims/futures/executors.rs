//! `futures_executor` and the spawning traits. Prints the same with the real crates and with the shims.

use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::mpsc;

use futures_executor::{block_on, block_on_stream, LocalPool, ThreadPool, ThreadPoolBuilder};
use futures_util::future::{pending, ready};
use futures_util::stream::{self, Stream, StreamExt};
use futures_util::task::{FutureObj, LocalSpawn, LocalSpawnExt, Spawn, SpawnExt};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    println!("{}", block_on(async { 1 }));
    println!("{}", message(|| block_on(async { block_on(async {}) })));
    streams();
    local();
    pool();
    println!("{:?}", spawned_by_name(&LocalPool::new().spawner()));
}

fn message(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().unwrap().to_string(),
    }
}

fn streams() {
    let mut items = block_on_stream(stream::iter([1, 2, 3]));
    println!("{items:?} {:?} {:?}", items.size_hint(), items.next());
    println!("{:?}", (*items).size_hint());
    println!("{:?}", block_on(items.into_inner().collect::<Vec<_>>()));
}

fn local() {
    let mut pool = LocalPool::default();
    println!("{pool:?}");
    let log = Rc::new(RefCell::new(Vec::new()));
    let spawner = pool.spawner();
    for n in 0..3 {
        let log = log.clone();
        spawner.spawn_local(async move { log.borrow_mut().push(n) }).unwrap();
    }
    println!("{} {:?}", pool.try_run_one(), log.borrow());
    pool.run_until_stalled();
    println!("{:?} {}", log.borrow(), pool.try_run_one());
    let handle = spawner.spawn_local_with_handle(async { "result" }).unwrap();
    println!("{}", pool.run_until(handle));
    spawner.spawn(async { println!("spawned") }).unwrap();
    pool.run();
    let handle = spawner.spawn_with_handle(async { panic!("in a task") }).unwrap();
    println!("{}", message(|| pool.run_until(handle)));
    spawner.spawn_local_obj(Box::new(async { println!("boxed") }).into()).unwrap();
    let forgotten = spawner.spawn_local_with_handle(pending::<()>()).unwrap();
    forgotten.forget();
    pool.run_until_stalled();
    println!("{:?} {:?}", spawner.status(), spawner.status_local());
    drop(pool);
    println!("{:?} {:?}", spawner.status(), spawner.spawn(async {}));
}

fn pool() {
    let mut builder = ThreadPool::builder();
    builder.pool_size(1).stack_size(1 << 20).name_prefix("worker-");
    builder.after_start(|n| assert_eq!(n, 0)).before_stop(|n| assert_eq!(n, 0));
    println!("{builder:?}");
    println!("{}", message(|| drop(ThreadPoolBuilder::new().pool_size(0))));
    let pool = builder.create().unwrap();
    println!("{pool:?}");
    let (sender, receiver) = mpsc::channel();
    let again = sender.clone();
    pool.clone().spawn_ok(async move {
        again.send(std::thread::current().name().map(str::to_owned)).unwrap();
    });
    println!("{:?}", receiver.recv());
    let again = sender.clone();
    pool.spawn_obj_ok(FutureObj::new(Box::new(async move { again.send(None).unwrap() })));
    println!("{:?}", receiver.recv());
    println!("{}", block_on(pool.spawn_with_handle(ready(5)).unwrap()));
    pool.spawn(async move { sender.send(Some("last".to_owned())).unwrap() }).unwrap();
    println!("{:?}", receiver.recv());
}

/// The traits are bounds as well.
fn spawned_by_name<S: SpawnExt + LocalSpawnExt + ?Sized>(spawner: &S) -> (bool, bool) {
    (spawner.spawn(async {}).is_ok(), spawner.spawn_local(async {}).is_ok())
}
