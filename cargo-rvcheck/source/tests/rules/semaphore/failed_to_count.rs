//! A count that was not made where its own operation fails.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub struct Ferry {
    aboard: AtomicUsize,
    most: usize,
    closed: AtomicBool,
}

impl Ferry {
    pub fn boards(&self) -> Result<(), &'static str> {
        let more = |it: usize| (it < self.most).then_some(it + 1);
        self.aboard.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).map_err(|_| "full")?;
        if self.closed.load(Ordering::Acquire) {
            self.leaves();
            return Err("closed");
        }
        Ok(())
    }

    pub fn boards_and_forgets(&self, ticket: &str) -> Result<(), &'static str> {
        let more = |it: usize| (it < self.most).then_some(it + 1);
        self.aboard.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).map_err(|_| "full")?; //~ semaphore warning
        checks(ticket)?;
        println!("{ticket}");
        self.leaves();
        Ok(())
    }

    pub fn leaves(&self) {
        self.aboard.fetch_sub(1, Ordering::AcqRel);
    }
}

fn checks(ticket: &str) -> Result<(), &'static str> {
    if ticket.is_empty() { Err("no ticket") } else { Ok(()) }
}
