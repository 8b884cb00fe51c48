//! Who can wake a task.
//!
//! A task goes on when somebody calls its waker. Futures of shims record what they wait for, and get the [real] waker. Every
//! other future sees the waker in disguise: when one keeps it, something that is not recorded can wake the task and give up its other
//! waits, and the `suspend` event says so. Wherever such a future hides (in a `select!`, in a combinator, behind a pointer), it
//! cannot be woken without that. The clones are counted: a task whose last clone was dropped unused can be woken by nobody.

mod clones;
mod shared;

pub(crate) use clones::Clones;
pub(crate) use shared::Shared;

use core::future::Future;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use crate::{switch, thread};

/// The waker of a task while the task is polled. The poll may use it on several threads.
struct Disguise<'a> {
    real: &'a Waker,
    /// What counts the clones; `None` where no task is known, and clones are those of the real one.
    clones: Option<ManuallyDrop<Shared<Clones>>>,
    /// Somebody has cloned the waker.
    is_cloned: AtomicBool,
    /// Somebody has woken the task with it, or has a clone that is not counted.
    is_used: AtomicBool,
}

// A static, so that it has one address.
static DISGUISE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake, forget);

/// # Safety
///
/// The data of a waker with the table [`DISGUISE`], which lives as long as the poll for which it was made.
unsafe fn disguise<'a>(data: *const ()) -> &'a Disguise<'a> {
    // SAFETY: as above.
    unsafe { &*data.cast() }
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: called for wakers with this table.
    let disguise = unsafe { disguise(data) };
    disguise.is_cloned.store(true, Ordering::Relaxed);
    let real = disguise.real.clone();
    let counted = match &disguise.clones {
        Some(clones) => clones.counted(real),
        None => Err(real),
    };
    let clone = ManuallyDrop::new(counted.unwrap_or_else(|clone| {
        disguise.is_used.store(true, Ordering::Relaxed);
        clone
    }));
    RawWaker::new(clone.data(), clone.vtable())
}

unsafe fn wake(data: *const ()) {
    // SAFETY: called for wakers with this table.
    let disguise = unsafe { disguise(data) };
    disguise.is_used.store(true, Ordering::Relaxed);
    disguise.real.wake_by_ref();
}

unsafe fn forget(_: *const ()) {}

/// The clones of the innermost task that is being polled on this thread.
fn clones_of_polled() -> Option<ManuallyDrop<Shared<Clones>>> {
    let place = thread::with(|state| state.clones.get())?;
    // SAFETY: the task has them as long as the poll lasts, and this is never dropped.
    Some(ManuallyDrop::new(unsafe { Shared::at(place.cast()) }))
}

/// Polls something in which not every wait is recorded, for the task that is being polled.
#[inline]
pub(crate) fn disguised<R>(context: &mut Context<'_>, poll: impl FnOnce(&mut Context<'_>) -> R) -> R {
    let disguise = Disguise {
        real: context.waker(),
        clones: clones_of_polled(),
        is_cloned: AtomicBool::new(false),
        is_used: AtomicBool::new(false),
    };
    // SAFETY: the functions of the table keep the contract of wakers, on any thread. The data lives until the poll is over, and so
    // does this waker, since its clones have data of their own.
    let waker = unsafe { Waker::new((&raw const disguise).cast(), &DISGUISE) };
    let polled = poll(&mut Context::from_waker(&waker));
    let is_used = disguise.is_used.load(Ordering::Relaxed);
    if is_used {
        unrecorded();
    }
    if is_used || disguise.is_cloned.load(Ordering::Relaxed) {
        thread::with(|state| state.foreign.set(true));
    }
    polled
}

/// The context with the real waker, for a real future whose waiting the shim records.
#[inline]
pub fn real<'a>(context: &'a Context<'_>) -> Context<'a> {
    let waker = context.waker();
    if !core::ptr::eq(waker.vtable(), &raw const DISGUISE) {
        return Context::from_waker(waker);
    }
    // SAFETY: the table says what it is, and it lives as long as the waker that the context borrows.
    Context::from_waker(unsafe { disguise::<'a>(waker.data()) }.real)
}

/// Polls a real future, which got the [real] waker and whose waiting the shim records. What it is made of waits inside its own crate, and
/// does not count.
#[inline]
pub fn recorded<R>(poll: impl FnOnce() -> R) -> R {
    if !switch::on() {
        return poll();
    }
    let before = thread::with(|state| state.unrecorded.get());
    let polled = poll();
    thread::with(|state| state.unrecorded.set(before));
    polled
}

/// The task that is being polled waits for something that is not recorded.
#[inline]
pub(crate) fn unrecorded() {
    if switch::on() {
        thread::with(|state| state.unrecorded.set(true));
    }
}

/// A future of the program that is polled by a real future which got the [real] waker.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are polled"]
pub struct Disguised<F>(F);

/// See [`Disguised`].
#[inline]
pub fn disguise_for<F: Future>(future: F) -> Disguised<F> {
    Disguised(future)
}

impl<F: Future> Future for Disguised<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future is pinned with `self` and never moved.
        let future = unsafe { self.map_unchecked_mut(|it| &mut it.0) };
        if !switch::on() {
            return future.poll(context);
        }
        disguised(context, |context| future.poll(context))
    }
}
