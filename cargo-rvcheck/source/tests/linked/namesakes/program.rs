//! A larder of its own, which may be weighed while that of the library is looked at; and that of the library, which may not.

use std::sync::Mutex;

pub struct Larder {
    jars: Mutex<u32>,
}

impl Larder {
    pub fn weight(&self) -> usize {
        *self.jars.lock().unwrap() as usize
    }
}

pub fn compare(larder: &library::Larder, own: &Larder) -> usize {
    let mut all = 0;
    larder.visit(|jar| all += jar as usize * own.weight());
    all
}

pub fn describe(larder: &library::Larder) -> usize {
    let mut all = 0;
    larder.visit(|jar| all += jar as usize * larder.weight());
    all
}
