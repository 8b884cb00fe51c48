//! What a build script and a procedural macro have left.

#![deny(warnings)]

pub mod written;

pub mod tally {
    include!(concat!(env!("OUT_DIR"), "/gen/tally.rs"));
}

pub mod guarded {
    #[macros::guarded]
    async fn inner() -> u32 {
        std::future::ready(super::BASE).await
    }
}

const BASE: u32 = 20 + rvcheck_torture_patched::PATCHED;

/// What the build script has said.
pub const BUILT_BY: &str = env!("BUILT_BY");

/// What the compiler can do.
pub const CAN: (bool, bool) = (cfg!(has_noop_waker = "yes"), cfg!(has_nonsense));
