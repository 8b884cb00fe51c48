//! A notification comes before anybody listens.

use std::sync::Arc;
use std::thread;

use event_listener::{Event, Listener};

fn main() {
    let event = Arc::new(Event::new());
    event.notify(1);
    let waits = thread::spawn({
        let event = event.clone();
        move || event.listen().wait()
    });
    waits.join().unwrap();
}
