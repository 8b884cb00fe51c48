//! `PollSender`.

use std::fmt;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_sink::Sink;
use real::sync::PollSendError;
use rt::{Behalf, Loc};
use tokio::sync::mpsc::Sender;

/// A sender that is polled. What it does is recorded where the program polls it, or else where it was made.
pub struct PollSender<T> {
    born: Loc,
    real: real::sync::PollSender<T>,
}

impl<T> PollSender<T> {
    fn behalf(&self, location: Loc) -> Behalf {
        rt::behalf(rt::own_or(location, self.born))
    }
}

/// Methods for messages with these bounds.
macro_rules! methods {
    ($($bounds:tt)*) => {
        impl<T: $($bounds)*> PollSender<T> {
            /// A sender around that one.
            #[track_caller]
            pub fn new(sender: Sender<T>) -> PollSender<T> {
                PollSender { born: Location::caller(), real: real::sync::PollSender::new(sender) }
            }

            /// Polls for room for a message.
            #[track_caller]
            pub fn poll_reserve(&mut self, context: &mut Context<'_>) -> Poll<Result<(), PollSendError<T>>> {
                let _behalf = self.behalf(Location::caller());
                self.real.poll_reserve(context)
            }

            /// Sends a message into the room that was reserved.
            ///
            /// # Errors
            ///
            /// The message, when the sender is closed.
            ///
            /// # Panics
            ///
            /// When no room was reserved.
            #[track_caller]
            pub fn send_item(&mut self, value: T) -> Result<(), PollSendError<T>> {
                let _behalf = self.behalf(Location::caller());
                self.real.send_item(value)
            }
        }

        rt::forwards! {
            [T: $($bounds)*] PollSender<T> {
                pub fn is_closed(&self) -> bool;
                pub fn get_ref(&self) -> Option<&Sender<T>>;
                pub fn close(&mut self);
                pub fn abort_send(&mut self) -> bool;
            }
        }

        impl<T: $($bounds)*> Sink<T> for PollSender<T> {
            type Error = PollSendError<T>;

            #[track_caller]
            fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
                self.get_mut().poll_reserve(context)
            }

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
                Pin::new(&mut self.get_mut().real).poll_flush(context)
            }

            #[track_caller]
            fn start_send(self: Pin<&mut Self>, item: T) -> Result<(), Self::Error> {
                self.get_mut().send_item(item)
            }

            fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
                Pin::new(&mut self.get_mut().real).poll_close(context)
            }
        }
    };
}

#[cfg(rv_tokio_util_0_7_11)]
methods!(Send);
#[cfg(not(rv_tokio_util_0_7_11))]
methods!(Send + 'static);

impl<T> Clone for PollSender<T> {
    fn clone(&self) -> PollSender<T> {
        PollSender { born: self.born, real: self.real.clone() }
    }
}

rt::forwards! {
    [T: fmt::Debug] PollSender<T>: Debug;
}
