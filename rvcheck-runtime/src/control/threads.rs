//! What participants do on their threads: they come to points, wait for objects, sleep, and leave control.
//!
//! All of it is done by whoever is bound to the thread: the thread's own participant, or the task that is polled there.

use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::sync::Arc;
use std::task::Wake;
use std::time::Instant;

use rvcheck_event::exploration::outcome::{Cause, Kind, Operation};
use rvcheck_event::id::TaskId;
use rvcheck_event::kind::{Sort, TaskKind, What};

use super::handover::Handover;
use super::parker::{Here, Home, NOBODY, here};
use super::participant::{Deadline, JOINED, Look, Participant, Status, Step};
use super::state::{Answer, Control, Turn, register, register_worker, with};
use super::{clock, on};
use crate::{Head, Loc, site, thread};

/// Marks the numbers of atomics among those of objects.
const ATOMIC: u64 = 1 << 63;

/// Marks the numbers of futures that threads drive.
const DRIVEN: u64 = 1 << 61;
static DRIVES: AtomicU64 = AtomicU64::new(1);

/// What came of trying again and again.
#[derive(Debug)]
pub enum Retried<R> {
    /// What one of the tries gave.
    Got(R),
    /// The time is over.
    TimedOut,
    /// The run is not controlled: what waits for the object is to be called.
    Uncontrolled,
}

/// Carries out what comes of a point: returns when it is the turn of whoever has come.
fn carry_out(answer: Option<Answer>) {
    if let Some(Answer::Wait(handover, parker)) = answer {
        handover.carry_out(true);
        parker.wait();
    }
}

/// The acting participant is about to do something visible with this object.
pub(crate) fn before(head: &Head, location: Loc) {
    register();
    let site = site::of(location);
    if !site.own {
        return;
    }
    let operation = match head.kind().map(|it| it.sort()) {
        Some(Sort::Chan) => Operation::Send,
        Some(Sort::Sem) => Operation::Permit,
        Some(Sort::Signal) => Operation::Wait,
        _ => Operation::Lock,
    };
    let step = Step { operation, object: head.id().into(), place: site.id };
    carry_out(with(|it| it.comes(step)));
}

/// The acting participant is about to do something visible with this object that never waits. To be called before the real call.
#[inline]
pub fn asks(head: &Head, location: Loc) {
    if on() {
        ask(head, location);
    }
}

#[cold]
#[inline(never)]
fn ask(head: &Head, location: Loc) {
    before(head, location);
}

/// The acting participant is about to try something that does not wait. To be called before the real call, whose result is to be told by
/// [`signals`].
#[inline]
pub fn tries(head: &Head, location: Loc) {
    if on() {
        try_it(head, location);
    }
}

#[cold]
#[inline(never)]
fn try_it(head: &Head, location: Loc) {
    register();
    let site = site::of(location);
    if site.own {
        let step = Step { operation: Operation::Try, object: head.id().into(), place: site.id };
        carry_out(with(|it| it.comes(step)));
    }
}

/// What was tried with this object has succeeded, or not.
#[inline]
pub fn signals(head: &Head, succeeded: bool) {
    if on() {
        look_at(head.id().into(), u64::from(succeeded), succeeded);
    }
}

/// The acting participant is about to read or write the atomic at this address.
pub(crate) fn before_atomic(address: usize, location: Loc) {
    if !thread::with(|it| it.may_follow()) {
        return;
    }
    let site = site::of(location);
    let step = Step { operation: Operation::Atomic, object: ATOMIC | address as u64, place: site.id };
    carry_out(with(|it| it.comes(step)));
}

/// The acting participant has found this value in the atomic at this address.
pub(crate) fn looked(address: usize, value: u64) {
    look_at(ATOMIC | address as u64, value, false);
}

/// The acting participant has written to the atomic at this address.
pub(crate) fn changed_atomic(address: usize) {
    with(|it| it.changed(ATOMIC | address as u64));
}

/// Does what does not wait, with the question before it.
#[inline]
pub fn trying<R>(
    head: &Head,
    location: Loc,
    attempt: impl FnOnce() -> R,
    has_succeeded: impl FnOnce(&R) -> bool,
) -> R {
    tries(head, location);
    let result = attempt();
    if on() {
        signals(head, has_succeeded(&result));
    }
    result
}

/// The acting participant is about to ask for this task to be cancelled.
pub(crate) fn before_abort(task: u32, location: Loc) {
    register();
    let site = site::of(location);
    if site.own {
        let step = Step { operation: Operation::Notify, object: JOINED | u64::from(task), place: site.id };
        carry_out(with(|it| it.comes(step)));
    }
}

