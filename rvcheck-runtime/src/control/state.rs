//! The state of a controlled run, under one lock: who has the turn, and what becomes of one who comes to a point or has to wait.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::task::Waker;

use rvcheck_event::exploration::freedom::FreedomKind;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::plan::Plan;
use rvcheck_event::exploration::word::{Cause, Kind, Operation, SpuriousKind};

use super::deciding::{IN_A_ROW, MAX_HELD_TICKS};
use super::ending;
use super::handover::Handover;
use super::parker::{Here, Parker, here};
use super::participant::{Look, Status, Step};
use super::recorded;
use super::roster::Roster;
use super::seen::Seen;
use super::strategy::Chooser;
use super::timers::Timers;
use crate::stream::Origin;
use crate::thread::State;
use crate::{at_work, schedule, site, thread};

/// How often one may look in vain before it waits for a change.
pub(super) const LOOKS: u32 = 6;
/// After so many points at which nothing was done but to look or to wait once more, nothing will be.
const VAIN: u64 = 200_000;

/// Of so many waits that may end without a signal, and exchanges that may fail, one does, where chance decides.
const SPURIOUS: u64 = 4;
/// Of so many tasks that are suspended one is polled at once.
const POLLED: u64 = 8;

static CONTROL: Mutex<Option<Control>> = Mutex::new(None);

/// Stands for the clock among the candidates.
pub(super) const CLOCK: usize = usize::MAX;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Nobody's: all wait, or are outside.
    Nobody,
    /// That of one who was chosen and has not come yet, because its thread or its executor takes a moment.
    Given(usize),
    /// That of one who goes on.
    Running(usize),
}

/// What comes of a point.
pub(super) enum Answer {
    /// The one who has come goes on.
    Go,
    /// It waits with its thread until it is its turn.
    Wait(Handover, &'static Parker),
}

/// A controlled run.
pub(super) struct Control {
    pub(super) turn: Turn,
    pub(super) all: Roster,
    pub(super) chooser: Chooser,
    /// Where the chooser begins to choose, if that is not yet.
    pub(super) from: Option<(Name, u32)>,
    /// Who goes on at a point, and the site where that has to be.
    pub(super) switches: BTreeMap<(Name, u32), (Name, u32)>,
    /// Who is held at a point until another one has come to one of its own.
    pub(super) holds: BTreeMap<(Name, u32), (Name, u32)>,
    /// Who gets the signal that is given to one waiter at a point.
    pub(super) signals: BTreeMap<(Name, u32), Name>,
    /// The waits that end without a signal.
    pub(super) spurious: BTreeSet<(Name, u32, SpuriousKind)>,
    /// Chance makes use of freedoms.
    pub(super) is_free: bool,
    /// The sites of the time limits that may be over early.
    pub(super) early: BTreeSet<u32>,
    pub(super) limit: u64,
    /// How many ns go by with each decision.
    pub(super) pace: u64,
    /// The time for which the clock was chosen last, in ns since the run began, as if steps took none: see `deadline`.
    pub(super) clock_time: u64,
    /// How often it was chosen.
    pub(super) ticks: u64,
    /// The end by the clock of all waits that have ended by their deadlines.
    pub(super) over: u64,
    /// Counts what happens.
    pub(super) now: u64,
    /// How many points there were since something was done.
    pub(super) vain: u64,
    /// Counts how often somebody went on for more than to ask whether they were unparked.
    pub(super) acted: u64,
    /// At how many points the one that has the turn went on.
    pub(super) in_a_row: u32,
    /// How often the clock may still go on because all who could are held.
    pub(super) held_ticks_left: u32,
    /// The timers of tasks.
    pub(super) timers: Timers,
    /// Who is to be woken because their time has come, before anybody goes on.
    pub(super) wakes: Vec<Waker>,
    /// Who is about to be woken by the runtime because a task has ended, and that task. Until then nobody goes on.
    pub(super) awaited: Option<(usize, usize)>,
    /// Which tasks are threads of the scopes at these addresses.
    pub(super) scoped: Vec<(usize, u32)>,
    pub(super) seen: Seen,
}

/// Runs `f` on the run that is controlled. `None` if none is, or if the thread is busy.
pub(super) fn with<R>(f: impl FnOnce(&mut Control) -> R) -> Option<R> {
    let _at_work = at_work::enter()?;
    with_busy(f)
}

/// The same where a hook is at work already.
pub(super) fn with_busy<R>(f: impl FnOnce(&mut Control) -> R) -> Option<R> {
    let mut control = CONTROL.lock().unwrap_or_else(PoisonError::into_inner);
    control.as_mut().filter(|_| super::on()).map(f)
}

/// The same also after the end of what is controlled.
pub(super) fn after_end<R>(f: impl FnOnce(&mut Control) -> R) -> Option<R> {
    let _at_work = at_work::enter()?;
    CONTROL.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(f)
}

/// From now on the run is controlled.
pub(super) fn install(plan: Plan) {
    let of = |point: &rvcheck_event::exploration::Point| (point.of.clone(), point.number);
    let site = |at: &rvcheck_event::position::ProgramPoint| {
        site::of_position(&at.file, at.position.line, at.position.column).id
    };
    let focus = plan.focus.iter().map(site).collect();
    let switches =
        plan.switches.iter().map(|it| (of(&it.from), (it.to.clone(), it.at.as_ref().map_or(0, site))));
    recorded::keep_choices(plan.lists_choices);
    let control = Control {
        turn: Turn::Nobody,
        all: Roster::default(),
        chooser: Chooser::new(plan.by, plan.seed, plan.weights, focus),
        from: plan.from.as_ref().map(of),
        switches: switches.collect(),
        holds: plan.holds.iter().map(|it| (of(&it.from), of(&it.until))).collect(),
        signals: plan.signals.iter().map(|it| (of(&it.from), it.to.clone())).collect(),
        spurious: plan.spurious.iter().map(|it| (it.from.of.clone(), it.from.number, it.kind)).collect(),
        is_free: plan.is_free,
        early: plan.early.iter().map(site).collect(),
        limit: plan.limit,
        pace: plan.pace,
        clock_time: 0,
        ticks: 0,
        over: 0,
        now: 0,
        vain: 0,
        acted: 0,
        held_ticks_left: MAX_HELD_TICKS,
        in_a_row: 0,
        timers: Timers::default(),
        wakes: Vec::new(),
        awaited: None,
        scoped: Vec::new(),
        seen: Seen::new(plan.lists_choices),
    };
    *CONTROL.lock().unwrap_or_else(PoisonError::into_inner) = Some(control);
}

impl Control {
    /// One that was just spawned by this one, or by nobody.
    pub(super) fn spawned(&mut self, by: Option<usize>, task: u32, kind: Kind, place: u32) -> usize {
        self.vain = 0;
        self.now += 1;
        let index = self.all.add(by, task, kind, place);
        let it = &mut self.all[index];
        it.delayed = it.comer().and_then(|comer| schedule::comes(&comer));
        self.seen.participant(&it.name, kind, place);
        index
    }

