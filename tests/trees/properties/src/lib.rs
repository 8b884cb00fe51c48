//! For each property code that violates it and code that comes close and does not.
//!
//! A comment `//~ level property` marks each line at which a finding is expected; there are to be no others. Where a
//! level depends on how busy the machine is, all that are right are named, as in `//~ error|note property`; `none` means
//! that there may be no finding.

pub mod affinity;
pub mod blocking_in_async;
pub mod cancel_unresponsive;
pub mod guard_across_await;
pub mod double_lock;
pub mod lock_order;
pub mod lost_error;
pub mod panic_as_result;
pub mod semaphore;
pub mod task_leak;

/// Lets the other tasks of a current-thread runtime run for a few turns.
pub async fn settle() {
    for _ in 0..8 {
        tokio::task::yield_now().await;
    }
}
