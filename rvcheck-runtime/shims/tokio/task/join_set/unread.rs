//! Joining without knowing which task it was: the real crate does not tell before 1.41, so that neither is it recorded
//! whether a result is taken or given up.

use std::future::Future;
use std::task::{Context, Poll};

use real::task::JoinError;
use rt::task::Handle;
use rt::Loc;

use super::JoinSet;

/// Knows nothing of the tasks.
#[derive(Default)]
pub(super) struct Readers;

impl Readers {
    pub(super) fn opened(&mut self, (): (), mut handle: Handle) {
        handle.forget();
    }

    pub(super) fn all_joined(&mut self, _location: Loc) {}

    pub(super) fn aborted(&mut self, _location: Loc) {}

    pub(super) fn detached(&mut self) {}
}

rt::forwards! {
    [T: 'static] JoinSet<T> {
        pub fn join_next(&mut self) -> impl Future<Output = Option<Result<T, JoinError>>> + use<'_, T>;
        #[cfg(rv_tokio_1_36)] pub fn try_join_next(&mut self) -> Option<Result<T, JoinError>>;
        #[cfg(rv_tokio_1_29)]
        pub fn poll_join_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, JoinError>>>;
        #[cfg(rv_tokio_1_40)] pub fn join_all(self) -> impl Future<Output = Vec<T>> + use<T>;
    }
}
