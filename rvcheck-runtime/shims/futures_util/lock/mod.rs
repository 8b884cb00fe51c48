//! `futures_util::lock`.

pub use real::lock::*;

mod guard;
mod mutex;
#[cfg(rv_futures_util_0_3_22)]
mod owned;
mod waiting;

pub use guard::{MappedMutexGuard, MutexGuard};
pub use mutex::Mutex;
#[cfg(rv_futures_util_0_3_22)]
pub use owned::{OwnedMutexGuard, OwnedMutexLockFuture};
pub use waiting::MutexLockFuture;
