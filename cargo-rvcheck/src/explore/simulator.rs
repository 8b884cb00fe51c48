//! A small model of a controlled program, for tests: a few participants with a few operations each, run by a plan as the recorder does it.

use super::seed::Dice;
use super::seen::{Failure, FailureKind, RunResult, Seen};
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Choice, Outcome, Participant};
use rvcheck_event::exploration::plan::{Plan, Strategy, Switch};
use rvcheck_event::exploration::word::{End, Kind, Operation};
use rvcheck_event::position::{CompiledPosition, ProgramPoint};
use std::collections::BTreeMap;

/// What a participant does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Spawn(usize),
    /// Waits for the end of those that run this code.
    Join(usize),
    Lock(u64),
    Unlock(u64),
    /// Waits for a signal, which is not kept for who comes later.
    Wait(u64),
    Notify(u64),
    /// Waits for a time.
    Sleep(u64),
    Set(usize, i64),
    Copy(usize, usize),
    /// The test fails unless they are the same.
    Same(usize, usize),
}

/// The code of the participants; the first one is the test.
pub(super) struct Program(pub(super) &'static [&'static [Op]]);

struct Actor {
    name: Name,
    code: usize,
    at: usize,
    points: u32,
    /// It was decided already that it goes on from its point.
    has_passed: bool,
    blocked: Option<Op>,
    deadline: Option<u64>,
    children: u32,
    ready_since: u64,
    priority: u64,
}

struct Machine<'p> {
    program: &'p Program,
    plan: &'p Plan,
    dice: Dice,
    actors: Vec<Actor>,
    locks: BTreeMap<u64, usize>,
    variables: [i64; 4],
    time: u64,
    ready: u64,
    last: BTreeMap<u64, (usize, ProgramPoint)>,
    outcome: Outcome,
    falls: Vec<u64>,
    has_begun: bool,
}

/// Who goes on: one of the actors, or the clock.
const CLOCK: usize = usize::MAX;

impl Program {
    /// Runs it.
    pub(super) fn run(&self, plan: &Plan) -> Seen {
        let mut dice = Dice::new(plan.seed);
        let falls = match plan.by {
            Strategy::Pct { depth, points } => {
                (1..depth).map(|_| 1 + dice.below(points as usize) as u64).collect()
            }
            _ => Vec::new(),
        };
        let mut machine = Machine {
            program: self,
            plan,
            dice,
            actors: Vec::new(),
            locks: BTreeMap::new(),
            variables: [0; 4],
            time: 0,
            ready: 0,
            last: BTreeMap::new(),
            outcome: Outcome::new(End::Done),
            falls,
            has_begun: plan.from.is_none(),
        };
        machine.begin(Name::test(), 0);
        let result = machine.go();
        Seen { result, outcome: Some(machine.outcome) }
    }
}

fn place(code: usize, at: usize) -> ProgramPoint {
    let line = (code * 100 + at + 1) as u32;
    ProgramPoint { file: "m.rs".to_owned(), position: CompiledPosition::new(line, 1) }
}

fn operation(op: Op) -> (Operation, u64) {
    match op {
        Op::Spawn(_) => (Operation::Start, 0),
        Op::Lock(lock) | Op::Unlock(lock) => (Operation::Lock, lock),
        Op::Wait(signal) => (Operation::Wait, signal),
        Op::Notify(signal) => (Operation::Notify, signal),
        Op::Join(_) | Op::Sleep(_) => (Operation::Blocked, 0),
        Op::Set(variable, _) | Op::Copy(_, variable) => (Operation::Atomic, 100 + variable as u64),
        Op::Same(..) => (Operation::Poll, 0),
    }
}

fn failed(kind: FailureKind, signature: &str) -> RunResult {
    let (signature, message) = (signature.to_owned(), String::new());
    RunResult::Failed(Failure { kind, signature, panics: Vec::new(), message })
}

