//! Notifications that nobody hears, and consumers that are left with items.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

#[derive(Default)]
pub struct Gate {
    is_open: AtomicBool,
    opened: Notify,
    enabled: Notify,
    locked: Notify,
    stored: Notify,
    next: Notify,
    queue: Mutex<VecDeque<u32>>,
}

impl Gate {
    pub fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
        self.opened.notify_waiters();
        self.enabled.notify_waiters();
        self.locked.notify_waiters();
        self.next.notify_waiters();
        self.stored.notify_one();
    }

    pub async fn checks_first(&self) {
        while !self.is_open.load(Ordering::SeqCst) {
            self.opened.notified().await; //~ lost-wakeup
        }
    }

    pub async fn checks_once(&self) {
        if !self.is_open.load(Ordering::SeqCst) {
            self.opened.notified().await; //~ lost-wakeup
        }
    }

    pub fn puts(&self, item: u32) {
        self.queue.lock().unwrap().push_back(item);
        self.opened.notify_waiters();
        self.locked.notify_waiters();
    }

    pub async fn takes_first(&self) -> u32 {
        loop {
            if let Some(item) = self.queue.lock().unwrap().pop_front() {
                return item;
            }
            self.opened.notified().await; //~ lost-wakeup
        }
    }

    pub async fn waits_for_the_next(&self) {
        self.next.notified().await;
    }

    pub async fn made_before(&self) {
        loop {
            let opened = self.enabled.notified();
            if self.is_open.load(Ordering::SeqCst) {
                return;
            }
            opened.await;
        }
    }

    pub async fn enabled_before(&self) {
        loop {
            let mut opened = std::pin::pin!(self.enabled.notified());
            opened.as_mut().enable();
            if self.is_open.load(Ordering::SeqCst) {
                return;
            }
            opened.await;
        }
    }

    pub async fn made_under_the_lock(&self) {
        loop {
            let opened;
            {
                let queue = self.queue.lock().unwrap();
                if queue.len() > 0 {
                    return;
                }
                opened = self.locked.notified();
            }
            opened.await;
        }
    }

    pub async fn stored(&self) {
        while !self.is_open.load(Ordering::SeqCst) {
            self.stored.notified().await;
        }
    }
}

#[derive(Default)]
pub struct Jobs {
    queue: Mutex<VecDeque<u32>>,
    put: Notify,
    shared: Arc<Mutex<Vec<u32>>>,
    shared_put: Arc<Notify>,
    others: Mutex<Vec<u32>>,
    baton: Notify,
}

impl Jobs {
    pub fn put(&self, job: u32) {
        self.queue.lock().unwrap().push_back(job);
        self.put.notify_one();
    }

    fn take(&self) -> Option<u32> {
        self.queue.lock().unwrap().pop_front()
    }

    pub async fn one_each(&self) {
        loop {
            self.put.notified().await; //~ lost-wakeup
            let job = self.queue.lock().unwrap().pop_front();
            println!("{job:?}");
        }
    }

    pub async fn one_each_by_a_function(&self) -> u32 {
        loop {
            self.put.notified().await; //~ lost-wakeup
            let Some(job) = self.take() else { continue };
            if job == 0 {
                return job;
            }
        }
    }

    pub async fn until_there_are_none(&self) {
        loop {
            self.put.notified().await;
            while let Some(job) = self.take() {
                println!("{job}");
            }
        }
    }

    pub async fn waits_only_without(&self) {
        loop {
            match self.take() {
                Some(job) => println!("{job}"),
                None => self.put.notified().await,
            }
        }
    }

    pub async fn all_at_once(&self) {
        loop {
            self.put.notified().await;
            let jobs = std::mem::take(&mut *self.queue.lock().unwrap());
            println!("{}", jobs.len());
        }
    }

    pub fn share(&self, job: u32) {
        self.shared.lock().unwrap().push(job);
        self.shared_put.notify_one();
    }

    pub async fn shared(&self) {
        let (put, jobs) = (self.shared_put.clone(), self.shared.clone());
        let task = tokio::spawn(async move {
            loop {
                put.notified().await; //~ lost-wakeup
                let job = jobs.lock().unwrap().pop();
                println!("{job:?}");
            }
        });
        task.abort();
    }

    pub fn pass(&self, job: u32) {
        self.others.lock().unwrap().push(job);
        self.baton.notify_one();
    }

    pub async fn passes_on(&self) {
        loop {
            self.baton.notified().await;
            let (job, more) = {
                let mut jobs = self.others.lock().unwrap();
                (jobs.pop(), jobs.len())
            };
            if more > 0 {
                self.baton.notify_one();
            }
            println!("{job:?}");
        }
    }
}
