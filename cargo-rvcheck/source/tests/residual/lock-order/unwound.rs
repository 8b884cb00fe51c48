//! What goes while a panic unwinds, and what catches one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);
pub struct D(u32);

pub struct OnExit<'a>(&'a Mutex<A>);

impl Drop for OnExit<'_> {
    fn drop(&mut self) {
        self.0.lock().unwrap().0 += 1; //~ lock-order monitored
    }
}

/// The other one goes first where it panics.
pub fn indexed(a: &Mutex<A>, from: &[u32], at: usize) -> u32 {
    let guard = a.lock().unwrap(); //~ lock-order monitored
    let exit = OnExit(a);
    let got = from[at] + guard.0;
    drop(guard);
    drop(exit);
    got
}

/// What was thrown goes under the lock.
pub fn caught(b: &Mutex<B>, with: fn()) {
    let thrown = catch_unwind(with);
    let guard = b.lock().unwrap(); //~ lock-order monitored
    drop(thrown);
    drop(guard);
}

/// A closure that is run behind a catch is run all the same.
pub fn within(a: &Mutex<A>) {
    let guard = a.lock().unwrap(); //~ lock-order monitored
    let _ = catch_unwind(AssertUnwindSafe(|| a.lock().unwrap().0 += 1)); //~ lock-order monitored
    drop(guard);
}

pub fn plain(d: &Mutex<D>, from: &[u32], at: usize) {
    d.lock().unwrap().0 += from[at]; //~ lock-order orphan
}
