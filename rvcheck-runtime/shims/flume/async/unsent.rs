//! A message that a future or a sink is to send.
//!
//! Where there is no room, the real one puts it into a waiting line, from which receivers take it without asking. So it counts
//! as sent when it is first tried, and as undelivered where it is then given up.

use std::task::{Context, Poll};

use real::SendError;
use rt::channel::{Channel, Message};
use rt::wait::Wait;
use rt::{chan, wait, EventKind, Loc};

use crate::Sender;

/// What is known of the message.
pub(super) struct Unsent {
    /// 0 when there is none, or nothing to be recorded of it.
    number: u32,
    state: State,
    location: Loc,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// The real future was not polled since it has the message.
    Untried,
    /// It is in the channel, or nobody receives any more.
    Tried,
    /// There was no room, and that was recorded.
    Waiting,
}

impl Unsent {
    /// There is no message yet.
    pub(super) fn nothing(location: Loc) -> Unsent {
        Unsent { number: 0, state: State::Tried, location }
    }

    /// This message is to be sent.
    #[inline]
    pub(super) fn message<T>(message: &Message<T>, location: Loc) -> Unsent {
        Unsent { number: message.number(), state: State::Untried, location }
    }

    /// Where it is sent.
    pub(super) fn location(&self) -> Loc {
        self.location
    }

    /// Whether the message is not to be sent yet, so that a schedule can be kept. To be asked before the real future is polled.
    pub(super) fn is_delayed(&self, channel: &Channel, context: &Context<'_>) -> bool {
        self.state == State::Untried && Wait::new().is_delayed(channel.head(), self.location, context)
    }

    /// Polls the real future, and records what comes of it.
    #[inline]
    pub(super) fn poll<T>(
        &mut self,
        sender: &Sender<T>,
        real: impl FnOnce() -> Poll<Result<(), SendError<Message<T>>>>,
    ) -> Poll<Result<(), SendError<T>>> {
        let channel = &*sender.channel;
        if self.state == State::Untried {
            self.state = State::Tried;
            if self.number != 0 && !sender.real.is_disconnected() {
                chan::sent(channel.head(), self.number, self.location);
            } else {
                self.number = 0;
            }
        }
        match real() {
            Poll::Pending => {
                channel.waits();
                if self.state != State::Waiting {
                    self.state = State::Waiting;
                    wait::begin(EventKind::SendWait, channel.head(), 0, self.location);
                }
                Poll::Pending
            }
            Poll::Ready(Ok(())) => Poll::Ready(Ok(())),
            Poll::Ready(Err(SendError(message))) => {
                let value = channel.refused(message, self.location);
                if self.number != 0 {
                    chan::undelivered(channel.head(), self.number);
                }
                Poll::Ready(Err(SendError(value)))
            }
        }
    }

    /// The real future is about to drop the message, if it still has one.
    #[inline]
    pub(super) fn give_up(&self, channel: &Channel) {
        if self.state == State::Untried {
            channel.withdraw(self.number);
        }
    }
}
