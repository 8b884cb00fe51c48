//! Conflicts: operations on the same object by two participants, of which the one that came first could have come second.

use super::Reversal;
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::outcome::{Choice, Outcome};
use rvcheck_event::exploration::plan::{Hold, Switch};
use rvcheck_event::exploration::word::Operation;
use rvcheck_event::position::ProgramPoint;
use std::collections::{BTreeMap, BTreeSet};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What came first.
    pub first: Choice,
    /// What came second.
    pub second: Choice,
}

/// What makes two conflicts alike, so that one of them is enough.
type Likeness = (ProgramPoint, Operation, ProgramPoint, Operation);

/// The conflicts of a run, each sort once, the most telling first: signals and waits, then locks and channels, then the rest.
pub fn conflicts(outcome: &Outcome) -> Vec<Conflict> {
    let mut last: BTreeMap<u64, Vec<&Choice>> = BTreeMap::new();
    let mut known: BTreeSet<Likeness> = BTreeSet::new();
    let mut found = Vec::new();
    for choice in outcome.choices.iter().filter(|it| it.object != 0 && is_operation(it.operation)) {
        let before = last.entry(choice.object).or_default();
        let others = before.iter().filter(|it| it.from.of != choice.from.of);
        for first in others {
            let likeness = (first.at.clone(), first.operation, choice.at.clone(), choice.operation);
            if known.insert(likeness) {
                found.push(Conflict { first: (*first).clone(), second: choice.clone() });
            }
        }
        // Of each participant the last operation is what the next one of another follows.
        before.retain(|it| it.from.of != choice.from.of);
        before.push(choice);
    }
    found.sort_by_key(Conflict::rank);
    found
}

/// Whether a point is about an object, and not about who goes on.
pub(super) const fn is_operation(operation: Operation) -> bool {
    use Operation as O;
    match operation {
        O::Lock | O::Try | O::Send | O::Receive | O::Wait | O::Notify | O::Permit | O::Atomic | O::Call => {
            true
        }
        O::Start | O::Poll | O::Blocked | O::Yield | O::End => false,
    }
}

impl Conflict {
    fn rank(&self) -> u8 {
        use Operation as O;
        match (self.first.operation, self.second.operation) {
            (O::Wait, O::Notify) | (O::Notify, O::Wait) => 0,
            (O::Lock | O::Try, O::Lock | O::Try) => 1,
            (O::Atomic, O::Atomic) => 3,
            _ => 2,
        }
    }

    /// The ways to have it the other way round: the first one waits until the second one is done; or the second one goes on at once where
    /// it could.
    pub fn reversals(&self) -> Vec<Reversal> {
        let until = Point { number: self.second.from.number + 1, ..self.second.from.clone() };
        let hold = Hold { from: self.first.from.clone(), until };
        let is_ready = self.first.candidates.contains(&self.second.from.of);
        let switch = is_ready.then(|| Switch {
            from: self.first.from.clone(),
            to: self.second.from.of.clone(),
            at: Some(self.first.at.clone()),
        });
        let mut all: Vec<Reversal> = vec![(Some(hold), None)];
        all.extend(switch.map(|it| (None, Some(it))));
        all
    }
}
