//! What a controlled run has shown so far: what becomes the lines of its outcome.

use std::collections::BTreeSet;

use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::freedom::{Freedom, FreedomKind};
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{
    Beyond, Choice, Divergence, Outcome, Participant as OutcomeParticipant,
};
use rvcheck_event::exploration::plan::{Signal, Spurious, Switch};
use rvcheck_event::exploration::word::{Cause, End, Kind, Operation, SpuriousKind};
use rvcheck_event::position::{CompiledPosition, ProgramPoint};

use super::numbers::ByNumber;
use super::participant::{JOINED, Participant, Step};
use crate::site;

/// How many lines of a sort are kept.
const MOST: usize = 1 << 16;

/// See the module. Places are sites.
pub(super) struct Seen {
    pub(super) decisions: u64,
    pub(super) points: u64,
    pub(super) outside: u64,
    /// Who did something last.
    pub(super) last: usize,
    lists_choices: bool,
    participants: Vec<(Name, Kind, u32)>,
    diverged: Vec<Divergence>,
    switches: Vec<(Point, Name, u32)>,
    signals: Vec<(Point, Name, u32)>,
    spurious: Vec<(Point, u32, SpuriousKind)>,
    choices: Vec<(Point, Step, Vec<Name>)>,
    polls: Vec<Point>,
    /// By objects: who did something with it last, and where.
    touched: ByNumber<u64, (usize, u32)>,
    pairs: BTreeSet<(u32, u32)>,
    awaits: BTreeSet<u32>,
    cancelled: BTreeSet<u32>,
    limits: BTreeSet<u32>,
    freedoms: Vec<(Point, u32, FreedomKind, Vec<Name>)>,
    beyond: BTreeSet<(Name, u32, Cause)>,
}

impl Seen {
    /// Nothing.
    pub(super) fn new(lists_choices: bool) -> Seen {
        Seen {
            decisions: 0,
            points: 0,
            outside: 0,
            last: 0,
            lists_choices,
            participants: Vec::new(),
            diverged: Vec::new(),
            switches: Vec::new(),
            signals: Vec::new(),
            spurious: Vec::new(),
            choices: Vec::new(),
            polls: Vec::new(),
            touched: ByNumber::default(),
            pairs: BTreeSet::new(),
            awaits: BTreeSet::new(),
            cancelled: BTreeSet::new(),
            limits: BTreeSet::new(),
            freedoms: Vec::new(),
            beyond: BTreeSet::new(),
        }
    }

    /// Whether choices are kept.
    pub(super) fn lists_choices(&self) -> bool {
        self.lists_choices
    }

    pub(super) fn participant(&mut self, name: &Name, kind: Kind, spawned: u32) {
        self.participants.push((name.clone(), kind, spawned));
    }

    /// One does what it was about to do.
    pub(super) fn does(&mut self, me: usize, step: Step) {
        self.last = me;
        let Step { object, place, .. } = step;
        // That a task is joined after its end is no order of two operations.
        if object == 0 || place == 0 || object & JOINED != 0 {
            return;
        }
        if let Some((other, before)) = self.touched.insert(object, (me, place))
            && other != me
            && self.pairs.len() < MOST
        {
            self.pairs.insert((before, place));
        }
    }

    /// Others could go on at this point of this one. The number of the choice.
    pub(super) fn choice(&mut self, at: &Participant, others: impl Iterator<Item = Name>) -> Option<usize> {
        (self.lists_choices && self.choices.len() < MOST).then(|| {
            self.choices.push((point(at), at.next, others.collect()));
            self.choices.len() - 1
        })
    }

    /// A task begins to be polled.
    pub(super) fn polled(&mut self, it: &Participant) {
        if self.lists_choices && self.polls.len() < MOST {
            self.polls.push(point(it));
        }
    }

    /// What was about to be done at the choice of this number turns out to be this.
    pub(super) fn turns_out(&mut self, choice: usize, operation: Operation) {
        self.choices[choice].1.operation = operation;
    }

    /// At this point of this one somebody else goes on than by default.
    pub(super) fn switch(&mut self, at: &Participant, to: Name) {
        if self.switches.len() < MOST {
            self.switches.push((point(at), to, at.next.place));
        }
    }

