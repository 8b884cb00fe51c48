//! Messages that the real channel may have already, and whose send is not recorded yet.
//!
//! The shims of most channels record a send when it has succeeded, since a message that did not fit was not sent. By then a receiver may
//! have it. In a trace the numbers of messages put the two in order. Where records have tickets, and so are looked at one by one while the
//! program runs, the receiver waits here until the sender has recorded its part.

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::memory::List;
use crate::{Head, at_work, control, tickets};

/// A message: the number of its channel, and its own.
type Message = (u32, u32);

static UNDER_WAY: Mutex<List<Message>> = Mutex::new(List::new());

/// How many there are, so that most receivers need no lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Whoever sends does nothing between the real send and the record. So this is only reached where a debugger holds that thread.
const TIMEOUT: Duration = Duration::from_millis(200);

/// A message is about to be given to the real channel.
#[inline]
pub(crate) fn begins(channel: &Head, number: u32) {
    // In a controlled run nobody else goes on in between.
    if tickets::wanted() && number != 0 && !control::on() {
        add((channel.id(), number));
    }
}

#[cold]
fn add(message: Message) {
    if let Some(_at_work) = at_work::enter() {
        UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).push(message);
        COUNT.fetch_add(1, Ordering::Release);
    }
}

/// The message's send is recorded, or will never be.
#[inline]
pub(crate) fn ends(channel: &Head, number: u32) {
    if COUNT.load(Ordering::Relaxed) != 0 {
        remove((channel.id(), number));
    }
}

#[cold]
fn remove(message: Message) {
    let Some(_at_work) = at_work::enter() else { return };
    let mut under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = under_way.iter().position(|it| *it == message) {
        under_way.swap_remove(place);
        COUNT.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends the message when it is dropped, also where the record of the send stops the program.
pub(crate) struct Ending<'a>(pub(crate) &'a Head, pub(crate) u32);

impl Drop for Ending<'_> {
    #[inline]
    fn drop(&mut self) {
        ends(self.0, self.1);
    }
}

/// Waits until the send of a message that was received is recorded.
#[inline]
pub(crate) fn wait(channel: &Head, number: u32) {
    if number != 0 && COUNT.load(Ordering::Acquire) != 0 {
        wait_for((channel.id(), number));
    }
}

#[cold]
fn wait_for(message: Message) {
    let is_there = || {
        let _at_work = at_work::enter()?;
        Some(UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).contains(&message))
    };
    let begin = Instant::now();
    while is_there() == Some(true) && begin.elapsed() < TIMEOUT {
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::panic::Location;
    use core::sync::atomic::AtomicBool;

    use rvcheck_event::kind::ObjectKind;

    #[test]
    fn whoever_has_received_a_message_waits_until_its_send_is_recorded() {
        static IS_RECORDED: AtomicBool = AtomicBool::new(false);
        let channel = Head::new(ObjectKind::WatchRef, Location::caller());
        let [one, another] = [1, 2].map(|number| (channel.id(), number));
        add(one);
        add(another);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                IS_RECORDED.store(true, Ordering::Relaxed);
                drop(Ending(&channel, one.1));
            });
            wait(&channel, one.1);
            assert!(IS_RECORDED.load(Ordering::Relaxed));
        });
        ends(&channel, another.1);
        wait(&channel, another.1);
        assert!(!UNDER_WAY.lock().expect("nobody panicked").iter().any(|it| it.0 == channel.id()));
    }
}
