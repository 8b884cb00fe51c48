//! The receivers.

use std::future::Future;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::task::{Context, Poll};

#[cfg(rv_tokio_1_12)]
use real::sync::mpsc::error::TryRecvError;
use rt::channel::{Channel, Message, ReceiverEnd};
#[cfg(rv_tokio_1_12)]
use rt::control::trying;
use rt::wait::Wait;
use rt::{chan, EventKind, Loc, What};

use crate::blocking::drive;
use crate::sync::channel::receiver_end;
use crate::waiting::waiting;

macro_rules! receiver {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<T> {
            /// For its drop, which comes first.
            #[allow(dead_code)]
            end: ReceiverEnd,
            real: real::sync::mpsc::$name<Message<T>>,
            /// Where several messages come through; empty in between.
            #[cfg(rv_tokio_1_34)]
            batch: Vec<Message<T>>,
            /// Of the polls that are not by a future from here.
            wait: Wait,
            channel: Arc<Channel>,
        }

        rt::identified!([T] $name<T>, it => it.channel.head().value());

        impl<T> $name<T> {
            pub(super) fn around(real: real::sync::mpsc::$name<Message<T>>, channel: Arc<Channel>) -> $name<T> {
                $name {
                    end: receiver_end(&channel),
                    real,
                    #[cfg(rv_tokio_1_34)]
                    batch: Vec::new(),
                    wait: Wait::new(),
                    channel,
                }
            }

            /// Hands out the batch; `wanted` tells an empty one from a closed channel.
            #[cfg(rv_tokio_1_34)]
            fn unpack(&mut self, buffer: &mut Vec<T>, wanted: bool, location: Loc) -> usize {
                let count = self.batch.len();
                if count == 0 && wanted {
                    chan::closed(self.channel.head(), location);
                }
                let channel = &self.channel;
                buffer.extend(self.batch.drain(..).map(|message| channel.received(message, location)));
                count
            }

            /// Waits for a message.
            #[track_caller]
            #[inline]
            pub fn recv(&mut self) -> impl Future<Output = Option<T>> + '_ {
                let location = Location::caller();
                let (real, channel) = (&mut self.real, &*self.channel);
                waiting(real.recv(), EventKind::RecvWait, channel.head(), 0, location, move |message| {
                    channel.next(message, location)
                })
            }

            /// Waits for messages and takes up to `limit` of them.
            #[cfg(rv_tokio_1_34)]
            #[track_caller]
            pub fn recv_many<'a>(
                &'a mut self,
                buffer: &'a mut Vec<T>,
                limit: usize,
            ) -> impl Future<Output = usize> + 'a {
                let location = Location::caller();
                async move {
                    let receiving = self.real.recv_many(&mut self.batch, limit);
                    waiting(receiving, EventKind::RecvWait, self.channel.head(), 0, location, |_| ()).await;
                    self.unpack(buffer, limit > 0, location)
                }
            }

            /// Takes a message if there is one.
            ///
            /// # Errors
            ///
            /// When there is none, or no sender either.
            #[cfg(rv_tokio_1_12)]
            #[track_caller]
            #[inline]
            pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
                let location = Location::caller();
                let real = &mut self.real;
                let is_known = |it: &Result<_, TryRecvError>| !matches!(it, Err(TryRecvError::Empty));
                let received = trying(self.channel.head(), location, || real.try_recv(), is_known);
                self.channel.taken(received, |error| *error == TryRecvError::Disconnected, location)
            }

            /// Waits for a message and blocks the thread meanwhile.
            ///
            /// # Panics
            ///
            /// Inside a runtime.
            #[track_caller]
            pub fn blocking_recv(&mut self) -> Option<T> {
                drive(What::Recv, Location::caller(), self.recv())
            }

            /// Waits for messages, blocks the thread meanwhile, and takes up to `limit` of them.
            ///
            /// # Panics
            ///
            /// Inside a runtime.
            #[cfg(rv_tokio_1_41)]
            #[track_caller]
            pub fn blocking_recv_many(&mut self, buffer: &mut Vec<T>, limit: usize) -> usize {
                drive(What::Recv, Location::caller(), self.recv_many(buffer, limit))
            }

            /// Lets nobody send any more.
            #[track_caller]
            pub fn close(&mut self) {
                let location = Location::caller();
                rt::control::asks(self.channel.head(), location);
                chan::closes(self.channel.head(), location);
                self.real.close();
            }

            /// Polls for a message.
            #[track_caller]
            pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<T>> {
                let context = &mut rt::waker::real(context);
                let location = self.channel.place(Location::caller());
                if self.wait.is_delayed(self.channel.head(), location, context) {
                    return Poll::Pending;
                }
                let polled = self.real.poll_recv(context);
                self.wait.polled(&polled, EventKind::RecvWait, self.channel.head(), 0, location);
                polled.map(|message| self.channel.next(message, location))
            }

            /// Polls for messages and takes up to `limit` of them.
            #[cfg(rv_tokio_1_36)]
            #[track_caller]
            pub fn poll_recv_many(
                &mut self,
                context: &mut Context<'_>,
                buffer: &mut Vec<T>,
                limit: usize,
            ) -> Poll<usize> {
                let context = &mut rt::waker::real(context);
                let location = self.channel.place(Location::caller());
                if self.wait.is_delayed(self.channel.head(), location, context) {
                    return Poll::Pending;
                }
                let polled = self.real.poll_recv_many(context, &mut self.batch, limit);
                self.wait.polled(&polled, EventKind::RecvWait, self.channel.head(), 0, location);
                polled.map(|_| self.unpack(buffer, limit > 0, location))
            }
        }

        rt::forwards! {
            [T] $name<T> {
                #[cfg(rv_tokio_1_37)] pub fn is_closed(&self) -> bool;
                #[cfg(rv_tokio_1_37)] pub fn is_empty(&self) -> bool;
                #[cfg(rv_tokio_1_37)] pub fn len(&self) -> usize;
                #[cfg(rv_tokio_1_39)] pub fn sender_strong_count(&self) -> usize;
                #[cfg(rv_tokio_1_39)] pub fn sender_weak_count(&self) -> usize;
            }
            [T] $name<T>: Debug;
        }

        impl<T> Unpin for $name<T> {}
        // SAFETY: nothing reaches the messages through a shared reference, neither in the batch nor in the real one.
        unsafe impl<T: Send> Sync for $name<T> {}
        // As the real one, whatever the messages are.
        #[cfg(rv_tokio_1_40)]
        impl<T> UnwindSafe for $name<T> {}
        #[cfg(rv_tokio_1_40)]
        impl<T> RefUnwindSafe for $name<T> {}
    };
}

receiver! {
    /// A receiver that records what it receives and when it has to wait.
    Receiver
}

rt::forwards! {
    [T] Receiver<T> {
        #[cfg(rv_tokio_1_38)] pub fn capacity(&self) -> usize;
        #[cfg(rv_tokio_1_38)] pub fn max_capacity(&self) -> usize;
    }
}

receiver! {
    /// A receiver that records what it receives and when it has to wait.
    UnboundedReceiver
}
