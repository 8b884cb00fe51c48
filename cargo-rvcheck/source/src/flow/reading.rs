//! Whether something inside a value is ever looked at.

use super::fate::{Fate, fates};
use super::paths::Paths;
use super::{Callee, Function, Slot};
use crate::mir::{BlockId, Operand, Place, Projection, Rvalue, Statement, Terminator};
use std::collections::BTreeSet;

/// What is done with a `Result` inside a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Looked {
    /// Nothing, or it is only asked in these blocks which variant it is, and what is in its `Ok` is used.
    AtVariant(BTreeSet<BlockId>),
    /// Its error is read, or goes where it can be.
    Inside,
}

/// What is done with the `Result` of that type inside a value. What is not understood counts as reading.
pub(crate) fn looked_at(function: &Function, value: Slot, part: &str) -> Looked {
    let (values, pointers) = (BTreeSet::from([value]), BTreeSet::new());
    let mut reading = Reading { function, part, values, pointers, branches: BTreeSet::new() };
    loop {
        let before = reading.values.len() + reading.pointers.len();
        if reading.round() {
            return Looked::Inside;
        }
        if reading.values.len() + reading.pointers.len() == before {
            return Looked::AtVariant(reading.branches);
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
    /// The blocks that ask which variant the part is.
    branches: BTreeSet<BlockId>,
}

impl Reading<'_> {
    /// Goes through the body once; true if the part is read.
    fn round(&mut self) -> bool {
        for (id, block) in self.function.blocks().filter(|(_, it)| !it.cleanup) {
            for statement in &block.statements {
                if let Statement::Assign(into, Rvalue::Discriminant(of)) = statement
                    && into.projections.is_empty()
                    && self.holds(of)
                    && self.is_part(of)
                {
                    self.branches.insert(id);
                } else if let Statement::Assign(into, made) = statement
                    && self.reads(into, made)
                {
                    return true;
                }
            }
            if let Terminator::Call(_) = &block.terminator
                && self.call_reads(id, block)
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

    /// Whether a place is inside the part, and not in its `Ok`.
    fn is_inside(&self, place: &Place) -> bool {
        (0..place.projections.len()).any(|length| {
            let around = Place { local: place.local, projections: place.projections[..length].to_vec() };
            let is_ok = |it: &Projection| matches!(it, Projection::Variant(name) if name == "Ok");
            let in_ok = is_ok(&place.projections[length]) || around.projections.last().is_some_and(is_ok);
            !in_ok && self.is_part(&around) && self.holds(&around)
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
            Rvalue::Discriminant(of) => self.points(of) || self.is_inside(of),
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

    fn call_reads(&mut self, id: BlockId, block: &crate::mir::Block) -> bool {
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
                // `result.ok();` throws it away.
                if callee.name() == "ok" && self.is_part(argument) && self.is_dropped(id) {
                    continue;
                }
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

    /// Whether nothing is done with what the call at the end of a block gives.
    fn is_dropped(&self, id: BlockId) -> bool {
        let fates = fates(self.function, &Paths::of(self.function), id);
        fates.iter().all(|it| matches!(it, Fate::Dropped(_)))
    }
}
