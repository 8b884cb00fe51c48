//! Which fields of structs in slots may get another value after the struct was made.

use crate::body::{Function, Selector, Slot};
use crate::mir::{Place, Rvalue, Terminator};
use std::collections::BTreeSet;

/// What a body does to parts of slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Slots that are borrowed to be changed.
    borrowed: BTreeSet<Slot>,
    /// Fields of slots that are assigned, or borrowed to be changed.
    fields: BTreeSet<(Slot, u32)>,
}

impl Changes {
    pub(super) fn of(function: &Function) -> Changes {
        let mut found = Changes::default();
        for (_, block) in function.blocks() {
            for (into, value) in block.assignments() {
                found.change(into);
                if let Rvalue::Reference(of, true) = value {
                    found.change(of);
                    found.borrowed.insert(Slot::at(of));
                }
            }
            if let Terminator::Call(call) = &block.terminator {
                found.change(&call.into);
            }
        }
        found
    }

    fn change(&mut self, place: &Place) {
        let mut slot = Slot::at(place);
        if let Some(Selector::Field(number)) = slot.steps.pop() {
            self.fields.insert((slot, number));
        }
    }

    /// Whether a field of the struct in a slot may be given another value after the struct was made.
    pub(crate) fn may_change(&self, slot: &Slot, number: u32) -> bool {
        self.borrowed.contains(slot) || self.fields.contains(&(slot.clone(), number))
    }
}
