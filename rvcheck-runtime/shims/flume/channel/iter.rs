//! Iterators over the messages of a channel.

use std::fmt;

use rt::channel::{Channel, Message};
use rt::Loc;

use super::Receiver;

rt::iterators!(Receiver);

/// Messages that were there. What is not taken from here is never received.
pub struct Drain<'a, T> {
    pub(super) real: real::Drain<'a, Message<T>>,
    pub(super) channel: &'a Channel,
    pub(super) location: Loc,
}

impl<T> Iterator for Drain<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.real.next().map(|message| self.channel.received(message, self.location))
    }
}

rt::forwards! {
    [T] Drain<'_, T>: ExactSizeIterator {
        fn len(&self) -> usize;
    }
    [T: fmt::Debug] Drain<'_, T>: Debug;
}

// The output must be that of the real types: `Iter { receiver: Receiver }`.

#[cfg(any(rv_flume_0_12, rv_flume_0_11_1))]
impl<T> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("receiver", &self.receiver).finish()
    }
}

#[cfg(any(rv_flume_0_12, rv_flume_0_11_1))]
impl<T> fmt::Debug for TryIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TryIter").field("receiver", &self.receiver).finish()
    }
}

#[cfg(any(rv_flume_0_12, rv_flume_0_11_1))]
impl<T> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoIter").field("receiver", &self.receiver).finish()
    }
}