    /// The participant that is this task.
    pub(super) fn of_task(&self, task: u32) -> Option<usize> {
        self.all.of_task(task)
    }

    /// The one that acts on this thread. `None` where that is an executor between two polls.
    pub(super) fn acting(&mut self) -> Option<usize> {
        if let Some(holder) = here(Here::holder) {
            return Some(holder);
        }
        // What an executor does between two polls is no participant's.
        if here(|it| it.drives.get()).is_some() {
            return None;
        }
        let (task, is_test, system) =
            thread::with(|it| (it.own_task.get(), it.is_test.get(), it.system_id.get()));
        if task == 0 {
            return None;
        }
        let index = match self.of_task(task) {
            Some(index) => index,
            None => {
                let kind = if is_test { Kind::Test } else { Kind::Root };
                let index = self.spawned(None, task, kind, 0);
                if self.turn == Turn::Nobody {
                    self.turn = Turn::Running(index);
                    self.all.stand(index, Status::Running);
                } else {
                    // It comes from outside.
                    self.all.stand(index, Status::Outside(Cause::Foreign));
                }
                index
            }
        };
        let it = &mut self.all[index];
        if matches!(it.status, Status::Hosting | Status::Over | Status::Inside) {
            return None;
        }
        it.system_thread = system;
        here(|it| it.bind(Some(index)));
        Some(index)
    }

