//! Programs with a protocol each. A test is called after the property that it violates, or says that it holds.

pub mod closed;
pub mod readiness;
pub mod replies;
pub mod started_once;
pub mod transactions;
