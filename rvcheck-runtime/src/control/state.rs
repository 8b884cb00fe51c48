//! Who has the turn, and who gets it next.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::task::Waker;

use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Cause, Kind, Operation};
use rvcheck_event::exploration::plan::Plan;

use super::handover::Handover;
use super::parker::{Parker, here};
use super::participant::{Deadline, Look, Participant, Status, Step};
use super::seen::Seen;
use super::strategy::Chooser;
use super::timers::Running;
use super::{clock, ending};
use crate::thread::State;
use crate::{at_work, schedule, site, thread};

/// How often one may look in vain before it waits for a change.
const LOOKS: u32 = 6;
/// After so many points at which nothing was done but to wait and to look, nothing will be.
const VAIN: u64 = 20_000;

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
    pub(super) all: Vec<Participant>,
    by_task: HashMap<u32, usize>,
    by_name: HashMap<Name, usize>,
    /// How many there are that nobody spawned.
    roots: u32,
    chooser: Chooser,
    /// Where the chooser begins to choose, if that is not yet.
    from: Option<(Name, u32)>,
    /// Who goes on at a point, and the site where that has to be.
    switches: BTreeMap<(Name, u32), (Name, u32)>,
    /// Who is held at a point until another one has come to one of its own.
    holds: BTreeMap<(Name, u32), (Name, u32)>,
    /// The sites of the time limits that may be over early.
    pub(super) early: BTreeSet<u32>,
    limit: u64,
    /// The time for which the clock was chosen last, in ns since the run began.
    pub(super) told: u64,
    /// Counts what happens.
    pub(super) now: u64,
    /// How many points there were since something was done.
    pub(super) vain: u64,
    /// The timers of tasks.
    pub(super) timers: Vec<Running>,
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
    let control = Control {
        turn: Turn::Nobody,
        all: Vec::new(),
        by_task: HashMap::new(),
        by_name: HashMap::new(),
        roots: 0,
        chooser: Chooser::new(plan.by, plan.seed, plan.weights, focus),
        from: plan.from.as_ref().map(of),
        switches: switches.collect(),
        holds: plan.holds.iter().map(|it| (of(&it.from), of(&it.until))).collect(),
        early: plan.early.iter().map(site).collect(),
        limit: plan.limit,
        told: 0,
        now: 0,
        vain: 0,
        timers: Vec::new(),
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
        let name = match by {
            Some(by) => self.all[by].child(),
            None => {
                self.roots += 1;
                Name::root(self.roots - 1)
            }
        };
        self.now += 1;
        let index = self.all.len();
        self.by_task.insert(task, index);
        self.by_name.insert(name.clone(), index);
        self.seen.participant(&name, kind, place);
        let mut it = Participant::new(name, task, kind, place, self.now);
        it.delayed = it.comer().and_then(|comer| schedule::comes(&comer));
        self.all.push(it);
        index
    }

    /// The participant that is this task.
    pub(super) fn of_task(&self, task: u32) -> Option<usize> {
        self.by_task.get(&task).copied()
    }

    /// The one that acts on this thread. `None` where that is an executor between two polls.
    pub(super) fn acting(&mut self) -> Option<usize> {
        if let Some(holder) = here(|it| it.holder()) {
            return Some(holder);
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
                    self.all[index].status = Status::Running;
                } else {
                    // It comes from outside.
                    self.all[index].status = Status::Outside(Cause::Foreign);
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
        if !is_look && !matches!(step.operation, Operation::Atomic | Operation::Try) {
            it.look = Look::default();
        }
        if is_look {
            it.look.times += u32::from(step.operation == Operation::Yield);
            if it.look.times >= LOOKS {
                return self.waits(me, Status::Spinning(step.object));
            }
        }
        let parker = here(|it| it.parker());
        self.all[me].on = Some(parker);
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
        let parker = here(|it| it.parker());
        self.now += 1;
        (self.all[me].status, self.all[me].since) = (status, self.now);
        self.all[me].on = Some(parker);
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
        let parker = here(|it| it.parker());
        self.all[me].on = Some(parker);
        self.ready(me);
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
        self.vain += 1;
        if self.vain > VAIN {
            ending::livelock(self);
        }
    }

    /// From now on one could go on.
    pub(super) fn ready(&mut self, me: usize) {
        self.now += 1;
        let it = &mut self.all[me];
        (it.status, it.since) = (Status::Ready, self.now);
    }

    /// Something happened to this object; whoever waits for that may try again.
    pub(super) fn changed(&mut self, object: u64) {
        self.vain = 0;
        for me in 0..self.all.len() {
            if self.all[me].waits_for(object) {
                self.ready(me);
            }
        }
        self.stir();
    }

    /// One of those who wait for this signal gets it.
    pub(super) fn signalled_one(&mut self, object: u64) {
        let waits = |it: &usize| self.all[*it].waits_for(object);
        if let Some(first) = (0..self.all.len()).filter(waits).min_by_key(|it| self.all[*it].since) {
            self.ready(first);
        }
        self.stir();
    }

    /// Something has changed: whoever looks in vain, looks again.
    fn stir(&mut self) {
        for me in 0..self.all.len() {
            if matches!(self.all[me].status, Status::Spinning(_)) {
                self.all[me].look = Look::default();
                self.ready(me);
            }
        }
    }

    /// This one goes on: it has the turn, and does what it was about to do.
    pub(super) fn goes(&mut self, me: usize) {
        self.turn = Turn::Running(me);
        let it = &mut self.all[me];
        it.status = Status::Running;
        it.called = it.on.take();
        self.chooser.goes(&self.all, me);
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

    /// Who goes on at a point of this one. `None` if nobody can.
    pub(super) fn decide(&mut self, at: usize) -> Option<usize> {
        loop {
            let candidates = self.candidates(at);
            if !candidates.is_empty() {
                return Some(self.choose(at, &candidates));
            }
            if !self.relax(false) {
                return None;
            }
        }
    }

    /// Those that can go on, the one of the default order first.
    fn candidates(&self, at: usize) -> Vec<usize> {
        let can = |it: &usize| self.all[*it].is_ready() && self.has_thread(*it);
        let mut candidates: Vec<usize> = (0..self.all.len()).filter(can).collect();
        let is_held = |it: &usize| self.is_held(*it);
        if candidates.iter().any(|it| !is_held(it)) {
            candidates.retain(|it| !is_held(it));
        }
        let goes_on = |it: usize| {
            it == at
                && self.all[it].status == Status::Running
                && self.all[it].next.operation != Operation::Yield
        };
        let yields = |it: usize| it == at && self.all[it].next.operation == Operation::Yield;
        candidates.sort_by_key(|it| (!goes_on(*it), yields(*it), self.all[*it].since));
        if !candidates.is_empty() && self.may_tick() {
            candidates.push(CLOCK);
        }
        candidates
    }

    /// The earliest time that somebody waits for.
    fn next_deadline(&self) -> Option<Deadline> {
        let waits = self.all.iter().filter(|it| it.status.is_wait());
        waits.filter_map(|it| it.deadline).chain(self.next_timer()).min_by_key(|it| it.at)
    }

    /// Whether the clock may go on although others could.
    fn may_tick(&self) -> bool {
        self.next_deadline().is_some_and(|it| it.may_be_early)
    }

    /// Whether the plan holds this one here, or conditions do.
    fn is_held(&self, it: usize) -> bool {
        let Participant { name, points, delayed, .. } = &self.all[it];
        if let Some(since) = delayed
            && self.all[it].comer().is_some_and(|comer| schedule::is_delayed(&comer, *since))
        {
            return true;
        }
        self.holds.get(&(name.clone(), *points)).is_some_and(|(other, number)| {
            self.by_name.get(other).is_none_or(|other| {
                let other = &self.all[*other];
                other.points < *number && other.status != Status::Over
            })
        })
    }

    /// Whether a thread is free to poll this one, where it is polled.
    fn has_thread(&self, me: usize) -> bool {
        let it = &self.all[me];
        let Some(home) = it.home.filter(|_| it.on.is_none()) else { return true };
        let busy = self.all.iter().filter(|it| it.on.is_some() && it.home == Some(home)).count();
        busy < home.workers.max(1) as usize
    }

    /// One of the candidates.
    fn choose(&mut self, at: usize, candidates: &[usize]) -> usize {
        let default = candidates[0];
        let others = candidates.len() > 1;
        let key = (self.all[at].name.clone(), self.all[at].points);
        if others {
            self.seen.decisions += 1;
            if self.seen.decisions > self.limit {
                ending::livelock(self);
            }
            let others = candidates.iter().filter(|it| **it != at);
            let names = others.map(|it| self.all.get(*it).map_or(Name::CLOCK, |it| it.name.clone()));
            self.all[at].choice = self.seen.choice(&self.all[at], names);
        } else if self.all[at].next.object != 0 {
            self.all[at].choice = self.seen.choice(&self.all[at], std::iter::empty());
        }
        if self.from.as_ref() == Some(&key) {
            self.from = None;
        }
        let planned = match self.switches.get(&key).cloned() {
            Some((to, _)) if to.is_clock() => {
                if let Some(late) = self.early(at) {
                    return late;
                }
                None
            }
            Some((to, place)) => self.planned(at, candidates, &to, place),
            None => None,
        };
        let chosen = match planned {
            Some(chosen) => chosen,
            None if others && self.from.is_none() => {
                let current = Some(at).filter(|it| self.all[*it].status == Status::Running);
                self.chooser.choose(&self.all, candidates, current)
            }
            None => default,
        };
        if chosen == CLOCK {
            return self.early(at).unwrap_or(default);
        }
        if chosen != default {
            let to = self.all[chosen].name.clone();
            self.seen.switch(&self.all[at], to);
        }
        chosen
    }

    /// Who goes on by a line of the plan, if that is possible.
    fn planned(&mut self, at: usize, candidates: &[usize], to: &Name, place: u32) -> Option<usize> {
        let here = self.all[at].next.place;
        if place != 0 && here != 0 && place != here {
            self.seen.diverged(&self.all[at], format!("it is at {}", self.seen.place(here)));
            return None;
        }
        let chosen = self.by_name.get(to).copied().filter(|it| candidates.contains(it));
        if chosen.is_none() {
            self.seen.diverged(&self.all[at], format!("{to} cannot go on"));
        }
        chosen
    }

    /// The clock goes on although others could. Whoever it makes go on.
    fn early(&mut self, at: usize) -> Option<usize> {
        let before = self.now;
        if !self.tick() {
            self.seen.diverged(&self.all[at], "nobody waits for a time".to_owned());
            return None;
        }
        self.seen.switch(&self.all[at], Name::CLOCK);
        let is_new = |it: &usize| {
            let Participant { status, since, .. } = self.all[*it];
            status == Status::Ready && since > before && self.has_thread(*it)
        };
        (0..self.all.len()).filter(is_new).min_by_key(|it| self.all[*it].since)
    }

    /// The clock goes on to the earliest time that somebody waits for. Whether there is one.
    fn tick(&mut self) -> bool {
        let Some(next) = self.next_deadline() else { return false };
        self.told = self.told.max(next.at);
        clock::skip_to(self.told);
        for me in 0..self.all.len() {
            let it = &mut self.all[me];
            if it.status.is_wait() && it.deadline.is_some_and(|it| it.at <= self.told) {
                it.is_late = true;
                self.ready(me);
            }
        }
        self.fire_timers();
        true
    }

    /// Nobody can go on. Makes somebody able to, if that is possible without waiting for what is outside; or, where it was quiet for a
    /// while, although somebody is there.
    pub(super) fn relax(&mut self, is_quiet: bool) -> bool {
        if !is_quiet && self.is_anybody_outside() {
            return false;
        }
        if self.tick() {
            return true;
        }
        let spins = |it: &usize| matches!(self.all[*it].status, Status::Spinning(_));
        let Some(spinner) = (0..self.all.len()).filter(spins).min_by_key(|it| self.all[*it].since) else {
            return false;
        };
        self.ready(spinner);
        true
    }

    /// Whether something that is not controlled may make somebody go on.
    pub(super) fn is_anybody_outside(&self) -> bool {
        self.all.iter().any(|it| match it.status {
            Status::Outside(_) | Status::Missing => true,
            Status::Suspended => it.is_unrecorded,
            _ => false,
        })
    }

    /// Somebody who was given the turn does not come: there is no thread for it.
    pub(super) fn misses(&mut self, it: usize) -> Handover {
        self.all[it].status = Status::Missing;
        let chosen = self.decide(it);
        self.elect(chosen)
    }

    /// The turn is nobody's: gives it to somebody, if anybody can have it.
    pub(super) fn settle(&mut self, is_quiet: bool) -> Handover {
        if self.turn != Turn::Nobody || self.all.is_empty() {
            return Handover::nothing();
        }
        self.awaited = None;
        let at = self.seen.last;
        let chosen = match self.decide(at) {
            None if is_quiet && self.relax(true) => self.decide(at),
            chosen => chosen,
        };
        self.elect(chosen)
    }

    /// This one is beyond control from now on, for this reason, which is told.
    pub(super) fn leaves(&mut self, me: usize, cause: Cause) -> Handover {
        self.seen.outside += 1;
        self.seen.beyond(&self.all[me], cause);
        self.steps_aside(me, cause)
    }

    /// The same where that is not told, since it waits for nothing but others who are controlled.
    pub(super) fn steps_aside(&mut self, me: usize, cause: Cause) -> Handover {
        self.all[me].status = Status::Outside(cause);
        if self.turn != Turn::Running(me) {
            return Handover::nothing();
        }
        let chosen = self.decide(me);
        self.elect(chosen)
    }
}

/// Makes the thread one that the recorder knows.
pub(super) fn register() {
    thread::with(|state: &State| state.register(crate::stream::Origin::Foreign));
}