impl Machine<'_> {
    fn begin(&mut self, name: Name, code: usize) {
        let priority = self.dice.roll() >> 1;
        self.ready += 1;
        self.outcome.participants.push(Participant { name: name.clone(), kind: Kind::Task, spawned: None });
        self.actors.push(Actor {
            name,
            code,
            at: 0,
            points: 0,
            has_passed: false,
            blocked: None,
            deadline: None,
            children: 0,
            ready_since: self.ready,
            priority,
        });
    }

    fn op(&self, actor: usize) -> Option<Op> {
        let actor = &self.actors[actor];
        self.program.0[actor.code].get(actor.at).copied()
    }

    fn is_over(&self, code: usize) -> bool {
        self.actors.iter().filter(|it| it.code == code).all(|it| it.at == self.program.0[code].len())
    }

    fn is_ready(&self, index: usize) -> bool {
        let actor = &self.actors[index];
        self.op(index).is_some()
            && match actor.blocked {
                None => true,
                Some(Op::Lock(lock)) => !self.locks.contains_key(&lock),
                Some(Op::Join(code)) => self.is_over(code),
                Some(Op::Sleep(_)) => actor.deadline.is_none_or(|it| it <= self.time),
                Some(_) => false,
            }
    }

    fn is_held(&self, index: usize) -> bool {
        let actor = &self.actors[index];
        self.plan.holds.iter().any(|hold| {
            let is_at = hold.from.of == actor.name && hold.from.number == actor.points;
            let other = self.actors.iter().find(|it| it.name == hold.until.of);
            is_at && other.is_none_or(|it| it.points < hold.until.number)
        })
    }

    /// The others that can go on, the one that has been ready longest first, and the clock at the end.
    fn candidates(&self, current: usize) -> Vec<usize> {
        let ready = (0..self.actors.len()).filter(|it| *it != current && self.is_ready(*it));
        let (held, mut all): (Vec<usize>, Vec<usize>) = ready.partition(|it| self.is_held(*it));
        let is_current_free = current != CLOCK && self.is_ready(current) && !self.is_held(current);
        if all.is_empty() && !is_current_free {
            all = held;
        }
        all.sort_by_key(|it| self.actors[*it].ready_since);
        let sleeps = self.actors.iter().any(|it| it.deadline.is_some_and(|it| it > self.time));
        all.extend(sleeps.then_some(CLOCK));
        all
    }

    fn name(&self, index: usize) -> Name {
        self.actors.get(index).map_or(Name::CLOCK, |it| it.name.clone())
    }

    /// At a point of the current actor: who goes on. `None` if nobody can.
    fn decide(&mut self, current: usize) -> Option<usize> {
        self.actors[current].points += 1;
        self.outcome.points += 1;
        let from = Point { of: self.name(current), number: self.actors[current].points };
        let at = place(self.actors[current].code, self.actors[current].at);
        let mut can = self.is_ready(current) && !self.is_held(current);
        let candidates = self.candidates(current);
        if candidates.is_empty() && self.is_ready(current) {
            can = true;
        }
        let default = if can { Some(current) } else { candidates.first().copied() }?;
        if !candidates.is_empty() {
            self.outcome.decisions += 1;
        }
        let (operation, object) = self.op(current).map_or((Operation::End, 0), operation);
        if self.plan.lists_choices && (object != 0 || !candidates.is_empty()) {
            let is_blocked = self.actors[current].blocked.is_some();
            let operation = if is_blocked { Operation::Blocked } else { operation };
            let candidates = candidates.iter().map(|it| self.name(*it)).collect();
            self.outcome.choices.push(Choice {
                from: from.clone(),
                at: at.clone(),
                operation,
                object,
                candidates,
            });
        }
        self.has_begun |= self.plan.from.as_ref() == Some(&from);
        let mut all: Vec<usize> = can.then_some(current).into_iter().collect();
        all.extend(&candidates);
        let wanted = self.plan.switches.iter().find(|it| it.from == from);
        let chosen = match wanted {
            Some(switch) => all.iter().copied().find(|it| self.name(*it) == switch.to).unwrap_or(default),
            None if self.has_begun => self.choose(&all, &at, default),
            None => default,
        };
        if chosen != default {
            self.outcome.switches.push(Switch { from, to: self.name(chosen), at: Some(at) });
        }
        Some(chosen)
    }

    fn choose(&mut self, all: &[usize], at: &ProgramPoint, default: usize) -> usize {
        match self.plan.by {
            Strategy::Default => default,
            Strategy::Random | Strategy::Pos => self.dice.of(all).copied().unwrap_or(default),
            Strategy::Pct { .. } => {
                if self.falls.contains(&self.outcome.points)
                    && let Some(it) = self.actors.get_mut(default)
                {
                    it.priority = 0;
                }
                let priority = |it: &usize| self.actors.get(*it).map_or(0, |it| it.priority);
                all.iter().copied().max_by_key(priority).unwrap_or(default)
            }
            Strategy::Surw if !self.plan.focus.is_empty() && !self.plan.focus.contains(at) => default,
            Strategy::Surw => {
                let weight = |it: &usize| {
                    let name = self.name(*it);
                    let all = &self.plan.weights;
                    let weight = all.iter().find(|it| it.0 == name).map_or(1, |it| it.1);
                    let done = self.actors.get(*it).map_or(0, |it| u64::from(it.points));
                    weight.saturating_sub(done).max(1) as usize
                };
                let weights: Vec<usize> = all.iter().map(weight).collect();
                let mut number = self.dice.below(weights.iter().sum());
                for (one, weight) in all.iter().zip(weights) {
                    if number < weight {
                        return *one;
                    }
                    number -= weight;
                }
                default
            }
        }
    }

    fn go(&mut self) -> RunResult {
        let mut current = 0;
        loop {
            if current == CLOCK {
                let next = self.actors.iter().filter_map(|it| it.deadline).filter(|it| *it > self.time).min();
                self.time = next.unwrap_or(self.time);
                let woken = self.candidates(CLOCK);
                match woken.first() {
                    Some(next) => current = *next,
                    None => return self.hang(),
                }
                continue;
            }
            if self.op(current).is_none() {
                if current == 0 {
                    return RunResult::Passed;
                }
                match self.decide(current) {
                    Some(next) => current = next,
                    None => return self.hang(),
                }
                continue;
            }
            // Nobody has to ask before giving something back.
            let is_point = !matches!(self.op(current), Some(Op::Unlock(_)));
            if !std::mem::take(&mut self.actors[current].has_passed) && is_point {
                match self.decide(current) {
                    Some(next) if next != current => {
                        self.actors[current].has_passed = true;
                        self.ready += 1;
                        self.actors[current].ready_since = self.ready;
                        current = next;
                        continue;
                    }
                    Some(_) => {}
                    None => return self.hang(),
                }
            }
            if let Some(failure) = self.act(current) {
                return failure;
            }
            if self.actors[current].blocked.is_some() {
                match self.decide(current) {
                    Some(next) => current = next,
                    None => return self.hang(),
                }
            }
        }
    }

    fn hang(&mut self) -> RunResult {
        self.outcome.end = End::Hang;
        failed(FailureKind::Hang, "hang")
    }

    /// Does what the actor is about to do, or notes that it has to wait.
    fn act(&mut self, index: usize) -> Option<RunResult> {
        let op = self.op(index)?;
        let at = place(self.actors[index].code, self.actors[index].at);
        let (_, object) = operation(op);
        let waits = match op {
            Op::Lock(lock) => self.locks.contains_key(&lock),
            Op::Join(code) => !self.is_over(code),
            // Woken up by the signal, which takes the mark away.
            Op::Wait(_) => self.actors[index].deadline.is_none(),
            Op::Sleep(length) => {
                let deadline = *self.actors[index].deadline.get_or_insert(self.time + length);
                deadline > self.time
            }
            _ => false,
        };
        if object != 0
            && let Some((other, before)) = self.last.insert(object, (index, at.clone()))
            && other != index
            && !self.outcome.pairs.contains(&(before.clone(), at.clone()))
        {
            self.outcome.pairs.push((before, at));
        }
        if waits {
            self.actors[index].blocked = Some(op);
            self.actors[index].has_passed = true;
            return None;
        }
        self.actors[index].blocked = None;
        self.actors[index].deadline = None;
        self.actors[index].at += 1;
        match op {
            Op::Lock(lock) => _ = self.locks.insert(lock, index),
            Op::Unlock(lock) => _ = self.locks.remove(&lock),
            Op::Spawn(code) => {
                self.actors[index].children += 1;
                let name = self.actors[index].name.child(self.actors[index].children);
                self.begin(name, code);
            }
            Op::Notify(signal) => {
                for actor in &mut self.actors {
                    if matches!(actor.blocked, Some(Op::Wait(it)) if it == signal) {
                        self.ready += 1;
                        (actor.blocked, actor.ready_since) = (None, self.ready);
                        actor.deadline = Some(0);
                    }
                }
            }
            Op::Set(variable, value) => self.variables[variable] = value,
            Op::Copy(to, from) => self.variables[to] = self.variables[from],
            Op::Same(a, b) if self.variables[a] != self.variables[b] => {
                return Some(failed(FailureKind::Test, "same"));
            }
            _ => {}
        }
        None
    }
}
