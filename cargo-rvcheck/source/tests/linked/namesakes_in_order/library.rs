//! Two locks that are taken one under the other.

use std::sync::Mutex;

pub static DOOR: Mutex<u32> = Mutex::new(0);
pub static WINDOW: Mutex<u32> = Mutex::new(0);

pub fn air() {
    let door = DOOR.lock().unwrap();
    *WINDOW.lock().unwrap() += *door;
}
