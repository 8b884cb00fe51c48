//! `tokio::runtime`.

pub use real::runtime::*;

mod builder;
mod handle;
mod executor;
#[cfg(any(rv_tokio_1_51, all(tokio_unstable, rv_tokio_1_46)))]
mod local_runtime;
mod methods;
#[allow(clippy::module_inception)]
mod runtime;

use std::future::Future;

use rt::task::{tracked, Tracked};
use rt::{Loc, What};

pub use builder::Builder;
pub use handle::Handle;
#[cfg(any(rv_tokio_1_51, all(tokio_unstable, rv_tokio_1_46)))]
pub use local_runtime::LocalRuntime;
pub use runtime::Runtime;

pub(crate) use executor::{on_current_executor, on_executor, HasHandle};
pub(crate) use methods::runtime_methods;
pub(crate) use runtime::settled;

/// Drives a root future: `block_on` gets it as a task of its own, with the thread blocked meanwhile.
#[inline]
pub(crate) fn driven<F: Future>(
    location: Loc,
    future: F,
    block_on: impl FnOnce(Tracked<F>) -> F::Output,
) -> F::Output {
    let id = rt::task::root(location);
    let _blocking = rt::block(What::BlockOn, location);
    block_on(tracked(id, future))
}
