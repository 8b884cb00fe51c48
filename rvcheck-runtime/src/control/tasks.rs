//! The gates of tasks: a task is polled when it is its turn.
//!
//! A waker that a task is polled with is ours. It says that the task is ready; the executor's is called when the task is chosen. So the
//! queues of an executor never have more than one task that is to go on. A task that the executor polls at another time suspends at once.
//!
//! A task that comes to a point while it is polled stays there, and keeps the thread, as if the system had taken the processor from it.
//! Others of its executor go on if that has more threads.

use core::task::{Context, Waker};
use std::sync::Arc;
use std::task::Wake;

use rvcheck_event::exploration::word::{Kind, Operation, SpuriousKind};

use super::handover::Handover;
use super::on;
use super::parker::{Executor, Here, here};
use super::participant::{Status, Step};
use super::state::{Control, LOOKS, Turn, with};
use super::timers::is_paused;
use crate::thread;

/// The waker of a task.
struct Gated(usize);

impl Wake for Gated {
    fn wake(self: Arc<Gated>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Gated>) {
        if let Some(handover) = with(|it| it.woken(self.0)) {
            handover.carry_out(false);
        } else if let Some(Some(waker)) = super::state::after_end(|it| it.all[self.0].waker.clone()) {
            waker.wake();
        }
    }
}

/// Whether a task may be polled.
pub(crate) enum Gate {
    /// It may, inside of another participant or of none: it has no gate.
    None,
    /// It may, with this waker.
    Open(Polling, Waker),
    /// It may not now.
    Closed,
}

/// A task is polled. Dropping this means that it has panicked.
#[derive(Debug)]
pub(crate) struct Polling {
    me: usize,
    task: u32,
    /// Who was bound to the thread before.
    outer: Option<usize>,
    outer_polls: bool,
}

/// The executor wants to poll this task.
pub(crate) fn before_poll(task: u32, context: &Context<'_>) -> Gate {
    super::state::register_worker();
    if here(Here::holder).is_some() {
        return Gate::None;
    }
    let entered = with(|control| {
        let me = control.of_task(task)?;
        control.is_driven(me);
        if matches!(control.all[me].status, Status::Inside | Status::Over) {
            return None;
        }
        let polls = control.polls(me, context.waker());
        let gated = control.all[me].gated.get_or_insert_with(|| Waker::from(Arc::new(Gated(me))));
        Some((me, gated.clone(), polls))
    });
    let Some(Some((me, gated, (is_open, handover, old)))) = entered else { return Gate::None };
    // Dropping a waker may run code of the program.
    drop(old);
    handover.carry_out(false);
    if !is_open {
        return Gate::Closed;
    }
    let outer = here(|it| it.bind(Some(me)));
    let outer_polls = here(|it| it.polls.replace(true));
    Gate::Open(Polling { me, task, outer, outer_polls }, gated)
}

impl Polling {
    /// The task is suspended.
    pub(crate) fn suspended(self, is_unrecorded: bool) {
        self.leave(|control, me, _| control.suspends(me, is_unrecorded));
    }

    /// The task has ended.
    pub(crate) fn ended(self) {
        self.leave(Control::ends_polled);
    }

    fn leave(self, then: impl FnOnce(&mut Control, usize, u32) -> Handover) {
        let this = core::mem::ManuallyDrop::new(self);
        this.unbind();
        if let Some(handover) = with(|it| then(it, this.me, this.task)) {
            handover.carry_out(false);
        }
    }

    fn unbind(&self) {
        here(|it| {
            it.bind(self.outer);
            it.polls.set(self.outer_polls);
        });
    }
}

impl Drop for Polling {
    fn drop(&mut self) {
        self.unbind();
        if let Some(handover) = with(|it| it.ends_polled(self.me, self.task)) {
            handover.carry_out(false);
        }
    }
}

