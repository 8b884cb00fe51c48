//! A box office that sells each ticket once, as long as nobody else buys in between.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The tickets of one evening.
pub struct BoxOffice {
    left: AtomicU32,
    sold: Mutex<Vec<u32>>,
}

impl BoxOffice {
    /// With the tickets from 1 to this number.
    pub fn new(tickets: u32) -> BoxOffice {
        BoxOffice { left: AtomicU32::new(tickets), sold: Mutex::default() }
    }

    /// The number of the ticket that is sold, if there is one left.
    pub fn sell(&self) -> Option<u32> {
        let ticket = self.left.load(Ordering::SeqCst);
        if ticket == 0 {
            return None;
        }
        // Who has loaded the same number meanwhile sells the same ticket.
        self.left.store(ticket - 1, Ordering::SeqCst);
        let mut sold = self.sold.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(!sold.contains(&ticket), "ticket {ticket} is sold twice");
        sold.push(ticket);
        Some(ticket)
    }
}
