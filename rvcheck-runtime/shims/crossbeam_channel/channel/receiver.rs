//! The receiving end.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use real::{RecvError, RecvTimeoutError, TryRecvError};
use rt::channel::{Channel, Message};
use rt::control::meeting::{self, Side, Unmet};
use rt::control::{self, Retried};
use rt::{chan, wait, EventKind, Head, Loc, What};

use super::{Alarm, Until};

/// The receiving end of a channel, or a timer.
pub struct Receiver<T> {
    pub(crate) source: Source<T>,
}

rt::identified!([T] Receiver<T>, it => it.source.head().map_or(rt::protocol::Value::Absent, Head::value));

/// Where messages come from. In each, the real receiver comes before the identity, because messages that are dropped with
/// the last end point to that.
pub(crate) enum Source<T> {
    /// Senders.
    Channel {
        /// Their messages are numbered.
        real: real::Receiver<Message<T>>,
        /// Common to all ends.
        channel: Arc<Channel>,
    },
    /// Time: a message is an `Instant`, and nobody sent it.
    Timer {
        /// What it gives has no number.
        real: real::Receiver<T>,
        /// Common to all clones.
        channel: Arc<Channel>,
        /// When there is a message.
        alarm: Arc<Alarm>,
    },
    /// Nobody, for ever. It can be made in a constant, and has no identity.
    Never {
        /// The real one.
        real: real::Receiver<T>,
    },
}

/// Asks the real receiver, whichever it is.
macro_rules! ask {
    ($receiver:expr, $question:ident) => {
        match &$receiver.source {
            Source::Channel { real, .. } => real.$question(),
            Source::Timer { real, .. } | Source::Never { real } => real.$question(),
        }
    };
}

impl<T> Source<T> {
    /// The identity of what can be waited for.
    pub(crate) fn head(&self) -> Option<&Head> {
        match self {
            Source::Channel { channel, .. } | Source::Timer { channel, .. } => Some(channel.head()),
            Source::Never { .. } => None,
        }
    }
}

impl<T> Receiver<T> {
    /// Takes the next message if there is one.
    ///
    /// # Errors
    ///
    /// When there is none, or when there will be no more.
    #[track_caller]
    #[inline]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.try_recv_at(Location::caller())
    }

    /// Waits for the next message.
    ///
    /// # Errors
    ///
    /// When there will be no more.
    #[track_caller]
    #[inline]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.recv_at(Location::caller())
    }

    /// Waits for the next message, for at most that long.
    ///
    /// # Errors
    ///
    /// When the time is over, or when there will be no more messages.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        self.recv_until(Until::Over(timeout), Location::caller())
    }

    /// Waits for the next message until then.
    ///
    /// # Errors
    ///
    /// When the time is over, or when there will be no more messages.
    #[track_caller]
    pub fn recv_deadline(&self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        self.recv_until(Until::Deadline(deadline), Location::caller())
    }

    #[inline]
    pub(super) fn recv_at(&self, location: Loc) -> Result<T, RecvError> {
        self.recv_until(Until::Done, location).map_err(|_| RecvError)
    }

    fn try_recv_at(&self, location: Loc) -> Result<T, TryRecvError> {
        let Some(head) = self.source.head().filter(|_| control::on()) else { return self.take(location) };
        control::tries(head, location);
        let taken = self.take(location);
        control::tried(head, !matches!(taken, Err(TryRecvError::Empty)));
        taken
    }

    #[inline]
    pub(super) fn take(&self, location: Loc) -> Result<T, TryRecvError> {
        match &self.source {
            Source::Channel { real, channel } => {
                if channel.meets() {
                    let met = meeting::meet(channel.head(), Side::Receives);
                    // SAFETY: it is what goes through this channel.
                    if let Some(message) = met.and_then(|it| unsafe { it.receive(location) }) {
                        return Ok(channel.received(message, location));
                    }
                }
                channel.taken(real.try_recv(), |error| *error == TryRecvError::Disconnected, location)
            }
            Source::Timer { alarm, .. } if alarm.is_ahead() => Err(TryRecvError::Empty),
            Source::Timer { real, channel, alarm } => real
                .try_recv()
                .inspect(|it| alarm.gave(it))
                .inspect(|_| chan::received(channel.head(), 0, location)),
            Source::Never { real } => real.try_recv(),
        }
    }

    #[inline]
    fn recv_until(&self, until: Until, location: Loc) -> Result<T, RecvTimeoutError> {
        if let Some(head) = self.source.head() {
            rt::delay(head, location);
        }
        match self.take(location) {
            Ok(value) => Ok(value),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => self.wait(until, location),
        }
    }

    fn wait(&self, until: Until, location: Loc) -> Result<T, RecvTimeoutError> {
        if let Some(head) = self.source.head() {
            wait::begin(EventKind::RecvWait, head, 0, location);
        }
        let timed = until.is_timed() || matches!(self.source, Source::Timer { .. });
        let blocking = rt::block_at_most(What::Recv, timed, location);
        match &self.source {
            Source::Channel { real, channel } => {
                let result = match channel.meets() {
                    true => meet(real, channel.head(), until, location),
                    false => recv(real, Some(channel.head()), None, until, location),
                };
                drop(blocking);
                if matches!(result, Err(RecvTimeoutError::Timeout)) {
                    wait::given_up(EventKind::RecvWait, channel.head(), location);
                }
                channel.taken(result, |error| *error == RecvTimeoutError::Disconnected, location)
            }
            Source::Timer { real, channel, alarm } => {
                let result = recv(real, Some(channel.head()), Some(alarm), until, location);
                drop(blocking);
                result.inspect(|_| chan::received(channel.head(), 0, location))
            }
            Source::Never { real } => recv(real, None, None, until, location),
        }
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        ask!(self, is_empty)
    }

    /// Whether there is no room.
    pub fn is_full(&self) -> bool {
        ask!(self, is_full)
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        ask!(self, len)
    }

    /// For how many messages there is room in the empty channel, if there is a limit.
    pub fn capacity(&self) -> Option<usize> {
        ask!(self, capacity)
    }

    /// Whether both receive from one channel.
    pub fn same_channel(&self, other: &Receiver<T>) -> bool {
        match (&self.source, &other.source) {
            (Source::Channel { real, .. }, Source::Channel { real: other, .. }) => real.same_channel(other),
            (
                Source::Timer { real, .. } | Source::Never { real },
                Source::Timer { real: other, .. } | Source::Never { real: other },
            ) => real.same_channel(other),
            _ => false,
        }
    }
}

