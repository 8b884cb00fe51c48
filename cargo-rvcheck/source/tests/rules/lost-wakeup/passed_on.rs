//! Queues of wakers from which one is taken for each notification.

use parking_lot::Mutex as Lock;
use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

struct Passenger {
    seat: u32,
    waker: Waker,
}

#[derive(Default)]
struct Ramp {
    boats: u32,
    queue: VecDeque<Passenger>,
}

impl Ramp {
    fn next(&mut self) -> Option<Waker> {
        self.queue.pop_front().map(|it| it.waker)
    }
}

#[derive(Default)]
pub struct Ferry {
    ramp: Lock<Ramp>,
}

impl Ferry {
    pub fn lands(&self) {
        let waker = {
            let mut ramp = self.ramp.lock();
            ramp.boats += 1;
            ramp.next()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

pub struct Boarding<'a> {
    ferry: &'a Ferry,
    seat: u32,
}

impl Future for Boarding<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut ramp = self.ferry.ramp.lock();
        if ramp.boats > 0 {
            ramp.boats -= 1;
            return Poll::Ready(());
        }
        let seat = self.seat;
        ramp.queue.retain(|it| it.seat != seat);
        ramp.queue.push_back(Passenger { seat, waker: cx.waker().clone() });
        Poll::Pending
    }
}

impl Drop for Boarding<'_> {
    fn drop(&mut self) {
        let seat = self.seat;
        self.ferry.ramp.lock().queue.retain(|it| it.seat != seat); //~ lost-wakeup warning
    }
}

#[derive(Default)]
struct Desk {
    forms: Vec<u32>,
    clerks: BTreeMap<u32, Waker>,
}

/// A waiter that is gone hands its turn on.
#[derive(Default)]
pub struct Office {
    desk: Mutex<Desk>,
}

impl Office {
    pub fn hands_in(&self, form: u32) {
        let mut desk = self.desk.lock().unwrap();
        desk.forms.push(form);
        self.calls(&mut desk);
    }

    fn calls(&self, desk: &mut Desk) {
        if let Some((_, waker)) = desk.clerks.pop_first() {
            waker.wake();
        }
    }
}

pub struct Form {
    office: Arc<Office>,
    number: u32,
}

impl Future for Form {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let mut desk = self.office.desk.lock().unwrap();
        if let Some(form) = desk.forms.pop() {
            return Poll::Ready(form);
        }
        desk.clerks.insert(self.number, cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Form {
    fn drop(&mut self) {
        let mut desk = self.office.desk.lock().unwrap();
        if desk.clerks.remove(&self.number).is_none() && !desk.forms.is_empty() {
            self.office.calls(&mut desk);
        }
    }
}

/// All are woken, so that none is needed.
#[derive(Default)]
pub struct Bells {
    rung: Mutex<(u32, Vec<Waker>)>,
}

impl Bells {
    pub fn ring(&self) {
        let mut rung = self.rung.lock().unwrap();
        rung.0 += 1;
        while let Some(waker) = rung.1.pop() {
            waker.wake();
        }
    }
}

pub struct Rung<'a> {
    bells: &'a Bells,
    seen: u32,
}

impl Future for Rung<'_> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let mut rung = self.bells.rung.lock().unwrap();
        if rung.0 > self.seen {
            self.seen = rung.0;
            return Poll::Ready(rung.0);
        }
        rung.1.push(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Rung<'_> {
    fn drop(&mut self) {
        self.seen = 0;
    }
}

/// All of them are woken; the earliest is only looked at.
#[derive(Default)]
pub struct Alarms {
    set: Mutex<std::collections::BTreeMap<u64, Waker>>,
}

impl Alarms {
    pub fn earliest(&self) -> Option<u64> {
        self.set.lock().unwrap().keys().next().copied()
    }

    pub fn ring(&self) {
        let set = std::mem::take(&mut *self.set.lock().unwrap());
        for waker in set.into_values() {
            waker.wake();
        }
    }
}

pub struct Alarm {
    alarms: Arc<Alarms>,
    at: u64,
    now: Arc<std::sync::atomic::AtomicU64>,
}

impl Future for Alarm {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.alarms.set.lock().unwrap().insert(self.at, context.waker().clone());
        if self.now.load(std::sync::atomic::Ordering::SeqCst) >= self.at {
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.alarms.set.lock().unwrap().remove(&self.at);
    }
}