fn look_at(object: u64, value: u64, has_come_on: bool) {
    with(|control| {
        let Some(me) = here(|it| it.holder()) else { return };
        let look = &mut control.all[me].look;
        let is_same = (look.object, look.value) == (object, value) && !has_come_on;
        let times = if is_same { look.times + 1 } else { 0 };
        *look = Look { object, value, times };
    });
}

/// The thread lets others go on.
pub fn yields(location: Loc) {
    if !on() {
        return;
    }
    register();
    let step = Step { operation: Operation::Yield, object: 0, place: site::of(location).id };
    carry_out(with(|it| it.comes(step)));
}

/// Waits with the thread until somebody changes one of the objects, or until then. `None` if the run is not controlled. Else whether it is
/// late.
fn wait_for(objects: &[u64], deadline: Option<Deadline>, place: u32) -> Option<bool> {
    let (object, also) = objects.split_first().map_or((0, objects), |(first, rest)| (*first, rest));
    let answer = with(|control| {
        let me = control.acting()?;
        if control.turn != Turn::Running(me) {
            return Some((me, control.comes_back(me, Step { operation: Operation::Blocked, object, place })));
        }
        control.point(me, Step { operation: Operation::Blocked, object, place });
        let is_listed = control.early.contains(&place);
        control.all[me].deadline =
            deadline.map(|it| Deadline { may_be_early: it.may_be_early || is_listed, ..it });
        control.all[me].also = also.to_vec();
        Some((me, control.waits(me, Status::Waiting(object))))
    })??;
    let (me, answer) = answer;
    carry_out(Some(answer));
    with(|control| {
        let it = &mut control.all[me];
        it.deadline = None;
        it.also.clear();
        core::mem::take(&mut it.is_late)
    })
}

/// Tries again and again, each time when somebody has changed the object. `None` if the run is not controlled, and whoever waits is to
/// wait in the real call.
#[inline]
pub fn retry<R>(head: &Head, location: Loc, attempt: impl FnMut() -> Option<R>) -> Option<R> {
    if !on() {
        return None;
    }
    match retry_until(head, location, None, attempt) {
        Retried::Got(result) => Some(result),
        Retried::TimedOut | Retried::Uncontrolled => None,
    }
}

/// Waits for an object: by trying again and again where the run is controlled, else in the `real` call.
#[inline]
pub fn waiting<R>(
    head: &Head,
    location: Loc,
    attempt: impl FnMut() -> Option<R>,
    real: impl FnOnce() -> R,
) -> R {
    retry(head, location, attempt).unwrap_or_else(real)
}

/// The same until some point in time, when the result is `late`.
#[inline]
pub fn waiting_until<R>(
    head: &Head,
    location: Loc,
    deadline: Option<Instant>,
    attempt: impl FnMut() -> Option<R>,
    late: impl FnOnce() -> R,
    real: impl FnOnce() -> R,
) -> R {
    match retry_until(head, location, deadline, attempt) {
        Retried::Got(result) => result,
        Retried::TimedOut => late(),
        Retried::Uncontrolled => real(),
    }
}

/// Somebody has changed this object, of which nothing is recorded. Whoever waits for it may try again.
#[inline]
pub fn changed(head: &Head) {
    if on() {
        with(|it| it.changed(head.id().into()));
    }
}

/// The same, until some point in time at most.
pub fn retry_until<R>(
    head: &Head,
    location: Loc,
    deadline: Option<Instant>,
    attempt: impl FnMut() -> Option<R>,
) -> Retried<R> {
    if !on() {
        return Retried::Uncontrolled;
    }
    register();
    retry_objects(&[head.id().into()], site::of(location).id, deadline, attempt)
}

/// The same with several objects of which any may change; without one, only the time ends the wait.
pub fn retry_any<R>(
    heads: &[&Head],
    location: Loc,
    deadline: Option<Instant>,
    attempt: impl FnMut() -> Option<R>,
) -> Retried<R> {
    if !on() {
        return Retried::Uncontrolled;
    }
    register();
    let objects: Vec<u64> = heads.iter().map(|it| it.id().into()).collect();
    retry_objects(&objects, site::of(location).id, deadline, attempt)
}

/// How many wait with their threads for this object. `None` if the run is not controlled.
#[inline]
pub fn waiters(head: &Head) -> Option<usize> {
    if !on() {
        return None;
    }
    let object = head.id().into();
    with(|control| control.all.waiting_for(object).len())
}

/// Whether a timer that gives a signal at this time has done so: if the clock was chosen for that, or if the time was over before.
pub fn has_come(time: Instant) -> bool {
    let at = clock::at(time);
    with(|it| at <= it.told) != Some(false)
}

