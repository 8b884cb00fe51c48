//! Channels whose messages are numbered, and receivers that are timers.

use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rt::channel::{Channel, Message};
use rt::{Loc, ObjectKind};

mod alarm;
mod iter;
mod receiver;
mod sender;
mod until;

pub(crate) use alarm::Alarm;
pub(crate) use receiver::{earlier, Source};
use until::Until;

pub use iter::{IntoIter, Iter, TryIter};
pub use receiver::Receiver;
pub use sender::Sender;

/// A channel for any number of messages.
#[track_caller]
pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    ends(real::unbounded(), unlimited(Location::caller()))
}

/// A channel for that many messages at once; with 0, sender and receiver meet.
///
/// # Panics
///
/// When there is no memory for as many.
#[track_caller]
pub fn bounded<T>(cap: usize) -> (Sender<T>, Receiver<T>) {
    let channel = Channel::bounded(ObjectKind::CrossbeamChannel, cap, Location::caller());
    ends(real::bounded(cap), channel)
}

fn unlimited(born: Loc) -> Arc<Channel> {
    Channel::new(ObjectKind::CrossbeamChannel, 0, born)
}

type Ends<M> = (real::Sender<M>, real::Receiver<M>);

fn ends<T>((sender, receiver): Ends<Message<T>>, channel: Arc<Channel>) -> (Sender<T>, Receiver<T>) {
    channel.receiver_made();
    let source = Source::Channel { real: receiver, channel: Arc::clone(&channel) };
    (Sender::around(sender, channel), Receiver { source })
}

/// One message after that time.
#[track_caller]
pub fn after(duration: Duration) -> Receiver<Instant> {
    let alarm = |real| (real, Alarm::of(|| Instant::now().checked_add(duration), None));
    timer(alarm(real::after(duration)), Location::caller())
}

/// One message at that time.
#[track_caller]
pub fn at(when: Instant) -> Receiver<Instant> {
    timer((real::at(when), Alarm::of(|| Some(when), None)), Location::caller())
}

/// A message each time that so much time is over.
#[track_caller]
pub fn tick(duration: Duration) -> Receiver<Instant> {
    let alarm = |real| (real, Alarm::of(|| Instant::now().checked_add(duration), Some(duration)));
    timer(alarm(real::tick(duration)), Location::caller())
}

fn timer((real, alarm): (real::Receiver<Instant>, Alarm), born: Loc) -> Receiver<Instant> {
    Receiver { source: Source::Timer { real, channel: unlimited(born), alarm: Arc::new(alarm) } }
}

/// No message, ever.
#[cfg(rv_crossbeam_channel_0_5_16)]
pub const fn never<T>() -> Receiver<T> {
    Receiver { source: Source::Never { real: real::never() } }
}

/// No message, ever.
#[cfg(not(rv_crossbeam_channel_0_5_16))]
pub fn never<T>() -> Receiver<T> {
    Receiver { source: Source::Never { real: real::never() } }
}

rt::exchanged_functions! {
    unbounded::<()> => real::unbounded::<()>;
    bounded::<()> => real::bounded::<()>;
    after => real::after;
    at => real::at;
    tick => real::tick;
    never::<()> => real::never::<()>;
}
