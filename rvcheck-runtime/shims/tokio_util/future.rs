//! `tokio_util::future`.

pub use real::future::*;

use std::future::Future;
use std::panic::Location;

use crate::sync::{CancellationToken, Until};

impl<F: Future + ?Sized> FutureExt for F {}

/// Futures with a limit.
pub trait FutureExt: Future {
    /// With a limit of time.
    #[cfg(feature = "time")]
    #[track_caller]
    fn timeout(self, timeout: std::time::Duration) -> tokio::time::Timeout<Self>
    where
        Self: Sized,
    {
        tokio::time::timeout(timeout, self)
    }

    /// With a point in time as its limit.
    #[cfg(feature = "time")]
    fn timeout_at(self, deadline: tokio::time::Instant) -> tokio::time::Timeout<Self>
    where
        Self: Sized,
    {
        tokio::time::timeout_at(deadline, self)
    }

    /// Until the token is cancelled.
    #[track_caller]
    fn with_cancellation_token(
        self,
        cancellation_token: &CancellationToken,
    ) -> impl Future<Output = Option<Self::Output>>
    where
        Self: Sized,
    {
        let future = rt::waker::disguise_for(self);
        let real = real::future::FutureExt::with_cancellation_token(future, &cancellation_token.real);
        Until::new(&*cancellation_token.node, Location::caller(), real)
    }

    /// Until the token, which is kept meanwhile, is cancelled.
    #[track_caller]
    fn with_cancellation_token_owned(
        self,
        cancellation_token: CancellationToken,
    ) -> impl Future<Output = Option<Self::Output>>
    where
        Self: Sized,
    {
        let CancellationToken { real, node } = cancellation_token;
        let future = rt::waker::disguise_for(self);
        let real = real::future::FutureExt::with_cancellation_token_owned(future, real);
        Until::new(node, Location::caller(), real)
    }
}
