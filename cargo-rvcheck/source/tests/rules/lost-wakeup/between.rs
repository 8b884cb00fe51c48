//! Orders to stop that reach a loop only while it waits.

use tokio::sync::{Notify, mpsc};
use tokio::task::yield_now;

pub struct Server {
    stop: Notify,
    kept: Notify,
}

impl Server {
    pub fn shut_down(&self) {
        self.stop.notify_waiters();
        self.kept.notify_one();
    }

    pub async fn works_in_between(&self, mut jobs: mpsc::Receiver<u32>) {
        loop {
            tokio::select! {
                _ = self.stop.notified() => { break; } //~ lost-wakeup warning
                job = jobs.recv() => { println!("{job:?}"); yield_now().await; }
            }
        }
    }

    pub async fn does_not_suspend_in_between(&self, mut jobs: mpsc::Receiver<u32>) {
        loop {
            tokio::select! {
                _ = self.stop.notified() => { break; }
                job = jobs.recv() => { println!("{job:?}"); }
            }
        }
    }

    pub async fn waits_all_the_time(&self, mut jobs: mpsc::Receiver<u32>) {
        let stop = self.stop.notified();
        tokio::pin!(stop);
        loop {
            tokio::select! {
                _ = &mut stop => { break; }
                job = jobs.recv() => { println!("{job:?}"); yield_now().await; }
            }
        }
    }

    pub async fn is_kept_a_notification(&self, mut jobs: mpsc::Receiver<u32>) {
        loop {
            tokio::select! {
                _ = self.kept.notified() => { break; }
                job = jobs.recv() => { println!("{job:?}"); yield_now().await; }
            }
        }
    }

    pub async fn goes_on(&self, mut jobs: mpsc::Receiver<u32>) {
        loop {
            tokio::select! {
                _ = self.stop.notified() => { println!("again"); }
                job = jobs.recv() => { println!("{job:?}"); yield_now().await; }
            }
        }
    }
}
