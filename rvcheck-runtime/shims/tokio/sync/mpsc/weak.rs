//! Senders that do not keep the channel open.

use std::sync::Arc;

use rt::channel::{Channel, Message};

use super::{Sender, UnboundedSender};

macro_rules! weak {
    ($($(#[$doc:meta])* $name:ident => $strong:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<T> {
            pub(super) real: real::sync::mpsc::$name<Message<T>>,
            pub(super) channel: Arc<Channel>,
        }

        impl<T> $name<T> {
            /// A sender, if there is still another one.
            pub fn upgrade(&self) -> Option<$strong<T>> {
                Some($strong::around(self.real.upgrade()?, Arc::clone(&self.channel)))
            }
        }

        rt::forwards! {
            [T] $name<T> {
                #[cfg(rv_tokio_1_37)] pub fn strong_count(&self) -> usize;
                #[cfg(rv_tokio_1_37)] pub fn weak_count(&self) -> usize;
            }
            [T] $name<T>: Clone { real, channel };
            [T] $name<T>: Debug;
        }
    )*};
}

weak! {
    /// A sender that does not keep its bounded channel open.
    WeakSender => Sender;
}

#[cfg(rv_tokio_1_22)]
weak! {
    /// A sender that does not keep its unbounded channel open.
    WeakUnboundedSender => UnboundedSender;
}
