//! Compiles only where a group is left out: then the names mean the real items.

#[cfg(left_out_cancellation)]
pub fn cancellation(
    it: tokio_util::sync::CancellationToken,
) -> real_tokio_util::sync::CancellationToken {
    it
}

#[cfg(left_out_tracker)]
pub fn tracker(it: tokio_util::task::TaskTracker) -> real_tokio_util::task::TaskTracker {
    it
}