/// Waits for a message, in the real call or, where the run is controlled, until there is one.
fn recv<M>(
    real: &real::Receiver<M>,
    head: Option<&Head>,
    alarm: Option<&Alarm>,
    until: Until,
    location: Loc,
) -> Result<M, RecvTimeoutError> {
    if !control::on() {
        return until.recv(real);
    }
    let deadline = until.deadline();
    loop {
        let attempt = || match alarm.is_some_and(Alarm::is_ahead) {
            true => None,
            false => attempt(real),
        };
        let next = alarm.and_then(Alarm::next);
        let heads: Vec<&Head> = head.into_iter().collect();
        match control::retry_any(&heads, location, earlier(deadline, next), attempt) {
            Retried::Got(received) => {
                if let (Ok(message), Some(alarm)) = (&received, alarm) {
                    alarm.gave(message);
                }
                return received;
            }
            Retried::TimedOut if earlier(deadline, next) == deadline => {
                return Err(RecvTimeoutError::Timeout)
            }
            Retried::TimedOut => {}
            Retried::Uncontrolled => return until.recv(real),
        }
    }
}

/// Receives through a channel without room, in a controlled run.
fn meet<M>(
    real: &real::Receiver<M>,
    head: &Head,
    until: Until,
    location: Loc,
) -> Result<M, RecvTimeoutError> {
    // SAFETY: it is what goes through this channel.
    match unsafe { meeting::receive(head, location, until.deadline(), || attempt(real)) } {
        Ok(met) => met.map_or_else(|other| other, Ok),
        Err(Unmet::TimedOut) => Err(RecvTimeoutError::Timeout),
        Err(_) => until.recv(real),
    }
}

/// The next message, or that there will be none, if that is known now.
fn attempt<M>(real: &real::Receiver<M>) -> Option<Result<M, RecvTimeoutError>> {
    match real.try_recv() {
        Ok(message) => Some(Ok(message)),
        Err(TryRecvError::Disconnected) => Some(Err(RecvTimeoutError::Disconnected)),
        Err(TryRecvError::Empty) => None,
    }
}

/// The earlier one of two times.
pub(crate) fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl<T> Drop for Receiver<T> {
    #[inline]
    fn drop(&mut self) {
        if let Source::Channel { channel, .. } = &self.source {
            channel.receiver_dropped();
        }
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Receiver<T> {
        let source = match &self.source {
            Source::Channel { real, channel } => {
                channel.receiver_made();
                Source::Channel { real: real.clone(), channel: Arc::clone(channel) }
            }
            Source::Timer { real, channel, alarm } => {
                Source::Timer { real: real.clone(), channel: Arc::clone(channel), alarm: Arc::clone(alarm) }
            }
            Source::Never { real } => Source::Never { real: real.clone() },
        };
        Receiver { source }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Channel { real, .. } => real.fmt(f),
            Source::Timer { real, .. } | Source::Never { real } => real.fmt(f),
        }
    }
}
