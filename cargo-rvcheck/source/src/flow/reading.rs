//! Whether something inside a value is ever looked at.

use super::{Callee, Function, Slot};
use crate::mir::{Operand, Place, Rvalue, Statement, Terminator};
use std::collections::BTreeSet;

/// Whether the part of that type is read from a value, or goes where it can be. What is not understood counts as reading.
pub(crate) fn is_read(function: &Function, value: Slot, part: &str) -> bool {
    let mut reading = Reading { function, part, values: BTreeSet::from([value]), pointers: BTreeSet::new() };
    loop {
        let before = reading.values.len() + reading.pointers.len();
        if reading.round() {
            return true;
        }
        if reading.values.len() + reading.pointers.len() == before {
            return false;
        }
    }
}

/// Functions of `Result` and `Option` that hand on what is inside and do not look at it.
const ADAPTERS: [&str; 6] = ["ok", "unwrap", "expect", "map_err", "branch", "unwrap_unchecked"];

/// Functions that look at the outermost variant alone.
const OUTSIDE: [&str; 4] = ["is_ok", "is_err", "is_some", "is_none"];

struct Reading<'a> {
    function: &'a Function,
    /// The type of the part.
    part: &'a str,
    /// What holds the value or some of it that the part is in.
    values: BTreeSet<Slot>,
    /// What points to such a value.
    pointers: BTreeSet<Slot>,
}

impl Reading<'_> {
    /// Goes through the body once; true if the part is read.
    fn round(&mut self) -> bool {
        for (_, block) in self.function.blocks().filter(|(_, it)| !it.cleanup) {
            for statement in &block.statements {
                if let Statement::Assign(into, made) = statement
                    && self.reads(into, made)
                {
                    return true;
                }
            }
            if let Terminator::Call(_) = &block.terminator
                && self.call_reads(block)
            {
                return true;
            }
        }
        false
    }

    /// Whether a place is the value, or some of it that the part is in.
    fn holds(&self, place: &Place) -> bool {
        let slot = Slot::at(place);
        self.values.iter().any(|it| slot.within(it).is_some()) && self.type_holds(place)
    }

    fn type_holds(&self, place: &Place) -> bool {
        self.function.type_of(place).is_none_or(|it| it.contains(self.part))
    }

    fn is_part(&self, place: &Place) -> bool {
        self.function.type_of(place).is_none_or(|it| it == self.part)
    }

    /// Whether a place is inside the part.
    fn is_inside(&self, place: &Place) -> bool {
        (0..place.projections.len()).any(|length| {
            let around = Place { local: place.local, projections: place.projections[..length].to_vec() };
            self.is_part(&around) && self.holds(&around)
        })
    }

    fn points(&self, place: &Place) -> bool {
        let slot = Slot::at(place);
        self.pointers.iter().any(|it| slot.within(it).is_some())
    }

    /// Takes what is put into a place as a further value; true if it goes where it can be read.
    fn takes(&mut self, into: &Place) -> bool {
        let slot = Slot::at(into);
        if into.local.0 == 0 || slot.steps.len() != self.function.root(&slot) {
            return true;
        }
        self.values.insert(slot);
        false
    }

    fn reads(&mut self, into: &Place, made: &Rvalue) -> bool {
        match made {
            Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => {
                if self.points(from) {
                    return true;
                }
                self.is_inside(from) || (self.holds(from) && self.takes(into))
            }
            Rvalue::Use(_) | Rvalue::Cast(..) => false,
            Rvalue::Discriminant(of) => {
                self.points(of) || self.is_inside(of) || (self.holds(of) && self.is_part(of))
            }
            Rvalue::Reference(of, _) => {
                if self.is_inside(of) || (self.holds(of) && self.is_part(of)) || self.points(of) {
                    return true;
                }
                if self.holds(of) {
                    self.pointers.insert(Slot::at(into));
                }
                false
            }
            Rvalue::Made(name, operands) => {
                let places: Vec<&Place> = operands.iter().filter_map(Operand::place).collect();
                if places.iter().any(|it| self.points(it) || self.is_inside(it)) {
                    return true;
                }
                let wraps = name.is_empty() || name.ends_with("::Some") || name.ends_with("::Ok");
                places.iter().any(|it| self.holds(it)) && (!wraps || self.takes(into))
            }
        }
    }

    fn call_reads(&mut self, block: &crate::mir::Block) -> bool {
        let Terminator::Call(call) = &block.terminator else { return false };
        let callee = Callee::read(&call.callee);
        for argument in call.arguments.iter().filter_map(Operand::place) {
            if self.points(argument) {
                if !OUTSIDE.contains(&callee.name()) {
                    return true;
                }
            } else if self.is_inside(argument) {
                return true;
            } else if self.holds(argument) && callee.name() != "drop" {
                let adapts = ADAPTERS.contains(&callee.name()) && !self.is_part(argument);
                if !(adapts || callee.hands_on()) {
                    return true;
                }
                if self.type_holds(&call.into) && self.takes(&call.into) {
                    return true;
                }
            }
        }
        false
    }
}
