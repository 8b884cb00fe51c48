//! Iterators over the messages of a channel.

use real::fmt;

use super::Receiver;

recorder::iterators!(Receiver);

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
