//! `tokio::task`.

pub use real::task::*;

mod abort_handle;
mod join_handle;
#[cfg(tokio_unstable)]
pub mod join_set;
#[cfg(not(tokio_unstable))]
mod join_set;
mod local_set;
mod spawn;

pub use abort_handle::AbortHandle;
pub use join_handle::JoinHandle;
pub use join_set::JoinSet;
pub use local_set::LocalSet;
#[cfg(feature = "rt-multi-thread")]
pub use spawn::block_in_place;
pub use spawn::{spawn, spawn_blocking, spawn_local};

pub(crate) use spawn::{blocking, future};
