//! Which code of others a function of std or of another crate runs, and what is in values of their types.

pub mod functions;
mod names;
pub mod types;
