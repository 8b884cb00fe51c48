//! `tokio_util::sync`.

pub use real::sync::*;

#[cfg(not(rv_no_cancellation))]
mod cancellation;
#[cfg(not(rv_no_poll))]
mod poll;

#[cfg(all(rv_tokio_util_0_7_16, not(rv_no_cancellation)))]
pub use cancellation::DropGuardRef;
#[cfg(not(rv_no_cancellation))]
pub(crate) use cancellation::Until;
#[cfg(all(rv_tokio_util_0_7_5, not(rv_no_cancellation)))]
pub use cancellation::WaitForCancellationFutureOwned;
#[cfg(not(rv_no_cancellation))]
pub use cancellation::{CancellationToken, DropGuard, WaitForCancellationFuture};
#[cfg(not(rv_no_poll))]
pub use poll::{PollSemaphore, PollSender};
