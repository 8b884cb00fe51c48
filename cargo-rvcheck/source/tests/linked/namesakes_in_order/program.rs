//! Two locks of those names, whose order is another one; and those of the library, the other way round.

use std::sync::Mutex;

pub static DOOR: Mutex<u32> = Mutex::new(0);
pub static WINDOW: Mutex<u32> = Mutex::new(0);

pub fn air() {
    let window = WINDOW.lock().unwrap();
    *DOOR.lock().unwrap() += *window;
}

pub fn shut() {
    let window = library::WINDOW.lock().unwrap();
    *library::DOOR.lock().unwrap() += *window; //~ lock-order warning
}

pub fn both() {
    library::air();
    air();
}
