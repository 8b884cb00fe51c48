//! A shim with every fault that there can be.

extern crate fixture as real;

pub use real::*;

use std::cell::Cell;
use std::rc::Rc;

pub struct Wrapped<T>(real::Wrapped<T>);

impl<T> Wrapped<T> {
    pub const LIMIT: u8 = 1;

    pub fn new(value: T) -> Wrapped<T> {
        Wrapped(real::Wrapped::new(value))
    }

    pub fn set(&self, value: T)
    where
        T: Copy,
    {
        self.0.set(value);
    }

    pub fn get(&self) -> T
    where
        T: Copy,
    {
        self.0.get()
    }

    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Wrapped<U> {
        Wrapped(self.0.map(f))
    }

    pub async fn wait(self, value: T) -> T {
        let kept = Rc::new(());
        let value = self.0.wait(value).await;
        drop(kept);
        value
    }
}

pub struct Guard<'a, T>(Cell<&'a T>);

unsafe impl<T> Send for Guard<'_, T> {}

impl<'a, T> Guard<'a, T> {
    pub fn new(of: &'a T) -> Guard<'a, T> {
        Guard(Cell::new(of))
    }
}

pub struct Bare(Vec<u8>);

impl Bare {
    pub fn new() -> Bare {
        Bare(Vec::new())
    }
}
