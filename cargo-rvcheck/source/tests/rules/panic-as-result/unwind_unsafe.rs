//! State that is taken out and put back around code of the caller, whose panics are caught.

use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex as Poisoned;

#[derive(Default)]
struct Books {
    open: Vec<u32>,
    sum: u32,
}

#[derive(Default)]
pub struct Ledger {
    books: Mutex<Books>,
}

impl Ledger {
    pub fn visits(&self, mut visitor: impl FnMut(&mut u32) -> bool) {
        let mut books = self.books.lock();
        let open = std::mem::take(&mut books.open); //~ panic-as-result warning
        for mut book in open {
            if visitor(&mut book) {
                books.open.push(book);
            }
        }
    }

    pub fn tries(&self, visitor: impl FnMut(&mut u32) -> bool) -> bool {
        catch_unwind(AssertUnwindSafe(|| self.visits(visitor))).is_ok()
    }
}

/// Changed in its place.
#[derive(Default)]
pub struct Register {
    books: Mutex<Books>,
}

impl Register {
    pub fn visits(&self, mut visitor: impl FnMut(&mut u32) -> bool) {
        let mut books = self.books.lock();
        books.open.retain_mut(|book| visitor(book));
        books.sum += 1;
    }

    pub fn tries(&self, visitor: impl FnMut(&mut u32) -> bool) -> bool {
        catch_unwind(AssertUnwindSafe(|| self.visits(visitor))).is_ok()
    }
}

/// Nobody catches a panic.
#[derive(Default)]
pub struct Trusting {
    books: Mutex<Books>,
}

impl Trusting {
    pub fn visits(&self, mut visitor: impl FnMut(&mut u32) -> bool) {
        let mut books = self.books.lock();
        let open = std::mem::take(&mut books.open);
        for mut book in open {
            if visitor(&mut book) {
                books.open.push(book);
            }
        }
    }
}

/// The lock is poisoned.
#[derive(Default)]
pub struct Strict {
    books: Poisoned<Books>,
}

impl Strict {
    pub fn visits(&self, mut visitor: impl FnMut(&mut u32) -> bool) {
        let mut books = self.books.lock().unwrap();
        let open = std::mem::take(&mut books.open);
        for mut book in open {
            if visitor(&mut book) {
                books.open.push(book);
            }
        }
    }

    pub fn tries(&self, visitor: impl FnMut(&mut u32) -> bool) -> bool {
        catch_unwind(AssertUnwindSafe(|| self.visits(visitor))).is_ok()
    }
}
