//! Slots for one waker, and who may wait.

use futures::task::AtomicWaker;
use parking_lot::Mutex as Lock;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Vote {
    is_over: bool,
    voter: Option<Waker>,
}

/// Anybody may wait for the end of a vote.
#[derive(Clone, Default)]
pub struct Ballot {
    vote: Arc<Mutex<Vote>>,
}

impl Ballot {
    pub fn over(&self) -> Over {
        Over { vote: Arc::clone(&self.vote) }
    }

    pub fn ends(&self) {
        let mut vote = self.vote.lock().unwrap();
        vote.is_over = true;
        if let Some(voter) = vote.voter.take() {
            voter.wake();
        }
    }
}

pub struct Over {
    vote: Arc<Mutex<Vote>>,
}

impl Future for Over {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut vote = self.vote.lock().unwrap();
        if vote.is_over {
            return Poll::Ready(());
        }
        vote.voter = Some(cx.waker().clone()); //~ lost-wakeup warning
        Poll::Pending
    }
}

pub struct Hatch {
    is_open: AtomicBool,
    sailor: AtomicWaker,
}

impl Hatch {
    pub fn opens(&self) {
        self.is_open.store(true, Ordering::Release);
        self.sailor.wake();
    }

    pub fn opened(&self) -> Opened<'_> {
        Opened::new(self)
    }
}

pub struct Opened<'a> {
    hatch: &'a Hatch,
}

impl<'a> Opened<'a> {
    fn new(hatch: &'a Hatch) -> Self {
        Opened { hatch }
    }
}

impl Future for Opened<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.hatch.sailor.register(cx.waker()); //~ lost-wakeup warning
        if self.hatch.is_open.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// One waits at a time.
pub struct Lift {
    is_here: Arc<Lock<(bool, Option<Waker>)>>,
}

impl Lift {
    pub fn comes(&mut self) -> Here<'_> {
        Here { is_here: &self.is_here }
    }

    pub fn arrives(&self) {
        let mut is_here = self.is_here.lock();
        is_here.0 = true;
        if let Some(waker) = is_here.1.take() {
            waker.wake();
        }
    }
}

pub struct Here<'a> {
    is_here: &'a Lock<(bool, Option<Waker>)>,
}

impl Future for Here<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut is_here = self.is_here.lock();
        if is_here.0 {
            return Poll::Ready(());
        }
        is_here.1 = Some(cx.waker().clone());
        Poll::Pending
    }
}

/// One for each pair.
pub fn letter() -> (Sealed, Read) {
    let vote = Arc::new(Mutex::new(Vote::default()));
    (Sealed { vote: vote.clone() }, Read { vote })
}

pub struct Sealed {
    vote: Arc<Mutex<Vote>>,
}

impl Sealed {
    pub fn breaks(self) {
        let mut vote = self.vote.lock().unwrap();
        vote.is_over = true;
        if let Some(voter) = vote.voter.take() {
            voter.wake();
        }
    }
}

pub struct Read {
    vote: Arc<Mutex<Vote>>,
}

impl Future for Read {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut vote = self.vote.lock().unwrap();
        if vote.is_over {
            return Poll::Ready(());
        }
        vote.voter = Some(cx.waker().clone());
        Poll::Pending
    }
}

#[derive(Default)]
struct Seat {
    is_free: bool,
    guest: Option<Waker>,
}

/// Each has a slot of its own.
#[derive(Default)]
pub struct Hall {
    seats: Mutex<BTreeMap<u32, Seat>>,
}

impl Hall {
    pub fn seat(&self, number: u32) -> Seated<'_> {
        self.seats.lock().unwrap().insert(number, Seat::default());
        Seated { hall: self, number }
    }

    pub fn frees(&self, number: u32) {
        if let Some(seat) = self.seats.lock().unwrap().get_mut(&number) {
            seat.is_free = true;
            if let Some(guest) = seat.guest.take() {
                guest.wake();
            }
        }
    }
}

pub struct Seated<'a> {
    hall: &'a Hall,
    number: u32,
}

impl Future for Seated<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut seats = self.hall.seats.lock().unwrap();
        let Some(seat) = seats.get_mut(&self.number) else { return Poll::Ready(()) };
        if seat.is_free {
            return Poll::Ready(());
        }
        seat.guest = Some(cx.waker().clone());
        Poll::Pending
    }
}
