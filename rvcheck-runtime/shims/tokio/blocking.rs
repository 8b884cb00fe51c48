//! Waiting with the thread blocked, for the `blocking_…` functions.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use rt::{Loc, What};

/// Drives the future of an operation on this thread. It counts as blocking only where it is not ready at once.
///
/// # Panics
///
/// Inside a runtime, with the words of the real crate.
#[track_caller]
pub(crate) fn drive<F: Future>(what: What, location: Loc, future: F) -> F::Output {
    refuse_inside_a_runtime();
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
        return output;
    }
    let _blocking = rt::block(what, location);
    if let Some(output) = rt::control::drive(future.as_mut(), location) {
        return output;
    }
    loop {
        thread::park();
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// The real crate refuses to block a thread that drives tasks. A lock of nobody's makes it check that.
#[cfg(rv_tokio_1_13)]
#[track_caller]
fn refuse_inside_a_runtime() {
    #[cfg(rv_tokio_1_30)]
    let lock = real::sync::Mutex::const_new(());
    #[cfg(not(rv_tokio_1_30))]
    let lock = real::sync::Mutex::new(());
    drop(lock.blocking_lock());
}

/// As above; only channels can block.
#[cfg(not(rv_tokio_1_13))]
fn refuse_inside_a_runtime() {
    let (sender, _receiver) = real::sync::mpsc::channel(1);
    let _sent = sender.blocking_send(());
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}
