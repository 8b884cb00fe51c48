//! Waiting for one of several operations in a controlled run, where nobody waits in the real call.

use std::time::{Duration, Instant};

use real::{RecvError, SendError, TryRecvError, TrySendError};
use rt::channel::Message;
use rt::control::meeting::{Handover, Offering, Side};
use rt::control::{self, Retried};
use rt::{chan, Blocking, Head, Loc};

use crate::channel::taken;
use crate::{Receiver, Sender};

/// An operation of which one is done.
pub(super) trait Turn<'a, T> {
    /// The channel.
    fn head(&self) -> &'a Head;
    /// What it does there, if the channel has no room.
    fn side(&self) -> Option<Side>;
    /// Does it if that needs no waiting.
    fn attempt(&mut self) -> Option<T>;
    /// Does it with whom was met there.
    fn met(&mut self, handover: &Handover) -> T;
}

struct Sends<'a, U, F> {
    sender: &'a Sender<U>,
    /// Until it is sent.
    message: Option<Message<U>>,
    mapper: F,
    location: Loc,
}

struct Receives<'a, U, F> {
    receiver: &'a Receiver<U>,
    mapper: F,
    location: Loc,
}

/// The message is to be sent.
pub(super) fn sends<'a, T: 'a, U>(
    sender: &'a Sender<U>,
    message: Message<U>,
    mapper: impl FnMut(Result<(), SendError<U>>) -> T + 'a,
    location: Loc,
) -> Box<dyn Turn<'a, T> + 'a> {
    Box::new(Sends { sender, message: Some(message), mapper, location })
}

/// A message is to be received.
pub(super) fn receives<'a, T: 'a, U>(
    receiver: &'a Receiver<U>,
    mapper: impl FnMut(Result<U, RecvError>) -> T + 'a,
    location: Loc,
) -> Box<dyn Turn<'a, T> + 'a> {
    Box::new(Receives { receiver, mapper, location })
}

impl<'a, T, U, F: FnMut(Result<(), SendError<U>>) -> T> Turn<'a, T> for Sends<'a, U, F> {
    fn head(&self) -> &'a Head {
        self.sender.channel.head()
    }

    fn side(&self) -> Option<Side> {
        self.sender.channel.meets().then_some(Side::Sends)
    }

    fn attempt(&mut self) -> Option<T> {
        let message = self.message.take()?;
        let number = message.number();
        match self.sender.try_to_send(message) {
            Ok(()) => {
                chan::sent(self.head(), number, self.location);
                Some((self.mapper)(Ok(())))
            }
            Err(TrySendError::Full(message)) => {
                self.message = Some(message);
                None
            }
            Err(TrySendError::Disconnected(message)) => {
                let value = self.sender.channel.refused(message, self.location);
                Some((self.mapper)(Err(SendError(value))))
            }
        }
    }

    fn met(&mut self, handover: &Handover) -> T {
        if let Some(message) = self.message.take() {
            let number = message.number();
            handover.put(message);
            chan::sent(self.head(), number, self.location);
        }
        (self.mapper)(Ok(()))
    }
}

impl<U, F> Drop for Sends<'_, U, F> {
    fn drop(&mut self) {
        // It was never sent, so it is not lost.
        drop(self.message.take().map(Message::into_value));
    }
}

impl<'a, T, U, F: FnMut(Result<U, RecvError>) -> T> Turn<'a, T> for Receives<'a, U, F> {
    fn head(&self) -> &'a Head {
        self.receiver.channel.head()
    }

    fn side(&self) -> Option<Side> {
        self.receiver.channel.meets().then_some(Side::Receives)
    }

    fn attempt(&mut self) -> Option<T> {
        let received = match self.receiver.attempt(self.location) {
            Ok(message) => Ok(message),
            Err(TryRecvError::Disconnected) => Err(RecvError::Disconnected),
            Err(TryRecvError::Empty) => return None,
        };
        Some((self.mapper)(taken(&self.receiver.channel, received, self.location)))
    }

    fn met(&mut self, handover: &Handover) -> T {
        // SAFETY: it is what goes through this channel.
        let message = unsafe { handover.receive(self.location) };
        let received = message.ok_or(RecvError::Disconnected);
        (self.mapper)(taken(&self.receiver.channel, received, self.location))
    }
}

/// Does one of these until then. `begin` is called where it has to wait.
pub(super) fn select<'a, T>(
    turns: &mut [Box<dyn Turn<'a, T> + 'a>],
    deadline: Option<Instant>,
    location: Loc,
    begin: impl FnOnce() -> Blocking,
) -> Option<T> {
    if let Some(first) = turns.first() {
        control::asks(first.head(), location);
    }
    if let Some(selected) = turns.iter_mut().find_map(|it| it.attempt()) {
        return Some(selected);
    }
    let blocking = begin();
    let heads: Vec<&Head> = turns.iter().map(|it| it.head()).collect();
    let meets: Vec<usize> = (0..turns.len()).filter(|it| turns[*it].side().is_some()).collect();
    let offers: Vec<(&Head, Side)> =
        meets.iter().filter_map(|it| Some((turns[*it].head(), turns[*it].side()?))).collect();
    let waited = {
        // Whoever handles the result is not blocked any more.
        let mut blocking = Some(blocking);
        let mut attempt =
            || (0..turns.len()).find_map(|it| turns[it].attempt().inspect(|_| drop(blocking.take())));
        if offers.is_empty() {
            match control::retry_any(&heads, location, deadline, attempt) {
                Retried::Got(selected) => Retried::Got(Err(selected)),
                Retried::TimedOut => Retried::TimedOut,
                Retried::Uncontrolled => Retried::Uncontrolled,
            }
        } else {
            let offering = Offering::of(&offers);
            match offering.wait(&heads, location, deadline, &mut attempt) {
                Retried::Got(Ok(at)) => Retried::Got(Ok((meets[at], offering.handover(at).clone()))),
                Retried::Got(Err(selected)) => Retried::Got(Err(selected)),
                Retried::TimedOut => Retried::TimedOut,
                Retried::Uncontrolled => Retried::Uncontrolled,
            }
        }
    };
    match waited {
        Retried::Got(Ok((at, handover))) => Some(turns[at].met(&handover)),
        Retried::Got(Err(selected)) => Some(selected),
        Retried::TimedOut => None,
        // Nobody gives the turn to this thread any more.
        Retried::Uncontrolled => loop {
            if let Some(selected) = turns.iter_mut().find_map(|it| it.attempt()) {
                return Some(selected);
            }
            if deadline.is_some_and(|it| it <= Instant::now()) {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        },
    }
}
