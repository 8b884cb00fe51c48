//! The engine: any number of automata over the events of one trace.
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

use crate::automaton::Automaton;
use crate::engine::slicer::Slicer;
use crate::facts::Facts;
use crate::verdict::{Fault, UnitEnd, Verdicts, Violation};

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
}

impl Limits {
    /// Enough for every program that is not built to break a monitor, in about 1 GiB and a minute at worst.
    pub const DEFAULT: Limits = Limits { instances: 1 << 20, work: 1 << 33, violations: 10_000 };
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

/// Steps automata over a trace. See the module for how to use it.
#[derive(Clone, Debug)]
pub struct Monitor {
    automata: Vec<Automaton>,
    slicers: Vec<Slicer>,
    /// By number of the kind: the automata that take such events, and the places of their plans.
    by_kind: Vec<Vec<(usize, usize)>>,
    violations: Vec<Violation>,
    ends: HashMap<UnitId, UnitEnd>,
}

impl Monitor {
    /// A monitor of these automata, with the default limits.
    pub fn new(automata: Vec<Automaton>) -> Monitor {
        Monitor::with(automata, Limits::DEFAULT, Options::ALL)
    }

    /// A monitor of these automata.
    pub fn with(automata: Vec<Automaton>, limits: Limits, options: Options) -> Monitor {
        let mut by_kind = vec![Vec::new(); 256];
        for (index, automaton) in automata.iter().enumerate() {
            for (plan, kind) in automaton.alphabet().enumerate() {
                by_kind[kind as usize].push((index, plan));
            }
        }
        let make = |(index, automaton)| Slicer::new(automaton, index, limits, options);
        let slicers = automata.iter().enumerate().map(make).collect();
        Monitor { automata, slicers, by_kind, violations: Vec::new(), ends: HashMap::new() }
    }

    /// The automata, in the order in which they were given.
    pub fn automata(&self) -> &[Automaton] {
        &self.automata
    }

    /// Takes one event. `facts` has to speak of the moment right after it.
    #[inline]
    pub fn step<F: Facts>(&mut self, event: &Event, facts: &F) {
        for (index, plan) in &self.by_kind[event.kind as usize] {
            let automaton = &self.automata[*index];
            let plan = &automaton.plans[*plan];
            self.slicers[*index].step(automaton, plan, event, facts, &mut self.violations);
        }
    }

    /// Takes note of what died, as [`rvcheck_event::world::World::drain_dead`] lists it.
    pub fn collect(&mut self, dead: impl IntoIterator<Item = (Sort, u32)>) {
        for (sort, id) in dead {
            for (slicer, automaton) in self.slicers.iter_mut().zip(&self.automata) {
                slicer.bury(automaton, Value::Object(sort, id));
            }
        }
    }

    /// Takes note of how a unit ended. A unit of which nothing is said counts as cut. It may be said at any time before
    /// [`Monitor::finish`]; what a test left behind still belongs to the unit.
    pub fn end_of_unit(&mut self, unit: UnitId, end: UnitEnd) {
        self.ends.insert(unit, end);
    }

    /// The violations that were found so far and not taken yet. Those of states in `end_bad` come with the verdicts.
    pub fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.violations)
    }

    /// How many instances are alive, over all properties.
    pub fn instances(&self) -> usize {
        self.slicers.iter().map(Slicer::alive).sum()
    }

    /// Why the monitor of a property stopped, if it did.
    pub fn fault(&self, property: usize) -> Option<&Fault> {
        self.slicers.get(property)?.fault.as_ref()
    }

    /// The verdicts, now that the trace is over.
    pub fn finish(self) -> Verdicts {
        let Monitor { automata, slicers, mut violations, ends, .. } = self;
        let properties = slicers
            .into_iter()
            .zip(&automata)
            .map(|(slicer, automaton)| slicer.finish(automaton, &ends, &mut violations))
            .collect();
        Verdicts { properties, violations }
    }
}
