//! `flume::select`: waiting for one of several operations.

use std::cell::Cell;
use std::panic::Location;
use std::rc::Rc;
use std::time::{Duration, Instant};

use real::{RecvError, SendError};
use rt::channel::Channel;
use rt::{chan, wait, Blocking, EventKind, Loc, What};

pub use real::select::*;

mod controlled;

use controlled::Turn;

use crate::channel::taken;
use crate::{Receiver, Sender};

/// Waits for one of several operations and does it.
pub struct Selector<'a, T: 'a> {
    real: real::Selector<'a, T>,
    operations: Vec<Operation<'a>>,
    /// In a controlled run: what is done in place of the real operations.
    turns: Vec<Box<dyn Turn<'a, T> + 'a>>,
    /// While the thread is blocked. Who handles the result is not blocked any more.
    blocking: Rc<Cell<Option<Blocking>>>,
}

/// What can be recorded of an operation.
struct Operation<'a> {
    end: &'a dyn End,
    /// The message to be sent. It is withdrawn until that has happened.
    number: u32,
    location: Loc,
}

/// An end of a channel of any type.
trait End {
    /// The identity of the channel.
    fn channel(&self) -> &Channel;
    /// How a wait at this end is recorded.
    fn waits(&self) -> EventKind;
    /// Whether the operation need not wait, as far as can be told.
    fn is_ready(&self) -> bool;
}

impl<U> End for Sender<U> {
    fn channel(&self) -> &Channel {
        &self.channel
    }

    fn waits(&self) -> EventKind {
        EventKind::SendWait
    }

    fn is_ready(&self) -> bool {
        !self.is_full() || self.is_disconnected()
    }
}

impl<U> End for Receiver<U> {
    fn channel(&self) -> &Channel {
        &self.channel
    }

    fn waits(&self) -> EventKind {
        EventKind::RecvWait
    }

    fn is_ready(&self) -> bool {
        !self.is_empty() || self.is_disconnected()
    }
}

impl<'a, T> Selector<'a, T> {
    /// No operations yet.
    pub fn new() -> Selector<'a, T> {
        Selector {
            real: real::Selector::new(),
            operations: Vec::new(),
            turns: Vec::new(),
            blocking: Rc::default(),
        }
    }

    /// Adds a send of this value. `mapper` is handed its result.
    #[track_caller]
    pub fn send<U, F: FnMut(Result<(), SendError<U>>) -> T + 'a>(
        mut self,
        sender: &'a Sender<U>,
        msg: U,
        mut mapper: F,
    ) -> Selector<'a, T> {
        let location = Location::caller();
        let message = sender.message(msg, location);
        let number = message.number();
        let channel: &'a Channel = &sender.channel;
        if rt::control::on() {
            self.add(sender, 0, location);
            self.turns.push(controlled::sends(sender, message, mapper, location));
            return self;
        }
        // From the waiting line it can be received before this knows, and is dropped if another operation is selected.
        channel.withdraw(number);
        self.add(sender, number, location);
        let blocking = Rc::clone(&self.blocking);
        self.real = self.real.send(&sender.real, message, move |sent| {
            drop(blocking.take());
            settle(channel, number, sent.is_ok(), location);
            mapper(sent.map_err(|SendError(message)| SendError(channel.refused(message, location))))
        });
        self
    }

    /// Adds a receive. `mapper` is handed its result.
    #[track_caller]
    pub fn recv<U, F: FnMut(Result<U, RecvError>) -> T + 'a>(
        mut self,
        receiver: &'a Receiver<U>,
        mut mapper: F,
    ) -> Selector<'a, T> {
        let location = Location::caller();
        self.add(receiver, 0, location);
        if rt::control::on() {
            self.turns.push(controlled::receives(receiver, mapper, location));
            return self;
        }
        let blocking = Rc::clone(&self.blocking);
        self.real = self.real.recv(&receiver.real, move |received| {
            drop(blocking.take());
            mapper(taken(&receiver.channel, received, location))
        });
        self
    }

    fn add(&mut self, end: &'a dyn End, number: u32, location: Loc) {
        if rt::on() {
            self.operations.push(Operation { end, number, location });
        }
    }

    /// Waits for one of the operations.
    #[track_caller]
    pub fn wait(self) -> T {
        self.recorded(
            false,
            Location::caller(),
            || None,
            real::Selector::wait,
            |it| it,
            || unreachable!("there is no limit"),
        )
    }

    /// Waits for one of the operations for at most that long.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn wait_timeout(self, dur: Duration) -> Result<T, SelectError> {
        let until = || Instant::now().checked_add(dur);
        let late = || Err(SelectError::Timeout);
        self.recorded(true, Location::caller(), until, |real| real.wait_timeout(dur), Ok, late)
    }

    /// Waits for one of the operations until then.
    ///
    /// # Errors
    ///
    /// When the time is over.
    #[track_caller]
    pub fn wait_deadline(self, deadline: Instant) -> Result<T, SelectError> {
        let (until, late) = (|| Some(deadline), || Err(SelectError::Timeout));
        self.recorded(true, Location::caller(), until, |real| real.wait_deadline(deadline), Ok, late)
    }

    fn recorded<R>(
        self,
        timed: bool,
        location: Loc,
        until: impl FnOnce() -> Option<Instant>,
        select: impl FnOnce(real::Selector<'a, T>) -> R,
        selected: impl FnOnce(T) -> R,
        late: impl FnOnce() -> R,
    ) -> R {
        let Selector { real, operations, mut turns, blocking } = self;
        if rt::control::on() {
            let begin = || {
                for operation in &operations {
                    let head = operation.end.channel().head();
                    wait::begin(operation.end.waits(), head, 0, operation.location);
                }
                rt::block_at_most(What::Recv, timed, location)
            };
            return controlled::select(&mut turns, until(), location, begin).map_or_else(late, selected);
        }
        if !operations.iter().any(|it| it.end.is_ready()) {
            for operation in &operations {
                wait::begin(operation.end.waits(), operation.end.channel().head(), 0, operation.location);
            }
            blocking.set(Some(rt::block_at_most(What::Recv, timed, location)));
        }
        let selected = select(real);
        drop(blocking.take());
        // What was taken from the waiting line while another operation was selected was sent as well.
        for operation in &operations {
            settle(operation.end.channel(), operation.number, true, operation.location);
        }
        selected
    }
}

/// The message waits no longer; it was sent, unless it was dropped.
fn settle(channel: &Channel, number: u32, sent: bool, location: Loc) {
    if number != 0 && channel.reclaim(number) && sent {
        chan::sent(channel.head(), number, location);
    }
}

rt::forwards! {
    ['a, T: 'a] Selector<'a, T>: Default = Selector::new();
    ['a, T: 'a] Selector<'a, T>: Debug;
}
