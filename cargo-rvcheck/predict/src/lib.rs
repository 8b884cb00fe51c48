//! Deadlocks that another schedule of a run would have had.
//!
//! A trace becomes a [`History`]: what each task and thread did with locks, in its own order, and what of that had to come
//! after what. [`predict`] looks in it for tasks that each hold what the next one asks for, and for a *reordering* that brings
//! them there: every task does a part of what it did, from its beginning and in its order; what was ordered stays ordered; and the
//! critical sections of one lock come in the order in which they came. Such a reordering is *sync-preserving* (Tunç, Mathur,
//! Pavlogiannis and Viswanathan, “Sound Dynamic Deadlock Prediction in Linear Time”, PLDI 2023). It is checked once more, by
//! code that shares nothing with the search ([`witness::check`]), and goes with the prediction.
//!
//! A [`Survey`] of the trace comes first. It finds in one cheap pass whether there is anything to look for.
//!
//! Nothing here does input or output, and nothing panics on any trace.

mod calls;
mod clocks;
mod closure;
pub mod gather;

pub mod candidates;
pub mod dependency;
pub mod history;
mod ids;
mod limits;
mod predict;
pub mod reorder;
mod request;
pub mod survey;

pub mod witness;

pub use calls::tries;
pub use candidates::{CandidateSchedule, Candidates};
pub use gather::Gather;
pub use history::History;
pub use limits::{Filters, Limits};
pub use predict::{Blocked, Ordered, Prediction, Predictions, Proof, Shape, Why, predict};
pub use request::{Hold, Wanted};
pub use survey::{Facts, Survey};
