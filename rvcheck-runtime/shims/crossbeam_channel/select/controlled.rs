//! Waiting for one of several operations in a controlled run, where nobody waits in the real call.

use std::mem::ManuallyDrop;
use std::ptr;
use std::time::{Duration, Instant};

use real::{RecvError, SelectTimeoutError, TryReadyError, TrySelectError};
use rt::control::meeting::{self, Handover, Offering, Side};
use rt::control::{self, Retried};
use rt::{Head, Loc};

use super::{selected, How, Operation, Select, SelectedOperation};
use crate::channel::{earlier, Source};
use crate::Receiver;

/// An operation on a channel without room: somebody was met there. As the real ones, it has to be done.
pub(super) struct Met {
    pub(super) index: usize,
    end: usize,
    handover: Handover,
}

impl Met {
    fn of(operation: &Operation<'_>, handover: Handover) -> Met {
        Met { index: operation.index, end: operation.end, handover }
    }

    /// The operation is done with this end.
    pub(super) fn with<E>(self, end: &E, name: &str) -> Handover {
        assert!(ptr::from_ref(end).addr() == self.end, "passed a {name} that wasn't selected");
        let mut this = ManuallyDrop::new(self);
        // SAFETY: it is read once, and the rest needs no destructor.
        unsafe { ptr::read(&raw mut this.handover) }
    }

    /// Takes the message.
    pub(super) fn recv<T>(self, receiver: &Receiver<T>, location: Loc) -> Result<T, RecvError> {
        let handover = self.with(receiver, "receiver");
        let Source::Channel { channel, .. } = &receiver.source else { return Err(RecvError) };
        // SAFETY: it is what goes through this channel.
        let message = unsafe { handover.receive(location) }.ok_or(RecvError)?;
        Ok(channel.received(message, location))
    }
}

impl Drop for Met {
    fn drop(&mut self) {
        panic!("dropped `SelectedOperation` without completing the operation");
    }
}

fn met<'a>(met: Met) -> SelectedOperation<'a> {
    SelectedOperation { how: How::Met(met) }
}

impl<'a> Select<'a> {
    /// The thread is about to select something.
    pub(super) fn asks(&self, location: Loc) {
        if let Some(first) = self.operations.first() {
            control::asks(first.head, location);
        }
    }

    /// The same where it does not wait.
    pub(super) fn trying<R, E>(
        &mut self,
        location: Loc,
        tries: impl FnOnce(&mut Select<'a>) -> Result<R, E>,
    ) -> Result<R, E> {
        let Some(head) = self.operations.first().map(|it| it.head).filter(|_| control::on()) else {
            return tries(self);
        };
        control::tries(head, location);
        let result = tries(self);
        control::tried(head, result.is_ok());
        result
    }

    /// Selects an operation that is ready.
    pub(super) fn now(&mut self) -> Result<SelectedOperation<'a>, TrySelectError> {
        if !control::on() {
            return self.real.try_select().map(selected);
        }
        let first = if self.is_biased { self.real_now().try_ready().ok() } else { None };
        if let Some(it) = self.meets(|it| first.is_some_and(|first| it.index < first)) {
            return Ok(it);
        }
        let really = self.real_now().try_select();
        really.map(selected).or_else(|error| self.meets(|_| true).ok_or(error))
    }

    /// An operation that is ready.
    pub(super) fn ready_now(&mut self) -> Result<usize, TryReadyError> {
        if !control::on() {
            return self.real.try_ready();
        }
        let could = |it: &&Operation<'_>| it.side.is_some_and(|side| meeting::could_meet(it.head, side));
        let met = self.operations.iter().find(could).map(|it| it.index);
        match (self.real_now().try_ready(), met) {
            (Ok(index), Some(met)) if self.is_biased => Ok(index.min(met)),
            (Err(_), Some(met)) => Ok(met),
            (really, _) => really,
        }
    }

    /// The operations without timers that go off later.
    fn real_now(&self) -> real::Select<'a> {
        let mut real = self.real.clone();
        for operation in &self.operations {
            if operation.alarm.is_some_and(|it| it.is_ahead()) {
                real.remove(operation.index);
            }
        }
        real
    }

    /// Meets somebody by one of these operations.
    fn meets(&self, which: impl Fn(&Operation<'a>) -> bool) -> Option<SelectedOperation<'a>> {
        self.operations.iter().filter(|it| which(it)).find_map(|it| {
            let handover = meeting::meet(it.head, it.side?)?;
            Some(met(Met::of(it, handover)))
        })
    }

    /// Waits until then for an operation, and selects it.
    pub(super) fn select_in_turn(
        &mut self,
        deadline: impl FnOnce() -> Option<Instant>,
        location: Loc,
    ) -> Retried<SelectedOperation<'a>> {
        if !control::on() || self.count == 0 && self.operations.is_empty() {
            return Retried::Uncontrolled;
        }
        let deadline = deadline();
        let offered: Vec<&Operation<'_>> = self.operations.iter().filter(|it| it.side.is_some()).collect();
        let offers: Vec<(&Head, Side)> = offered.iter().filter_map(|it| Some((it.head, it.side?))).collect();
        self.in_turn(deadline, |heads, until| {
            let really = || self.real_now().try_select().ok().map(selected);
            if offers.is_empty() {
                return control::retry_any(heads, location, until, really);
            }
            let offering = Offering::of(&offers);
            match offering.wait(heads, location, until, really) {
                Retried::Got(Ok(at)) => {
                    Retried::Got(met(Met::of(offered[at], offering.handover(at).clone())))
                }
                Retried::Got(Err(really)) => Retried::Got(really),
                Retried::TimedOut => Retried::TimedOut,
                Retried::Uncontrolled => Retried::Uncontrolled,
            }
        })
    }

    /// Waits until then for an operation that is ready.
    pub(super) fn ready_in_turn(
        &mut self,
        deadline: impl FnOnce() -> Option<Instant>,
        location: Loc,
    ) -> Retried<usize> {
        if !control::on() || self.count == 0 {
            return Retried::Uncontrolled;
        }
        let deadline = deadline();
        let mut this = self.clone();
        self.in_turn(deadline, |heads, until| {
            control::retry_any(heads, location, until, || this.ready_now().ok())
        })
    }

    /// Waits until then, by waits that end when a timer goes off, too.
    fn in_turn<R>(
        &self,
        deadline: Option<Instant>,
        mut wait: impl FnMut(&[&Head], Option<Instant>) -> Retried<R>,
    ) -> Retried<R> {
        let heads: Vec<&Head> = self.operations.iter().map(|it| it.head).collect();
        loop {
            let alarms = self.operations.iter().filter_map(|it| it.alarm?.next());
            let until = alarms.map(Some).fold(deadline, earlier);
            match wait(&heads, until) {
                Retried::TimedOut if until != deadline => {}
                result => return result,
            }
        }
    }

    /// Only the real crate can make an error: it does so where nothing is waited for.
    pub(super) fn timed_out(&self) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        real::Select::new().select_timeout(Duration::ZERO).map(selected)
    }
}
