//! Who can wake a task.
//!
//! A task goes on when somebody calls its waker. Futures of shims record what they wait for, and get the [real] waker. Every
//! other future sees the waker in disguise: when one keeps it, something that is not recorded can wake the task and give up its other
//! waits, and the `suspend` event says so. Wherever such a future hides (in a `select!`, in a combinator, behind a pointer), it
//! cannot be woken without that. The clones are counted: a task whose last clone was dropped unused can be woken by nobody. What waits for
//! its like, as `will_wake` compares them, sees no difference.

mod apart;
mod clones;
mod shared;

pub(crate) use clones::Clones;
pub(crate) use shared::Shared;

use core::future::Future;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};

use crate::{switch, thread};
use apart::Apart;

/// What was done with a waker in a poll.
#[derive(Debug, Default)]
struct Uses {
    /// Somebody has cloned it.
    is_cloned: AtomicBool,
    /// Somebody has woken the task with it, or has a clone that is not counted.
    is_used: AtomicBool,
}

impl Uses {
    fn note_clone(&self) {
        self.is_cloned.store(true, Ordering::Relaxed);
    }

    fn note_wake(&self) {
        self.is_used.store(true, Ordering::Relaxed);
    }

    /// A poll begins in which nothing was done yet. Gives what was done in the one around it.
    fn begin(&self) -> [bool; 2] {
        [&self.is_cloned, &self.is_used].map(|it| it.swap(false, Ordering::Relaxed))
    }

    /// The poll is over, and the one around it goes on. What was done in it is told by then.
    fn end(&self, [is_cloned, is_used]: [bool; 2]) {
        self.is_cloned.store(is_cloned, Ordering::Relaxed);
        self.is_used.store(is_used, Ordering::Relaxed);
    }

    /// Tells the task that is being polled.
    fn tell(&self) {
        let is_used = self.is_used.load(Ordering::Relaxed);
        if is_used {
            unrecorded();
        }
        if is_used || self.is_cloned.load(Ordering::Relaxed) {
            thread::with(|state| state.foreign.set(true));
        }
    }
}

/// The clones of the innermost task that is being polled on this thread.
fn clones_of_polled() -> Option<ManuallyDrop<Shared<Clones>>> {
    let place = thread::with(|state| state.clones.get())?;
    // SAFETY: the task has them as long as the poll lasts, and this is never dropped.
    Some(ManuallyDrop::new(unsafe { Shared::at(place.cast()) }))
}

/// Polls something in which not every wait is recorded, for the task that is being polled.
#[inline]
pub(crate) fn disguised<R>(context: &mut Context<'_>, poll: impl FnOnce(&mut Context<'_>) -> R) -> R {
    let real = behind(context.waker());
    let clones = clones_of_polled();
    if let Some(lent) = clones.as_ref().and_then(|it| it.lend(real)) {
        let polled = poll(&mut Context::from_waker(lent.waker()));
        lent.uses().tell();
        return polled;
    }
    let apart = Apart::new(real, clones.as_deref());
    let polled = poll(&mut Context::from_waker(&apart.waker()));
    apart.uses.tell();
    polled
}

/// The waker itself, or the real one where it is in disguise.
fn behind(waker: &Waker) -> &Waker {
    clones::behind(waker).or_else(|| apart::behind(waker)).unwrap_or(waker)
}

/// The context with the real waker, for a real future whose waiting the shim records.
#[inline]
pub fn real<'a>(context: &'a Context<'_>) -> Context<'a> {
    Context::from_waker(behind(context.waker()))
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
