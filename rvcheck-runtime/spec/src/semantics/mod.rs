//! What patterns, guards and actions mean. The engine and the oracles share this and nothing else.

pub(crate) mod constant;
pub mod emission;
pub mod evaluate;
pub mod facts;
