//! A lock that is free is held while what it guards is shown.

use std::fmt;
use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);

static NAMES: Mutex<A> = Mutex::new(A(0));

pub struct Entry(u32);

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", NAMES.lock().unwrap().0) //~ lock-order monitored
    }
}

pub fn shown(entry: &Mutex<Entry>) -> String {
    format!("{entry:?}")
}

pub fn changed(entry: &Mutex<Entry>) {
    let names = NAMES.lock().unwrap(); //~ lock-order monitored
    entry.lock().unwrap().0 = names.0; //~ lock-order monitored
}

#[derive(Debug)]
pub struct Shelf {
    pub book: Mutex<Book>,
}

pub struct Book(u32);

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", OTHERS.lock().unwrap().0) //~ lock-order monitored
    }
}

static OTHERS: Mutex<B> = Mutex::new(B(0));

pub fn put(shelf: &Shelf) {
    let others = OTHERS.lock().unwrap(); //~ lock-order monitored
    shelf.book.lock().unwrap().0 = others.0; //~ lock-order monitored
}

/// What is shown of it takes none.
pub fn plain(lock: &Mutex<C>, numbers: &Mutex<Vec<u32>>) -> String {
    let guard = lock.lock().unwrap(); //~ lock-order orphan
    format!("{numbers:?} {}", guard.0)
}
