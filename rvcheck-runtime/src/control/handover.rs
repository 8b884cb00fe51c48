//! Handing the turn over: a thread that waits for it is let go on, or an executor is made to poll the task that has it.

use std::task::Waker;

use super::parker::{Apart, Parker, here};
use super::watch;

/// To be carried out when the lock is free: wakers run code of executors.
#[must_use = "who was chosen waits for it"]
pub(super) struct Handover {
    /// Those whose time has come: they are woken first.
    wakes: Vec<Waker>,
    parker: Option<&'static Parker>,
    waker: Option<Waker>,
}

impl Handover {
    /// There is nothing to be done.
    pub(super) const fn nothing() -> Handover {
        Handover { wakes: Vec::new(), parker: None, waker: None }
    }

    /// These are woken.
    pub(super) const fn only(wakes: Vec<Waker>) -> Handover {
        Handover { wakes, parker: None, waker: None }
    }

    /// These are woken, then the thread that waits there goes on.
    pub(super) const fn to_thread(wakes: Vec<Waker>, parker: &'static Parker) -> Handover {
        Handover { wakes, parker: Some(parker), waker: None }
    }

    /// These are woken, then the executor is to poll a task. One that has no waker is polled anyway.
    pub(super) const fn to_task(wakes: Vec<Waker>, waker: Option<Waker>) -> Handover {
        Handover { wakes, parker: None, waker }
    }

    /// Does it. If the thread `stays` in the middle of a poll it does not call an executor, which might count on this very thread to poll
    /// the task.
    pub(super) fn carry_out(self, stays: bool) {
        let apart = Apart::begin();
        self.wakes.into_iter().for_each(Waker::wake);
        drop(apart);
        if let Some(parker) = self.parker {
            parker.give();
        }
        if let Some(waker) = self.waker {
            if stays && here(|it| it.polls.get()) {
                watch::wake(waker);
            } else {
                let _apart = Apart::begin();
                waker.wake();
            }
        }
    }
}
