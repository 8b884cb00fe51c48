//! What belongs to a thread: where it waits for the turn, and which participant acts on it.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::memory;

/// Who acts on a thread. None of this has a destructor, so that it can be used as long as the thread runs any code.
pub(super) struct Here {
    /// The participant that is bound to the thread: the thread's own, or the task that it polls.
    holder: Cell<Option<usize>>,
    /// The holder is a task, which some executor polls on this thread.
    pub(super) polls: Cell<bool>,
    /// The task that is polled lets others go on.
    pub(super) yields: Cell<bool>,
    /// What is awaited next is a timer alone.
    pub(super) awaits_timer: Cell<bool>,
    /// Who has left control on this thread, while a runtime is dropped.
    pub(super) left: Cell<Option<usize>>,
    /// What polls the future that this thread drives.
    pub(super) drives: Cell<Option<Executor>>,
    /// It polls local tasks beside that future.
    pub(super) polls_locals: Cell<bool>,
    /// It is about to.
    pub(super) will_poll_locals: Cell<bool>,
    /// The future that this thread is about to drive.
    pub(super) root: Cell<Option<usize>>,
    /// Who was spawned here last.
    pub(super) spawned: Cell<Option<usize>>,
    /// Where the next task that is spawned here is polled.
    pub(super) executor: Cell<Option<Executor>>,
    parker: Cell<Option<&'static Parker>>,
}

/// What polls a task.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Executor {
    /// Stands for the executor.
    pub(super) id: u64,
    /// How many threads it has for its tasks; 0 where it has only the one that waits for its root.
    pub(super) workers: u32,
}

/// What polls nothing.
pub(super) const NOBODY: Executor = Executor { id: 0, workers: 0 };

thread_local! {
    static HERE: Here = const {
        Here {
            holder: Cell::new(None),
            polls: Cell::new(false),
            yields: Cell::new(false),
            awaits_timer: Cell::new(false),
            left: Cell::new(None),
            drives: Cell::new(None),
            polls_locals: Cell::new(false),
            will_poll_locals: Cell::new(false),
            root: Cell::new(None),
            spawned: Cell::new(None),
            executor: Cell::new(None),
            parker: Cell::new(None),
        }
    };
}

/// What is known of this thread.
pub(super) fn here<R>(f: impl FnOnce(&Here) -> R) -> R {
    HERE.with(f)
}

/// What a thread does is no participant's until this is dropped: it calls wakers, which may be made of what is instrumented.
pub(super) struct Apart {
    holder: Option<usize>,
    drives: Option<Executor>,
}

impl Apart {
    /// From now on.
    pub(super) fn begin() -> Apart {
        here(|it| Apart { holder: it.bind(None), drives: it.drives.replace(Some(NOBODY)) })
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        here(|it| {
            it.bind(self.holder);
            it.drives.set(self.drives);
        });
    }
}

impl Here {
    /// The participant that is bound to the thread.
    pub(super) fn holder(&self) -> Option<usize> {
        self.holder.get()
    }

    /// The thread as what polls tasks.
    pub(super) fn as_executor(&self) -> Executor {
        Executor { id: core::ptr::from_ref(self.parker()).addr() as u64, workers: 0 }
    }

    /// From now on it is this one. Who it was before.
    pub(super) fn bind(&self, holder: Option<usize>) -> Option<usize> {
        self.holder.replace(holder)
    }

    /// Where this thread waits.
    pub(super) fn parker(&self) -> &'static Parker {
        if let Some(parker) = self.parker.get() {
            return parker;
        }
        // SAFETY: it is never given back, as threads that wait when the process ends never go on.
        let parker = unsafe { &*memory::into_raw(Parker::default()) };
        self.parker.set(Some(parker));
        parker
    }
}

/// Where a thread waits until somebody gives it the turn. The program's own `park` must not take notice of that, nor give it.
#[derive(Default)]
pub(super) struct Parker {
    is_given: Mutex<bool>,
    changed: Condvar,
    is_waited_at: AtomicBool,
}

impl Parker {
    /// Waits for the turn.
    pub(super) fn wait(&self) {
        self.is_waited_at.store(true, Ordering::Relaxed);
        let mut is_given = self.is_given.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_given {
            is_given = self.changed.wait(is_given).unwrap_or_else(PoisonError::into_inner);
        }
        *is_given = false;
        self.is_waited_at.store(false, Ordering::Relaxed);
    }

    /// Whether a thread waits here.
    pub(super) fn is_waited_at(&self) -> bool {
        self.is_waited_at.load(Ordering::Relaxed)
    }

    /// Gives the turn to the thread that waits here, or that is about to.
    pub(super) fn give(&self) {
        *self.is_given.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_one();
    }
}
