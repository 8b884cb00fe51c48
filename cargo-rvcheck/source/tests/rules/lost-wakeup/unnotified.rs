//! Changes of what a waiter looks at, before the notification or without one.

use event_listener::Event;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread::{self, Thread};
use tokio::sync::Notify;

#[derive(Default)]
pub struct Kiln {
    fired: Mutex<Option<u32>>,
    hot: Notify,
}

impl Kiln {
    pub fn notifies_early(&self, degrees: u32) {
        self.hot.notify_waiters();
        *self.fired.lock().unwrap() = Some(degrees); //~ lost-wakeup warning
    }

    pub fn notifies_after(&self, degrees: u32) {
        *self.fired.lock().unwrap() = Some(degrees);
        self.hot.notify_waiters();
    }

    pub fn notifies_early_under_the_lock(&self, degrees: u32) {
        let mut fired = self.fired.lock().unwrap();
        self.hot.notify_waiters();
        *fired = Some(degrees);
    }

    pub fn cools(&self) {
        self.hot.notify_waiters();
        *self.fired.lock().unwrap() = None;
    }

    pub async fn degrees(&self) -> u32 {
        loop {
            let hot = self.hot.notified();
            if let Some(degrees) = *self.fired.lock().unwrap() {
                return degrees;
            }
            hot.await;
        }
    }
}

#[derive(Default)]
struct Belt {
    parts: Vec<u32>,
    stopped: bool,
}

#[derive(Default)]
pub struct Line {
    belt: Mutex<Belt>,
    moved: Condvar,
}

fn weigh(part: u32) -> Result<u32, String> {
    part.checked_mul(2).ok_or_else(String::new)
}

impl Line {
    pub fn put(&self, part: u32) {
        self.belt.lock().unwrap().parts.push(part);
        self.moved.notify_one();
    }

    pub fn put_and_weigh(&self, part: u32) -> Result<u32, String> {
        self.belt.lock().unwrap().parts.push(part); //~ lost-wakeup warning
        let weight = weigh(part)?;
        self.moved.notify_one();
        Ok(weight)
    }

    pub fn stop_silently(&self) {
        self.belt.lock().unwrap().stopped = true; //~ lost-wakeup warning
    }

    pub fn stop(&self) {
        self.mark_stopped();
        self.moved.notify_all();
    }

    fn mark_stopped(&self) {
        self.belt.lock().unwrap().stopped = true;
    }

    pub fn take(&self) -> Option<u32> {
        let mut belt = self.belt.lock().unwrap();
        loop {
            if belt.stopped {
                return None;
            }
            if let Some(part) = belt.parts.pop() {
                return Some(part);
            }
            belt = self.moved.wait(belt).unwrap();
        }
    }
}

pub struct Curtain {
    up: AtomicBool,
    raised: Event,
}

impl Curtain {
    pub fn raise(&self) {
        self.raised.notify(1);
        self.up.store(true, Ordering::SeqCst); //~ lost-wakeup warning
    }

    pub fn raise_well(&self) {
        self.up.store(true, Ordering::SeqCst);
        self.raised.notify(1);
    }

    pub async fn is_up(&self) {
        loop {
            let raised = self.raised.listen();
            if self.up.load(Ordering::SeqCst) {
                return;
            }
            raised.await;
        }
    }
}

/// Boxes that go down a chute until its crew is gone; a listener and a parked thread wait for that.
pub struct Chute {
    crew: AtomicUsize,
    is_over: AtomicBool,
    over: Event,
    guards: Mutex<Vec<Thread>>,
}

enum Look {
    Over,
    Later,
}

impl Chute {
    fn look(&self) -> Look {
        if self.crew.load(Ordering::SeqCst) == 0 {
            return Look::Over;
        }
        Look::Later
    }

    pub async fn is_over(&self) {
        loop {
            let over = self.over.listen();
            match self.look() {
                Look::Over => return,
                Look::Later => over.await,
            }
        }
    }

    pub fn stands_by(&self) {
        self.guards.lock().unwrap().push(thread::current());
        while !self.is_over.load(Ordering::SeqCst) {
            thread::park();
        }
    }

    pub fn leaves(&self) {
        self.crew.fetch_sub(1, Ordering::SeqCst);
        self.over.notify(usize::MAX);
    }

