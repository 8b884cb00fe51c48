//! Whether traces fit a model: a message from the library that the model does not permit refutes it (section 5.3 of the paper).

use std::collections::BTreeMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::Sort;
use rvcheck_event::observer::Observer;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;

use crate::evaluation::lifestate::burial::Burial;
use crate::evaluation::lifestate::history::{History, Reason};
use crate::evaluation::lifestate::message::values;
use crate::evaluation::lifestate::reader::Reader;
use crate::evaluation::lifestate::refusal::KnownViolations;
use crate::model::automaton::Scope;
use crate::model::lifestate::Lifestate;
use crate::semantics::facts::Facts;

/// What a unit says of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Validation {
    /// The unit.
    pub unit: UnitId,
    /// How many messages it has.
    pub messages: u64,
    /// How many of these come before the one that refutes the model; all where none does.
    pub valid: u64,
    /// The message that refutes the model, if there is one.
    pub refutation: Option<Refutation>,
    /// How many messages are violations.
    pub violations: u64,
}

/// A message that the model does not permit where it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The message.
    pub event: Event,
    /// Its values.
    pub arguments: Vec<Value>,
    /// What removed it, the last first. There is at least one.
    pub removed_by: Vec<Reason<Event>>,
}

/// Validates a model against a trace, event by event.
#[derive(Clone, Debug)]
pub struct Validator<'a> {
    lifestate: &'a Lifestate,
    reader: Reader,
    units: BTreeMap<UnitId, (History<Event>, KnownViolations, Validation)>,
    burial: Burial,
}

impl<'a> Validator<'a> {
    /// Before any event.
    pub fn new(lifestate: &'a Lifestate) -> Validator<'a> {
        let (reader, burial) = (Reader::new(lifestate), Burial::new(lifestate));
        Validator { lifestate, reader, units: BTreeMap::new(), burial }
    }

    /// Takes an event.
    pub fn step<F: Facts>(&mut self, event: &Event, facts: &F) {
        let Validator { lifestate, reader, units, .. } = self;
        let is_message = reader.read(lifestate, event, facts);
        if !is_message && !reader.read_refusal(lifestate, event, facts) {
            return;
        }
        let unit = if lifestate.scope == Scope::Process { UnitId::PROCESS } else { event.unit };
        let (history, known, validation) = units.entry(unit).or_insert_with(|| {
            let nothing = Validation { unit, messages: 0, valid: 0, refutation: None, violations: 0 };
            (History::new(lifestate), KnownViolations::default(), nothing)
        });
        let message = reader.message();
        if !is_message {
            validation.violations += u64::from(known.refuse(event, &message));
            return;
        }
        let refused = message.refused || history.refuses(lifestate, &message).is_some();
        if message.kind.is_back() {
            if refused && validation.refutation.is_none() {
                let removed_by = history.reasons(lifestate, &message);
                let arguments = values(event, facts);
                validation.refutation = Some(Refutation { event: *event, arguments, removed_by });
            }
        } else {
            validation.violations += u64::from(refused);
            known.push(event, &message, refused);
        }
        validation.messages += 1;
        validation.valid += u64::from(validation.refutation.is_none());
        history.push(lifestate, &message, *event);
    }

    /// Takes note of what died, as [`rvcheck_event::world::World::drain_dead`] lists it. That changes nothing but how much is kept.
    pub fn collect(&mut self, dead: impl IntoIterator<Item = (Sort, u32)>) {
        let Validator { reader, units, burial, .. } = self;
        for object in dead {
            let is_due = reader.known(object).is_some_and(|it| burial.note(it, object));
            if is_due {
                for unit in units.values_mut() {
                    unit.0.forget(burial);
                }
                let gone = burial.done(units.values().map(|it| it.0.bindings()).sum());
                for it in gone {
                    reader.forget(it);
                }
            }
        }
    }

    /// How many bindings are told apart, over all units.
    pub fn bindings(&self) -> usize {
        self.units.values().map(|it| it.0.bindings()).sum()
    }

    /// What the units say.
    pub fn finish(self) -> Vec<Validation> {
        self.units.into_values().map(|it| it.2).collect()
    }
}

impl Observer for Validator<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        self.step(event, world);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        Validator::collect(self, dead.iter().copied());
    }
}
