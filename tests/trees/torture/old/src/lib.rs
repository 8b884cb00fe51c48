//! Edition 2018: tokio under another name, generated code, futures behind pointers, macros that take awaits.

#![deny(warnings)]
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;

use tk::sync::mpsc;

mod table {
    include!(concat!(env!("OUT_DIR"), "/table.rs"));
}

pub use table::{square_of, SQUARES};

/// A future behind a pointer, as a macro for async traits would make it.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An async trait written by hand.
pub trait Store {
    /// Reads a value.
    fn get<'a>(&'a self, key: &'a str) -> Boxed<'a, Option<u32>>;
    /// Writes a value.
    fn set<'a>(&'a self, key: &'a str, value: u32) -> Boxed<'a, ()>;
}

/// Values in memory.
#[derive(Default)]
pub struct Memory {
    values: Mutex<HashMap<String, u32>>,
}

macro_rules! boxed {
    ($body:expr) => {
        Box::pin(async move { $body })
    };
}

impl Store for Memory {
    fn get<'a>(&'a self, key: &'a str) -> Boxed<'a, Option<u32>> {
        boxed!({
            tk::task::yield_now().await;
            self.values.lock().unwrap().get(key).copied()
        })
    }

    fn set<'a>(&'a self, key: &'a str, value: u32) -> Boxed<'a, ()> {
        boxed!({
            tk::task::yield_now().await;
            self.values.lock().unwrap().insert(key.to_owned(), value);
        })
    }
}

/// Adds up what comes, in a `try!`-like macro with awaits as arguments.
pub async fn total(mut numbers: mpsc::Receiver<u32>) -> u32 {
    macro_rules! next_or {
        ($next:expr, $end:expr) => {
            match $next {
                Some(it) => it,
                None => $end,
            }
        };
    }
    let mut sum = 0;
    loop {
        sum += next_or!(numbers.recv().await, break sum);
    }
}
