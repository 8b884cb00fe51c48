//! Waiters that are known to those who notify only after they have looked.

use event_listener::{Event, Listener};
use futures::task::AtomicWaker;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use tokio::sync::{Notify, broadcast, oneshot};

pub struct Harbour {
    docked: AtomicUsize,
    cleared: Event,
}

impl Harbour {
    pub fn leave(&self) {
        self.docked.fetch_sub(1, Ordering::SeqCst);
        self.cleared.notify(usize::MAX);
    }

    fn is_clear(&self) -> bool {
        self.docked.load(Ordering::SeqCst) == 0
    }

    pub async fn listens_late(&self) {
        while !self.is_clear() {
            self.cleared.listen().await; //~ lost-wakeup warning
        }
    }

    pub fn blocks_late(&self) {
        while !self.is_clear() {
            let listener = self.cleared.listen(); //~ lost-wakeup warning
            listener.wait();
        }
    }

    pub async fn listens_first(&self) {
        loop {
            let listener = self.cleared.listen();
            if self.is_clear() {
                return;
            }
            listener.await;
        }
    }

    pub async fn looks_twice(&self) {
        while !self.is_clear() {
            let listener = self.cleared.listen();
            if self.is_clear() {
                return;
            }
            listener.await;
        }
    }
}

pub struct Valve {
    shut: AtomicBool,
    turned: Notify,
    kept: Notify,
}

impl Valve {
    pub fn shut(&self) {
        self.set();
    }

    fn set(&self) {
        self.shut.store(true, Ordering::SeqCst);
        self.turned.notify_waiters();
        self.kept.notify_one();
    }

    async fn turned(&self) {
        self.turned.notified().await;
    }

    pub async fn lazily(&self) {
        let turned = self.turned();
        if self.shut.load(Ordering::SeqCst) {
            return;
        }
        turned.await; //~ lost-wakeup warning
    }

    pub async fn at_once(&self) {
        let turned = self.turned.notified();
        if self.shut.load(Ordering::SeqCst) {
            return;
        }
        turned.await;
    }

    pub async fn stored(&self) {
        if !self.shut.load(Ordering::SeqCst) {
            self.kept.notified().await;
        }
    }
}

struct Relay {
    fired: Arc<AtomicBool>,
    wakers: Arc<Mutex<Vec<Waker>>>,
}

struct Trigger {
    fired: Arc<AtomicBool>,
    wakers: Arc<Mutex<Vec<Waker>>>,
}

enum Seen {
    Fired,
    Queued,
}

impl Relay {
    fn queue_late(&self, cx: &mut Context<'_>) -> Seen {
        if self.fired.load(Ordering::SeqCst) {
            return Seen::Fired;
        }
        let mut wakers = self.wakers.lock().unwrap();
        wakers.push(cx.waker().clone()); //~ lost-wakeup warning
        Seen::Queued
    }

    fn queue_and_look(&self, cx: &mut Context<'_>) -> Seen {
        let mut wakers = self.wakers.lock().unwrap();
        if self.fired.load(Ordering::SeqCst) {
            return Seen::Fired;
        }
        wakers.push(cx.waker().clone());
        Seen::Queued
    }
}

impl Trigger {
    fn fire(&self) {
        if self.fired.swap(true, Ordering::SeqCst) {
            return;
        }
        for waker in self.wakers.lock().unwrap().drain(..) {
            waker.wake();
        }
    }
}

pub fn relay(early: bool) -> (impl Fn(), impl Fn(&mut Context<'_>) -> bool) {
    let wakers = Arc::new(Mutex::new(Vec::new()));
    let fired = Arc::new(AtomicBool::new(false));
    let relay = Relay { fired: fired.clone(), wakers: wakers.clone() };
    let trigger = Trigger { fired, wakers };
    let look = move |cx: &mut Context<'_>| {
        let seen = if early { relay.queue_and_look(cx) } else { relay.queue_late(cx) };
        matches!(seen, Seen::Fired)
    };
    (move || trigger.fire(), look)
}

pub struct Landing {
    landed: AtomicBool,
    waker: AtomicWaker,
}

pub struct Lands<'a>(&'a Landing);
pub struct LandsLate<'a>(&'a Landing);

