//! The sink of a sender.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_sink::Sink;
use real::SendError;
use rt::channel::Message;
use rt::Loc;

use super::owner::Owner;
use super::unsent::Unsent;
use crate::Sender;

/// Sends values one after the other.
pub struct SendSink<'a, T> {
    /// Before the sender, which it borrows.
    real: real::r#async::SendSink<'a, Message<T>>,
    unsent: Unsent,
    sender: Owner<'a, Sender<T>>,
}

impl<'a, T> SendSink<'a, T> {
    pub(super) fn new(sender: Owner<'a, Sender<T>>, location: Loc) -> SendSink<'a, T> {
        // SAFETY: the real sink is dropped before the sender.
        let real = unsafe { sender.end() }.real.sink();
        SendSink { real, unsent: Unsent::nothing(location), sender }
    }

    /// The sender.
    #[cfg(any(rv_flume_0_11, rv_flume_0_10_13))]
    pub fn sender(&self) -> &Sender<T> {
        &self.sender
    }
}

rt::forwards! {
    ['a, T] SendSink<'a, T> => sender {
        #[cfg(rv_flume_0_11)] pub fn same_channel(&self, other: &Self) -> bool;
    }
}

impl<T> Sink<T> for SendSink<'_, T> {
    type Error = SendError<T>;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        let context = &mut rt::waker::real(context);
        let SendSink { real, unsent, sender } = self.get_mut();
        unsent.poll(sender, || Pin::new(real).poll_ready(context))
    }

    fn start_send(self: Pin<&mut Self>, item: T) -> Result<(), SendError<T>> {
        let SendSink { real, unsent, sender } = self.get_mut();
        let message = sender.message(item, unsent.location());
        // The real sink drops the message before, if it still has one.
        unsent.give_up(&sender.channel);
        *unsent = Unsent::message(&message, unsent.location());
        Pin::new(real).start_send(message).map_err(|SendError(message)| SendError(message.into_value()))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        let context = &mut rt::waker::real(context);
        let SendSink { real, unsent, sender } = self.get_mut();
        unsent.poll(sender, || Pin::new(real).poll_flush(context))
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        let context = &mut rt::waker::real(context);
        let SendSink { real, unsent, sender } = self.get_mut();
        unsent.poll(sender, || Pin::new(real).poll_close(context))
    }
}

impl<T> Clone for SendSink<'_, T> {
    fn clone(&self) -> Self {
        SendSink::new(self.sender.clone(), self.unsent.location())
    }
}

impl<T> Drop for SendSink<'_, T> {
    fn drop(&mut self) {
        self.unsent.give_up(&self.sender.channel);
    }
}

super::says_of_channel!(SendSink, sender);
