//! Waiting for one of several operations.

use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

use real::{ReadyTimeoutError, RecvError, SelectTimeoutError, SendError, TryReadyError, TrySelectError};
use rt::control::meeting::Side;
use rt::control::Retried;
use rt::{chan, wait, Blocking, EventKind, Head, Loc, What};

use crate::channel::{Alarm, Source};
use crate::{Receiver, Sender};

mod controlled;
mod macros;

use controlled::Met;

/// Operations of which one is waited for.
pub struct Select<'a> {
    real: real::Select<'a>,
    /// Of those that are ready, the first one is to be selected.
    is_biased: bool,
    /// How many operations there are.
    count: usize,
    /// What is waited for, while the program is recorded.
    operations: Vec<Operation<'a>>,
}

/// An operation whose wait can be recorded.
#[derive(Clone)]
struct Operation<'a> {
    index: usize,
    kind: EventKind,
    head: &'a Head,
    /// The side of a channel without room.
    side: Option<Side>,
    /// When there is a message, if it comes from a timer.
    alarm: Option<&'a Alarm>,
    /// The address of the end.
    end: usize,
}

impl<'a> Select<'a> {
    /// No operations yet. Of those that are ready, a random one will be selected.
    pub fn new() -> Select<'a> {
        Select { real: real::Select::new(), is_biased: false, count: 0, operations: Vec::new() }
    }

    /// No operations yet. Of those that are ready, the first one will be selected.
    #[cfg(rv_crossbeam_channel_0_5_14)]
    pub fn new_biased() -> Select<'a> {
        Select { real: real::Select::new_biased(), is_biased: true, count: 0, operations: Vec::new() }
    }

    /// Adds a send, and gives its index.
    pub fn send<T>(&mut self, s: &'a Sender<T>) -> usize {
        let index = self.real.send(&s.real);
        self.add(index, || {
            let (head, end) = (s.channel.head(), std::ptr::from_ref(s).addr());
            let side = s.channel.meets().then_some(Side::Sends);
            Some(Operation { index, kind: EventKind::SendWait, head, side, alarm: None, end })
        })
    }

    /// Adds a receive, and gives its index.
    pub fn recv<T>(&mut self, r: &'a Receiver<T>) -> usize {
        let index = match &r.source {
            Source::Channel { real, .. } => self.real.recv(real),
            Source::Timer { real, .. } | Source::Never { real } => self.real.recv(real),
        };
        self.add(index, || {
            let (head, end) = (r.source.head()?, std::ptr::from_ref(r).addr());
            let (side, alarm) = match &r.source {
                Source::Channel { channel, .. } => (channel.meets().then_some(Side::Receives), None),
                Source::Timer { alarm, .. } => (None, Some(&**alarm)),
                Source::Never { .. } => (None, None),
            };
            Some(Operation { index, kind: EventKind::RecvWait, head, side, alarm, end })
        })
    }

    fn add(&mut self, index: usize, operation: impl FnOnce() -> Option<Operation<'a>>) -> usize {
        self.count += 1;
        if rt::on() {
            self.operations.extend(operation());
        }
        index
    }

    /// Removes the operation with this index.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn remove(&mut self, index: usize) {
        self.real.remove(index);
        self.count -= 1;
        self.operations.retain(|it| it.index != index);
    }

    /// Selects an operation that is ready.
    ///
    /// # Errors
    ///
    /// When none is.
    #[track_caller]
    pub fn try_select(&mut self) -> Result<SelectedOperation<'a>, TrySelectError> {
        self.trying(Location::caller(), Select::now)
    }

    /// Waits for an operation, and selects it.
    ///
    /// # Panics
    ///
    /// When there are no operations.
    #[track_caller]
    pub fn select(&mut self) -> SelectedOperation<'a> {
        let location = Location::caller();
        self.asks(location);
        if let Ok(operation) = self.now() {
            return operation;
        }
        let _blocking = self.wait(false, location);
        match self.select_in_turn(|| None, location) {
            Retried::Got(operation) => operation,
            _ => selected(self.real.select()),
        }
    }

    /// Waits for an operation for at most that long, and selects it.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn select_timeout(&mut self, timeout: Duration) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        let location = Location::caller();
        self.asks(location);
        if let Ok(operation) = self.now() {
            return Ok(operation);
        }
        let _blocking = self.wait(true, location);
        match self.select_in_turn(|| Instant::now().checked_add(timeout), location) {
            Retried::Got(operation) => Ok(operation),
            Retried::TimedOut => self.timed_out(),
            Retried::Uncontrolled => self.real.select_timeout(timeout).map(selected),
        }
    }

    /// Waits for an operation until then, and selects it.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn select_deadline(
        &mut self,
        deadline: Instant,
    ) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        let location = Location::caller();
        self.asks(location);
        if let Ok(operation) = self.now() {
            return Ok(operation);
        }
        let _blocking = self.wait(true, location);
        match self.select_in_turn(|| Some(deadline), location) {
            Retried::Got(operation) => Ok(operation),
            Retried::TimedOut => self.timed_out(),
            Retried::Uncontrolled => self.real.select_deadline(deadline).map(selected),
        }
    }

    /// The index of an operation that is ready.
    ///
    /// # Errors
    ///
    /// When none is.
    #[track_caller]
    pub fn try_ready(&mut self) -> Result<usize, TryReadyError> {
        self.trying(Location::caller(), Select::ready_now)
    }

    /// Waits until an operation is ready, and gives its index.
    ///
    /// # Panics
    ///
    /// When there are no operations.
    #[track_caller]
    pub fn ready(&mut self) -> usize {
        let location = Location::caller();
        self.asks(location);
        if let Ok(index) = self.ready_now() {
            return index;
        }
        let _blocking = self.wait(false, location);
        match self.ready_in_turn(|| None, location) {
            Retried::Got(index) => index,
            _ => self.real.ready(),
        }
    }

    /// Waits until an operation is ready, for at most that long, and gives its index.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn ready_timeout(&mut self, timeout: Duration) -> Result<usize, ReadyTimeoutError> {
        let location = Location::caller();
        self.asks(location);
        if let Ok(index) = self.ready_now() {
            return Ok(index);
        }
        let _blocking = self.wait(true, location);
        match self.ready_in_turn(|| Instant::now().checked_add(timeout), location) {
            Retried::Got(index) => Ok(index),
            Retried::TimedOut => not_ready(),
            Retried::Uncontrolled => self.real.ready_timeout(timeout),
        }
    }

    /// Waits until an operation is ready or the time has come, and gives its index.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn ready_deadline(&mut self, deadline: Instant) -> Result<usize, ReadyTimeoutError> {
        let location = Location::caller();
        self.asks(location);
        if let Ok(index) = self.ready_now() {
            return Ok(index);
        }
        let _blocking = self.wait(true, location);
        match self.ready_in_turn(|| Some(deadline), location) {
            Retried::Got(index) => Ok(index),
            Retried::TimedOut => not_ready(),
            Retried::Uncontrolled => self.real.ready_deadline(deadline),
        }
    }

    /// Records that all operations are waited for, and that the thread is blocked.
    fn wait(&self, timed: bool, location: Loc) -> Blocking {
        for operation in &self.operations {
            wait::begin(operation.kind, operation.head, 0, location);
        }
        // A timer ends it, too.
        let timed = timed || self.operations.iter().any(|it| it.alarm.is_some());
        rt::block_at_most(What::Recv, timed, location)
    }
}