impl Landing {
    pub fn land(&self) {
        self.landed.store(true, Ordering::SeqCst);
        self.waker.wake();
    }
}

impl Future for LandsLate<'_> {
    type Output = ();
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0.landed.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        self.0.waker.register(cx.waker()); //~ lost-wakeup warning
        Poll::Pending
    }
}

impl Future for Lands<'_> {
    type Output = ();
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.waker.register(cx.waker());
        if self.0.landed.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending }
    }
}

#[derive(Default)]
pub struct Letters {
    delivered: Mutex<HashMap<u32, String>>,
    asked: Mutex<Vec<oneshot::Sender<()>>>,
    both: Mutex<Box_>,
}

#[derive(Default)]
struct Box_ {
    full: bool,
    asked: Vec<oneshot::Sender<()>>,
}

impl Letters {
    pub fn deliver(&self, letter: String) {
        self.delivered.lock().unwrap().insert(1, letter);
        for it in self.asked.lock().unwrap().drain(..) {
            let _ = it.send(());
        }
    }

    pub fn fill(&self) {
        let mut inner = self.both.lock().unwrap();
        inner.full = true;
        for it in inner.asked.drain(..) {
            let _ = it.send(());
        }
    }

    pub async fn first(&self) {
        if !self.delivered.lock().unwrap().is_empty() {
            return;
        }
        let (sender, receiver) = oneshot::channel();
        self.asked.lock().unwrap().push(sender); //~ lost-wakeup warning
        let _ = receiver.await;
    }

    pub async fn first_in_one_section(&self) {
        let receiver = {
            let mut inner = self.both.lock().unwrap();
            if inner.full {
                return;
            }
            let (sender, receiver) = oneshot::channel();
            inner.asked.push(sender);
            receiver
        };
        let _ = receiver.await;
    }
}

pub struct Score {
    over: AtomicBool,
    told: broadcast::Sender<u32>,
}

impl Score {
    pub fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = self.told.send(1);
    }

    pub async fn subscribes_late(&self) {
        if self.over.load(Ordering::SeqCst) {
            return;
        }
        let mut told = self.told.subscribe(); //~ lost-wakeup warning
        let _ = told.recv().await;
    }

    pub async fn subscribes_first(&self) {
        let mut told = self.told.subscribe();
        if self.over.load(Ordering::SeqCst) {
            return;
        }
        let _ = told.recv().await;
    }
}

/// Threads that sleep until the tide is in.
pub struct Tide {
    is_in: AtomicBool,
    asleep: parking_lot::Mutex<Vec<std::thread::Thread>>,
}

impl Tide {
    pub fn comes_in(&self) {
        self.is_in.store(true, Ordering::SeqCst);
        let asleep: Vec<_> = self.asleep.lock().drain(..).collect();
        asleep.iter().for_each(std::thread::Thread::unpark);
    }

    fn sleeps(&self) {
        self.asleep.lock().push(std::thread::current());
    }

    pub fn sleeps_late(&self) {
        if self.is_in.load(Ordering::SeqCst) {
            return;
        }
        self.sleeps(); //~ lost-wakeup warning
        std::thread::park();
    }

    pub fn looks_behind(&self) {
        self.sleeps();
        while !self.is_in.load(Ordering::SeqCst) {
            std::thread::park();
        }
    }

    pub fn looks_again(&self) {
        while !self.is_in.load(Ordering::SeqCst) {
            self.sleeps();
            if self.is_in.load(Ordering::SeqCst) {
                return;
            }
            std::thread::park();
        }
    }
}

/// A signal behind a trait.
pub trait Signal {
    fn give(&self);
    fn taken(&self) -> impl Future<Output = ()> + Send;
}

pub struct Flag(Notify);

impl Signal for Flag {
    fn give(&self) {
        self.0.notify_waiters();
    }

    async fn taken(&self) {
        self.0.notified().await
    }
}

/// Guests that leave one after the other.
pub struct Party<S> {
    guests: AtomicUsize,
    over: S,
}

impl<S: Signal> Party<S> {
    pub fn leaves(&self) {
        if self.guests.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.over.give();
        }
    }

    pub async fn is_over(&self) {
        while self.guests.load(Ordering::Acquire) > 0 {
            self.over.taken().await; //~ lost-wakeup warning
        }
    }
}
