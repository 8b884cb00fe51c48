//! Who writes to a standard stream without a macro has it locked, too.

use std::fmt::{self, Display};
use std::io::Write;
use std::sync::Mutex;

pub struct A(u32);

static BALANCE: Mutex<A> = Mutex::new(A(0));

pub struct Account;

impl Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BALANCE.lock().unwrap().0.fmt(f) //~ lock-order monitored
    }
}

pub fn shown() {
    let _ = writeln!(std::io::stdout(), "{Account}");
}

pub fn told() {
    let balance = BALANCE.lock().unwrap(); //~ lock-order monitored
    println!("{}", balance.0);
}
