//! What is shown is shown while the stream is locked.

use std::fmt::{self, Display};
use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);

static BALANCE: Mutex<A> = Mutex::new(A(0));

pub struct Account;

impl Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BALANCE.lock().unwrap().0.fmt(f) //~ lock-order monitored
    }
}

pub fn shown() {
    println!("{Account}");
}

pub fn told() {
    let balance = BALANCE.lock().unwrap(); //~ lock-order monitored
    println!("{}", balance.0);
}

/// Nothing that is shown on this stream takes it.
pub fn said(lock: &Mutex<B>) {
    let guard = lock.lock().unwrap(); //~ lock-order orphan
    eprintln!("{}", guard.0);
}
