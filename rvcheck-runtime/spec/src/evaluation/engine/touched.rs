//! The bindings that events touched, where the instances do not tell that already.

use std::collections::HashMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;

use crate::evaluation::engine::reading::{Params, Reading, bind, touches};
use crate::evaluation::engine::store::Part;
use crate::evaluation::engine::store::{Store, UNBOUND};
use crate::evaluation::engine::texts::Texts;
use crate::model::ltl::Ltl;
use crate::semantics::facts::Facts;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Touched {
    /// By number of the kind of event.
    readings: Vec<Vec<Reading>>,
    seen: Store,
}

impl Touched {
    /// What touches bindings of these parameters of a formula.
    pub(super) fn new(ltl: &Ltl, params: &Params) -> Touched {
        let mut readings = vec![Vec::new(); 256];
        let mut masks = Vec::new();
        for reading in touches(ltl, params) {
            masks.push(reading.mask());
            readings[reading.kind as usize].push(reading);
        }
        masks.sort_unstable();
        masks.dedup();
        let count = params.0.len();
        Touched { readings, seen: Store::new(count, 0, masks, &[], &vec![false; count]) }
    }

    /// Whether events of this kind touch anything.
    pub(super) fn has(&self, kind: u8) -> bool {
        !self.readings[usize::from(kind)].is_empty()
    }

    /// Takes one event.
    #[inline]
    pub(super) fn step<F: Facts>(&mut self, unit: UnitId, event: &Event, texts: &Texts, facts: &F) {
        for reading in &self.readings[event.kind as usize] {
            let mut binding = UNBOUND;
            if bind(&reading.sources, event, &mut binding, texts, facts)
                && self.seen.find(unit, reading.mask(), &binding).is_none()
                && reading.demands.are_met(event, &binding, texts, facts)
            {
                self.seen.create(unit, reading.mask(), &binding, 0, 0);
            }
        }
    }

    /// What was touched in each unit.
    pub(super) fn parts(&self) -> HashMap<UnitId, Vec<Part>> {
        self.seen.by_unit()
    }
}
