//! A larder that is looked at while it is locked.

use std::sync::Mutex;

pub struct Larder {
    jars: Mutex<Vec<u32>>,
}

impl Larder {
    pub fn visit<F: FnMut(u32)>(&self, mut each: F) {
        let jars = self.jars.lock().unwrap();
        for jar in jars.iter() {
            each(*jar);
        }
    }

    pub fn weight(&self) -> usize {
        self.jars.lock().unwrap().len() //~ double-lock warning
    }
}
