//! `Runtime`.

use std::future::{poll_fn, Future};
use std::io;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::panic::Location;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use rt::settling::{self, Settling};
use rt::What;

use super::{driven, runtime_methods, Handle, HasHandle};

/// A runtime. What is not here is the real runtime's.
pub struct Runtime {
    // Fields are dropped in this order: others go on while the real one waits for its threads.
    leaves: rt::control::Leaves,
    real: real::runtime::Runtime,
    returns: rt::control::Returns,
    /// Where it has driven a root last; null if it never did.
    drove: AtomicPtr<Location<'static>>,
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.settle();
    }
}

impl Runtime {
    pub(super) fn of(real: real::runtime::Runtime) -> Runtime {
        let (leaves, returns) = (rt::control::Leaves, rt::control::Returns);
        Runtime { leaves, real, returns, drove: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Lets what was spawned go on until it has ended or waits, before it is dropped.
    fn settle(&self) {
        // SAFETY: it is null or what a reference pointed to that is valid for ever.
        let drove = unsafe { self.drove.load(Ordering::Relaxed).as_ref::<'static>() };
        let Some(location) = drove.filter(|_| may_drive()) else { return };
        if let Some(controlled) = settling::controlled() {
            let mut timer = rt::control::Timer::lingering(location);
            let deadline = Instant::now() + controlled.grace;
            let slept = poll_fn(move |context| match timer.poll(deadline, context) {
                Some(false) => Poll::Pending,
                _ => Poll::Ready(()),
            });
            return driven(location, slept, |slept| self.real.block_on(slept));
        }
        let Some(left) = Settling::begin() else { return };
        let _blocking = rt::block(What::BlockOn, location);
        if super::executor::workers(self.real.handle()) == 0 {
            self.real.block_on(settled(left));
        } else {
            settling::wait(left);
        }
    }

    /// What it is made of, where the runtime is not dropped.
    fn parts(self) -> (rt::control::Leaves, real::runtime::Runtime, rt::control::Returns) {
        let this = ManuallyDrop::new(self);
        // SAFETY: each of them is moved out once, and the rest needs no destructor.
        unsafe { (ptr::read(&raw const this.leaves), ptr::read(&raw const this.real), ptr::read(&raw const this.returns)) }
    }

    /// Drives a future on this thread.
    ///
    /// # Panics
    ///
    /// Inside a runtime.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        let location = Location::caller();
        self.drove.store(ptr::from_ref(location).cast_mut(), Ordering::Relaxed);
        HasHandle::drives(&self.real);
        driven(location, future, |future| self.real.block_on(future))
    }

    /// A runtime with everything enabled.
    ///
    /// # Errors
    ///
    /// When the system refuses what it needs.
    #[cfg(feature = "rt-multi-thread")]
    pub fn new() -> io::Result<Runtime> {
        super::Builder::new_multi_thread().enable_all().build()
    }

    /// The runtime from afar.
    pub fn handle(&self) -> &Handle {
        Handle::of(self.real.handle())
    }

    /// Ends the runtime, and waits for that long at most for what blocks its threads.
    #[track_caller]
    pub fn shutdown_timeout(self, duration: Duration) {
        if !rt::control::on() {
            let (leaves, real, returns) = self.parts();
            drop(leaves);
            real.shutdown_timeout(duration);
            return drop(returns);
        }
        // The real one would wait for real time.
        self.shutdown_background();
        rt::control::wait_for_blocking(duration, Location::caller());
    }

    /// Ends the runtime, and waits for nothing.
    pub fn shutdown_background(self) {
        let (leaves, real, returns) = self.parts();
        drop(leaves);
        real.shutdown_background();
        drop(returns);
    }

    runtime_methods!(spawn, spawn_blocking);
}

/// Whether this thread is in no runtime, and could be in one: its thread-locals may be gone.
fn may_drive() -> bool {
    match Handle::try_current() {
        Ok(_) => false,
        Err(error) => !error.to_string().contains("destroyed"),
    }
}

/// Is over when nothing that was spawned on this thread goes on any more. Between two polls the others go on.
pub(crate) fn settled(mut settling: Settling) -> impl Future<Output = ()> {
    poll_fn(move |context: &mut Context<'_>| {
        if settling.is_over() {
            return Poll::Ready(());
        }
        if settling.is_busy() {
            settling.pause();
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

rt::forwards! {
    [] Runtime {
        pub fn enter(&self) -> super::EnterGuard<'_>;
        #[cfg(rv_tokio_1_38)] pub fn metrics(&self) -> super::RuntimeMetrics;
    }
    [] Runtime: Deref<real::runtime::Runtime>;
    [] Runtime: Debug;
}

rt::exchanged! {
    Runtime => real::runtime::Runtime;
}
