//! Takes them the other way round in a thread, while another one lets the farm grow.

use library::Farm;
use std::sync::Arc;

pub fn season() {
    let farm = Arc::new(Farm { herd: Default::default(), feed: Default::default() });
    let other = Arc::clone(&farm);
    let worker = std::thread::spawn(move || other.grow());
    let mut feed = farm.feed.lock().unwrap();
    *feed += farm.herd.lock().unwrap().len() as u32;
    drop(feed);
    worker.join().unwrap();
}
