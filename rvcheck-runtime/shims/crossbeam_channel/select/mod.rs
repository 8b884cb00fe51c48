//! Waiting for one of several operations.

use std::panic::Location;
use std::time::{Duration, Instant};

use real::{ReadyTimeoutError, RecvError, SelectTimeoutError, SendError, TryReadyError, TrySelectError};
use rt::{chan, wait, Blocking, EventKind, Head, Loc, What};

use crate::channel::Source;
use crate::{Receiver, Sender};

mod macros;

/// Operations of which one is waited for.
pub struct Select<'a> {
    real: real::Select<'a>,
    /// What is waited for, while the program is recorded.
    operations: Vec<Operation<'a>>,
}

/// An operation whose wait can be recorded.
#[derive(Clone)]
struct Operation<'a> {
    index: usize,
    kind: EventKind,
    head: &'a Head,
}

impl<'a> Select<'a> {
    /// No operations yet. Of those that are ready, a random one will be selected.
    pub fn new() -> Select<'a> {
        Select { real: real::Select::new(), operations: Vec::new() }
    }

    /// No operations yet. Of those that are ready, the first one will be selected.
    #[cfg(rv_crossbeam_channel_0_5_14)]
    pub fn new_biased() -> Select<'a> {
        Select { real: real::Select::new_biased(), operations: Vec::new() }
    }

    /// Adds a send, and gives its index.
    pub fn send<T>(&mut self, s: &'a Sender<T>) -> usize {
        let index = self.real.send(&s.real);
        self.add(index, EventKind::SendWait, Some(s.channel.head()))
    }

    /// Adds a receive, and gives its index.
    pub fn recv<T>(&mut self, r: &'a Receiver<T>) -> usize {
        let index = match &r.source {
            Source::Channel { real, .. } => self.real.recv(real),
            Source::Timer { real, .. } | Source::Never { real } => self.real.recv(real),
        };
        self.add(index, EventKind::RecvWait, r.source.head())
    }

    fn add(&mut self, index: usize, kind: EventKind, head: Option<&'a Head>) -> usize {
        if rt::on() {
            self.operations.extend(head.map(|head| Operation { index, kind, head }));
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
        self.operations.retain(|it| it.index != index);
    }

    /// Selects an operation that is ready.
    ///
    /// # Errors
    ///
    /// When none is.
    pub fn try_select(&mut self) -> Result<SelectedOperation<'a>, TrySelectError> {
        self.real.try_select().map(selected)
    }

    /// Waits for an operation, and selects it.
    ///
    /// # Panics
    ///
    /// When there are no operations.
    #[track_caller]
    pub fn select(&mut self) -> SelectedOperation<'a> {
        if let Ok(operation) = self.try_select() {
            return operation;
        }
        let _blocking = self.wait(false, Location::caller());
        selected(self.real.select())
    }

    /// Waits for an operation for at most that long, and selects it.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn select_timeout(&mut self, timeout: Duration) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        if let Ok(operation) = self.try_select() {
            return Ok(operation);
        }
        let _blocking = self.wait(true, Location::caller());
        self.real.select_timeout(timeout).map(selected)
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
        if let Ok(operation) = self.try_select() {
            return Ok(operation);
        }
        let _blocking = self.wait(true, Location::caller());
        self.real.select_deadline(deadline).map(selected)
    }

    /// Waits until an operation is ready, and gives its index.
    ///
    /// # Panics
    ///
    /// When there are no operations.
    #[track_caller]
    pub fn ready(&mut self) -> usize {
        if let Ok(index) = self.real.try_ready() {
            return index;
        }
        let _blocking = self.wait(false, Location::caller());
        self.real.ready()
    }

    /// Waits until an operation is ready, for at most that long, and gives its index.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn ready_timeout(&mut self, timeout: Duration) -> Result<usize, ReadyTimeoutError> {
        if let Ok(index) = self.real.try_ready() {
            return Ok(index);
        }
        let _blocking = self.wait(true, Location::caller());
        self.real.ready_timeout(timeout)
    }

    /// Waits until an operation is ready or the time has come, and gives its index.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn ready_deadline(&mut self, deadline: Instant) -> Result<usize, ReadyTimeoutError> {
        if let Ok(index) = self.real.try_ready() {
            return Ok(index);
        }
        let _blocking = self.wait(true, Location::caller());
        self.real.ready_deadline(deadline)
    }

    /// Records that all operations are waited for, and that the thread is blocked.
    fn wait(&self, timed: bool, location: Loc) -> Blocking {
        for operation in &self.operations {
            wait::begin(operation.kind, operation.head, 0, location);
        }
        rt::block_at_most(What::Recv, timed, location)
    }
}

rt::forwards! {
    ['a] Select<'a> {
        pub fn try_ready(&mut self) -> Result<usize, TryReadyError>;
    }
    [] Select<'_>: Clone { real, operations };
    [] Select<'_>: Default = Select::new();
    [] Select<'_>: Debug;
}

/// An operation that was selected and is to be done.
#[must_use]
pub struct SelectedOperation<'a> {
    real: real::SelectedOperation<'a>,
}

fn selected(real: real::SelectedOperation<'_>) -> SelectedOperation<'_> {
    SelectedOperation { real }
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
        match self.real.send(&s.real, message) {
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
        match &r.source {
            Source::Channel { real, channel } => match self.real.recv(real) {
                Ok(message) => Ok(channel.received(message, location)),
                Err(RecvError) => {
                    chan::closed(channel.head(), location);
                    Err(RecvError)
                }
            },
            Source::Timer { real, channel } => {
                self.real.recv(real).inspect(|_| chan::received(channel.head(), 0, location))
            }
            Source::Never { real } => self.real.recv(real),
        }
    }
}

rt::forwards! {
    [] SelectedOperation<'_> {
        pub fn index(&self) -> usize;
    }
    [] SelectedOperation<'_>: Debug;
}