    /// The acting participant comes to a point.
    pub(super) fn comes(&mut self, step: Step) -> Answer {
        let Some(me) = self.acting() else { return Answer::Go };
        if self.turn != Turn::Running(me) {
            return self.comes_back(me, step);
        }
        self.point(me, step);
        let it = &mut self.all[me];
        let is_look = matches!(step.operation, Operation::Yield)
            || matches!(step.operation, Operation::Atomic | Operation::Try) && it.look.times >= LOOKS;
        // Who looks again and again may do so by a function that is observed.
        if !is_look && !matches!(step.operation, Operation::Atomic | Operation::Try | Operation::Call) {
            it.look = Look::default();
        }
        if is_look {
            self.looks_in_vain();
            let it = &mut self.all[me];
            it.look.times += u32::from(step.operation == Operation::Yield);
            if it.look.times >= LOOKS {
                return self.waits(me, Status::Spinning(step.object));
            }
        }
        let parker = here(Here::parker);
        self.all.halt(me, Some(parker));
        let chosen = self.decide(me);
        if chosen == Some(me) {
            self.goes(me);
            return Answer::Go;
        }
        self.ready(me);
        Answer::Wait(self.elect(chosen), parker)
    }

    /// The acting participant cannot go on before somebody has changed something, and waits with its thread.
    pub(super) fn waits(&mut self, me: usize, status: Status) -> Answer {
        let parker = here(Here::parker);
        self.now += 1;
        self.all.stand(me, status);
        self.all.halt(me, Some(parker));
        self.all[me].is_late = false;
        let chosen = self.decide(me);
        if chosen == Some(me) {
            self.goes(me);
            return Answer::Go;
        }
        Answer::Wait(self.elect(chosen), parker)
    }

    /// One that was outside of control comes to a point.
    pub(super) fn comes_back(&mut self, me: usize, step: Step) -> Answer {
        // It may have come back already, where what is not controlled has called code of the program.
        if matches!(self.turn, Turn::Given(it) | Turn::Running(it) if it == me) {
            self.point(me, step);
            self.goes(me);
            return Answer::Go;
        }
        self.point(me, step);
        let parker = here(Here::parker);
        self.all.halt(me, Some(parker));
        match self.all[me].status {
            // One that was spawned is ready since then, however long its thread takes to come.
            Status::Ready => {}
            Status::Outside(_) => self.arrives(me),
            _ => self.ready(me),
        }
        if self.is_free() {
            let chosen = self.decide(me);
            if chosen == Some(me) {
                self.goes(me);
                return Answer::Go;
            }
            return Answer::Wait(self.elect(chosen), parker);
        }
        Answer::Wait(Handover::nothing(), parker)
    }

    /// Nothing was done but to look or to wait once more.
    pub(super) fn looks_in_vain(&mut self) {
        self.vain += 1;
        if self.vain > VAIN {
            ending::livelock(self);
        }
    }

    /// Whether somebody may be given the turn now.
    pub(super) fn is_free(&self) -> bool {
        self.turn == Turn::Nobody && self.awaited.is_none()
    }

    /// One comes to a point.
    pub(super) fn point(&mut self, me: usize, step: Step) {
        self.now += 1;
        let it = &mut self.all[me];
        it.points += 1;
        it.choice = None;
        it.next = Step { place: if step.place == 0 { it.next.place } else { step.place }, ..step };
        it.delayed = it.comer().and_then(|comer| schedule::comes(&comer));
        self.seen.points += 1;
        if self.seen.points > self.limit {
            ending::lost(self);
        }
    }

    /// From now on one could go on.
    pub(super) fn ready(&mut self, me: usize) {
        self.now += 1;
        self.all.stand(me, Status::Ready);
    }

    /// One comes back from outside.
    pub(super) fn arrives(&mut self, me: usize) {
        self.now += 1;
        self.all.stand(me, Status::Arrived);
    }

    /// Something happened to this object; whoever waits for that may try again.
    pub(super) fn changed(&mut self, object: u64) {
        self.vain = 0;
        for me in self.all.waiting_for(object) {
            self.ready(me);
        }
        self.stir();
    }

    /// One of those who wait for this signal gets it: the one that has waited for longest, or whom the plan names.
    pub(super) fn signalled_one(&mut self, object: u64) {
        let waiting = self.all.waiting_for(object);
        let planned = acts_now().and_then(|me| self.planned_waiter(me, &waiting));
        if let Some(chosen) = planned.or(waiting.first().copied()) {
            self.ready(chosen);
        }
        self.stir();
    }

    /// Who of these gets the signal of this one by the plan, if it says so.
    fn planned_waiter(&mut self, me: usize, waiting: &[usize]) -> Option<usize> {
        let (first, others) = waiting.split_first()?;
        if !others.is_empty() {
            let others = others.iter().map(|it| self.all[*it].name.clone()).collect();
            self.seen.free(&self.all[me], FreedomKind::Signal, others);
        }
        let planned = self.signals.get(&(self.all[me].name.clone(), self.all[me].points)).cloned();
        let chosen = match &planned {
            Some(to) => self.all.named(to).filter(|it| waiting.contains(it)),
            None if self.is_free => Some(self.chooser.any(waiting)),
            None => None,
        };
        if let Some(to) = planned.filter(|_| chosen.is_none()) {
            self.seen.diverged(&self.all[me], format!("{to} does not wait for the signal"));
        }
        if let Some(to) = chosen.filter(|it| it != first) {
            let to = self.all[to].name.clone();
            self.seen.signal(&self.all[me], to);
        }
        chosen
    }

