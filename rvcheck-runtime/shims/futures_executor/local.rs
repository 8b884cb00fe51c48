//! What drives futures on this thread.

use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

use futures_core::Stream;
use futures_util::StreamExt;
use rt::task::{tracked, Tracked};
use rt::{Loc, What};

/// Drives a root future: `block_on` gets it as a task of its own, with the thread blocked meanwhile.
#[inline]
fn driven<F: Future>(location: Loc, future: F, block_on: impl FnOnce(Tracked<F>) -> F::Output) -> F::Output {
    let id = rt::task::root(location);
    let _blocking = rt::block(What::BlockOn, location);
    block_on(tracked(id, future))
}

/// Drives a future on this thread.
///
/// # Panics
///
/// Inside an executor of this crate.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    driven(Location::caller(), future, real::block_on)
}

/// The items of a stream, each of which is waited for with the thread blocked.
#[track_caller]
pub fn block_on_stream<S: Stream + Unpin>(stream: S) -> BlockingStream<S> {
    BlockingStream { location: Location::caller(), real: real::block_on_stream(stream) }
}

/// The items of a stream. What is recorded of waiting for them is recorded where the stream was handed over.
pub struct BlockingStream<S: Stream + Unpin> {
    location: Loc,
    real: real::BlockingStream<S>,
}

impl<S: Stream + Unpin> Iterator for BlockingStream<S> {
    type Item = S::Item;

    fn next(&mut self) -> Option<S::Item> {
        let next = StreamExt::next(&mut *self.real);
        driven(self.location, next, |next| real::LocalPool::new().run_until(next))
    }

    rt::forwards! {
        fn size_hint(&self) -> (usize, Option<usize>);
    }
}

rt::forwards! {
    [S: Stream + Unpin] BlockingStream<S> {
        pub fn into_inner(self) -> S;
    }
    [S: Stream + Unpin] BlockingStream<S>: Deref<S>;
    [S: Stream + Unpin] BlockingStream<S>: DerefMut;
    [S: Stream + Unpin + fmt::Debug] BlockingStream<S>: Debug;
}

/// Tasks that stay on one thread.
#[derive(Default)]
pub struct LocalPool {
    real: real::LocalPool,
}

impl LocalPool {
    /// An empty pool.
    pub fn new() -> LocalPool {
        LocalPool { real: real::LocalPool::new() }
    }

    /// Drives all tasks to their ends.
    ///
    /// # Panics
    ///
    /// Inside an executor of this crate.
    #[track_caller]
    pub fn run(&mut self) {
        rt::control::polls_locals();
        let _blocking = rt::block(What::BlockOn, Location::caller());
        self.real.run();
    }

    /// Drives the tasks until the future is ready.
    ///
    /// # Panics
    ///
    /// Inside an executor of this crate.
    #[track_caller]
    pub fn run_until<F: Future>(&mut self, future: F) -> F::Output {
        rt::control::polls_locals();
        driven(Location::caller(), future, |future| self.real.run_until(future))
    }
}

rt::forwards! {
    [] LocalPool {
        pub fn spawner(&self) -> real::LocalSpawner;
        pub fn try_run_one(&mut self) -> bool;
        pub fn run_until_stalled(&mut self);
    }
    [] LocalPool: Debug;
}
