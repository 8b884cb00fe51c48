//! Content is replicated from a server to its clients.
//!
//! A client's [job](job) asks the [server] for a [worker], and commands it: either to list all schedules, or to replicate the items of
//! one. A worker asks the [coordinator] for a turn, since only so many replicate at once. All four are actors: a task each, which
//! others know by a handle.

pub mod content;
pub mod coordinator;
pub mod job;
pub mod server;
pub mod worker;
