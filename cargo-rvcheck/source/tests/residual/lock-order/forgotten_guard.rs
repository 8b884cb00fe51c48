//! A guard that is given to a generic function, or captured by what is, may be never dropped.

use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);

fn keep<T>(it: T) {
    std::mem::forget(it);
}

pub struct Bomb<F: Fn()>(F);

impl<F: Fn()> Bomb<F> {
    pub fn new(with: F) -> Self {
        Self(with)
    }

    pub fn disarm(self) {
        std::mem::forget(self);
    }
}

pub fn given(a: &Mutex<A>) {
    keep(a.lock().unwrap()); //~ lock-order monitored
}

pub fn captured(b: &Mutex<B>) {
    let guard = b.lock().unwrap(); //~ lock-order monitored
    Bomb::new(move || assert!(guard.0 > 0)).disarm();
}

pub fn dropped(c: &Mutex<C>) {
    c.lock().unwrap().0 += 1; //~ lock-order orphan
}
