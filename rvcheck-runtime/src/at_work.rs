//! Whose work a thread does: the program's, the recorder's, or that of the program's allocator.
//!
//! A signal may arrive in the middle of a hook, and its handler may use what is instrumented; a lock of the recorder's can then be held
//! by the very thread. And an allocator may lock, while it allocates for anybody. So hooks that are called meanwhile do nothing.

use core::marker::PhantomData;
use core::sync::atomic::{Ordering, compiler_fence};

use crate::output;
use crate::thread::{self, PROGRAM, State};

/// A hook is at work. What is called meanwhile comes from a signal handler, and is counted as lost.
const HOOK: u8 = 1;
/// The program's allocator is at work. What it does is not recorded.
const ALLOCATOR: u8 = 2;

impl State {
    /// A hook begins to do what may not be interrupted by another one. The thread must not be busy.
    #[inline(always)]
    pub(crate) fn begin_work(&self) {
        self.at_work.store(HOOK, Ordering::Relaxed);
        // To the handler of a signal this comes before what follows.
        compiler_fence(Ordering::SeqCst);
    }

    /// It has done that.
    #[inline(always)]
    pub(crate) fn end_work(&self) {
        compiler_fence(Ordering::SeqCst);
        self.at_work.store(PROGRAM, Ordering::Relaxed);
    }

    /// Something that a hook would have recorded comes while the thread is busy.
    #[cold]
    #[inline(never)]
    pub(crate) fn misses(&self) {
        if self.at_work.load(Ordering::Relaxed) == HOOK {
            output::dropped(1);
        }
    }
}

/// While this lives, a hook is at work on this thread, where it stays.
pub(crate) struct AtWork(PhantomData<*const ()>);

/// A hook begins to do what may not be interrupted by another one. `None` if the thread is busy already: then there is nothing to be
/// done, and that is counted.
pub(crate) fn enter() -> Option<AtWork> {
    thread::with(|state| {
        if state.is_busy() {
            state.misses();
            return None;
        }
        state.begin_work();
        Some(AtWork(PhantomData))
    })
}

impl Drop for AtWork {
    fn drop(&mut self) {
        thread::with(State::end_work);
    }
}

/// While this lives, the program's allocator is at work on this thread, where it stays.
#[derive(Debug)]
pub struct Allocating {
    outer: u8,
    not_send: PhantomData<*const ()>,
}

/// What the rewriter puts at the beginning of the methods of a global allocator.
pub trait RvAllocator {
    /// The allocator is at work until this is dropped.
    #[inline]
    fn __rv_allocating(&self) -> Allocating {
        let outer = thread::with(|state| {
            let outer = state.at_work.load(Ordering::Relaxed);
            state.at_work.store(ALLOCATOR, Ordering::Relaxed);
            outer
        });
        compiler_fence(Ordering::SeqCst);
        Allocating { outer, not_send: PhantomData }
    }
}

impl<A: ?Sized> RvAllocator for A {}

impl Drop for Allocating {
    #[inline]
    fn drop(&mut self) {
        compiler_fence(Ordering::SeqCst);
        thread::with(|state| state.at_work.store(self.outer, Ordering::Relaxed));
    }
}