impl Control {
    /// A task of a local set is polled on this thread. If that is not inside of another participant it is one beside the root that the
    /// thread drives.
    pub(super) fn is_driven(&mut self, me: usize) {
        if self.all[me].status == Status::Inside
            && let Some(executor) = here(|it| it.drives.get())
        {
            self.all.live_at(me, Some(executor));
            self.all.stand(me, Status::Ready);
        }
    }

    /// What was driven on a thread is not any more: nobody polls its local tasks.
    pub(super) fn leaves_alone(&mut self, executor: Option<Executor>) {
        for me in 0..self.all.everybody().len() {
            let it = &self.all[me];
            if it.kind == Kind::Local && it.executor == executor && it.status != Status::Over {
                self.all.stand(me, Status::Inside);
            }
        }
    }

    /// The executor wants to poll this task: whether it may, what to do then, and a waker to drop.
    fn polls(&mut self, me: usize, waker: &Waker) -> (bool, Handover, Option<Waker>) {
        self.now += 1;
        let it = &mut self.all[me];
        let is_known = it.waker.as_ref().is_some_and(|it| it.will_wake(waker));
        let old = if is_known { None } else { it.waker.replace(waker.clone()) };
        if it.status == Status::Missing {
            self.all.stand(me, Status::Ready);
        }
        let mut handover = Handover::nothing();
        if self.is_free() {
            let chosen = self.decide(me);
            if chosen == Some(me) {
                self.turn = Turn::Given(me);
            } else {
                handover = self.elect(chosen);
            }
        }
        if self.turn != Turn::Given(me) {
            return (false, handover, old);
        }
        let is_first = self.all[me].points == 0;
        let operation = if is_first { Operation::Start } else { Operation::Poll };
        self.point(me, Step { operation, object: 0, place: 0 });
        self.seen.polled(&self.all[me]);
        let it = &mut self.all[me];
        it.system_thread = thread::with(|it| it.system_id.get());
        (it.is_woken, it.is_unrecorded) = (false, false);
        self.goes(me);
        (true, Handover::only(core::mem::take(&mut self.wakes)), old)
    }

    /// A task was polled and is suspended.
    fn suspends(&mut self, me: usize, is_unrecorded: bool) -> Handover {
        let place = self.all[me].next.place;
        self.point(me, Step { operation: Operation::Blocked, object: 0, place });
        self.all.halt(me, None);
        let it = &mut self.all[me];
        it.is_unrecorded = is_unrecorded;
        let yields = here(|it| it.yields.replace(false));
        it.look.times += u32::from(yields);
        let (is_woken, look) = (core::mem::take(&mut it.is_woken), it.look);
        if yields {
            self.chooser.yields(me);
        }
        let status = match is_woken {
            true if yields && look.times >= LOOKS => Status::Spinning(look.object),
            true => Status::Ready,
            false if self.is_spurious(me, SpuriousKind::Poll) => Status::Ready,
            false => Status::Suspended,
        };
        self.all.stand(me, status);
        if matches!(status, Status::Spinning(_)) {
            self.looks_in_vain();
        }
        let chosen = self.decide(me);
        self.elect(chosen)
    }

    /// A task was polled and has ended.
    fn ends_polled(&mut self, me: usize, task: u32) -> Handover {
        let host = self.all[me].host;
        self.all.halt(me, None);
        if let Some(host) = host {
            // The thread that has driven it goes on as what it was before.
            self.point(me, Step { operation: Operation::End, object: 0, place: 0 });
            self.all.stand(me, Status::Over);
            self.ready(host);
            self.turn = Turn::Given(host);
            return Handover::nothing();
        }
        self.ends(me, task)
    }

