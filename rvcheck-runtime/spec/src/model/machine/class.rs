//! When a formula is decided, and whether anything can decide it otherwise.

use crate::language::formula::tree::Quantifier;
use crate::model::automaton::Role;
use crate::model::machine::Machine;

/// When the verdict of a formula is certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Each trace that violates it has a beginning after which nothing could have mended it.
    Safety,
    /// Each trace that satisfies it has a beginning after which nothing could have broken it.
    CoSafety,
    /// Both.
    Early,
    /// Neither: there are traces of which only the end tells.
    AtEnd,
}

impl Class {
    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Safety => "safety",
            Class::CoSafety => "co-safety",
            Class::Early => "safety and co-safety",
            Class::AtEnd => "decided only at the end",
        }
    }
}

impl Machine {
    /// When the formula is decided. Traces without events do not count. Objects may come later that the trace does not have
    /// yet, so that what holds of all objects is never certain before the end, nor what holds of none.
    pub fn class(&self) -> Class {
        let has = |quantifier| self.prefix.iter().any(|it| it.quantifier == quantifier);
        let (all, some) = (has(Quantifier::Forall), has(Quantifier::Exists));
        let constant = self.constant();
        let never = |role| !self.roles().any(|it| it == role);
        let safety = never(Role::EndBad) && (!some || constant == Some(false) && !all);
        let co_safety = never(Role::Neutral) && (!all || constant == Some(true) && !some);
        match (safety, co_safety) {
            (true, true) => Class::Early,
            (true, false) => Class::Safety,
            (false, true) => Class::CoSafety,
            (false, false) => Class::AtEnd,
        }
    }

    /// The truth of what stands behind the quantifiers, if it is the same for all bindings on all traces that have events: then
    /// the formula is tautological or unsatisfiable.
    pub fn constant(&self) -> Option<bool> {
        let all = |role| self.roles().all(|it| it == role);
        all(Role::Good).then_some(true).or_else(|| all(Role::Bad).then_some(false))
    }

    /// The roles of all states that events lead to.
    fn roles(&self) -> impl Iterator<Item = Role> {
        let mut entered = vec![false; self.states.len()];
        let tables = self.letters.iter().map(|it| &it.next).chain(self.states.iter().map(|it| &it.idle));
        for state in tables.flatten() {
            entered[*state as usize] = true;
        }
        let states = self.states.iter().zip(entered).filter(|(_, entered)| *entered);
        states.flat_map(|(state, _)| state.roles.iter().copied())
    }
}
