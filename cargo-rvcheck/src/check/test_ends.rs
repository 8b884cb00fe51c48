//! How the tests of a process ended, as far as its events say. Not every form of a harness's output says it.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, TestOutcome};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use std::collections::BTreeMap;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct TestEnds {
    outcomes: BTreeMap<UnitId, TestOutcome>,
}

impl TestEnds {
    /// How this one ended.
    pub(super) fn of(&self, unit: UnitId) -> Option<TestOutcome> {
        self.outcomes.get(&unit).copied()
    }
}

impl Observer for TestEnds {
    fn observe(&mut self, event: &Event, _: &World) {
        if event.kind == EventKind::TestEnd
            && let Some(outcome) = TestOutcome::of_bits(event.flags & flag::ENUM)
        {
            self.outcomes.insert(event.unit, outcome);
        }
    }
}