    /// Whether this happens to this one now although nothing in the program makes it, by the plan. Its documentation allows that.
    pub(super) fn is_spurious(&mut self, me: usize, kind: SpuriousKind) -> bool {
        self.seen.free(&self.all[me], FreedomKind::Spurious(kind), Vec::new());
        let is_planned = !self.spurious.is_empty()
            && self.spurious.contains(&(self.all[me].name.clone(), self.all[me].points, kind));
        let one_in = if kind == SpuriousKind::Poll { POLLED } else { SPURIOUS };
        let happens = is_planned || self.is_free && self.chooser.is_one_in(one_in);
        if happens {
            self.seen.spurious(&self.all[me], kind);
        }
        happens
    }

    /// The acting participant is about to cancel this task, and could do so later.
    pub(super) fn may_cancel_later(&mut self, task: u32) {
        if let (Some(me), Some(it)) = (acts_now(), self.of_task(task)) {
            let victim = self.all[it].name.clone();
            self.seen.free(&self.all[me], FreedomKind::Abort, vec![victim]);
        }
    }

    /// Something has changed: whoever looks in vain, looks again.
    fn stir(&mut self) {
        for me in self.all.spinning() {
            self.all[me].look = Look::default();
            self.ready(me);
        }
        for me in self.all.parked() {
            self.asks(me);
        }
    }

    /// This one, which is parked, is to ask whether it was unparked.
    pub(super) fn asks(&mut self, me: usize) {
        self.all[me].asks = true;
        self.ready(me);
    }

    /// The acting participant was unparked, and does something from now on.
    pub(super) fn acts(&mut self) {
        self.acted += 1;
        if let Some(me) = self.acting() {
            self.all[me].asks = false;
        }
    }

    /// This one goes on: it has the turn, and does what it was about to do.
    pub(super) fn goes(&mut self, me: usize) {
        let is_same = self.seen.last == me && self.in_a_row < IN_A_ROW;
        self.in_a_row = if is_same { self.in_a_row + 1 } else { 0 };
        self.turn = Turn::Running(me);
        self.all[me].called = self.all[me].on;
        self.all.halt(me, None);
        self.all.stand(me, Status::Running);
        self.acted += u64::from(!self.all[me].asks);
        self.chooser.goes(self.all.everybody(), me);
        self.seen.does(me, self.all[me].next);
    }

    /// Gives the turn to this one.
    pub(super) fn elect(&mut self, chosen: Option<usize>) -> Handover {
        let Some(chosen) = chosen else {
            self.turn = Turn::Nobody;
            return Handover::only(core::mem::take(&mut self.wakes));
        };
        self.now += 1;
        let wakes = core::mem::take(&mut self.wakes);
        if let Some(parker) = self.all[chosen].on {
            self.goes(chosen);
            return Handover::to_thread(wakes, parker);
        }
        self.turn = Turn::Given(chosen);
        Handover::to_task(wakes, self.all[chosen].waker.clone())
    }

    /// This one is beyond control from now on, for this reason, which is told.
    pub(super) fn leaves(&mut self, me: usize, cause: Cause) -> Handover {
        self.seen.outside += 1;
        self.seen.beyond(&self.all[me], cause);
        self.steps_aside(me, cause)
    }

    /// The same where that is not told, since it waits for nothing but others who are controlled.
    pub(super) fn steps_aside(&mut self, me: usize, cause: Cause) -> Handover {
        self.all.stand(me, Status::Outside(cause));
        if self.turn != Turn::Running(me) {
            return Handover::nothing();
        }
        let chosen = self.decide(me);
        self.elect(chosen)
    }
}

/// The one that is bound to this thread.
fn acts_now() -> Option<usize> {
    here(Here::holder)
}

/// Makes the thread one that the recorder knows.
pub(super) fn register() {
    thread::with(|state: &State| state.register(Origin::Foreign));
}

/// The same for one that runs tasks, or is one.
pub(super) fn register_worker() {
    thread::with(|state: &State| state.register(Origin::Worker));
}
