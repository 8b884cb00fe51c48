//! The future of a send.

use std::fmt;
use std::future::Future;
use std::marker;
use std::pin::Pin;
use std::ptr::NonNull;
use std::sync::Arc;
use std::task::{Context, Poll};

use real::SendError;
use rt::channel::{Channel, Message};
use rt::wait::Wait;
use rt::{chan, EventKind, Loc};

use super::Sender;

/// Waits for room and sends the value.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Send<'a, T> {
    /// Before the real future, which drops the message.
    unsent: Unsent,
    location: Loc,
    wait: Wait,
    real: real::Send<'a, Message<T>>,
    /// Last, since the message refers to it. The sender may be gone when this is dropped, as plainly.
    channel: Arc<Channel>,
}

impl<'a, T> Send<'a, T> {
    pub(super) fn new(sender: &'a Sender<T>, message: Message<T>, location: Loc) -> Send<'a, T> {
        let channel = Arc::clone(&sender.channel);
        let unsent = Unsent { number: message.number(), channel: NonNull::from(&*channel) };
        Send { unsent, location, wait: Wait::new(), real: sender.real.send(message), channel }
    }
}

impl<T> Future for Send<'_, T> {
    type Output = Result<(), SendError<T>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        let channel = &*this.channel;
        if this.wait.is_delayed(channel.head(), this.location, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        let real = unsafe { Pin::new_unchecked(&mut this.real) };
        let polled = rt::waker::recorded(|| real.poll(context));
        this.wait.polled(&polled, EventKind::SendWait, channel.head(), 0, this.location);
        polled.map(|sent| {
            let number = this.unsent.take();
            match sent {
                Ok(()) => Ok(chan::sent(channel.head(), number, this.location)),
                Err(SendError(message)) => Err(SendError(channel.refused(message, this.location))),
            }
        })
    }
}

rt::forwards! {
    [T: fmt::Debug] Send<'_, T>: Debug;
}

/// The number of a message that waits for room. Dropping this says that it was never sent.
struct Unsent {
    /// 0 when it was.
    number: u32,
    channel: NonNull<Channel>,
}

// SAFETY: the pointer is a shared reference to something `Sync`.
unsafe impl marker::Send for Unsent {}
// SAFETY: as above.
unsafe impl Sync for Unsent {}

impl Unsent {
    fn take(&mut self) -> u32 {
        std::mem::take(&mut self.number)
    }
}

impl Drop for Unsent {
    #[inline]
    fn drop(&mut self) {
        if self.number != 0 {
            // SAFETY: the future that this belongs to drops its share of the channel later.
            unsafe { self.channel.as_ref() }.withdraw(self.number);
        }
    }
}
