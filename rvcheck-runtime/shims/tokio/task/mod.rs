//! `tokio::task`.

pub use real::task::*;

#[cfg(rv_tokio_1_21)]
mod abort_handle;
mod join_handle;
#[cfg(all(rv_tokio_1_21, tokio_unstable))]
pub mod join_set;
#[cfg(all(rv_tokio_1_21, not(tokio_unstable)))]
mod join_set;
mod local_set;
mod sent;
mod spawn;

#[cfg(rv_tokio_1_21)]
pub use abort_handle::AbortHandle;
pub use join_handle::JoinHandle;
#[cfg(rv_tokio_1_21)]
pub use join_set::JoinSet;
pub use local_set::LocalSet;
#[cfg(feature = "rt-multi-thread")]
pub use spawn::block_in_place;
pub use spawn::{spawn, spawn_blocking, spawn_local, yield_now};

pub(crate) use sent::Sent;
pub(crate) use spawn::{blocking, future, sent};
