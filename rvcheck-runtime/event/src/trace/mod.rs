//! Traces: the format that the recorder writes, how it is read back, and in which order the threads' records go.

#[cfg(not(rvcheck_injected))]
pub(crate) mod actor;
#[cfg(not(rvcheck_injected))]
mod arguments;
#[cfg(not(rvcheck_injected))]
mod bytes;
#[cfg(not(rvcheck_injected))]
mod definitions;
#[cfg(not(rvcheck_injected))]
pub mod follow;
pub mod format;
#[cfg(not(rvcheck_injected))]
pub mod merge;
#[cfg(not(rvcheck_injected))]
pub mod problems;
#[cfg(not(rvcheck_injected))]
pub mod read;
#[cfg(not(rvcheck_injected))]
pub(crate) mod resolve;
#[cfg(not(rvcheck_injected))]
pub mod tail;
#[cfg(not(rvcheck_injected))]
pub mod ticks;
#[cfg(not(rvcheck_injected))]
pub mod write;
