//! Properties of `logic = "built-in"`: which violations there are, the tool finds out by itself.
//!
//! The library declares them like the others, so that they are listed, explained and counted like the others: in which units
//! something happened that they speak of. No automaton stands behind them, and whoever finds a violation adds it to the verdict.

use std::collections::BTreeMap;

use rvcheck_event::id::UnitId;
use rvcheck_event::kind::EventKind;

use crate::automaton::{Level, Presentation, Scope};
use crate::compile::heading::{Heading, heading};
use crate::problem::Problem;
use crate::property::PropertySource;
use crate::verdict::{PropertyVerdict, UnitEnd, UnitVerdict, Verdict};
use crate::vocabulary::Vocabulary;

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltIn {
    /// The id.
    pub id: String,
    /// The title.
    pub title: String,
    /// How bad a violation is that was seen to happen.
    pub level: Level,
    /// What one verdict covers.
    pub scope: Scope,
    /// What a violation is called.
    pub message: String,
    /// How violations are shown. A unit in which one of these events happened has exercised the property. A property that names no
    /// event is looked for in the source only, and no run ever exercises it.
    pub presentation: Presentation,
}

impl BuiltIn {
    /// The kinds of events that it speaks of.
    pub fn alphabet(&self) -> impl Iterator<Item = EventKind> + '_ {
        let named = |kind: &EventKind| {
            let name = kind.signature().name;
            self.presentation.primary.iter().chain(&self.presentation.related).any(|it| it == name)
        };
        EventKind::built_in().filter(named)
    }
}

/// Compiles such a property. There is one exactly where there are no problems.
pub(crate) fn compile(
    source: &PropertySource,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Option<BuiltIn> {
    let Heading { id, title, level, scope, message, presentation } = heading(source, vocabulary, problems);
    let built_in = BuiltIn { id, title, level, scope, message, presentation };
    problems.is_empty().then_some(built_in)
}

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
            witness: Vec::new(),
        };
        PropertyVerdict { units: units.into_iter().map(verdict).collect(), fault: None }
    }
}
