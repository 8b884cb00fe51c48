//! Orders to stop that nothing stores, through helpers and over other libraries.

use event_listener::{Event, EventListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{Notify, mpsc};
use tokio::task::yield_now;

pub struct Kitchen {
    evening: Event,
    asked_for: Event,
    is_evening: AtomicBool,
    last_orders: Arc<Notify>,
}

impl Kitchen {
    fn listens(&self) -> EventListener {
        self.evening.listen()
    }

    async fn last_orders(&self) {
        self.last_orders.notified().await;
    }

    pub fn closes(&self) {
        self.is_evening.store(true, Ordering::SeqCst);
        self.asked_for.notify(usize::MAX);
    }

    pub fn sends_home(&self) {
        self.evening.notify(usize::MAX);
        self.last_orders.notify_waiters();
    }

    async fn evening_or_late(&self) {
        let evening = self.asked_for.listen();
        if !self.is_evening.load(Ordering::SeqCst) {
            evening.await;
        }
    }

    async fn cooks(&self, dish: u16) {
        println!("{dish}");
        yield_now().await;
    }

    pub async fn works(&self, mut dishes: mpsc::Receiver<u16>) {
        loop {
            tokio::select! {
                _ = self.listens() => { break; } //~ lost-wakeup warning
                Some(dish) = dishes.recv() => { self.cooks(dish).await; }
            }
        }
    }

    pub async fn works_by_a_helper(&self, mut dishes: mpsc::Receiver<u16>) {
        loop {
            tokio::select! {
                _ = self.last_orders() => { return; } //~ lost-wakeup warning
                Some(dish) = dishes.recv() => { self.cooks(dish).await; }
            }
        }
    }

    pub async fn looks_in_a_helper(&self, mut dishes: mpsc::Receiver<u16>) {
        loop {
            tokio::select! {
                _ = self.evening_or_late() => { return; }
                Some(dish) = dishes.recv() => { self.cooks(dish).await; }
            }
        }
    }

    pub async fn looks_too_early(&self, mut dishes: mpsc::Receiver<u16>) {
        while !self.is_evening.load(Ordering::SeqCst) {
            tokio::select! {
                _ = self.asked_for.listen() => { return; } //~ lost-wakeup warning
                Some(dish) = dishes.recv() => { self.cooks(dish).await; }
            }
        }
    }

    pub async fn listens_all_day(&self, mut dishes: mpsc::Receiver<u16>) {
        let evening = self.listens();
        tokio::pin!(evening);
        loop {
            tokio::select! {
                _ = &mut evening => { return; }
                Some(dish) = dishes.recv() => { self.cooks(dish).await; }
            }
        }
    }
}
