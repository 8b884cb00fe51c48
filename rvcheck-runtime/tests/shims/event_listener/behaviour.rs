//! What events do, printed.

#[path = "../program_kit/polling.rs"]
mod polling;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
#[cfg(feature = "std")]
use std::time::{Duration, Instant};

use event_listener::{listener, Event, EventListener, IntoNotification, Listener};
use polling::{block_on, poll};

static AT_ONCE: Event = Event::new();

fn main() {
    notifies();
    drops();
    on_the_stack();
    in_a_trait();
    #[cfg(feature = "std")]
    blocks();
    #[cfg(feature = "std")]
    tags();
    crosses();
}

fn notifies() {
    let event = Event::default();
    println!("{:?} notified: {}", event, event.is_notified());
    println!("nobody: {}", event.notify(1));
    let (mut first, mut second) = (event.listen(), event.listen());
    println!("{first:?} {} {}", first.listens_to(&event), first.same_event(&second));
    println!("other: {}", first.listens_to(&AT_ONCE));
    println!("{:?} {:?}", poll(&mut first), poll(&mut second));
    println!("one: {}, notified: {}", event.notify(1), event.is_notified());
    println!("again: {}", event.notify(1));
    println!("one more: {}", event.notify_additional(1));
    println!("{:?} {:?}", poll(&mut first), poll(&mut second));
    let all = [event.listen(), event.listen(), event.listen()];
    println!("relaxed: {} {}", event.notify_relaxed(1), event.notify_additional_relaxed(1));
    println!("all: {}", event.notify(usize::MAX));
    all.into_iter().for_each(block_on);
    let waits = event.listen();
    println!("by a notification: {}", event.notify(1.additional().relaxed()));
    block_on(waits);
    #[cfg(feature = "std")]
    println!("left: {}", event.total_listeners());
}

fn drops() {
    let event = Event::new();
    let (first, mut second) = (event.listen(), event.listen());
    event.notify(1);
    drop(first);
    println!("handed on: {:?}", poll(&mut second));
    let (first, mut second) = (event.listen(), event.listen());
    event.notify(1);
    println!("discarded: {}", first.discard());
    println!("not handed on: {:?}, {}", poll(&mut second), second.discard());
    let late = event.listen();
    drop(event);
    println!("{late:?}");
}

fn on_the_stack() {
    let event = Arc::new(Event::new());
    listener!(event => listener);
    println!("{listener:?} {:?}", poll(&mut listener));
    listener!(AT_ONCE => other);
    println!("{} {}", listener.listens_to(&event), listener.same_event(&other));
    event.notify(1);
    block_on(listener);
    println!("{}", other.discard());
}

fn in_a_trait() {
    fn ends<L: Listener + Unpin>(event: &Event, mut listener: L) -> (Poll<()>, bool) {
        let listens = listener.listens_to(event);
        event.notify(1);
        (Pin::new(&mut listener).poll(&mut polling::context()), listens)
    }
    let event = Event::new();
    println!("{:?}", ends(&event, event.listen()));
    listener!(event => listener);
    println!("{:?}", ends(&event, listener));
}

#[cfg(feature = "std")]
fn blocks() {
    let event = Event::new();
    println!("{:?}", event.listen().wait_timeout(Duration::from_millis(1)));
    println!("{:?}", event.listen().wait_deadline(Instant::now()));
    let waits = event.listen();
    event.notify(1);
    println!("{:?}", waits.wait_timeout(Duration::from_secs(9)));
    listener!(event => waits);
    event.notify(1);
    waits.wait();
}

#[cfg(feature = "std")]
fn tags() {
    let event = Event::<u8>::with_tag();
    let (first, second) = (event.listen(), event.listen());
    println!("{}", event.notify(2.tag(7)));
    println!("{} {:?}", block_on(first), second.wait_timeout(Duration::from_secs(9)));
}

fn crosses() {
    let event = Arc::new(Event::new());
    let listener: EventListener = event.listen();
    let own = Arc::clone(&event);
    let thread = std::thread::spawn(move || own.notify(1));
    block_on(listener);
    println!("{}", thread.join().unwrap());
}
