//! Violations of one kind, of which the first ones become findings and the others only count: a loop may violate a property a million times,
//! and all of that is one finding in the end.

use rvcheck_event::id::{SiteId, StringId, UnitId};
use rvcheck_spec::Violation;
use std::collections::HashMap;

/// How many of one kind become findings. They may say different things, of which the report keeps the best.
const OF_A_KIND: u32 = 64;

/// What is violated in which unit, and where.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Kind {
    property: usize,
    unit: UnitId,
    state: usize,
    sites: Vec<SiteId>,
    /// What its tasks run, where one place spawns for several callers.
    runs: Vec<StringId>,
    /// It may be none.
    in_doubt: bool,
}

impl Kind {
    /// The kind of a violation. `in_doubt` is whether its finding is no more than a note for that reason.
    pub(super) fn of(violation: &Violation, runs: Vec<StringId>, in_doubt: bool) -> Kind {
        let Violation { property, unit, state, .. } = *violation;
        let sites = violation.witness.iter().map(|it| it.site).collect();
        Kind { property, unit, state, sites, runs, in_doubt }
    }
}

/// What came of a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Became {
    /// The finding at this place.
    Finding(usize),
    /// Nothing: the user can change nothing there.
    Nothing,
}

/// How often there was which kind, and what came of the last one.
#[derive(Debug, Default)]
pub(super) struct Repeats(HashMap<Kind, (u32, Became)>);

impl Repeats {
    /// What comes of one more of this kind, where there are enough of them.
    pub(super) fn enough(&self, kind: &Kind) -> Option<Became> {
        self.0.get(kind).filter(|it| it.0 >= OF_A_KIND).map(|it| it.1)
    }

    /// One more of this kind.
    pub(super) fn note(&mut self, kind: Kind, became: Became) {
        let (count, last) = self.0.entry(kind).or_insert((0, became));
        (*count, *last) = (*count + 1, became);
    }
}
