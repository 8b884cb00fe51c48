//! Tasks that are spawned by tasks of a set, and outlive it.

use std::time::Duration;
use tokio::task::JoinSet;

async fn part() -> u32 {
    tokio::time::sleep(Duration::from_secs(1)).await;
    1
}

#[derive(Default)]
pub struct Pool {
    jobs: JoinSet<u32>,
    kept: JoinSet<u32>,
}

impl Pool {
    pub fn one(&mut self) {
        self.jobs.spawn(async {
            let task = tokio::spawn(part()); //~ task-leak warning
            task.await.unwrap()
        });
    }

    pub fn many(&mut self, n: u32) {
        self.jobs.spawn(async move {
            let tasks: Vec<_> = (0..n).map(|_| tokio::spawn(part())).collect(); //~ task-leak warning
            let mut all = 0;
            for task in tasks {
                all += task.await.unwrap();
            }
            all
        });
    }

    async fn job() -> u32 {
        tokio::spawn(part()).await.unwrap() //~ task-leak warning
    }

    pub fn of_a_function(&mut self) {
        self.jobs.spawn(Pool::job());
    }

    pub fn in_a_set(&mut self) {
        self.jobs.spawn(async {
            let mut inner = JoinSet::new();
            inner.spawn(part());
            inner.join_next().await.unwrap().unwrap()
        });
    }

    pub fn at_once(&mut self) {
        self.jobs.spawn(part());
    }

    pub fn aborted(&mut self) {
        self.jobs.spawn(async {
            let task = tokio::spawn(part());
            task.abort();
            task.await.unwrap_or(0)
        });
    }

    pub fn of_a_set_that_is_only_waited_for(&mut self) {
        self.kept.spawn(async { tokio::spawn(part()).await.unwrap() });
    }

    pub async fn shutdown(&mut self) {
        self.jobs.shutdown().await;
        while let Some(it) = self.kept.join_next().await {
            it.unwrap();
        }
    }
}

/// A task that is aborted by its own handle, through a helper, and one whose children end with it.
pub struct Survey {
    field: tokio::task::JoinHandle<u32>,
    office: tokio::task::JoinHandle<u32>,
}

async fn measures() -> u32 {
    let lengths = tokio::spawn(part()); //~ task-leak warning
    let mut all = 0;
    if let Ok(length) = lengths.await {
        all += length;
    }
    all
}

async fn draws() -> u32 {
    let (one, other) = tokio::join!(part(), part());
    one + other
}

impl Survey {
    pub fn begins() -> Survey {
        Survey { field: tokio::spawn(measures()), office: tokio::spawn(draws()) }
    }

    fn ends(&self) {
        self.field.abort();
        self.office.abort();
    }
}

impl Drop for Survey {
    fn drop(&mut self) {
        self.ends();
    }
}
