//! A constant that the compiler promotes to a static keeps nothing, and what is itself a static is known by its address.
//~ hidden = nothing

use std::sync::mpsc::Sender;
use std::sync::{Condvar, LazyLock, Mutex};

static FULL: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(0));
static EMPTIED: Condvar = Condvar::new();

pub fn is_silent() -> bool {
    let line: &'static Option<Sender<u32>> = &None;
    line.is_none() && EMPTIED.wait(FULL.lock().unwrap()).is_ok()
}
