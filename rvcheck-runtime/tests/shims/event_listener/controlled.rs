//! Threads that wait for each other in every way that event-listener has.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use event_listener::{listener, Event, Listener};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    let shared = Arc::new((Event::new(), AtomicUsize::new(0)));
    let waits: Vec<_> = (0..3)
        .map(|number| {
            let shared = shared.clone();
            thread::spawn(move || loop {
                if shared.1.load(Ordering::SeqCst) > 0 {
                    return;
                }
                listener!(shared.0 => listener);
                let other = shared.0.listen();
                if shared.1.load(Ordering::SeqCst) > 0 {
                    return;
                }
                match number {
                    0 => listener.wait(),
                    1 => assert!(listener.wait_timeout(LONG).is_some()),
                    _ => assert!(other.wait_deadline(Instant::now() + LONG).is_some()),
                }
            })
        })
        .collect();
    thread::sleep(SHORT);
    shared.1.store(1, Ordering::SeqCst);
    shared.0.notify(usize::MAX);
    waits.into_iter().for_each(|it| it.join().unwrap());
    let began = Instant::now();
    assert!(shared.0.listen().wait_timeout(SHORT).is_none());
    listener!(shared.0 => listener);
    assert!(listener.wait_deadline(Instant::now() + SHORT).is_none());
    assert!(began.elapsed() >= SHORT * 2);
    let listener = shared.0.listen();
    shared.0.notify_additional(1);
    listener.wait();
    println!("done");
}
