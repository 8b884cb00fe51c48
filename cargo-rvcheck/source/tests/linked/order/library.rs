//! Two locks that are taken one under the other.

use std::sync::Mutex;

pub struct Farm {
    pub herd: Mutex<Vec<u32>>,
    pub feed: Mutex<u32>,
}

impl Farm {
    pub fn grow(&self) {
        let mut herd = self.herd.lock().unwrap();
        let feed = self.feed.lock().unwrap();
        herd.push(*feed);
    }
}
