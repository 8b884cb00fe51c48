//! Properties of `logic = "built-in"`: which violations there are, the tool finds out by itself.
//!
//! The library declares them like the others, so that they are listed, explained and counted like the others: in which units
//! something happened that they speak of. No automaton stands behind them, and whoever finds a violation adds it to the verdict.

use rvcheck_event::kind::EventKind;

use crate::model::automaton::{Level, Presentation, Scope};

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
