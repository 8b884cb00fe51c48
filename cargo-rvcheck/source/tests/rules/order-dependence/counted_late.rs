//! Tasks and threads that count themselves in, and waits until none is left.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use tokio::sync::{Notify, watch};

#[derive(Default)]
pub struct Guests {
    inside: AtomicUsize,
    left: Notify,
}

impl Guests {
    fn enters(self: &Arc<Guests>) -> Guest {
        self.inside.fetch_add(1, Ordering::SeqCst);
        Guest { guests: self.clone() }
    }

    pub async fn all_left(&self) {
        loop {
            let left = self.left.notified();
            tokio::pin!(left);
            left.as_mut().enable();
            if self.inside.load(Ordering::SeqCst) == 0 {
                return;
            }
            left.await;
        }
    }
}

struct Guest {
    guests: Arc<Guests>,
}

impl Drop for Guest {
    fn drop(&mut self) {
        if self.guests.inside.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.guests.left.notify_waiters();
        }
    }
}

#[derive(Default)]
pub struct Inn {
    guests: Arc<Guests>,
}

impl Inn {
    pub fn admits<F: Future<Output = ()> + Send + 'static>(&self, stay: F) {
        let guests = self.guests.clone();
        let task = tokio::spawn(async move { //~ order-dependence warning
            let _guest = guests.enters();
            stay.await;
        });
        drop(task);
    }

    pub async fn closes(&self) {
        self.guests.all_left().await;
    }
}

/// Counted before the task is spawned.
#[derive(Default)]
pub struct Hotel {
    guests: Arc<Patrons>,
}

#[derive(Default)]
pub struct Patrons {
    inside: AtomicUsize,
    left: Notify,
}

impl Patrons {
    pub async fn all_left(&self) {
        loop {
            let left = self.left.notified();
            tokio::pin!(left);
            left.as_mut().enable();
            if self.inside.load(Ordering::SeqCst) == 0 {
                return;
            }
            left.await;
        }
    }

    fn leaves(&self) {
        if self.inside.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.left.notify_waiters();
        }
    }
}

impl Hotel {
    pub fn admits<F: Future<Output = ()> + Send + 'static>(&self, stay: F) {
        let guests = self.guests.clone();
        guests.inside.fetch_add(1, Ordering::SeqCst);
        let task = tokio::spawn(async move {
            stay.await;
            guests.leaves();
        });
        drop(task);
    }

    pub async fn closes(&self) {
        self.guests.all_left().await;
    }
}

/// A number that is watched.
pub struct Pool {
    busy: Arc<watch::Sender<usize>>,
}

impl Pool {
    pub fn runs(&self, job: impl Future<Output = ()> + Send + 'static) {
        let busy = self.busy.clone();
        let task = tokio::spawn(async move { //~ order-dependence warning
            busy.send_modify(|busy| *busy += 1);
            job.await;
            busy.send_modify(|busy| *busy -= 1);
        });
        drop(task);
    }

    pub async fn drains(&self) {
        let _ = self.busy.subscribe().wait_for(|busy| *busy == 0).await;
    }
}

/// Waits until all have begun.
pub struct Start {
    ready: Arc<watch::Sender<usize>>,
}

impl Start {
    pub fn runs(&self, job: impl Future<Output = ()> + Send + 'static) {
        let ready = self.ready.clone();
        let task = tokio::spawn(async move {
            ready.send_modify(|ready| *ready += 1);
            job.await;
        });
        drop(task);
    }

    pub async fn all_ready(&self, count: usize) {
        let _ = self.ready.subscribe().wait_for(move |ready| *ready >= count).await;
    }
}

/// Threads that wait for a place before they count.
#[derive(Default)]
pub struct Crew {
    busy: Mutex<usize>,
    done: Condvar,
}

impl Crew {
    pub fn hires(self: &Arc<Crew>, job: fn()) {
        let crew = self.clone();
        thread::spawn(move || {
            let mut busy = crew.busy.lock().unwrap();
            while *busy >= 4 {
                busy = crew.done.wait(busy).unwrap();
            }
            *busy += 1;
            drop(busy);
            job();
            *crew.busy.lock().unwrap() -= 1;
            crew.done.notify_all();
        });
    }
}

/// Threads that count the jobs which they take.
#[derive(Default)]
pub struct Workers {
    busy: Mutex<usize>,
    done: Condvar,
}

impl Workers {
    pub fn start(self: &Arc<Workers>, jobs: std::sync::mpsc::Receiver<fn()>) {
        let workers = self.clone();
        thread::spawn(move || {
            for job in jobs {
                *workers.busy.lock().unwrap() += 1;
                job();
                *workers.busy.lock().unwrap() -= 1;
                workers.done.notify_all();
            }
        });
    }

    pub fn waits(&self) {
        let mut busy = self.busy.lock().unwrap();
        while *busy > 0 {
            busy = self.done.wait(busy).unwrap();
        }
    }
}

/// Threads that count themselves.
#[derive(Default)]
pub struct Gang {
    busy: Mutex<usize>,
    done: Condvar,
}

impl Gang {
    pub fn hires(self: &Arc<Gang>, job: fn()) {
        let gang = self.clone();
        thread::spawn(move || { //~ order-dependence warning
            *gang.busy.lock().unwrap() += 1;
            job();
            *gang.busy.lock().unwrap() -= 1;
            gang.done.notify_all();
        });
    }

    pub fn waits(&self) {
        let mut busy = self.busy.lock().unwrap();
        while *busy > 0 {
            busy = self.done.wait(busy).unwrap();
        }
    }
}