    /// Somebody wakes this task.
    fn woken(&mut self, me: usize) -> Handover {
        let is_awaited = self.awaited.is_some_and(|it| it.0 == me);
        let is_from_outside = here(Here::holder).is_none() && !is_awaited && !is_paused();
        let it = &mut self.all[me];
        match it.status {
            Status::Suspended if it.on.is_none() && it.is_unrecorded && is_from_outside => {
                self.arrives(me);
                if self.is_free() {
                    let chosen = self.decide(me);
                    return self.elect(chosen);
                }
            }
            Status::Suspended | Status::Spinning(_) if it.on.is_none() => {
                self.ready(me);
                let at = match self.awaited {
                    Some((joiner, ended)) if joiner == me => ended,
                    _ => me,
                };
                self.awaited = self.awaited.filter(|it| it.0 != me);
                if self.is_free() {
                    let chosen = self.decide(at);
                    return self.elect(chosen);
                }
            }
            Status::Over | Status::Inside | Status::Arrived => {}
            Status::Ready if it.on.is_none() => {}
            _ => it.is_woken = true,
        }
        Handover::nothing()
    }
}

/// The task that is polled is about to suspend, so that others go on.
pub fn yields_in_poll() {
    if on() {
        here(|it| it.yields.set(true));
    }
}

/// The task that is spawned next is polled by this executor, which has so many threads, or none but that which drives its root.
pub fn on_executor(executor: impl FnOnce() -> (u64, u32)) {
    if on() {
        let (id, workers) = executor();
        here(|it| it.executor.set(Some(Executor { id, workers })));
    }
}

/// The task that was spawned last on this thread is given to this executor.
pub fn given_executor(executor: impl FnOnce() -> (u64, u32)) {
    if on()
        && let Some(spawned) = here(|it| it.spawned.take())
    {
        let (id, workers) = executor();
        with(|control| {
            if control.all[spawned].executor.is_none() {
                control.all.live_at(spawned, Some(Executor { id, workers }));
            }
        });
    }
}

/// The future that is driven next has local tasks beside it, and the thread polls them, too.
pub fn polls_locals() {
    if on() {
        here(|it| it.will_poll_locals.set(true));
    }
}

/// The unfinished future of this task is about to be dropped by whoever may do so. What is given back by it waits for its turn.
pub(crate) fn before_drop(task: u32) -> Option<Dropping> {
    super::state::register_worker();
    if here(Here::holder).is_some() {
        super::gone(task);
        return None;
    }
    let (me, answer, before) = with(|control| {
        let me = control.of_task(task)?;
        if matches!(control.all[me].status, Status::Inside | Status::Over) {
            return None;
        }
        let before = control.turn;
        control.all[me].system_thread = thread::with(|it| it.system_id.get());
        Some(match before {
            // Whoever was chosen may need this very thread, and goes on later.
            Turn::Nobody | Turn::Given(_) => {
                let step = Step { operation: Operation::End, object: 0, place: 0 };
                control.point(me, step);
                control.goes(me);
                (me, None, before)
            }
            Turn::Running(_) => {
                let step = Step { operation: Operation::End, object: 0, place: 0 };
                (me, Some(control.comes_back(me, step)), Turn::Nobody)
            }
        })
    })??;
    let outer = here(|it| it.bind(Some(me)));
    if let Some(super::state::Answer::Wait(handover, parker)) = answer {
        handover.carry_out(true);
        parker.wait();
    }
    Some(Dropping { me, task, outer, before })
}

/// An unfinished future is dropped.
#[derive(Debug)]
pub(crate) struct Dropping {
    me: usize,
    task: u32,
    outer: Option<usize>,
    before: Turn,
}

impl Drop for Dropping {
    fn drop(&mut self) {
        here(|it| it.bind(self.outer));
        let handover = with(|control| match self.before {
            Turn::Given(other) if other != self.me => {
                control.all.stand(self.me, Status::Over);
                control.turn = Turn::Given(other);
                Handover::nothing()
            }
            _ => control.ends(self.me, self.task),
        });
        if let Some(handover) = handover {
            handover.carry_out(false);
        }
    }
}
