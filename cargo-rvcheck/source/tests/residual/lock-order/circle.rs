//! Orders that make a cycle, through calls, closures, drops and generic code.

use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);
pub struct D(u32);
pub struct E(u32);
pub struct F(u32);

pub fn one_way(a: &Mutex<A>, b: &Mutex<B>) {
    let mut first = a.lock().unwrap(); //~ lock-order monitored
    first.0 += b.lock().unwrap().0; //~ lock-order monitored
}

fn inner(a: &Mutex<A>) -> u32 {
    a.lock().unwrap().0 //~ lock-order monitored
}

pub fn other_way(a: &Mutex<A>, b: &Mutex<B>) {
    let mut first = b.lock().unwrap(); //~ lock-order monitored
    first.0 += inner(a);
}

/// Two of one class may be taken in two orders.
pub fn both(from: &Mutex<C>, to: &Mutex<C>) {
    let mut from = from.lock().unwrap(); //~ lock-order monitored
    to.lock().unwrap().0 += std::mem::take(&mut from.0); //~ lock-order monitored
}

pub struct Ender<'a>(&'a Mutex<D>);

impl Drop for Ender<'_> {
    fn drop(&mut self) {
        self.0.lock().unwrap().0 += 1; //~ lock-order monitored
    }
}

pub fn dropped_under(lock: &Mutex<D>, ender: Ender<'_>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(ender);
    drop(guard);
}

/// What is held when a panic unwinds is let go of behind what is dropped before it.
pub fn unwound(lock: &Mutex<D>, at: usize, from: &[u32]) {
    let mut guard = lock.lock().unwrap(); //~ lock-order monitored
    let ender = Ender(lock);
    guard.0 += from[at];
    drop(guard);
    drop(ender);
}

/// A closure that runs later than it is given.
pub fn later(lock: &Mutex<E>, many: &[u32]) -> u32 {
    let sums = many.iter().map(|it| it + lock.lock().unwrap().0); //~ lock-order monitored
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    sums.sum::<u32>() + guard.0
}

pub fn twice<T>(lock: &Mutex<T>, other: &Mutex<F>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    other.lock().unwrap().0 += 1; //~ lock-order monitored
    drop(guard);
}
