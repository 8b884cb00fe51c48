//! Channels without room (rendezvous channels), in a controlled run: whoever sends meets whoever receives.
//!
//! Nobody waits inside the real call, so the real channel would never see the two together. The message goes through here instead. Who
//! comes first is listed, and waits; who comes second finds it there, as in the real channel, and takes the one that waits longest.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use super::waiting::retry_objects;
use super::{Retried, on};
use crate::{Head, Loc, at_work, site};

/// Marks the numbers of waits and handovers among those of objects.
const MEETING: u64 = 1 << 60;

static NUMBERS: AtomicU64 = AtomicU64::new(1);
static WAITING: Mutex<Vec<Waiting>> = Mutex::new(Vec::new());

/// What one wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// To send a message.
    Sends,
    /// To receive one.
    Receives,
}

/// A message on its way from one who has met another one.
#[derive(Clone, Debug)]
pub struct Handover(Arc<Slot>);

#[derive(Debug)]
struct Slot {
    number: u64,
    message: AtomicPtr<()>,
}

/// Somebody who waits for one of several operations.
struct Waiting {
    number: u64,
    offers: Vec<Offer>,
    /// Which of them came about.
    chosen: Option<usize>,
}

struct Offer {
    object: u64,
    side: Side,
    handover: Handover,
}

fn waiting() -> MutexGuard<'static, Vec<Waiting>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn next_number() -> u64 {
    MEETING | NUMBERS.fetch_add(1, Ordering::Relaxed)
}

fn changed(object: u64) {
    super::state::with(|it| it.changed(object));
}

impl Handover {
    fn new() -> Handover {
        Handover(Arc::new(Slot { number: next_number(), message: AtomicPtr::new(core::ptr::null_mut()) }))
    }

    /// Hands the message over.
    pub fn put<M>(&self, message: M) {
        self.keep(message);
        changed(self.0.number);
    }

    /// Keeps the message for whoever comes.
    fn keep<M>(&self, message: M) {
        self.0.message.store(Box::into_raw(Box::new(message)).cast(), Ordering::Release);
    }

    /// The message, if it was handed over and not taken.
    ///
    /// # Safety
    ///
    /// It must be of this type, which is so for the ends of one channel.
    pub unsafe fn take<M>(&self) -> Option<M> {
        let message = self.0.message.swap(core::ptr::null_mut(), Ordering::AcqRel).cast::<M>();
        // SAFETY: it comes from a box of that type, and nobody else has found it.
        (!message.is_null()).then(|| unsafe { *Box::from_raw(message) })
    }

    /// The message, which the other one is about to hand over. `None` if the run is not controlled any more.
    ///
    /// # Safety
    ///
    /// As for [`Handover::take`].
    pub unsafe fn receive<M>(&self, location: Loc) -> Option<M> {
        // SAFETY: as the caller says.
        match retry_objects(&[self.0.number], site::of(location).id, None, || unsafe { self.take() }) {
            Retried::Got(message) => Some(message),
            Retried::TimedOut | Retried::Uncontrolled => None,
        }
    }
}

/// Meets somebody who waits for the other side of this channel.
pub fn meet(head: &Head, side: Side) -> Option<Handover> {
    let object = u64::from(head.id());
    let (number, handover) = {
        let _at_work = at_work::enter()?;
        let mut waiting = waiting();
        let meets = |it: &Offer| it.object == object && it.side != side;
        let one = waiting.iter_mut().find(|it| it.chosen.is_none() && it.offers.iter().any(meets))?;
        let at = one.offers.iter().position(meets)?;
        one.chosen = Some(at);
        (one.number, one.offers[at].handover.clone())
    };
    changed(number);
    Some(handover)
}

/// Whether somebody waits for the other side of this channel.
pub fn could_meet(head: &Head, side: Side) -> bool {
    if !on() {
        return false;
    }
    let object = u64::from(head.id());
    let Some(_at_work) = at_work::enter() else { return false };
    let meets = |it: &Offer| it.object == object && it.side != side;
    waiting().iter().any(|it| it.chosen.is_none() && it.offers.iter().any(meets))
}

/// Offers to do one of several operations, until this is dropped.
#[derive(Debug)]
pub struct Offering {
    number: u64,
    handovers: Vec<Handover>,
}

