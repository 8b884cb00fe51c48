//! Compiles only where a group is left out: then the names mean the real items.

#[cfg(left_out_cancellation)]
pub fn cancellation(
    it: tokio_util::sync::CancellationToken,
) -> real_tokio_util::sync::CancellationToken {
    it
}

#[cfg(left_out_poll)]
pub fn poll(
    it: tokio_util::sync::PollSender<u8>,
    and: tokio_util::sync::PollSemaphore,
) -> (real_tokio_util::sync::PollSender<u8>, real_tokio_util::sync::PollSemaphore) {
    (it, and)
}

#[cfg(left_out_tracker)]
pub fn tracker(it: tokio_util::task::TaskTracker) -> real_tokio_util::task::TaskTracker {
    it
}
