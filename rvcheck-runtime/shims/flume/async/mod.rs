//! `flume::r#async`: futures, sinks and streams.

mod owner;
mod recv;
mod send;
mod sink;
mod stream;
mod unsent;

use std::panic::Location;

pub use real::r#async::*;

use owner::Owner;

pub use recv::RecvFut;
pub use send::SendFut;
pub use sink::SendSink;
pub use stream::RecvStream;

use crate::{Receiver, Sender};

impl<T> Sender<T> {
    /// Waits for room and sends the value.
    #[track_caller]
    #[inline]
    pub fn send_async(&self, item: T) -> SendFut<'_, T> {
        SendFut::new(Owner::Borrowed(self), item, Location::caller())
    }

    /// Waits for room and sends the value; the sender is gone with the future.
    #[track_caller]
    pub fn into_send_async<'a>(self, item: T) -> SendFut<'a, T> {
        SendFut::new(Owner::of(self), item, Location::caller())
    }

    /// A sink whose values are sent. They are recorded at this place.
    #[track_caller]
    pub fn sink(&self) -> SendSink<'_, T> {
        SendSink::new(Owner::Borrowed(self), Location::caller())
    }

    /// A sink whose values are sent; the sender is gone with the sink. They are recorded at this place.
    #[track_caller]
    pub fn into_sink<'a>(self) -> SendSink<'a, T> {
        SendSink::new(Owner::of(self), Location::caller())
    }
}

impl<T> Receiver<T> {
    /// Waits for a message.
    #[track_caller]
    #[inline]
    pub fn recv_async(&self) -> RecvFut<'_, T> {
        RecvFut::new(Owner::Borrowed(self), Location::caller())
    }

    /// Waits for a message; the receiver is gone with the future.
    #[track_caller]
    pub fn into_recv_async<'a>(self) -> RecvFut<'a, T> {
        RecvFut::new(Owner::of(self), Location::caller())
    }

    /// A stream of the messages. They are recorded at this place.
    #[track_caller]
    pub fn stream(&self) -> RecvStream<'_, T> {
        RecvStream::new(Owner::Borrowed(self), Location::caller())
    }

    /// A stream of the messages; the receiver is gone with the stream. They are recorded at this place.
    #[track_caller]
    pub fn into_stream<'a>(self) -> RecvStream<'a, T> {
        RecvStream::new(Owner::of(self), Location::caller())
    }
}

/// What a future or the like says of its channel.
macro_rules! says_of_channel {
    ($name:ident, $end:ident) => {
        impl<T> $name<'_, T> {
            /// Whether nobody is at the other end.
            pub fn is_disconnected(&self) -> bool {
                self.$end.is_disconnected()
            }

            /// Whether there is no message.
            pub fn is_empty(&self) -> bool {
                self.$end.is_empty()
            }

            /// Whether there is no room.
            pub fn is_full(&self) -> bool {
                self.$end.is_full()
            }

            /// How many messages there are.
            pub fn len(&self) -> usize {
                self.$end.len()
            }

            /// For how many messages there is room in the empty channel, if there is a limit.
            pub fn capacity(&self) -> Option<usize> {
                self.$end.capacity()
            }
        }

        #[cfg(any(rv_flume_0_12, rv_flume_0_11_1))]
        impl<T> std::fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).finish()
            }
        }
    };
}

use says_of_channel;