    pub fn leaves_silently(&self, is_ill: bool) {
        if is_ill {
            self.crew.fetch_sub(1, Ordering::SeqCst); //~ lost-wakeup warning
            return;
        }
        self.leaves();
    }

    pub fn leaves_by_a_guard(&self) {
        let _told = Told(self);
        self.crew.fetch_sub(1, Ordering::SeqCst);
    }

    pub fn leaves_and_tells(&self, tell: &dyn Fn()) {
        self.crew.fetch_sub(1, Ordering::SeqCst); //~ lost-wakeup note
        tell();
    }
}

struct Told<'a>(&'a Chute);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.0.over.notify(usize::MAX);
    }
}

/// One that works for a chute, which ends when all are gone.
pub struct Worker {
    slot: Arc<Mutex<Slot>>,
}

#[derive(Default)]
struct Slot {
    workers: u32,
    owner: Option<Waker>,
}

pub fn shift() -> (Worker, Ended) {
    let slot = Arc::new(Mutex::new(Slot::default()));
    (Worker { slot: Arc::clone(&slot) }, Ended { slot })
}

impl Worker {
    pub fn ends_one(&self) {
        let mut slot = self.slot.lock().unwrap();
        slot.workers -= 1;
        if let Some(owner) = slot.owner.take() {
            owner.wake();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.slot.lock().unwrap().workers -= 1; //~ lost-wakeup warning
    }
}

pub struct Ended {
    slot: Arc<Mutex<Slot>>,
}

impl Future for Ended {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut slot = self.slot.lock().unwrap();
        if slot.workers == 0 {
            return Poll::Ready(());
        }
        slot.owner = Some(cx.waker().clone());
        Poll::Pending
    }
}

/// A lock of a canal, with a gate for each direction.
pub struct Sluice {
    level: Mutex<u32>,
    state: Mutex<Gates>,
    moved: Condvar,
    keeper: Thread,
    is_flooded: AtomicBool,
}

#[derive(Default)]
struct Gates {
    is_shut: bool,
    boats: Vec<u32>,
}

impl Sluice {
    pub fn waits_for_a_boat(&self) -> Option<u32> {
        let gates = self.state.lock().unwrap();
        let mut gates = self.moved.wait_while(gates, |it| it.boats.is_empty() && !it.is_shut).unwrap();
        gates.boats.pop()
    }

    pub fn comes(&self, boat: u32) {
        self.state.lock().unwrap().boats.push(boat);
        self.moved.notify_all();
    }

    pub fn shuts_silently(&self) {
        self.state.lock().unwrap().is_shut = true; //~ lost-wakeup warning
    }

    pub fn shuts(&self) {
        let mut gates = self.state.lock().unwrap();
        gates.is_shut = true;
        self.moved.notify_all();
    }

    /// Whoever keeps watch is a thread that parks.
    pub fn keeps_watch(&self) {
        while !self.is_flooded.load(Ordering::Acquire) {
            thread::park();
        }
    }

    pub fn floods(&self) {
        self.is_flooded.store(true, Ordering::Release);
        self.keeper.unpark();
    }

    pub fn floods_too_late(&self) {
        self.keeper.unpark();
        self.is_flooded.store(true, Ordering::Release); //~ lost-wakeup warning
    }

    pub fn rises(&self) -> u32 {
        *self.level.lock().unwrap() += 1;
        *self.level.lock().unwrap()
    }
}

/// Berths that are free again when a boat leaves.
pub struct Berths {
    free: AtomicUsize,
    freed: Event,
}

pub struct Moored {
    berths: Arc<Berths>,
    is_wrecked: bool,
}

impl Berths {
    fn tries(&self) -> bool {
        let mut free = self.free.load(Ordering::Acquire);
        while free > 0 {
            match self.free.compare_exchange(free, free - 1, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return true,
                Err(it) => free = it,
            }
        }
        false
    }

    pub async fn moors(self: Arc<Self>) -> Moored {
        loop {
            let freed = self.freed.listen();
            if self.tries() {
                return Moored { berths: Arc::clone(&self), is_wrecked: false };
            }
            freed.await;
        }
    }
}

impl Drop for Moored {
    fn drop(&mut self) {
        self.berths.free.fetch_add(1, Ordering::AcqRel); //~ lost-wakeup warning
        if !self.is_wrecked {
            self.berths.freed.notify(1);
        }
    }
}
