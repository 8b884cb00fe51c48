//! The future of a send.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::future::FusedFuture;
use real::SendError;
use rt::channel::Message;
use rt::Loc;

use super::owner::Owner;
use super::unsent::Unsent;
use crate::Sender;

/// Waits for room and sends the value.
#[must_use = "futures/streams/sinks do nothing unless you `.await` or poll them"]
pub struct SendFut<'a, T> {
    /// Before the sender, which it borrows.
    real: real::r#async::SendFut<'a, Message<T>>,
    unsent: Unsent,
    sender: Owner<'a, Sender<T>>,
}

impl<'a, T> SendFut<'a, T> {
    #[inline]
    pub(super) fn new(sender: Owner<'a, Sender<T>>, value: T, location: Loc) -> SendFut<'a, T> {
        let message = sender.message(value, location);
        let unsent = Unsent::message(&message, location);
        // SAFETY: the real future is dropped before the sender.
        let real = unsafe { sender.end() }.real.send_async(message);
        SendFut { real, unsent, sender }
    }
}

impl<T> Future for SendFut<'_, T> {
    type Output = Result<(), SendError<T>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        let SendFut { real, unsent, sender } = self.get_mut();
        if unsent.is_delayed(&sender.channel, context) {
            return Poll::Pending;
        }
        unsent.poll(sender, || Pin::new(real).poll(context))
    }
}

rt::forwards! {
    [T] SendFut<'_, T>: FusedFuture {
        fn is_terminated(&self) -> bool;
    }
}

impl<T> Drop for SendFut<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.unsent.give_up(&self.sender.channel);
    }
}

super::says_of_channel!(SendFut, sender);
