//! Ends that do not keep the channel open.

use std::sync::Arc;

use rt::channel::{Channel, Message};

use super::{Receiver, Sender};

macro_rules! weak {
    ($($(#[$doc:meta])* $name:ident => $strong:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<T> {
            pub(super) real: real::$name<Message<T>>,
            pub(super) channel: Arc<Channel>,
        }

        impl<T> $name<T> {
            /// An end that does, if the channel is still open.
            pub fn upgrade(&self) -> Option<$strong<T>> {
                Some($strong::around(self.real.upgrade()?, Arc::clone(&self.channel)))
            }
        }

        rt::forwards! {
            [T] $name<T>: Clone { real, channel };
            [T] $name<T>: Debug;
        }
    )*};
}

weak! {
    /// A sender that does not keep the channel open.
    WeakSender => Sender;
    /// A receiver that does not keep the channel open.
    WeakReceiver => Receiver;
}
