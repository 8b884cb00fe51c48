//! `tokio_util::sync`.

pub use real::sync::*;

mod cancellation;

pub(crate) use cancellation::Until;
#[cfg(rv_tokio_util_0_7_16)]
pub use cancellation::DropGuardRef;
#[cfg(rv_tokio_util_0_7_5)]
pub use cancellation::WaitForCancellationFutureOwned;
pub use cancellation::{CancellationToken, DropGuard, WaitForCancellationFuture};
