//! `select!`, whose first branch a controlled run decides.

use rt::control;

/// Waits for the first of several branches, as the real macro does. Without `biased`, a controlled run decides which one is polled first.
#[macro_export]
macro_rules! select {
    (biased; $($branches:tt)*) => {
        $crate::__rv_shim::real::select!(biased; $($branches)*)
    };
    ($first:pat = $($branches:tt)*) => {
        // What the real macro makes of this, with a start of our own. All versions of tokio 1 have it so.
        $crate::__rv_shim::real::select!(
            @{ start={ $crate::__rv_shim::first_branch(BRANCHES) }; () } $first = $($branches)*
        )
    };
    ($($branches:tt)*) => {
        $crate::__rv_shim::real::select!($($branches)*)
    };
}

/// The number of the branch that is polled first, of so many.
pub fn first_branch(branches: u32) -> u32 {
    control::random_below(branches).unwrap_or_else(|| real::macros::support::thread_rng_n(branches))
}
