//! Iterators over the messages of a channel.
//!
//! A `for` loop calls `next` at the place of its iterable, so that is where its receives are.

use real::fmt;

use super::Receiver;

/// Messages until there will be no more; waits for each.
pub struct Iter<'a, T: 'a> {
    pub(super) receiver: &'a Receiver<T>,
}

/// Messages that are there.
pub struct TryIter<'a, T: 'a> {
    pub(super) receiver: &'a Receiver<T>,
}

/// Messages until there will be no more, by an owner of the channel.
pub struct IntoIter<T> {
    pub(super) receiver: Receiver<T>,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv().ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

// The output must be that of the real types: `Iter { rx: Receiver { .. } }`.

impl<T: fmt::Debug> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("rx", &self.receiver).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for TryIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TryIter").field("rx", &self.receiver).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoIter").field("rx", &self.receiver).finish()
    }
}
