//! Wakers that are kept and never woken.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

struct Slip {
    sum: Option<u32>,
    reader: Option<Waker>,
}

/// A clerk who writes the sum and tells nobody.
pub struct Clerk(Arc<Mutex<Slip>>);
pub struct Sum(Arc<Mutex<Slip>>);

pub fn desk() -> (Clerk, Sum) {
    let slip = Arc::new(Mutex::new(Slip { sum: None, reader: None }));
    (Clerk(slip.clone()), Sum(slip))
}

impl Clerk {
    pub fn writes(self, sum: u32) {
        self.0.lock().unwrap().sum = Some(sum);
    }
}

impl Future for Sum {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let mut slip = self.0.lock().unwrap();
        if let Some(sum) = slip.sum.take() {
            return Poll::Ready(sum);
        }
        slip.reader = Some(cx.waker().clone()); //~ lost-wakeup warning
        Poll::Pending
    }
}

/// A crier who takes all who listen off the list, and forgets to call them.
pub struct Crier {
    has_cried: Mutex<bool>,
    listeners: Mutex<Vec<Option<Waker>>>,
}

pub struct Listens<'a>(&'a Crier);

impl Crier {
    pub fn new() -> Crier {
        Crier { has_cried: Mutex::new(false), listeners: Mutex::new(Vec::new()) }
    }

    pub fn cries(&self) {
        *self.has_cried.lock().unwrap() = true;
        for listener in self.listeners.lock().unwrap().iter_mut() {
            drop(listener.take());
        }
    }
}

impl Future for Listens<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut listeners = self.0.listeners.lock().unwrap();
        if *self.0.has_cried.lock().unwrap() {
            return Poll::Ready(());
        }
        listeners.push(Some(cx.waker().clone())); //~ lost-wakeup warning
        Poll::Pending
    }
}
