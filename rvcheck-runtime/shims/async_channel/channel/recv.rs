//! The future of a receive.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use real::RecvError;
use rt::channel::{Channel, Message};
use rt::wait::Wait;
use rt::{EventKind, Loc};

use super::Receiver;

/// Waits for a message.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Recv<'a, T> {
    channel: &'a Channel,
    location: Loc,
    wait: Wait,
    real: real::Recv<'a, Message<T>>,
}

impl<'a, T> Recv<'a, T> {
    pub(super) fn new(receiver: &'a Receiver<T>, location: Loc) -> Recv<'a, T> {
        Recv { channel: &receiver.channel, location, wait: Wait::new(), real: receiver.real.recv() }
    }
}

impl<T> Future for Recv<'_, T> {
    type Output = Result<T, RecvError>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
        let this = unsafe { self.get_unchecked_mut() };
        if this.wait.is_delayed(this.channel.head(), this.location, context) {
            return Poll::Pending;
        }
        // SAFETY: as above.
        let real = unsafe { Pin::new_unchecked(&mut this.real) };
        let polled = rt::waker::recorded(|| real.poll(context));
        this.wait.polled(&polled, EventKind::RecvWait, this.channel.head(), 0, this.location);
        polled.map(|message| this.channel.taken(message, |_| true, this.location))
    }
}

rt::forwards! {
    [T: fmt::Debug] Recv<'_, T>: Debug;
}
