//! The senders as sinks.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_sink::Sink;
use real::mpsc::SendError;

use super::{Sender, TrySendError, UnboundedSender};

impl<T> Sink<T> for Sender<T> {
    type Error = SendError;

    #[track_caller]
    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        Sender::poll_ready(self.get_mut(), context)
    }

    #[track_caller]
    fn start_send(self: Pin<&mut Self>, item: T) -> Result<(), SendError> {
        Sender::start_send(self.get_mut(), item)
    }

    #[track_caller]
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        // Without a receiver there is nothing to flush.
        match Sender::poll_ready(self.get_mut(), context) {
            Poll::Ready(Err(error)) if error.is_disconnected() => Poll::Ready(Ok(())),
            polled => polled,
        }
    }

    fn poll_close(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        self.get_mut().disconnect();
        Poll::Ready(Ok(()))
    }
}

impl<T> Sink<T> for UnboundedSender<T> {
    type Error = SendError;

    #[track_caller]
    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        UnboundedSender::poll_ready(&self, context)
    }

    #[track_caller]
    fn start_send(self: Pin<&mut Self>, item: T) -> Result<(), SendError> {
        UnboundedSender::start_send(self.get_mut(), item)
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        self.get_mut().disconnect();
        Poll::Ready(Ok(()))
    }
}

impl<T> Sink<T> for &UnboundedSender<T> {
    type Error = SendError;

    #[track_caller]
    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        UnboundedSender::poll_ready(*self, context)
    }

    #[track_caller]
    fn start_send(self: Pin<&mut Self>, item: T) -> Result<(), SendError> {
        self.unbounded_send(item).map_err(TrySendError::into_send_error)
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        self.close_channel();
        Poll::Ready(Ok(()))
    }
}
