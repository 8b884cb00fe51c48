//! Counting the events of a built-in property, whose violations the tool finds by itself.

use std::collections::BTreeMap;

use rvcheck_event::id::UnitId;

use crate::model::automaton::Scope;
use crate::verdict::{PropertyVerdict, UnitEnd, UnitVerdict, Verdict};

/// How many of its events there were, in each unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counter(BTreeMap<UnitId, u64>, Option<(UnitId, u64)>);

impl Counter {
    /// One more event of this unit.
    #[inline]
    pub(crate) fn count(&mut self, unit: UnitId) {
        match &mut self.1 {
            Some((last, count)) if *last == unit => *count += 1,
            _ => self.turn_to(unit),
        }
    }

    #[cold]
    fn turn_to(&mut self, unit: UnitId) {
        self.settle();
        self.1 = Some((unit, 1));
    }

    fn settle(&mut self) {
        if let Some((unit, count)) = self.1.take() {
            *self.0.entry(unit).or_default() += count;
        }
    }

    /// The verdicts as long as nobody has found a violation.
    pub(crate) fn finish(mut self, scope: Scope, end_of: impl Fn(UnitId) -> UnitEnd) -> PropertyVerdict {
        self.settle();
        let mut units: BTreeMap<UnitId, u64> = BTreeMap::new();
        for (unit, count) in self.0 {
            *units.entry(if scope == Scope::Process { UnitId::PROCESS } else { unit }).or_default() += count;
        }
        let verdict = |(unit, events)| UnitVerdict {
            unit,
            verdict: if end_of(unit) == UnitEnd::Complete { Verdict::Held } else { Verdict::Inconclusive },
            bindings: 1,
            violated: 0,
            bindings_exercised: 1,
            exercised: true,
            events,
            doubt: None,
            witness: Vec::new(),
        };
        PropertyVerdict { units: units.into_iter().map(verdict).collect(), fault: None }
    }
}
