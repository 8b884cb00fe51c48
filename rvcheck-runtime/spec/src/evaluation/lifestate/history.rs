//! What is permitted and prohibited after the history of one unit: the sets *P* and *N* of section 5.
//!
//! A message is in them by what came last of three things: a rule permitted it, a rule prohibited it, or the history was not consistent.
//! So each rule keeps only the last history in which it applied, for each binding.

use crate::evaluation::lifestate::burial::Burial;
use crate::evaluation::lifestate::instance::Accepted;
use crate::evaluation::lifestate::message::Message;
use crate::evaluation::lifestate::track::Track;
use crate::language::lifestate::Sign;
use crate::model::lifestate::{Conflict, Lifestate, Rule};

/// How many visits of bindings there are, for each one that is looked through, until it is looked whether some of them can rejoin others.
pub const REJOIN_INTERVAL: usize = 16;

/// Why a message is prohibited, or not permitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason<M> {
    /// This rule prohibits it, since the message of which this was noted; since the beginning where there is none.
    Rule(usize, Option<M>),
    /// Rules contradicted each other: these two, the one that permits first.
    Inconsistent(usize, usize),
}

/// The history of one unit, as far as it matters. `M` is what is noted of each message.
#[derive(Clone, Debug)]
pub struct History<M> {
    length: u64,
    rules: Vec<Track<M>>,
    conflicts: Vec<Track<M>>,
}

impl<M: Copy> History<M> {
    /// No message yet.
    pub fn new(lifestate: &Lifestate) -> History<M> {
        History::with(lifestate, REJOIN_INTERVAL)
    }

    /// No message yet. Bindings rejoin others sooner or later: always with 0, never with [`usize::MAX`]. That changes no answer.
    pub fn with(lifestate: &Lifestate, rejoin_interval: usize) -> History<M> {
        let of_rule = |it: &Rule| Track::new(&it.histories, Some(&it.message), false, rejoin_interval);
        let of_conflict = |it: &Conflict| Track::new(&it.histories, None, true, rejoin_interval);
        let rules = lifestate.rules.iter().map(of_rule);
        let conflicts = lifestate.conflicts.iter().map(of_conflict);
        History { length: 0, rules: rules.collect(), conflicts: conflicts.collect() }
    }

    /// How many messages there were.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// How many bindings are told apart, over all rules.
    pub fn bindings(&self) -> usize {
        self.rules.iter().chain(&self.conflicts).map(Track::len).sum()
    }

    /// Forgets the bindings of what nothing names any more.
    pub(crate) fn forget(&mut self, burial: &Burial) {
        for (rule, track) in self.rules.iter_mut().enumerate().filter(|(rule, _)| burial.is_about(*rule)) {
            track.forget(|variable, value| burial.is_gone(rule, variable, value));
        }
    }

    /// Why the message is not allowed now: one that goes into the library is prohibited, one that comes back is not permitted.
    #[inline]
    pub fn refuses(&mut self, lifestate: &Lifestate, message: &Message<'_>) -> Option<Reason<M>> {
        let mut permitted: Option<u64> = None;
        let mut prohibited: Option<(usize, Accepted<M>)> = None;
        if let Some(head) = message.head {
            for (place, (rule, track)) in lifestate.rules.iter().zip(&mut self.rules).enumerate() {
                if rule.message.head != head {
                    continue;
                }
                let Some(found) = track.accepted(&rule.histories, &rule.message, message.values, self.length)
                else {
                    continue;
                };
                match rule.sign {
                    Sign::Permits => permitted = permitted.max(Some(found.at)),
                    Sign::Prohibits if prohibited.is_none_or(|(_, it)| it.at < found.at) => {
                        prohibited = Some((place, found));
                    }
                    Sign::Prohibits => {}
                }
            }
        }
        let inconsistent = lifestate.conflicts.iter().zip(&self.conflicts);
        let inconsistent =
            inconsistent.filter_map(|(it, track)| Some((track.last?, it))).max_by_key(|it| it.0);
        let (rule, conflict) = (prohibited.map(|(_, it)| it.at), inconsistent.map(|it| it.0));
        if rule.is_none() && conflict.is_none() {
            return None;
        }
        // Where it is permitted and prohibited at once, the history is not consistent.
        if permitted > conflict.max(rule) {
            return None;
        }
        match (prohibited, inconsistent) {
            (Some((place, found)), _) if rule >= conflict => {
                Some(Reason::Rule(place, found.mark.map(|it| it.1)))
            }
            (_, Some((_, it))) => Some(Reason::Inconsistent(it.permits, it.prohibits)),
            (Some((place, found)), None) => Some(Reason::Rule(place, found.mark.map(|it| it.1))),
            (None, None) => None,
        }
    }

    /// Adds a message.
    #[inline]
    pub fn push(&mut self, lifestate: &Lifestate, message: &Message<'_>, mark: M) {
        self.length += 1;
        for (rule, track) in lifestate.rules.iter().zip(&mut self.rules) {
            track.step(&rule.histories, message, self.length, mark);
        }
        for (conflict, track) in lifestate.conflicts.iter().zip(&mut self.conflicts) {
            track.step(&conflict.histories, message, self.length, mark);
        }
    }

    /// All that keeps the message from being allowed now, the last first; empty where it is allowed.
    pub fn reasons(&mut self, lifestate: &Lifestate, message: &Message<'_>) -> Vec<Reason<M>> {
        let (mut permitted, mut found) = (None, Vec::new());
        for (place, (rule, track)) in lifestate.rules.iter().zip(&mut self.rules).enumerate() {
            if Some(rule.message.head) != message.head {
                continue;
            }
            let accepted = track.accepted(&rule.histories, &rule.message, message.values, self.length);
            match (rule.sign, accepted) {
                (_, None) => {}
                (Sign::Permits, Some(it)) => permitted = permitted.max(Some(it.at)),
                (Sign::Prohibits, Some(it)) => {
                    found.push((it.at, Reason::Rule(place, it.mark.map(|it| it.1))));
                }
            }
        }
        let mut inconsistent = None;
        for (conflict, track) in lifestate.conflicts.iter().zip(&self.conflicts) {
            if let Some(at) = track.last {
                inconsistent = inconsistent.max(Some(at));
                found.push((at, Reason::Inconsistent(conflict.permits, conflict.prohibits)));
            }
        }
        found.retain(|(at, _)| {
            permitted < Some(*at) || inconsistent >= permitted && inconsistent == Some(*at)
        });
        found.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        found.into_iter().map(|(_, reason)| reason).collect()
    }
}
