//! Threads that are parked, and permits that a thread waits for, where a task runs.

use std::sync::Arc;
use std::thread::{self, Thread};
use std::time::Duration;

pub async fn is_parked() {
    thread::park(); //~ blocking-in-async
}

pub async fn is_parked_for_a_while() {
    std::thread::park_timeout(Duration::from_secs(3)); //~ blocking-in-async
}

trait Turnstile {
    fn pass(&self);
}

struct Waits;

impl Turnstile for Waits {
    fn pass(&self) {
        thread::park(); //~ blocking-in-async
    }
}

pub async fn passes_by_a_trait() {
    let stile: Box<dyn Turnstile> = Box::new(Waits);
    stile.pass();
}

pub async fn takes_a_ticket_of_async_lock(gate: &async_lock::Semaphore) {
    let _ticket = gate.acquire_blocking(); //~ blocking-in-async
}

pub async fn awaits_a_ticket(gate: &async_lock::Semaphore) {
    let _ticket = gate.acquire().await;
}

fn waits_as_long_as(limit: Option<Duration>) {
    let waits = |it: Duration| thread::park_timeout(it); //~ blocking-in-async note
    if let Some(limit) = limit {
        waits(limit);
    }
}

pub async fn has_no_time() {
    waits_as_long_as(None);
}

/// Its own function of that name waits for nothing.
mod garage {
    pub fn park() {}
}

pub async fn parks_a_car() {
    garage::park();
}

pub async fn unparks(other: Thread) {
    other.unpark();
}

pub async fn parks_elsewhere() -> bool {
    let other = thread::spawn(|| thread::park());
    other.thread().unpark();
    tokio::task::spawn_blocking(|| thread::park()).await.is_ok()
}

pub fn parks_on_a_thread(stile: Arc<Thread>) {
    stile.unpark();
    thread::park();
}
