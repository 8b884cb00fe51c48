//! The last events of each unit, to be shown beside a violation.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::observer::Observer;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use std::collections::{HashMap, VecDeque};

/// An event, with what the world no longer knows of it later.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) event: Event,
    /// The arguments of an event of the program's own.
    pub(super) arguments: Vec<Value>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Tails {
    length: usize,
    units: HashMap<UnitId, VecDeque<Kept>>,
}

impl Observer for Tails {
    fn observe(&mut self, event: &Event, world: &World) {
        if self.length == 0 {
            return;
        }
        let kept = self.units.entry(event.unit).or_default();
        // What falls out at the beginning gives its memory to what comes in at the end.
        let mut arguments =
            if kept.len() == self.length { kept.pop_front().map(|it| it.arguments) } else { None }
                .unwrap_or_default();
        arguments.clear();
        if event.kind == EventKind::User {
            arguments.extend_from_slice(world.arguments());
        }
        kept.push_back(Kept { event: *event, arguments });
    }
}

impl Tails {
    /// So many events of each unit.
    pub(super) fn new(length: usize) -> Tails {
        Tails { length, units: HashMap::new() }
    }

    /// The last events of a unit, in their order.
    pub(super) fn of(&self, unit: UnitId) -> Vec<Kept> {
        self.units.get(&unit).map_or_else(Vec::new, |kept| kept.iter().cloned().collect())
    }
}
