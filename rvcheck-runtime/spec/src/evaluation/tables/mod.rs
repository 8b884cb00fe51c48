//! Formulas that cannot be stepped event by event. A [`Recording`](record::Recording) keeps what they have to know of a trace until
//! its units are over; a [`table`] then computes their truth at all positions at once.

pub(crate) mod check;
mod explain;
pub mod record;
pub mod table;
pub mod view;