/// Whether the run is controlled and nobody else is left who could change anything.
#[inline]
pub fn is_alone() -> bool {
    on() && with(|it| it.all.live() <= 1) == Some(true)
}

/// The acting participant does what is not controlled, such as a wait of which nothing is known, until the result is dropped.
#[inline]
pub fn outside(location: Loc) -> Option<Left> {
    leave(Cause::Foreign, location)
}

/// A time that limits a wait.
fn limit(time: Instant) -> Deadline {
    Deadline { at: clock::at(time), may_be_early: false }
}

pub(super) fn retry_objects<R>(
    objects: &[u64],
    place: u32,
    deadline: Option<Instant>,
    mut attempt: impl FnMut() -> Option<R>,
) -> Retried<R> {
    let deadline = deadline.map(limit);
    loop {
        if let Some(result) = attempt() {
            return Retried::Got(result);
        }
        match wait_for(objects, deadline, place) {
            None => return Retried::Uncontrolled,
            Some(true) => return attempt().map_or(Retried::TimedOut, Retried::Got),
            Some(false) => {}
        }
    }
}

/// Sleeps. Whether the run is controlled, and it has slept.
pub fn sleep(duration: Duration, location: Loc) -> bool {
    if !on() {
        return false;
    }
    register();
    let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    let until = Deadline { at: clock::now().saturating_add(nanos), may_be_early: true };
    wait_for(&[], Some(until), site::of(location).id).is_some()
}

/// Wakes a thread that drives a future.
struct Woken {
    object: u64,
    is_woken: AtomicBool,
}

impl Wake for Woken {
    fn wake(self: Arc<Woken>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Woken>) {
        self.is_woken.store(true, Ordering::Relaxed);
        with(|it| it.changed(self.object));
    }
}

/// Waits by driving a future where the run is controlled, else in the `real` call.
#[inline]
pub fn driving<F: Future>(
    location: Loc,
    future: impl FnOnce() -> F,
    real: impl FnOnce() -> F::Output,
) -> F::Output {
    if on() {
        let mut future = core::pin::pin!(future());
        if let Some(output) = drive(future.as_mut(), location) {
            return output;
        }
    }
    real()
}

/// Drives a future on this thread. `None` if the run is not controlled.
#[inline]
pub fn drive<F: Future>(future: Pin<&mut F>, location: Loc) -> Option<F::Output> {
    if !on() {
        return None;
    }
    match drive_until(future, location, None) {
        Retried::Got(output) => Some(output),
        Retried::TimedOut | Retried::Uncontrolled => None,
    }
}

/// The same, until some point in time at most.
pub fn drive_until<F: Future>(
    mut future: Pin<&mut F>,
    location: Loc,
    deadline: Option<Instant>,
) -> Retried<F::Output> {
    if !on() {
        return Retried::Uncontrolled;
    }
    let deadline = deadline.map(limit);
    register();
    let object = DRIVEN | DRIVES.fetch_add(1, Ordering::Relaxed);
    let woken = Arc::new(Woken { object, is_woken: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    let place = site::of(location).id;
    let mut is_late = false;
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Retried::Got(output);
        }
        if is_late {
            return Retried::TimedOut;
        }
        if !woken.is_woken.swap(false, Ordering::Relaxed) {
            match wait_for(&[object], deadline, place) {
                None => return Retried::Uncontrolled,
                Some(late) => is_late = late,
            }
            woken.is_woken.store(false, Ordering::Relaxed);
        }
    }
}

/// Waits until somebody lets the thread go on, or until then. It goes on when anything has changed, since it may do so without being
/// asked. Whether the run is controlled.
pub fn park(timeout: Option<Duration>, location: Loc) -> bool {
    if !on() {
        return false;
    }
    register();
    let place = site::of(location).id;
    let until = timeout.and_then(|it| Instant::now().checked_add(it)).map(limit);
    let answer = with(|control| {
        let me = control.acting()?;
        if control.turn != Turn::Running(me) {
            return Some(control.comes_back(me, Step { operation: Operation::Blocked, object: 0, place }));
        }
        control.point(me, Step { operation: Operation::Blocked, object: 0, place });
        control.all[me].deadline = until;
        Some(control.waits(me, Status::Spinning(0)))
    });
    let is_controlled = matches!(answer, Some(Some(_)));
    carry_out(answer.flatten());
    is_controlled
}