impl Offering {
    /// Offers these.
    pub fn of(offers: &[(&Head, Side)]) -> Offering {
        let number = next_number();
        let objects: Vec<(u64, Side)> =
            offers.iter().map(|(head, side)| (u64::from(head.id()), *side)).collect();
        let handovers: Vec<Handover> = offers.iter().map(|_| Handover::new()).collect();
        {
            let Some(_at_work) = at_work::enter() else { return Offering { number, handovers } };
            let offers = objects.iter().zip(&handovers).map(|((object, side), handover)| Offer {
                object: *object,
                side: *side,
                handover: handover.clone(),
            });
            waiting().push(Waiting { number, offers: offers.collect(), chosen: None });
        }
        // Some wait for nothing but that somebody comes.
        for (object, _) in &objects {
            changed(*object);
        }
        Offering { number, handovers }
    }

    /// What goes with the operation of this number.
    pub fn handover(&self, at: usize) -> &Handover {
        &self.handovers[at]
    }

    /// The one that came about.
    pub fn chosen(&self) -> Option<usize> {
        let _at_work = at_work::enter()?;
        waiting().iter().find(|it| it.number == self.number)?.chosen
    }

    /// Waits until one of them comes about, or until one of the `attempts`, which are repeated when one of the objects has changed, gives
    /// something.
    pub fn wait<R>(
        &self,
        heads: &[&Head],
        location: Loc,
        deadline: Option<Instant>,
        mut attempt: impl FnMut() -> Option<R>,
    ) -> Retried<Result<usize, R>> {
        let mut objects = vec![self.number];
        objects.extend(heads.iter().map(|it| u64::from(it.id())));
        retry_objects(&objects, site::of(location).id, deadline, || {
            self.chosen().map(Ok).or_else(|| attempt().map(Err))
        })
    }
}

impl Drop for Offering {
    fn drop(&mut self) {
        let Some(_at_work) = at_work::enter() else { return };
        waiting().retain(|it| it.number != self.number);
    }
}

/// Sends a message through a channel without room, until some point in time. `is_over` says of a message that nobody can receive it.
///
/// # Errors
///
/// The message, which was not sent, and why.
///
/// # Safety
///
/// All that goes through this channel is of this type.
pub unsafe fn send<M>(
    head: &Head,
    location: Loc,
    deadline: Option<Instant>,
    message: M,
    mut is_over: impl FnMut(M) -> Result<(), (M, bool)>,
) -> Result<(), (M, Unmet)> {
    if let Some(handover) = meet(head, Side::Sends) {
        handover.put(message);
        return Ok(());
    }
    let offering = Offering::of(&[(head, Side::Sends)]);
    let handover = offering.handover(0);
    handover.keep(message);
    let attempt = || {
        // SAFETY: as the caller says.
        let message = unsafe { handover.take() }?;
        match is_over(message) {
            Ok(()) => Some(Ok(())),
            Err((message, true)) => Some(Err(message)),
            Err((message, false)) => {
                handover.keep(message);
                None
            }
        }
    };
    let unmet = match offering.wait(&[head], location, deadline, attempt) {
        Retried::Got(Ok(_) | Err(Ok(()))) => return Ok(()),
        Retried::Got(Err(Err(message))) => return Err((message, Unmet::Closed)),
        Retried::TimedOut => Unmet::TimedOut,
        Retried::Uncontrolled => Unmet::Uncontrolled,
    };
    // SAFETY: as the caller says.
    unsafe { handover.take() }.map_or(Ok(()), |message| Err((message, unmet)))
}

/// Receives a message through a channel without room, until some point in time. `other` gives what else may come of it.
///
/// # Errors
///
/// When there was none.
///
/// # Safety
///
/// All that goes through this channel is of this type.
pub unsafe fn receive<M, R>(
    head: &Head,
    location: Loc,
    deadline: Option<Instant>,
    other: impl FnMut() -> Option<R>,
) -> Result<Result<M, R>, Unmet> {
    let handover = match meet(head, Side::Receives) {
        Some(handover) => handover,
        None => {
            let offering = Offering::of(&[(head, Side::Receives)]);
            match offering.wait(&[head], location, deadline, other) {
                Retried::Got(Ok(at)) => offering.handover(at).clone(),
                Retried::Got(Err(other)) => return Ok(Err(other)),
                Retried::TimedOut => return Err(Unmet::TimedOut),
                Retried::Uncontrolled => return Err(Unmet::Uncontrolled),
            }
        }
    };
    // SAFETY: as the caller says.
    unsafe { handover.receive(location) }.map(Ok).ok_or(Unmet::Uncontrolled)
}

/// Why nobody was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmet {
    /// The other side is gone.
    Closed,
    /// The time is over.
    TimedOut,
    /// The run is not controlled.
    Uncontrolled,
}
