//! The receivers.

use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::stream::{FusedStream, Stream};
use real::mpsc::TryRecvError;
use rt::channel::{Channel, Message, ReceiverEnd};
use rt::control::{asks, trying};
use rt::wait::Wait;
use rt::{chan, EventKind};

macro_rules! receiver {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<T> {
            /// For its drop, which comes first.
            #[allow(dead_code)]
            end: ReceiverEnd,
            pub(super) real: real::mpsc::$name<Message<T>>,
            wait: Wait,
            channel: Arc<Channel>,
        }

        rt::identified!([T] $name<T>, it => it.channel.head().value());

        impl<T> $name<T> {
            pub(super) fn around(real: real::mpsc::$name<Message<T>>, channel: Arc<Channel>) -> $name<T> {
                // SAFETY: the share of the channel is dropped last.
                let end = unsafe { ReceiverEnd::new(&channel) };
                $name { end, real, wait: Wait::new(), channel }
            }

            /// Waits for a message.
            #[cfg(rv_futures_channel_0_3_32)]
            pub fn recv(&mut self) -> super::Recv<'_, Self> {
                super::Recv::new(self)
            }

            /// Takes a message if there is one; none if there will be no more.
            ///
            /// # Errors
            ///
            /// When there is none yet.
            #[cfg_attr(rv_futures_channel_0_3_32, deprecated(note = "please use `try_recv` instead"))]
            #[track_caller]
            pub fn try_next(&mut self) -> Result<Option<T>, TryRecvError> {
                let location = self.channel.place(Location::caller());
                let real = &mut self.real;
                #[allow(deprecated)]
                let message = trying(self.channel.head(), location, || real.try_next(), Result::is_ok)?;
                Ok(self.channel.next(message, location))
            }

            /// Takes a message if there is one.
            ///
            /// # Errors
            ///
            /// When there is none, or when there will be no more.
            #[cfg(rv_futures_channel_0_3_32)]
            #[track_caller]
            pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
                let location = self.channel.place(Location::caller());
                let real = &mut self.real;
                let is_known = |it: &Result<_, TryRecvError>| !it.as_ref().is_err_and(|it| !it.is_closed());
                let received = trying(self.channel.head(), location, || real.try_recv(), is_known);
                self.channel.taken(received, TryRecvError::is_closed, location)
            }
        }

        impl<T> $name<T> {
            /// Lets nobody send any more.
            #[track_caller]
            pub fn close(&mut self) {
                let location = Location::caller();
                asks(self.channel.head(), location);
                chan::closes(self.channel.head(), location);
                self.real.close();
            }
        }

        rt::forwards! {
            [T] $name<T>: FusedStream {
                fn is_terminated(&self) -> bool;
            }
        }

        impl<T> Stream for $name<T> {
            type Item = T;

            #[track_caller]
            fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
                let context = &mut rt::waker::real(context);
                let this = self.get_mut();
                let location = this.channel.place(Location::caller());
                if this.wait.is_delayed(this.channel.head(), location, context) {
                    return Poll::Pending;
                }
                let polled = Pin::new(&mut this.real).poll_next(context);
                this.wait.polled(&polled, EventKind::RecvWait, this.channel.head(), 0, location);
                polled.map(|message| this.channel.next(message, location))
            }

            rt::forwards! {
                fn size_hint(&self) -> (usize, Option<usize>);
            }
        }

        crate::debug::shows!($name);
    };
}

receiver! {
    /// A receiver that records what it receives and when it has to wait.
    Receiver
}

receiver! {
    /// A receiver that records what it receives and when it has to wait.
    UnboundedReceiver
}