/// Waits for a signal that somebody else gives by changing the object, or until then, and for nothing else: it does not try. Whether it was
/// given; `None` if the run is not controlled.
pub fn wait_for_signal(head: &Head, location: Loc, deadline: Option<Instant>) -> Option<bool> {
    if !on() {
        return None;
    }
    register();
    wait_for(&[head.id().into()], deadline.map(limit), site::of(location).id).map(|is_late| !is_late)
}

/// Waits for the end of a thread or blocking task. The real call that follows waits for nothing but the rest of the thread.
pub fn join(task: TaskId, location: Loc) {
    if !on() || !task.is_some() {
        return;
    }
    register();
    let is_over = || {
        let state =
            with(|control| control.of_task(task.0).is_none_or(|it| control.all[it].status == Status::Over));
        state.unwrap_or(true).then_some(())
    };
    let _ended = retry_objects(&[JOINED | u64::from(task.0)], site::of(location).id, None, is_over);
}

/// The acting participant waits in a real call for the rest of threads that have ended, until this is dropped.
#[derive(Debug)]
pub struct Patient(Option<usize>);

/// See [`Patient`].
#[must_use]
pub fn patient() -> Patient {
    let me = if on() { here(Here::holder) } else { None };
    set_patient(me, true);
    Patient(me)
}

fn set_patient(me: Option<usize>, is_patient: bool) {
    if let Some(me) = me {
        with(|it| it.all[me].is_patient = is_patient);
    }
}

impl Drop for Patient {
    fn drop(&mut self) {
        set_patient(self.0, false);
    }
}

/// Whether a task has ended. In a controlled run its executor may take a moment to say so, for which this waits. To be asked with what the
/// executor says.
pub fn has_ended(task: TaskId, is_known: impl Fn() -> bool) -> bool {
    let mut is_over = is_known();
    while !is_over && on() && with(|it| it.is_over(task.0)) == Some(true) {
        std::thread::yield_now();
        is_over = is_known();
    }
    is_over
}

/// The first result of some tasks, of which the executor may take a moment to say so in a controlled run.
pub fn first_ended<R>(tasks: impl Fn() -> Vec<TaskId>, mut first: impl FnMut() -> Option<R>) -> Option<R> {
    let mut found = first();
    if found.is_none() && on() {
        let tasks = tasks();
        while found.is_none() && with(|it| tasks.iter().any(|task| it.is_over(task.0))) == Some(true) {
            std::thread::yield_now();
            found = first();
        }
    }
    found
}

/// Waits for the ends of all blocking tasks, for some time at most.
pub fn wait_for_blocking(timeout: Duration, location: Loc) {
    if !on() {
        return;
    }
    register();
    let blocking = |it: &Participant| it.kind == Kind::Blocking && it.status != Status::Over;
    let tasks = with(|control| {
        let all = control.all.everybody().iter();
        all.filter(|it| blocking(it)).map(|it| it.task).collect::<Vec<u32>>()
    });
    let tasks = tasks.unwrap_or_default();
    let objects: Vec<u64> = tasks.iter().map(|it| JOINED | u64::from(*it)).collect();
    let are_over = || with(|it| tasks.iter().all(|task| it.is_over(*task)))?.then_some(());
    let _over = retry_objects(&objects, site::of(location).id, Instant::now().checked_add(timeout), are_over);
}

/// The thread of this task belongs to the scope at this address.
pub fn scoped(scope: usize, task: TaskId) {
    if on() && task.is_some() {
        with(|it| it.scoped.push((scope, task.0)));
    }
}

/// Waits for the ends of the threads of the scope at this address.
pub fn join_scope(scope: usize, location: Loc) {
    // One of them may spawn another one meanwhile.
    while let Some(Some(task)) = with(|it| {
        let at = it.scoped.iter().position(|it| it.0 == scope)?;
        Some(it.scoped.swap_remove(at).1)
    }) {
        join(TaskId(task), location);
    }
}

