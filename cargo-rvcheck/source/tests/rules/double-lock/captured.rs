//! What goes under a lock may own a closure, and that a value whose `Drop` requests the lock.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

type Listener = Box<dyn Fn(&str) + Send>;

struct Subscription {
    topic: String,
    listener: Listener,
}

#[derive(Default)]
pub struct Broadcast {
    subscriptions: Mutex<HashMap<usize, Subscription>>,
    next: AtomicUsize,
}

/// Ends a subscription when it goes.
pub struct Lease {
    of: Weak<Broadcast>,
    number: usize,
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(of) = self.of.upgrade() {
            of.end(self.number);
        }
    }
}

impl Broadcast {
    pub fn listen(self: &Arc<Self>, topic: &str, listener: impl Fn(&str) + Send + 'static) -> Lease {
        let number = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let it = Subscription { topic: topic.to_owned(), listener: Box::new(listener) };
        self.subscriptions.lock().unwrap().insert(number, it);
        Lease { of: Arc::downgrade(self), number }
    }

    pub fn relay(self: &Arc<Self>, from: &str, to: &str, send: impl Fn(&str) + Send + 'static) -> Lease {
        let kept = self.listen(to, |_| {});
        self.listen(from, move |text| {
            let _kept = &kept;
            send(text);
        })
    }

    fn end(&self, number: usize) {
        self.subscriptions.lock().unwrap().remove(&number); //~ double-lock
    }

    pub fn publish(&self, topic: &str, text: &str) {
        for it in self.subscriptions.lock().unwrap().values().filter(|it| it.topic == topic) { //~ double-lock note
            (it.listener)(text);
        }
    }
}

/// The same, where what was removed goes after the lock.
#[derive(Default)]
pub struct Quiet {
    subscriptions: Mutex<HashMap<usize, Box<dyn FnMut() + Send>>>,
}

pub struct QuietLease {
    of: Weak<Quiet>,
    number: usize,
}

impl Drop for QuietLease {
    fn drop(&mut self) {
        if let Some(of) = self.of.upgrade() {
            of.end(self.number);
        }
    }
}

impl Quiet {
    pub fn keep(self: &Arc<Self>, number: usize) {
        let lease = QuietLease { of: Arc::downgrade(self), number };
        let replaced = self.subscriptions.lock().unwrap().insert(number, Box::new(move || {
            let _lease = &lease;
        }));
        drop(replaced);
    }

    fn end(&self, number: usize) {
        let gone = self.subscriptions.lock().unwrap().remove(&number);
        drop(gone);
    }

    pub fn end_if_there(&self, number: usize) -> bool {
        let mut subscriptions = self.subscriptions.lock().unwrap();
        let gone = subscriptions.remove(&number);
        if gone.is_none() {
            return false;
        }
        drop(subscriptions);
        drop(gone);
        true
    }
}
