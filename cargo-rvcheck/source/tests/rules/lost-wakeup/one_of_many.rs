//! `notify_one` and how many tasks it is for.

use std::sync::Arc;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

pub struct Shared {
    stop: Notify,
}

pub struct Pool {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

async fn works(shared: Arc<Shared>) {
    shared.stop.notified().await; //~ lost-wakeup
    println!("over");
}

impl Pool {
    pub fn start(n: usize) -> Pool {
        let shared = Arc::new(Shared { stop: Notify::new() });
        let mut tasks = Vec::new();
        for _ in 0..n {
            tasks.push(tokio::spawn(works(shared.clone())));
        }
        Pool { shared, tasks }
    }

    pub async fn stop(self) {
        self.shared.stop.notify_one();
        for task in self.tasks {
            let _ = task.await;
        }
    }
}

pub struct Passed {
    stop: Notify,
}

async fn hands_it_on(shared: Arc<Passed>) {
    shared.stop.notified().await;
    shared.stop.notify_one();
}

pub fn starts_and_stops_in_a_chain(n: usize) -> Arc<Passed> {
    let shared = Arc::new(Passed { stop: Notify::new() });
    for _ in 0..n {
        let _task = tokio::spawn(hands_it_on(shared.clone()));
    }
    shared.stop.notify_one();
    shared
}

pub struct Each {
    stop: Notify,
}

async fn waits_for_its_own(each: Arc<Each>) {
    each.stop.notified().await;
}

pub fn makes_one_for_each(n: usize) {
    for _ in 0..n {
        let each = Arc::new(Each { stop: Notify::new() });
        let _task = tokio::spawn(waits_for_its_own(each.clone()));
        each.stop.notify_one();
    }
}

pub struct Single {
    stop: Notify,
}

async fn is_alone(single: Arc<Single>) {
    single.stop.notified().await;
}

pub async fn starts_one() {
    let single = Arc::new(Single { stop: Notify::new() });
    let task = tokio::spawn(is_alone(single.clone()));
    single.stop.notify_one();
    let _ = task.await;
}

pub struct Counted {
    stop: Notify,
}

async fn is_one_of_them(counted: Arc<Counted>) {
    counted.stop.notified().await;
}

pub fn notifies_each(n: usize) {
    let counted = Arc::new(Counted { stop: Notify::new() });
    for _ in 0..n {
        let _task = tokio::spawn(is_one_of_them(counted.clone()));
    }
    for _ in 0..n {
        counted.stop.notify_one();
    }
}
