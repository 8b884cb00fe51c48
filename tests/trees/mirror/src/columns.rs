//! What stands behind an await or a lock on its line, and sees its own column; and the names of functions.

use crate::{called_from, panic_of, ready};
use std::any::{type_name, type_name_of_val};
use std::fmt::Write as _;
use std::panic::Location;
use std::sync::{Mutex, RwLock};

/// An error that knows where it became one.
#[derive(Debug)]
struct At(Location<'static>);

impl From<u32> for At {
    #[track_caller]
    fn from(_: u32) -> At {
        At(*Location::caller())
    }
}

async fn fails() -> Result<u32, u32> {
    Err(1)
}

async fn asked() -> Result<u32, At> {
    let found = fails().await?; Ok(found)
}

async fn awaited() -> (u32, u32) {
    let one = std::future::ready(1).await; (one, column!())
}

macro_rules! place {
    () => { concat!(file!(), ":", line!(), ":", column!()) };
}

trait Looks {
    fn looks(&self) -> (u32, &'static str);
    fn both(&self) -> u32 { let (it, _) = self.looks(); it + called_from().column() }
}

impl Looks for Mutex<u32> {
    fn looks(&self) -> (u32, &'static str) { let it = *self.lock().unwrap(); (it + called_from().column(), place!()) }
}

mod nested { use super::*; pub(super) fn inner(lock: &RwLock<u32>) -> (u32, u32) { (*lock.read().unwrap(), column!()) } }

fn named<T>(_: T) -> &'static str {
    type_name::<T>()
}

pub fn facts() -> String {
    let (lock, shared) = (Mutex::new(1), RwLock::new(2));
    let mut out = String::new();
    let mut fact = |name: &str, value: &dyn std::fmt::Debug| writeln!(out, "{name} = {value:?}").unwrap();
    fact("asked", &ready(asked()).unwrap_err().0.to_string());
    fact("column", &(ready(awaited()), *lock.lock().unwrap(), column!(), place!()));
    fact("looks", &(lock.looks(), lock.both(), nested::inner(&shared)));
    fact("added", &panic_of(|| { let own = Mutex::new(1); let it = *own.lock().unwrap(); let _ = it + u32::MAX; }));
    fact("text", &{ let it = *lock.lock().unwrap(); (it, stringify!(*a.lock::<u8>().unwrap())) });
    fact("function", &(type_name_of_val(&std::thread::sleep), named(std::thread::spawn::<fn(), ()>)));
    fact("method", &(named(Mutex::<u8>::lock), named([(std::thread::yield_now, 1)])));
    out
}
