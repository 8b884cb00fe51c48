//! The marks, as the shim for std brings them into every crate.

pub trait RvSite: Sized {
    fn __rv_site<const N: u64>(self) -> Self {
        self
    }
}

impl<T> RvSite for T {}

pub struct Awaited<F>(F);

impl<F: Future> Future for Awaited<F> {
    type Output = F::Output;

    fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<F::Output> {
        loop {}
    }
}

pub trait RvAwait: IntoFuture + Sized {
    fn __rv_await<const N: u64>(self) -> Awaited<Self::IntoFuture> {
        loop {}
    }
}

impl<F: IntoFuture> RvAwait for F {}

/// What the atomics need of the vocabulary.
extern crate self as rvcheck_event;

pub mod record {
    pub mod flag {
        pub const DECIDES: u8 = 0x10;
    }
}

/// What the atomics need of controlled runs.
mod control {
    use std::panic::Location;

    pub fn on() -> bool {
        loop {}
    }

    pub fn before_atomic(_: usize, _: &Location<'_>) {}

    pub fn fails_spuriously() -> bool {
        loop {}
    }

    pub fn looked(_: usize, _: u64) {}

    pub fn changed_atomic(_: usize) {}
}

#[path = "../../../../../rvcheck-runtime/src/atomic/kinds.rs"]
mod kinds;

pub use kinds::RvAtomic;

pub struct Slot;
pub struct Before;

const UNKNOWN: u64 = 0;

fn followed() -> bool {
    loop {}
}

fn storing(_: usize, _: u64, _: bool) -> Option<(&'static Slot, Before, u32)> {
    loop {}
}

fn loaded(_: usize, _: u64, _: u8) {}

fn found(_: &Slot, _: Before, _: u32) {}
