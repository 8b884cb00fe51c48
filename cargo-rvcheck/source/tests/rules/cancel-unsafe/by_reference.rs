//! What is counted is given back by a value that refers to the count, whichever type that has it in a field.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Ferry {
    aboard: AtomicUsize,
    cars: Arc<AtomicUsize>,
    seats: usize,
}

/// A place aboard, until it is given back.
struct Seat<'a>(&'a AtomicUsize);

impl Seat<'_> {
    fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Somebody who has a seat, and leaves.
pub struct Passenger {
    ferry: Arc<Ferry>,
}

impl Drop for Passenger {
    fn drop(&mut self) {
        self.ferry.leave();
    }
}

struct Deck {
    of: Arc<AtomicUsize>,
}

impl Drop for Deck {
    fn drop(&mut self) {
        self.of.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Where somebody stands who waits.
struct Queue<'a> {
    length: &'a AtomicUsize,
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        self.length.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Ferry {
    fn seat(&self) -> Result<Seat<'_>, usize> {
        let next = |it| (it < self.seats).then_some(it + 1);
        match self.aboard.fetch_update(Ordering::AcqRel, Ordering::Acquire, next) {
            Ok(_) => Ok(Seat(&self.aboard)),
            Err(all) => Err(all),
        }
    }

    async fn show_ticket(&self) -> Result<(), usize> {
        tokio::task::yield_now().await;
        if self.seats == 0 { Err(0) } else { Ok(()) }
    }

    pub async fn board(self: &Arc<Self>) -> Result<Passenger, usize> {
        let seat = self.seat()?;
        self.show_ticket().await?;
        seat.keep();
        Ok(self.seated())
    }

    fn seated(self: &Arc<Self>) -> Passenger {
        Passenger { ferry: Arc::clone(self) }
    }

    pub fn leave(&self) {
        self.aboard.fetch_sub(1, Ordering::AcqRel);
    }

    pub async fn drive(&self) -> bool {
        if self.cars.fetch_add(1, Ordering::AcqRel) >= self.seats {
            self.cars.fetch_sub(1, Ordering::AcqRel);
            return false;
        }
        let deck = Deck { of: Arc::clone(&self.cars) };
        tokio::task::yield_now().await;
        std::mem::forget(deck);
        true
    }

    pub fn drive_off(&self) {
        self.cars.fetch_sub(1, Ordering::AcqRel);
    }
}

pub struct Bridge {
    crossing: AtomicUsize,
    waiting: AtomicUsize,
    width: usize,
}

impl Bridge {
    /// The place in the queue is given back, and not the one on the bridge.
    pub async fn cross(&self) -> Result<(), usize> {
        let next = |it| (it < self.width).then_some(it + 1);
        self.crossing.fetch_update(Ordering::AcqRel, Ordering::Acquire, next)?; //~ cancel-unsafe
        let _queue = Queue { length: &self.waiting };
        tokio::task::yield_now().await;
        self.crossing.fetch_sub(1, Ordering::AcqRel);
        Ok(())
    }
}
