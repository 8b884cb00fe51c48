//! `select!`, whose order of branches a controlled run decides.

/// Waits for the first of several futures, as the real macro does. A controlled run decides in which order they are polled.
#[macro_export]
macro_rules! select {
    ($($branches:tt)*) => {{
        // The name by which what the real macro makes of this finds the crate.
        use $crate::__rv_shim::expanded as __futures_crate;
        $crate::select_internal! { $($branches)* }
    }};
}

/// What expanded macros name: all that is the real crate's, but for the order of branches.
pub mod expanded {
    pub use real::__private::*;

    /// What `select!` calls.
    pub mod async_await {
        pub use real::__private::async_await::*;

        /// Puts the branches into the order in which they are polled.
        pub fn shuffle<T>(branches: &mut [T]) {
            if !rt::control::on() {
                return real::__private::async_await::shuffle(branches);
            }
            for last in (1..branches.len()).rev() {
                let end = u32::try_from(last + 1).unwrap_or(u32::MAX);
                let other = rt::control::random_below(end).map_or(last, |it| it as usize);
                branches.swap(last, other);
            }
        }
    }
}
