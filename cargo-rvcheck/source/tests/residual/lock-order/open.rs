//! Code under a lock that is not known, or that waits for something else.

use std::ffi::c_int;
use std::sync::{Condvar, LazyLock, Mutex};

pub struct A(u32);
pub struct B(u32);
pub struct C(bool);
pub struct D(u32);
pub struct E(u32);
pub struct F(u32);
pub struct G(u32);
pub struct H(u32);

pub trait Visitor {
    fn visit(&self, it: u32);
}

pub fn of_an_object(lock: &Mutex<A>, visitor: &dyn Visitor) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    visitor.visit(guard.0);
}

pub fn of_a_parameter<V: Visitor>(lock: &Mutex<B>, visitor: &V) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    visitor.visit(guard.0);
}

pub fn under_a_signal(lock: &Mutex<C>, other: &Mutex<D>, signal: &Condvar) {
    let outer = other.lock().unwrap(); //~ lock-order monitored
    let mut ready = lock.lock().unwrap(); //~ lock-order monitored
    while !ready.0 {
        ready = signal.wait(ready).unwrap();
    }
    drop(outer);
}

unsafe extern "C" {
    fn elsewhere(value: c_int);
}

pub fn of_another_language(lock: &Mutex<E>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    unsafe { elsewhere(guard.0 as c_int) };
}

pub fn by_a_pointer(lock: &Mutex<F>, call: fn(u32)) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    call(guard.0);
}

static NAMES: LazyLock<Vec<u32>> = LazyLock::new(Vec::new);

pub fn made_when_first_used(lock: &Mutex<G>) -> bool {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    NAMES.contains(&guard.0)
}

unsafe extern "C" {
    fn taken_elsewhere(lock: *const Mutex<H>);
}

pub fn given_to_others(lock: &Mutex<H>) {
    lock.lock().unwrap().0 += 1; //~ lock-order monitored
    unsafe { taken_elsewhere(lock) };
}
