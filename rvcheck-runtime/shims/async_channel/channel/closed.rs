//! The future that waits for the channel to be closed. Nothing of it is recorded, since no message is waited for.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use rt::channel::Message;

/// Waits until the channel is closed.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Closed<'a, T> {
    real: real::Closed<'a, Message<T>>,
}

impl<'a, T> Closed<'a, T> {
    pub(super) fn around(real: real::Closed<'a, Message<T>>) -> Closed<'a, T> {
        Closed { real }
    }
}

impl<T> Future for Closed<'_, T> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        // SAFETY: the real future is pinned with `self`.
        unsafe { self.map_unchecked_mut(|it| &mut it.real) }.poll(context)
    }
}

rt::forwards! {
    [T: fmt::Debug] Closed<'_, T>: Debug;
}
