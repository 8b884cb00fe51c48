//! The engine: any number of properties over the events of one trace. Automata are stepped event by event; formulas are
//! decided at the end.
//!
//! The protocol: [`Monitor::step`] for each event in the order of the trace, with the world as it is right after the
//! event; [`Monitor::collect`] now and then with what died; [`Monitor::end_of_unit`] for each unit whose end is known;
//! at last [`Monitor::finish`].
//!
//! After warm-up an event allocates nothing: instances that died are used again. All orders are those of the trace, so
//! the same trace gives the same verdicts in the same order.

mod candidate;
mod death;
mod history;
mod slicer;
mod store;
mod table;

use std::collections::HashMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;

use crate::engine::slicer::Slicer;
use crate::facts::Facts;
use crate::ltl::Ltl;
use crate::ltl::judge::judge;
use crate::ltl::record::Recording;
use crate::property::Property;
use crate::verdict::{Fault, PropertyVerdict, UnitEnd, Verdicts, Violation};

pub(crate) use history::KEPT;

/// Where a monitor gives up rather than take all memory or time. Each is for one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many instances can be alive at a time.
    pub instances: usize,
    /// How many steps relating bindings to each other may take. Events that bind all parameters take none.
    pub work: u64,
    /// How many violations are kept; more are only counted.
    pub violations: usize,
    /// How many events are kept for formulas.
    pub events: usize,
}

impl Limits {
    /// Enough for every program that is not built to break a monitor, in about 1 GiB and a minute at worst.
    pub const DEFAULT: Limits =
        Limits { instances: 1 << 20, work: 1 << 33, violations: 10_000, events: 1 << 21 };
}

/// What can be switched off, to show that it changes no verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Instances are forgotten when their objects die and nothing can come of them.
    pub collect: bool,
    /// An event that binds all parameters goes straight to its one instance.
    pub index: bool,
}

impl Options {
    /// Everything on.
    pub const ALL: Options = Options { collect: true, index: true };
}

/// Takes properties over a trace. See the module for how to use it.
#[derive(Clone, Debug)]
pub struct Monitor {
    properties: Vec<Property>,
    /// For each property that is an automaton: its instances.
    slicers: Vec<Option<Slicer>>,
    /// By number of the kind: the automata that take such events, and the places of their plans.
    by_kind: Vec<Vec<(usize, usize)>>,
    /// What the formulas have to know, if there are any.
    recording: Option<Recording>,
    limits: Limits,
    violations: Vec<Violation>,
    ends: HashMap<UnitId, UnitEnd>,
}

impl Monitor {
    /// A monitor of these properties, with the default limits.
    pub fn new(properties: Vec<impl Into<Property>>) -> Monitor {
        Monitor::with(properties, Limits::DEFAULT, Options::ALL)
    }

    /// A monitor of these properties.
    pub fn with(properties: Vec<impl Into<Property>>, limits: Limits, options: Options) -> Monitor {
        let properties: Vec<Property> = properties.into_iter().map(Into::into).collect();
        let mut by_kind = vec![Vec::new(); 256];
        let mut slicers = Vec::new();
        for (index, property) in properties.iter().enumerate() {
            let Property::Automaton(automaton) = property else {
                slicers.push(None);
                continue;
            };
            for (plan, kind) in automaton.alphabet().enumerate() {
                by_kind[kind as usize].push((index, plan));
            }
            slicers.push(Some(Slicer::new(automaton, index, limits, options)));
        }
        let formulas: Vec<&Ltl> = properties.iter().filter_map(formula).collect();
        let recording = (!formulas.is_empty()).then(|| Recording::new(formulas, limits.events));
        Monitor {
            properties,
            slicers,
            by_kind,
            recording,
            limits,
            violations: Vec::new(),
            ends: HashMap::new(),
        }
    }

    /// Takes one event. `facts` has to speak of the moment right after it.
    #[inline]
    pub fn step<F: Facts>(&mut self, event: &Event, facts: &F) {
        if let Some(recording) = &mut self.recording {
            recording.push(event, facts);
        }
        for (index, plan) in &self.by_kind[event.kind as usize] {
            if let (Property::Automaton(automaton), Some(slicer)) =
                (&self.properties[*index], &mut self.slicers[*index])
            {
                let plan = &automaton.plans[*plan];
                slicer.step(automaton, plan, event, facts, &mut self.violations);
            }
        }
    }

    /// Takes note of what died, as [`rvcheck_event::world::World::drain_dead`] lists it.
    pub fn collect(&mut self, dead: impl IntoIterator<Item = (Sort, u32)>) {
        for (sort, id) in dead {
            for (slicer, property) in self.slicers.iter_mut().zip(&self.properties) {
                if let (Some(slicer), Property::Automaton(automaton)) = (slicer, property) {
                    slicer.bury(automaton, Value::Object(sort, id));
                }
            }
        }
    }

    /// Takes note of how a unit ended. A unit of which nothing is said counts as cut. It may be said at any time before
    /// [`Monitor::finish`]; what a test left behind still belongs to the unit.
    pub fn end_of_unit(&mut self, unit: UnitId, end: UnitEnd) {
        self.ends.insert(unit, end);
    }

    /// The violations of automata that were found so far and not taken yet. Those of states in `end_bad`, and those of
    /// formulas, come with the verdicts.
    pub fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.violations)
    }

    /// How many instances are alive, over all properties.
    pub fn instances(&self) -> usize {
        self.slicers.iter().flatten().map(Slicer::alive).sum()
    }

    /// Why the monitor of an automaton stopped, if it did.
    pub fn fault(&self, property: usize) -> Option<&Fault> {
        self.slicers.get(property)?.as_ref()?.fault.as_ref()
    }

    /// The verdicts, now that the trace is over. `facts` has to know the texts of all events.
    pub fn finish(self, facts: &dyn Facts) -> Verdicts {
        let Monitor { properties, slicers, recording, limits, mut violations, ends, .. } = self;
        let mut verdicts = Vec::new();
        for (index, (property, slicer)) in properties.iter().zip(slicers).enumerate() {
            verdicts.push(match (property, slicer, &recording) {
                (Property::Automaton(automaton), Some(slicer), _) => {
                    slicer.finish(automaton, &ends, &mut violations)
                }
                (Property::Ltl(ltl), _, Some(recording)) => {
                    let mut found = Vec::new();
                    let verdict = judge(ltl, index, recording, &ends, facts, limits, &mut found);
                    violations.append(&mut found);
                    verdict
                }
                // Every automaton has a slicer, and where there is a formula there is a recording.
                _ => PropertyVerdict { units: Vec::new(), fault: None },
            });
        }
        Verdicts { properties: verdicts, violations }
    }
}

fn formula(property: &Property) -> Option<&Ltl> {
    match property {
        Property::Ltl(ltl) => Some(ltl),
        Property::Automaton(_) => None,
    }
}