/// The acting participant has spawned this task.
pub(crate) fn spawned(kind: TaskKind, task: u32, place: u32) {
    let home = here(|it| it.home.take());
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
        let home = home.filter(|it| kind == Kind::Task && (!is_root || it.workers == 0));
        control.all.live_at(index, home);
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
pub(crate) fn thread_ends(task: u32) {
    if on() {
        let goes_on = with(|it| it.of_task(task).is_some_and(|me| it.all[me].status != Status::Over));
        if goes_on == Some(true) {
            end(task);
        }
    }
}

impl Control {
    /// Whether this task has ended.
    fn is_over(&self, task: u32) -> bool {
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

/// The acting participant awaits the end of this task.
pub(crate) fn joins(task: u32) {
    with(|control| {
        if let (Some(task), Some(me)) = (control.of_task(task), here(|it| it.holder())) {
            control.all[task].joiner = Some(me);
        }
    });
}

/// Nobody awaits the end of this task any more.
pub(crate) fn detached(task: u32) {
    with(|control| {
        if let Some(task) = control.of_task(task) {
            control.all[task].joiner = None;
        }
    });
}

/// From now on this thread does nothing but poll the tasks of this executor, and is no participant any more.
pub fn serves(home: impl FnOnce() -> (u64, u32)) {
    if !on() {
        return;
    }
    let (id, workers) = home();
    let me = here(|it| it.bind(None));
    here(|it| it.drives.set(Some(Home { id, workers })));
    let handover = with(|control| me.map(|me| control.ends(me, control.all[me].task)));
    if let Some(Some(handover)) = handover {
        handover.carry_out(false);
    }
}

/// The acting participant does something that is not controlled until this is dropped.
#[derive(Debug)]
pub struct Left(usize);

/// The acting participant leaves control, in order to do something for this reason.
pub(crate) fn leave(cause: Cause, location: Loc) -> Option<Left> {
    if !on() {
        return None;
    }
    register();
    left(site::of(location).id, |control, me| control.leaves(me, cause))
}

fn left(place: u32, leaves: impl FnOnce(&mut Control, usize) -> Handover) -> Option<Left> {
    let (me, handover) = with(|control| {
        let me = control.acting()?;
        control.point(me, Step { operation: Operation::Blocked, object: 0, place });
        control.all.halt(me, Some(here(|it| it.parker())));
        Some((me, leaves(control, me)))
    })??;
    handover.carry_out(true);
    Some(Left(me))
}

impl Drop for Left {
    fn drop(&mut self) {
        let me = self.0;
        carry_out(with(|control| {
            let step = Step { operation: Operation::Blocked, ..control.all[me].next };
            control.comes_back(me, step)
        }));
    }
}

/// The acting participant drives a future on this thread until this is dropped: the future is a participant of its own.
#[derive(Debug)]
pub(crate) struct Hosting {
    me: usize,
    /// What was driven on the thread before.
    outer: Option<Home>,
    outer_polls_locals: bool,
}

/// The acting participant, whose thread is about to drive the task, goes on when that has ended.
pub(crate) fn host(location: Loc) -> Option<Hosting> {
    if !on() {
        return None;
    }
    register();
    let place = site::of(location).id;
    let (me, outer, handover) = with(|control| {
        let me = control.acting()?;
        control.point(me, Step { operation: Operation::Blocked, object: 0, place });
        control.all.stand(me, Status::Hosting);
        let mut home = here(Here::as_home);
        if let Some(root) = here(|it| it.root.take()) {
            home = control.all[root].home.unwrap_or(home);
            control.all[root].host = Some(me);
            control.all.live_at(root, Some(home));
        }
        here(|it| it.bind(None));
        let outer = here(|it| it.drives.replace(Some(home)));
        let handover = if control.turn == Turn::Running(me) {
            let chosen = control.decide(me);
            control.elect(chosen)
        } else {
            Handover::nothing()
        };
        Some((me, outer, handover))
    })??;
    let outer_polls_locals = here(|it| it.polls_locals.replace(it.will_poll_locals.take()));
    handover.carry_out(false);
    Some(Hosting { me, outer, outer_polls_locals })
}

impl Drop for Hosting {
    fn drop(&mut self) {
        let me = self.me;
        here(|it| it.bind(Some(me)));
        let home = here(|it| {
            it.polls_locals.set(self.outer_polls_locals);
            it.drives.replace(self.outer)
        });
        carry_out(with(|control| {
            control.leaves_alone(home);
            let step = Step { operation: Operation::Poll, ..control.all[me].next };
            control.comes_back(me, step)
        }));
    }
}

/// Whether the acting participant waits for this kind of thing in a call that is not controlled.
pub(crate) fn blocked(what: What) -> Option<Cause> {
    Some(match what {
        What::Fs => Cause::Fs,
        What::Net => Cause::Net,
        What::Process => Cause::Process,
        _ => return None,
    })
}

/// Dropping this lets others go on, until what belongs to it is dropped.
#[derive(Debug)]
pub struct Leaves;

/// Dropping this waits for the turn again.
#[derive(Debug)]
pub struct Returns;

impl Drop for Leaves {
    fn drop(&mut self) {
        if on() {
            register();
            let left = left(0, |control, me| control.steps_aside(me, Cause::Foreign));
            here(|it| it.left.set(left.map(|it| core::mem::ManuallyDrop::new(it).0)));
        }
    }
}

impl Drop for Returns {
    fn drop(&mut self) {
        drop(here(|it| it.left.take()).map(Left));
    }
}
