//! Functions whose arguments and results are observed.

use std::fmt::Display;

#[derive(Debug, PartialEq)]
pub enum Refusal {
    Closed,
    TooMuch(u64),
}

/// A book with one sum in it.
pub struct Ledger {
    sum: u64,
    open: bool,
    notes: Vec<String>,
}

pub trait Book {
    fn enter(&mut self, amount: u64) -> Result<u64, Refusal>;

    /// By a default of the trait.
    fn note<T: Display>(&mut self, text: T)
    where
        Self: Sized,
    {
        let _ = text;
    }
}

impl Ledger {
    pub fn new() -> Self {
        Ledger { sum: 0, open: true, notes: Vec::new() }
    }

    pub fn close(&mut self) {
        self.open = false;
    }

    fn limited(&self, amount: u64) -> Result<u64, Refusal> {
        if amount > 100 { Err(Refusal::TooMuch(amount)) } else { Ok(amount) }
    }

    /// It returns in three ways, and may panic.
    pub async fn settle(&mut self, amounts: &[u64]) -> Result<u64, Refusal> {
        let mut total = 0;
        for amount in amounts {
            if *amount == 0 {
                return Ok(total);
            }
            tokio::task::yield_now().await;
            total += self.enter(*amount)?;
        }
        assert!(total < 1000, "the total is absurd");
        Ok(total)
    }

    /// Something that can be tried, in closures that have returns of their own.
    pub fn count(&self, wanted: impl Fn(&str) -> bool) -> Option<usize> {
        let long = |it: &String| {
            if it.len() < 3 {
                return false;
            }
            true
        };
        let first = self.notes.iter().filter(|it| long(it)).position(|it| wanted(it))?;
        Some(first)
    }
}

impl Default for Ledger {
    fn default() -> Self {
        Self::new()
    }
}

impl Book for Ledger {
    fn enter(&mut self, amount: u64) -> Result<u64, Refusal> {
        if !self.open {
            return Err(Refusal::Closed);
        }
        self.sum += self.limited(amount)?;
        Ok(self.sum)
    }
}

pub const fn doubled(amount: u64) -> u64 {
    2 * amount
}
