//! Who goes on at a point: the candidates, and the choice among them.

use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::Operation;

use super::handover::Handover;
use super::participant::{Deadline, Participant, Status};
use super::state::{CLOCK, Control, Turn};
use super::{clock, ending};
use crate::schedule;

impl Control {
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
        let mut candidates: Vec<usize> = self.live.iter().copied().filter(can).collect();
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
        let waits = self.live.iter().map(|it| &self.all[*it]).filter(|it| it.status.is_wait());
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
        !self.holds.is_empty()
            && self.holds.get(&(name.clone(), *points)).is_some_and(|(other, number)| {
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
        let is_busy = |it: &&usize| self.all[**it].on.is_some() && self.all[**it].home == Some(home);
        let busy = self.live.iter().filter(is_busy).take(home.workers.max(1) as usize).count();
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
        self.live.iter().copied().filter(is_new).min_by_key(|it| self.all[*it].since)
    }

    /// The clock goes on to the earliest time that somebody waits for. Whether there is one.
    fn tick(&mut self) -> bool {
        let Some(next) = self.next_deadline() else { return false };
        self.looks_in_vain();
        self.told = self.told.max(next.at);
        clock::skip_to(self.told);
        for at in 0..self.live.len() {
            let me = self.live[at];
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
        let Some(spinner) = self.live.iter().copied().filter(spins).min_by_key(|it| self.all[*it].since)
        else {
            return false;
        };
        self.ready(spinner);
        true
    }

    /// Whether something that is not controlled may make somebody go on.
    pub(super) fn is_anybody_outside(&self) -> bool {
        self.live.iter().any(|it| match self.all[*it].status {
            Status::Outside(_) | Status::Missing => true,
            Status::Suspended => self.all[*it].is_unrecorded,
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
}
