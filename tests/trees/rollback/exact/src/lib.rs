//! Takes locks from a crate that insists on their size.

use std::sync::{Mutex, RwLock};

pub fn both() -> (Mutex<u8>, RwLock<u8>) {
    (sized::lock(), RwLock::new(1))
}
