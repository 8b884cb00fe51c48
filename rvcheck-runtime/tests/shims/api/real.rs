//! A crate with something of every kind.

use std::cell::Cell;
use std::marker::PhantomData;

/// The shim wraps it.
pub struct Wrapped<T>(Cell<T>);

impl<T> Wrapped<T> {
    pub const LIMIT: usize = 1;

    pub const fn new(value: T) -> Wrapped<T> {
        Wrapped(Cell::new(value))
    }

    pub fn set(&self, value: T) {
        self.0.set(value);
    }

    pub fn get(&self) -> T
    where
        T: Copy,
    {
        self.0.get()
    }

    pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Wrapped<U> {
        Wrapped::new(f(self.0.into_inner()))
    }

    pub fn missing(&self) {}

    pub async fn wait(self, value: T) -> T {
        value
    }
}

impl<T: Copy> Clone for Wrapped<T> {
    fn clone(&self) -> Wrapped<T> {
        Wrapped::new(self.get())
    }
}

/// It can be sent only with something that can.
pub struct Guard<'a, T>(&'a T);

unsafe impl<T: Sync> Send for Guard<'_, T> {}

impl<'a, T> Guard<'a, T> {
    pub fn new(of: &'a T) -> Guard<'a, T> {
        Guard(of)
    }
}

/// The shim forgets that this makes something that is wrapped.
pub fn forgotten() -> Wrapped<u8> {
    Wrapped::new(0)
}

/// Not wrapped.
pub struct Forwarded<T = u8>(PhantomData<T>);

impl<T> Forwarded<T> {
    pub fn wrap(&self, of: T) -> Wrapped<T> {
        Wrapped::new(of)
    }

    pub fn new() -> Forwarded<T> {
        Forwarded(PhantomData)
    }
}

/// What the shim has never heard of.
pub mod newer {
    pub struct Item;

    pub fn function() -> Item {
        Item
    }
}

#[macro_export]
macro_rules! shout {
    () => {};
}

/// The shim gives it a destructor.
pub struct Bare(u8);

impl Bare {
    pub fn new() -> Bare {
        Bare(0)
    }
}
