//! A sender that does not keep the channel open.

use std::sync::Arc;

use rt::channel::{Channel, Message};

use super::Sender;

/// A sender that does not keep the channel open.
pub struct WeakSender<T> {
    // Before the identity, because messages that are dropped with the last end point to that.
    pub(super) real: real::WeakSender<Message<T>>,
    pub(super) channel: Arc<Channel>,
}

impl<T> WeakSender<T> {
    /// A sender that does, if there is still another one.
    pub fn upgrade(&self) -> Option<Sender<T>> {
        Some(Sender::around(self.real.upgrade()?, Arc::clone(&self.channel)))
    }
}

rt::forwards! {
    #[cfg(any(rv_flume_0_12, rv_flume_0_11_1))] [T] WeakSender<T>: Clone { real, channel };
    #[cfg(any(rv_flume_0_12, rv_flume_0_11_1))] [T] WeakSender<T>: Debug;
}
