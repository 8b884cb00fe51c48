//! Properties over the events of a trace, and their verdicts.

mod count;
pub mod engine;
pub mod lifestate;
pub mod limits;
pub mod tables;
