//! Another crate of the workspace, which is not looked at here.

use std::sync::Mutex;

pub static SHELF: Mutex<u32> = Mutex::new(0);

/// It takes a lock when it goes.
pub struct Loan(pub u32);

impl Drop for Loan {
    fn drop(&mut self) {
        *SHELF.lock().unwrap() += self.0;
    }
}

pub trait Counted {
    fn counted(&self) -> u32;
}

impl<T> Counted for T {
    fn counted(&self) -> u32 {
        *SHELF.lock().unwrap()
    }
}

pub async fn returned() {
    let loan = Loan(1);
    std::future::ready(()).await;
    drop(loan);
}

pub struct Keep<T>(pub T);

pub fn run<F: FnOnce()>(with: F) {
    with();
}

/// Runs an expression on a thread of its own, whose handle nobody gets.
#[macro_export]
macro_rules! on_a_thread {
    ($run:expr) => {
        ::std::thread::spawn(move || $run);
    };
}

/// It keeps a function, and calls it when it likes.
pub fn keep(_: Box<dyn Fn() + Send>) {}

pub fn keep_any<F: Fn() + Send + 'static>(_: F) {}

pub trait Watcher {
    fn seen(&self);
}

pub fn watch(_: &'static dyn Watcher) {}

/// A pool with permits of its own.
pub struct Pool(());

pub struct Lease(());

impl Pool {
    pub fn new(_: usize) -> Pool {
        Pool(())
    }

    pub async fn lease(&self) -> Lease {
        Lease(())
    }
}