    /// The signal that this one gives goes to another waiter than by default.
    pub(super) fn signal(&mut self, at: &Participant, to: Name) {
        if self.signals.len() < MOST {
            self.signals.push((point(at), to, at.next.place));
        }
    }

    /// This happens to this one without a reason in the program.
    pub(super) fn spurious(&mut self, at: &Participant, kind: SpuriousKind) {
        if self.spurious.len() < MOST {
            self.spurious.push((point(at), at.next.place, kind));
        }
    }

    /// The plan could not be followed at this point.
    pub(super) fn diverged(&mut self, at: &Participant, reason: String) {
        self.diverged.push(Divergence { at: point(at), reason });
    }

    /// This one has left control.
    pub(super) fn beyond(&mut self, it: &Participant, cause: Cause) {
        self.beyond.insert((it.name.clone(), it.next.place, cause));
    }

    /// A task is suspended at an await, or was dropped there.
    pub(super) fn suspended(&mut self, place: u32, was_dropped: bool) {
        if place != 0 {
            if was_dropped { &mut self.cancelled } else { &mut self.awaits }.insert(place);
        }
    }

    /// At its last point this one could have done something else.
    pub(super) fn free(&mut self, at: &Participant, kind: FreedomKind, others: Vec<Name>) {
        if self.lists_choices && self.freedoms.len() < MOST {
            self.freedoms.push((point(at), at.next.place, kind, others));
        }
    }

    /// Somebody comes by this time limit.
    pub(super) fn limit(&mut self, place: u32) {
        if place != 0 {
            self.limits.insert(place);
        }
    }

    /// The outcome of a run that ended like this.
    pub(super) fn outcome(&self, end: End) -> Outcome {
        let known = |site: u32| (site != 0).then(|| place(site));
        let places = |sites: &BTreeSet<u32>| sites.iter().map(|it| place(*it)).collect();
        let switch = |(from, to, at): &(Point, Name, u32)| Switch {
            from: from.clone(),
            to: to.clone(),
            at: known(*at),
        };
        let signal = |(from, to, at): &(Point, Name, u32)| Signal {
            from: from.clone(),
            to: to.clone(),
            at: known(*at),
        };
        let spurious = |(from, at, kind): &(Point, u32, SpuriousKind)| Spurious {
            kind: *kind,
            from: from.clone(),
            at: known(*at),
        };
        let choice = |(from, step, candidates): &(Point, Step, Vec<Name>)| Choice {
            from: from.clone(),
            at: place(step.place),
            operation: step.operation,
            object: step.object,
            candidates: candidates.clone(),
        };
        let participant = |(name, kind, spawned): &(Name, Kind, u32)| OutcomeParticipant {
            name: name.clone(),
            kind: *kind,
            spawned: known(*spawned),
        };
        let free = |(from, at, kind, others): &(Point, u32, FreedomKind, Vec<Name>)| Freedom {
            from: from.clone(),
            at: place(*at),
            kind: *kind,
            others: others.clone(),
        };
        Outcome {
            decisions: self.decisions,
            points: self.points,
            outside: self.outside,
            participants: self.participants.iter().map(participant).collect(),
            diverged: self.diverged.clone(),
            switches: self.switches.iter().map(switch).collect(),
            signals: self.signals.iter().map(signal).collect(),
            spurious: self.spurious.iter().map(spurious).collect(),
            choices: self.choices.iter().map(choice).collect(),
            polls: self.polls.clone(),
            pairs: self.pairs.iter().map(|(one, other)| (place(*one), place(*other))).collect(),
            awaits: places(&self.awaits),
            cancelled: places(&self.cancelled),
            limits: places(&self.limits),
            freedoms: self.freedoms.iter().map(free).collect(),
            beyond: self
                .beyond
                .iter()
                .map(|(of, at, what)| Beyond { of: of.clone(), at: place(*at), what: *what })
                .collect(),
            ..Outcome::new(end)
        }
    }
}

/// The last point of this one.
fn point(it: &Participant) -> Point {
    Point { of: it.name.clone(), number: it.points.max(1) }
}

/// A site as a place of the program.
pub(super) fn place(site: u32) -> ProgramPoint {
    site::position_of(site)
        .unwrap_or_else(|| ProgramPoint { file: "?".to_owned(), position: CompiledPosition::new(0, 0) })
}
