//! Participants come and go: they are spawned, begin on a thread, and end.

use rvcheck_event::exploration::word::{Kind, Operation};
use rvcheck_event::kind::TaskKind;

use super::handover::Handover;
use super::on;
use super::parker::{NOBODY, here};
use super::participant::{JOINED, Status, Step};
use super::points::carry_out;
use super::state::{Control, Turn, register_worker, with};
use crate::thread;

/// The acting participant has spawned this task.
pub(crate) fn spawned(kind: TaskKind, task: u32, place: u32) {
    let executor = here(|it| it.executor.take());
    let is_root = matches!(kind, TaskKind::Root | TaskKind::Test);
    with(|control| {
        let by = control.acting();
        let kind = match kind {
            TaskKind::Thread => Kind::Thread,
            TaskKind::Blocking => Kind::Blocking,
            TaskKind::Local => Kind::Local,
            _ => Kind::Task,
        };
        let index = control.spawned(by, task, kind, place);
        // What drives a root is a worker only where there are no others.
        let executor = executor.filter(|it| kind == Kind::Task && (!is_root || it.workers == 0));
        control.all.live_at(index, executor);
        here(|it| it.spawned.set(Some(index)));
        if kind == Kind::Local && here(|it| it.polls_locals.get()) {
            control.is_driven(index);
        }
        if is_root {
            here(|it| it.root.set(Some(index)));
        }
    });
}

/// The closure of a task begins on this thread, and waits for its turn.
pub(crate) fn start(task: u32) {
    register_worker();
    let answer = with(|control| {
        let me = match control.of_task(task) {
            Some(me) => me,
            None => control.spawned(None, task, Kind::Root, 0),
        };
        control.all[me].system_thread = thread::with(|it| it.system_id.get());
        here(|it| it.bind(Some(me)));
        control.comes_back(me, Step { place: control.all[me].spawned, ..Step::START })
    });
    carry_out(answer);
}

/// This task was dropped without being run, or inside of somebody else.
pub(crate) fn gone(task: u32) {
    let handover = with(|control| {
        let me = control.of_task(task)?;
        control.all.stand(me, Status::Over);
        control.changed(JOINED | u64::from(task));
        if control.turn != Turn::Given(me) {
            return None;
        }
        // It does not come any more.
        let chosen = control.decide(me);
        Some(control.elect(chosen))
    });
    if let Some(Some(handover)) = handover {
        handover.carry_out(true);
    }
}

/// It ends, and with it the thread's part.
pub(crate) fn end(task: u32) {
    let handover = with(|control| {
        let me = control.of_task(task)?;
        here(|it| it.bind(None));
        // What the thread does while its own values are dropped is no participant's.
        here(|it| it.drives.set(Some(NOBODY)));
        if control.is_over(task) {
            return None;
        }
        Some(control.ends(me, task))
    });
    if let Some(Some(handover)) = handover {
        handover.carry_out(false);
    }
}

/// The thread that is this task ends. What it does while its own values are dropped is not controlled.
pub(super) fn thread_ends(task: u32) {
    if on() {
        let goes_on = with(|it| it.of_task(task).is_some_and(|me| it.all[me].status != Status::Over));
        if goes_on == Some(true) {
            end(task);
        }
    }
}

impl Control {
    /// Whether this task has ended.
    pub(super) fn is_over(&self, task: u32) -> bool {
        self.of_task(task).is_some_and(|it| self.all[it].status == Status::Over)
    }

    /// This one ends.
    pub(super) fn ends(&mut self, me: usize, task: u32) -> Handover {
        self.point(me, Step { operation: Operation::End, object: JOINED | u64::from(task), place: 0 });
        self.all.stand(me, Status::Over);
        self.changed(JOINED | u64::from(task));
        if self.turn != Turn::Running(me) {
            return Handover::nothing();
        }
        self.seen.does(me, self.all[me].next);
        if let Some(joiner) = self.all[me].joiner
            && self.all[joiner].status == Status::Suspended
        {
            // The runtime wakes it as soon as this poll or call is over.
            self.awaited = Some((joiner, me));
            self.turn = Turn::Nobody;
            return Handover::nothing();
        }
        let chosen = self.decide(me);
        self.elect(chosen)
    }
}
