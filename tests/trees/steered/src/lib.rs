//! Deadlocks that the tests do not have, because somebody comes late.

pub mod answers;
pub mod clerks;
pub mod cycle;
pub mod depot;
pub mod ends;
pub mod modes;
pub mod news;
pub mod over;
pub mod permits;
pub mod quiet;
pub mod rings;
pub mod shelves;
pub mod signals;
pub mod tasks;
pub mod threads;
