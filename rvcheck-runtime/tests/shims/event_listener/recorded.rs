//! What the shim of event-listener reports: behind each line stand the events that it records there, in the order of the
//! trace.
//!
//! There are none without a place.
//~~ 

#[path = "../program_kit/polling.rs"]
mod polling;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use event_listener::{listener, Event, Listener};
use polling::poll;

fn main() {
    polls();
    on_the_stack();
    blocks();
    gives_up();
}

fn polls() {
    let event = Event::new();
    event.notify(1); //~ notify_all
    let mut notified = event.listen(); //~ signalled
    event.notify_additional(1); //~ notify_all
    assert!(poll(&mut notified).is_ready());
    let mut waits = event.listen(); //~ signal_wait signalled
    assert!(poll(&mut waits).is_pending());
    assert!(poll(&mut waits).is_pending());
    event.notify(usize::MAX); //~ notify_all
    assert!(poll(&mut waits).is_ready());
    let unused = event.listen();
    drop(event);
    drop(unused);
}

fn on_the_stack() {
    let event = Event::new();
    listener!(event => waits); //~ signal_wait signalled
    assert!(poll(&mut waits).is_pending());
    event.notify_relaxed(1); //~ notify_all
    assert!(poll(&mut waits).is_ready());
}

fn blocks() {
    let event = Arc::new(Event::new());
    let own = Arc::clone(&event);
    let waits = event.listen(); //~ signal_wait signalled
    let thread = thread::spawn(move || {
        thread::sleep(LONG);
        own.notify(1); //~ notify_all
    });
    waits.wait(); //~ block(lock) unblock(lock)
    thread.join().unwrap();
    let late = event.listen(); //~ signal_wait signal_cancel
    assert!(late.wait_timeout(Duration::from_millis(1)).is_none()); //~ block(lock) unblock(lock)
}

fn gives_up() {
    let event = Event::new();
    let mut waits = event.listen(); //~ signal_wait signal_cancel
    assert!(poll(&mut waits).is_pending());
    drop(waits);
    let mut waits = event.listen(); //~ signal_wait signal_cancel
    assert!(poll(&mut waits).is_pending());
    assert!(!waits.discard());
}

/// Long enough for another thread to come and wait.
const LONG: Duration = Duration::from_millis(200);
