//! `CancellationToken`.

mod guard;
mod node;
mod wait;

#[cfg(rv_tokio_util_0_7_12)]
use std::future::Future;
#[cfg(rv_tokio_util_0_7_19)]
use std::hash::{Hash, Hasher};
use std::panic::Location;
#[cfg(rv_tokio_util_0_7_5)]
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use rt::Loc;

use self::node::Node;
pub use guard::DropGuard;
#[cfg(rv_tokio_util_0_7_16)]
pub use guard::DropGuardRef;
pub(crate) use wait::Until;
pub use wait::WaitForCancellationFuture;
#[cfg(rv_tokio_util_0_7_5)]
pub use wait::WaitForCancellationFutureOwned;

/// A signal to stop, which records who gives it, who waits for it and who gets it.
#[derive(Clone)]
pub struct CancellationToken {
    pub(crate) real: real::sync::CancellationToken,
    /// The same for all clones.
    pub(crate) node: Arc<Node>,
}

impl CancellationToken {
    /// A token that is not cancelled.
    #[track_caller]
    pub fn new() -> CancellationToken {
        CancellationToken { real: real::sync::CancellationToken::new(), node: Node::new(Location::caller()) }
    }

    /// A token that is cancelled together with this one.
    #[track_caller]
    pub fn child_token(&self) -> CancellationToken {
        CancellationToken { real: self.real.child_token(), node: self.node.child(Location::caller()) }
    }

    /// Tells all who hold a clone or a child of the token to stop.
    #[track_caller]
    pub fn cancel(&self) {
        self.cancel_at(Location::caller());
    }

    /// Whether the token is cancelled.
    #[track_caller]
    pub fn is_cancelled(&self) -> bool {
        rt::control::trying(&self.node.head, Location::caller(), || self.real.is_cancelled(), |it| *it)
    }

    fn cancel_at(&self, location: Loc) {
        self.node.cancelled(location);
        self.real.cancel();
    }

    /// Waits until the token is cancelled.
    #[track_caller]
    pub fn cancelled(&self) -> WaitForCancellationFuture<'_> {
        WaitForCancellationFuture::new(self, Location::caller())
    }

    /// Waits until the token is cancelled, and keeps it meanwhile.
    #[cfg(rv_tokio_util_0_7_5)]
    #[track_caller]
    pub fn cancelled_owned(self) -> WaitForCancellationFutureOwned {
        WaitForCancellationFutureOwned::new(self, Location::caller())
    }

    /// Cancels the token when it is dropped.
    #[track_caller]
    pub fn drop_guard(self) -> DropGuard {
        DropGuard::new(self, Location::caller())
    }

    /// Cancels the borrowed token when it is dropped.
    #[cfg(rv_tokio_util_0_7_16)]
    #[track_caller]
    pub fn drop_guard_ref(&self) -> DropGuardRef<'_> {
        DropGuardRef::new(self, Location::caller())
    }

    /// Drives a future until it is ready or the token is cancelled.
    #[cfg(rv_tokio_util_0_7_12)]
    #[track_caller]
    pub fn run_until_cancelled<F>(&self, future: F) -> impl Future<Output = Option<F::Output>> + use<'_, F>
    where
        F: Future,
    {
        let future = rt::waker::disguise_for(future);
        Until::new(&*self.node, Location::caller(), self.real.run_until_cancelled(future))
    }

    /// Drives a future until it is ready or the token is cancelled, and keeps the token meanwhile.
    #[cfg(rv_tokio_util_0_7_14)]
    #[track_caller]
    pub fn run_until_cancelled_owned<F>(self, future: F) -> impl Future<Output = Option<F::Output>> + use<F>
    where
        F: Future,
    {
        let future = rt::waker::disguise_for(future);
        Until::new(self.node, Location::caller(), self.real.run_until_cancelled_owned(future))
    }
}

#[cfg(rv_tokio_util_0_7_5)]
impl UnwindSafe for CancellationToken {}
#[cfg(rv_tokio_util_0_7_5)]
impl RefUnwindSafe for CancellationToken {}

#[cfg(rv_tokio_util_0_7_19)]
impl Eq for CancellationToken {}

#[cfg(rv_tokio_util_0_7_19)]
impl Hash for CancellationToken {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.real.hash(state);
    }
}

rt::forwards! {
    [] CancellationToken: Default = CancellationToken::new();
    #[cfg(rv_tokio_util_0_7_19)] [] CancellationToken: PartialEq;
    [] CancellationToken: Debug;
}
