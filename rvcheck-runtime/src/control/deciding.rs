//! Who goes on at a point: the candidates, and the choice among them.

use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::word::Operation;

use super::deadline::Deadline;
use super::handover::Handover;
use super::participant::{Participant, Status};
use super::state::{CLOCK, Control, Turn};
use super::{clock, seen};
use crate::schedule;

/// After so many points at which the same one goes on, by default another one does.
pub(super) const IN_A_ROW: u32 = 1_000;
/// So often the clock goes on in a run because all who could are held. Somebody who sleeps again and again would have it go on for ever.
pub(super) const MAX_HELD_TICKS: u32 = 64;
/// For how long in ns somebody is held while others sleep: as long as a delay in real time takes. To hold one for longer would be to take a
/// sleep that is meant to order them for nothing.
const HELD: u64 = 300_000_000;

impl Control {
    /// Who goes on at a point of this one. `None` if nobody can.
    pub(super) fn decide(&mut self, at: usize) -> Option<usize> {
        loop {
            let (candidates, default) = self.candidates(at);
            // Those who are held may be held for somebody who sleeps.
            if candidates.first().is_some_and(|it| self.is_held(*it)) && self.sleeps_shortly() {
                self.held_ticks_left -= 1;
                if let Some(late) = self.early(at)
                    && !self.is_held(late)
                {
                    return Some(late);
                }
                continue;
            }
            if let Some(default) = default {
                return Some(self.choose(at, &candidates, default));
            }
            if !self.relax(false) {
                return None;
            }
        }
    }

    /// Those that can go on, and which of them does in the default order, although the plan may hold it.
    fn candidates(&mut self, at: usize) -> (Vec<usize>, Option<usize>) {
        // Who goes on and on may wait for one that comes back.
        if self.in_a_row >= IN_A_ROW
            && let Some(arrived) = self.all.first_arrived()
        {
            self.ready(arrived);
        }
        let mut candidates = self.all.ready();
        let Participant { status, next, .. } = &self.all[at];
        // Who goes on and on lets others go on, too, as it would have to if the system took its processor away.
        let yields = next.operation == Operation::Yield || self.in_a_row >= IN_A_ROW;
        match status {
            Status::Running if !yields => candidates.insert(0, at),
            Status::Running => candidates.push(at),
            Status::Ready if yields && candidates.len() > 1 => {
                candidates.retain(|it| *it != at);
                candidates.push(at);
            }
            _ => {}
        }
        let default = candidates.first().copied();
        if candidates.iter().any(|it| !self.is_held(*it)) {
            candidates.retain(|it| !self.is_held(*it));
        }
        if !candidates.is_empty() && self.may_tick() {
            candidates.push(CLOCK);
        }
        (candidates, default)
    }

    /// The earliest time that somebody waits for.
    fn next_deadline(&self) -> Option<Deadline> {
        let timer = self.timers.next().into_iter();
        timer.chain(self.all.next_deadline()).min_by_key(|it| it.due)
    }

    /// Whether the clock may go on although others could.
    fn may_tick(&self) -> bool {
        self.next_deadline().is_some_and(|it| it.may_be_early)
    }

    /// Whether who is held may be held for as long as somebody sleeps.
    fn sleeps_shortly(&self) -> bool {
        let is_short = |it: Deadline| it.may_be_early && it.at.saturating_sub(clock::now()) <= HELD;
        self.held_ticks_left > 0 && self.next_deadline().is_some_and(is_short)
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
            // Who has not begun has its first point before it.
            && self.holds.get(&(name.clone(), (*points).max(1))).is_some_and(|(other, number)| {
                self.all.named(other).is_none_or(|other| {
                    let other = &self.all[other];
                    other.points < *number && other.status != Status::Over
                })
            })
    }

    /// One of the candidates.
    fn choose(&mut self, at: usize, candidates: &[usize], default: usize) -> usize {
        let first = candidates[0];
        let others = candidates.len() > 1;
        if others {
            self.seen.decisions += 1;
            clock::pass(self.pace);
        }
        if self.seen.lists_choices() && (others || self.all[at].next.object != 0) {
            let others = candidates.iter().filter(|it| **it != at);
            let names = others.map(|it| self.all.name_of(*it));
            self.all[at].choice = self.seen.choice(&self.all[at], names);
        }
        let Participant { name, points, .. } = &self.all[at];
        if self.from.as_ref().is_some_and(|it| (&it.0, it.1) == (name, *points)) {
            self.from = None;
        }
        let is_planned = !self.switches.is_empty();
        let planned = match is_planned.then(|| self.switches.get(&(name.clone(), *points)).cloned()).flatten()
        {
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
                self.chooser.choose(self.all.everybody(), candidates, current)
            }
            None => first,
        };
        if chosen == CLOCK {
            return self.early(at).unwrap_or(first);
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
            self.seen.diverged(&self.all[at], format!("it is at {}", seen::place(here)));
            return None;
        }
        let chosen = self.all.named(to).filter(|it| candidates.contains(it));
        if chosen.is_none() {
            self.seen.diverged(&self.all[at], format!("{to} cannot go on"));
        }
        chosen
    }

    /// The clock goes on although others could. Whoever it makes go on.
    fn early(&mut self, at: usize) -> Option<usize> {
        let before = self.all.now();
        if !self.tick() {
            self.seen.diverged(&self.all[at], "nobody waits for a time".to_owned());
            return None;
        }
        self.seen.switch(&self.all[at], Name::CLOCK);
        self.all.ready().into_iter().find(|it| self.all[*it].since > before)
    }

    /// The clock goes on to the earliest time that somebody waits for. Whether there is one.
    fn tick(&mut self) -> bool {
        let Some(next) = self.next_deadline() else { return false };
        self.looks_in_vain();
        self.clock_time = self.clock_time.max(next.due);
        self.ticks += 1;
        for me in self.all.late(self.clock_time, self.ticks) {
            let due = self.all[me].deadline.filter(|it| it.due <= self.clock_time);
            self.over = self.over.max(due.map_or(0, |it| it.at));
            self.all[me].is_late = true;
            self.ready(me);
        }
        self.fire_timers();
        clock::skip_to(self.over);
        true
    }

    /// Nobody can go on. Makes somebody able to, if that is possible without waiting for what is outside; or, where it was quiet for a
    /// while, although somebody is there.
    pub(super) fn relax(&mut self, is_quiet: bool) -> bool {
        let may_others_come = self.all.is_anybody_outside();
        if is_quiet || !may_others_come {
            if let Some(arrived) = self.all.first_arrived() {
                self.ready(arrived);
                return true;
            }
        } else {
            return false;
        }
        // Somebody may have been unparked without a change that was seen.
        let acted = self.acted;
        if let Some(parked) = self.all.parked().into_iter().find(|it| self.all[*it].asked < acted) {
            self.asks(parked);
            return true;
        }
        if self.tick() {
            return true;
        }
        let Some(spinner) = self.all.spinning().first().copied() else { return false };
        self.looks_in_vain();
        self.ready(spinner);
        true
    }

    /// Somebody who was given the turn does not come: there is no thread for it.
    pub(super) fn misses(&mut self, it: usize) -> Handover {
        self.all.stand(it, Status::Missing);
        let chosen = self.decide(it);
        self.elect(chosen)
    }

    /// The turn is nobody's: gives it to somebody, if anybody can have it.
    pub(super) fn settle(&mut self, is_quiet: bool) -> Handover {
        if self.turn != Turn::Nobody || self.all.everybody().is_empty() {
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
