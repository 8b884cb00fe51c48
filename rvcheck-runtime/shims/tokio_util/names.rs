//! Which types here stand for which real ones.

rt::exchanged! {
    #[cfg(not(rv_no_cancellation))] crate::sync::CancellationToken => real::sync::CancellationToken;
    #[cfg(not(rv_no_cancellation))] crate::sync::DropGuard => real::sync::DropGuard;
    #[cfg(all(rv_tokio_util_0_7_16, not(rv_no_cancellation)))]
    crate::sync::DropGuardRef<'static> => real::sync::DropGuardRef<'static>;
    #[cfg(not(rv_no_cancellation))]
    crate::sync::WaitForCancellationFuture<'static> => real::sync::WaitForCancellationFuture<'static>;
    #[cfg(all(rv_tokio_util_0_7_5, not(rv_no_cancellation)))]
    crate::sync::WaitForCancellationFutureOwned => real::sync::WaitForCancellationFutureOwned;
    #[cfg(not(rv_no_poll))] crate::sync::PollSemaphore => real::sync::PollSemaphore;
    #[cfg(not(rv_no_poll))] crate::sync::PollSender<()> => real::sync::PollSender<()>;
}

#[cfg(all(feature = "rt", rv_tokio_util_0_7_10, not(rv_no_tracker)))]
rt::exchanged! {
    crate::task::TaskTracker => real::task::TaskTracker;
    crate::task::task_tracker::TaskTrackerToken => real::task::task_tracker::TaskTrackerToken;
    crate::task::task_tracker::TaskTrackerWaitFuture<'static> => real::task::task_tracker::TaskTrackerWaitFuture<'static>;
    crate::task::task_tracker::TrackedFuture<()> => real::task::task_tracker::TrackedFuture<()>;
}