rt::forwards! {
    [] Select<'_>: Clone { real, is_biased, count, operations };
    [] Select<'_>: Default = Select::new();
    [] Select<'_>: Debug;
}

/// Only the real crate can make an error: it does so where nothing is waited for.
fn not_ready() -> Result<usize, ReadyTimeoutError> {
    real::Select::new().ready_timeout(Duration::ZERO)
}

/// An operation that was selected and is to be done.
#[must_use]
pub struct SelectedOperation<'a> {
    how: How<'a>,
}

/// How an operation was selected.
enum How<'a> {
    /// By the real crate.
    Really(real::SelectedOperation<'a>),
    /// By meeting somebody, in a controlled run.
    Met(Met),
}

fn selected(real: real::SelectedOperation<'_>) -> SelectedOperation<'_> {
    SelectedOperation { how: How::Really(real) }
}

impl SelectedOperation<'_> {
    /// Sends the value.
    ///
    /// # Errors
    ///
    /// The value, when there is no receiver.
    ///
    /// # Panics
    ///
    /// When this is not the sender that was selected.
    #[track_caller]
    pub fn send<T>(self, s: &Sender<T>, msg: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        let message = s.message(msg, location);
        let number = message.number();
        let sent = match self.how {
            How::Really(real) => real.send(&s.real, message),
            How::Met(met) => Ok(met.with(s, "sender").put(message)),
        };
        match sent {
            Ok(()) => {
                chan::sent(s.channel.head(), number, location);
                Ok(())
            }
            Err(SendError(message)) => Err(SendError(s.channel.refused(message, location))),
        }
    }

    /// Takes the message.
    ///
    /// # Errors
    ///
    /// When there will be no more.
    ///
    /// # Panics
    ///
    /// When this is not the receiver that was selected.
    #[track_caller]
    pub fn recv<T>(self, r: &Receiver<T>) -> Result<T, RecvError> {
        let location = Location::caller();
        let selected = match self.how {
            How::Really(selected) => selected,
            How::Met(met) => return met.recv(r, location),
        };
        match &r.source {
            Source::Channel { real, channel } => match selected.recv(real) {
                Ok(message) => Ok(channel.received(message, location)),
                Err(RecvError) => {
                    chan::closed(channel.head(), location);
                    Err(RecvError)
                }
            },
            Source::Timer { real, channel, alarm } => {
                let received = selected.recv(real).inspect(|it| alarm.gave(it));
                received.inspect(|_| chan::received(channel.head(), 0, location))
            }
            Source::Never { real } => selected.recv(real),
        }
    }
}

impl SelectedOperation<'_> {
    /// The index of the operation.
    pub fn index(&self) -> usize {
        match &self.how {
            How::Really(real) => real.index(),
            How::Met(met) => met.index,
        }
    }
}

impl fmt::Debug for SelectedOperation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.how {
            How::Really(real) => real.fmt(f),
            How::Met(_) => f.pad("SelectedOperation { .. }"),
        }
    }
}
