//! `JoinHandle`.

use std::fmt;
use std::future::Future;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll};

use real::task::JoinError;
use rt::task::Handle;
use rt::TaskId;

#[cfg(rv_tokio_1_27)]
use super::AbortHandle;

/// Waits for a task. Records whether its result was taken, and where the handle was last waited for.
pub struct JoinHandle<T> {
    handle: Handle,
    real: real::task::JoinHandle<T>,
}

rt::identified!([T] JoinHandle<T>, it => it.handle.value());

impl<T> JoinHandle<T> {
    pub(crate) fn new(id: TaskId, real: real::task::JoinHandle<T>) -> JoinHandle<T> {
        JoinHandle { handle: Handle::new(id), real }
    }

    /// Asks for the task to be cancelled.
    #[track_caller]
    pub fn abort(&self) {
        rt::task::aborted(self.handle.id(), Location::caller());
        self.real.abort();
    }

    /// Whether the task has ended.
    #[cfg(rv_tokio_1_19)]
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        let is_finished = rt::control::has_ended(self.handle.id(), || self.real.is_finished());
        if is_finished {
            self.handle.found_ended(Location::caller());
        }
        is_finished
    }

    /// Something that can only cancel the task.
    #[cfg(rv_tokio_1_27)]
    #[must_use = "abort handles do nothing unless `.abort` is called"]
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle::new(self.handle.id(), self.real.abort_handle())
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    /// The caller is the `.await`, or the macro that polls.
    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let context = &mut rt::waker::real(context);
        let location = Location::caller();
        let polled = Pin::new(&mut self.real).poll(context);
        if polled.is_ready() {
            self.handle.joined(location);
        } else {
            self.handle.polled(location);
        }
        polled
    }
}

impl<T> Unpin for JoinHandle<T> {}
#[cfg(rv_tokio_1_16)]
impl<T> UnwindSafe for JoinHandle<T> {}
#[cfg(rv_tokio_1_16)]
impl<T> RefUnwindSafe for JoinHandle<T> {}

rt::forwards! {
    [T] JoinHandle<T> {
        #[cfg(any(rv_tokio_1_41, all(tokio_unstable, rv_tokio_1_18)))] pub fn id(&self) -> real::task::Id;
    }
    [T: fmt::Debug] JoinHandle<T>: Debug;
}

rt::exchanged! {
    JoinHandle<()> => real::task::JoinHandle<()>;
}
