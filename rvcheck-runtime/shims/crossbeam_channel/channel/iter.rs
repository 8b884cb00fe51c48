//! Iterators over the messages of a channel.
//!
//! Their receives are recorded where the iterator was made: `next` is often called by an adapter, which is not a place
//! in the program.

use std::fmt;
use std::iter::FusedIterator;

use rt::Loc;

use super::Receiver;

/// Messages until there will be no more; waits for each.
pub struct Iter<'a, T> {
    pub(super) receiver: &'a Receiver<T>,
    pub(super) location: Loc,
}

/// Messages that are there.
pub struct TryIter<'a, T> {
    pub(super) receiver: &'a Receiver<T>,
    pub(super) location: Loc,
}

/// Messages until there will be no more, by an owner of the channel.
pub struct IntoIter<T> {
    pub(super) receiver: Receiver<T>,
    pub(super) location: Loc,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.recv_at(self.location).ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.take(self.location).ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.recv_at(self.location).ok()
    }
}

impl<T> FusedIterator for Iter<'_, T> {}
impl<T> FusedIterator for IntoIter<T> {}

// The output must be that of the real types, which heeds a width.

impl<T> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Iter { .. }")
    }
}

impl<T> fmt::Debug for TryIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("TryIter { .. }")
    }
}

impl<T> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("IntoIter { .. }")
    }
}
