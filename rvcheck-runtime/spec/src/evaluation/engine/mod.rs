//! The engine: any number of properties over the events of one trace. Automata, and formulas as the automata that they
//! become, are stepped event by event; formulas that cannot be are decided at the end.
//!
//! The protocol: [`Monitor::step`] for each event in the order of the trace, with the world as it is right after the
//! event; [`Monitor::collect`] now and then with what died; [`Monitor::end_of_unit`] for each unit whose end is known;
//! at last [`Monitor::finish`].
//!
//! After warm-up an event allocates nothing: instances that died are used again. All orders are those of the trace, so
//! the same trace gives the same verdicts in the same order.

mod candidate;
mod classes;
mod code;
mod creation;
mod death;
mod domain;
mod guarded;
mod history;
mod ids;
mod lettered;
mod lettering;
mod lives;
mod own_events;
mod pairs;
mod quantify;
mod reading;
mod rejoin;
mod relay;
mod restless;
mod routes;
mod rules;
mod slicer;
mod stepped;
mod store;
mod table;
mod texts;
mod touched;

use std::collections::HashMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::observer::Observer;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;

use crate::evaluation::count::Counter;
use crate::evaluation::engine::death::forgettable;
pub(crate) use crate::evaluation::engine::death::outlives;
use crate::evaluation::engine::domain::Domain;
use crate::evaluation::engine::pairs::Pairs;
use crate::evaluation::engine::quantify::End;
use crate::evaluation::engine::relay::Relay;
use crate::evaluation::engine::routes::Routes;
use crate::evaluation::engine::slicer::Slicer;
use crate::evaluation::engine::stepped::Stepped;
use crate::evaluation::engine::texts::Texts;
use crate::evaluation::lifestate::running::Running as Histories;
use crate::evaluation::limits::Limits;
use crate::evaluation::tables::check::check;
use crate::evaluation::tables::record::{Recording, Whereabouts};
use crate::language::grammar::Side;
use crate::model::automaton::{Automaton, Scope};
use crate::model::fluent::Only;
use crate::model::formula::Node;
use crate::model::ltl::Ltl;
use crate::model::machine::Unsteppable;
use crate::model::property::Property;
use crate::semantics::facts::Facts;
use crate::verdict::{DoubtKind, Fault, Outlook, UnitEnd, Verdict, Verdicts, Violation};

/// What can be switched off, to show that it changes no verdict.
#[expect(clippy::struct_excessive_bools, reason = "each is for one optimisation")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Instances are forgotten when their objects die and nothing can come of them.
    pub collect: bool,
    /// An event that binds all parameters goes straight to its one instance.
    pub index: bool,
    /// An event looks only at the instances of automata that are in a state in which it could move them.
    pub listen: bool,
    /// Instances of formulas and bindings of lifestates are forgotten when they are back in the state of what they went on from.
    pub rejoin: bool,
    /// The instances that every event moves are kept in a list. Else all are looked at.
    pub watch: bool,
    /// The automata of formulas are made as small as possible.
    pub minimal: bool,
    /// The names of the program's own events are known by their numbers. Else texts are compared.
    pub name: bool,
    /// Formulas are stepped where they can be. Else all are decided at the end.
    pub step: bool,
}

impl Options {
    /// Everything on.
    pub const ALL: Options = Options {
        collect: true,
        index: true,
        listen: true,
        rejoin: true,
        watch: true,
        minimal: true,
        name: true,
        step: true,
    };
}

/// Takes properties over a trace. See the module for how to use it.
#[derive(Clone, Debug)]
pub struct Monitor {
    properties: Vec<Running>,
    /// By number of the kind: the automata that take such events, and the places of their plans.
    by_kind: Vec<Vec<(usize, usize)>>,
    /// What takes the program's own events.
    routes: Routes,
    /// By number of the kind: the stepped formulas to which such events matter.
    formulas: Vec<Vec<usize>>,
    /// The lifestates, which take all messages.
    lifestates: Vec<usize>,
    /// By number of the kind: the properties that count such events.
    counted: Vec<Vec<usize>>,
    /// What hands on the events that automata emit, if any do.
    relay: Option<Relay>,
    /// Some formulas are stepped.
    steps: bool,
    /// What quantifiers of stepped formulas range over.
    domain: Domain,
    texts: Texts,
    /// What restricted fluents ask for, if there are any.
    whereabouts: Option<Whereabouts>,
    /// Some formulas are decided at the end.
    records: bool,
    /// What those have to know.
    recording: Recording,
    limits: Limits,
    violations: Vec<Violation>,
    ends: HashMap<UnitId, UnitEnd>,
}

/// A property, with what runs it.
#[derive(Clone, Debug)]
enum Running {
    /// An automaton, which is stepped.
    Guarded(Box<Guarded>),
    /// A formula that is stepped.
    Stepped(Box<Stepped>),
    /// A formula that is decided at the end. Events are recorded for it.
    Recorded(Box<Ltl>),
    /// A lifestate, which keeps what matters of the history of each unit.
    Lifestate(Box<Histories>),
    /// One that the tool checks by itself, over this scope. Its events are counted.
    Counted(Scope, Counter),
}

/// An automaton and its instances.
#[derive(Clone, Debug)]
struct Guarded {
    automaton: Automaton,
    slicer: Slicer,
    /// What was sent and not yet received, if it is a grammar.
    pairs: Pairs,
}

impl Monitor {
    /// A monitor of these properties, with the default limits.
    pub fn new(properties: Vec<impl Into<Property>>) -> Monitor {
        Monitor::with(properties, Limits::DEFAULT, Options::ALL)
    }

    /// A monitor of these properties.
    pub fn with(properties: Vec<impl Into<Property>>, limits: Limits, options: Options) -> Monitor {
        let properties: Vec<Property> = properties.into_iter().map(Into::into).collect();
        let relay = Relay::of(&properties);
        let (mut by_kind, mut formulas) = (vec![Vec::new(); 256], vec![Vec::new(); 256]);
        let mut counted = vec![Vec::new(); 256];
        let mut routes = Routes::new(!options.name);
        let mut lifestates = Vec::new();
        let (mut running, mut sorts) = (Vec::new(), Vec::new());
        let mut restricted = false;
        for (index, property) in properties.into_iter().enumerate() {
            running.push(match property {
                Property::Automaton(automaton) => {
                    for (plan, it) in automaton.plans.iter().enumerate().filter(|(_, it)| it.name.is_none()) {
                        by_kind[it.kind as usize].push((index, plan));
                    }
                    routes.add(index, &automaton);
                    let forgettable = forgettable(&automaton);
                    let slicer = Slicer::new(&automaton, forgettable, index, limits, options);
                    Running::Guarded(Box::new(Guarded { automaton, slicer, pairs: Pairs::default() }))
                }
                Property::Ltl(ltl) => match Stepped::new(&ltl, index, limits, options) {
                    Ok(stepped) if options.step => {
                        for kind in EventKind::ALL.iter().filter(|kind| stepped.concerns(**kind)) {
                            formulas[*kind as usize].push(index);
                        }
                        sorts.extend(stepped.sorts());
                        restricted |= is_restricted(&ltl);
                        Running::Stepped(Box::new(stepped))
                    }
                    _ => Running::Recorded(Box::new(ltl)),
                },
                Property::Lifestate(lifestate) => {
                    lifestates.push(index);
                    Running::Lifestate(Box::new(Histories::new(lifestate, index, limits, options)))
                }
                Property::BuiltIn(built_in) => {
                    for kind in built_in.alphabet() {
                        counted[kind as usize].push(index);
                    }
                    Running::Counted(built_in.scope, Counter::default())
                }
            });
        }
        let recorded = running.iter().filter_map(|it| match it {
            Running::Recorded(ltl) => Some(&**ltl),
            _ => None,
        });
        let recording = Recording::new(recorded, limits.events);
        Monitor {
            by_kind,
            routes,
            formulas,
            lifestates,
            counted,
            relay,
            steps: running.iter().any(|it| matches!(it, Running::Stepped(_))),
            domain: Domain::new(&sorts),
            texts: Texts::default(),
            whereabouts: restricted.then(Whereabouts::default),
            records: running.iter().any(|it| matches!(it, Running::Recorded(_))),
            recording,
            limits,
            violations: Vec::new(),
            ends: HashMap::new(),
            properties: running,
        }
    }

    /// Takes one event. `facts` has to speak of the moment right after it.
    #[inline]
    pub fn step<F: Facts>(&mut self, event: &Event, facts: &F) {
        if self.records {
            self.recording.push(event, facts);
        }
        for index in &self.counted[event.kind as usize] {
            if let Running::Counted(_, counter) = &mut self.properties[*index] {
                counter.count(event.unit);
            }
        }
        for (index, plan) in &self.by_kind[event.kind as usize] {
            if let Running::Guarded(guarded) = &mut self.properties[*index] {
                let Guarded { automaton, slicer, .. } = &mut **guarded;
                slicer.step(automaton, Some(*plan), event, facts, &mut self.violations);
            }
        }
        if event.kind == EventKind::User
            && !self.routes.is_empty()
            && let Some(route) = self.routes.of(event, facts)
        {
            for (index, path, side) in &route.pairs {
                if let Running::Guarded(guarded) = &mut self.properties[*index] {
                    guarded.pair(*path, *side, event, facts.callee());
                }
            }
            for (index, plan) in &route.plans {
                if let Running::Guarded(guarded) = &mut self.properties[*index] {
                    let Guarded { automaton, slicer, .. } = &mut **guarded;
                    slicer.step(automaton, Some(*plan), event, facts, &mut self.violations);
                }
            }
        }
        for index in &self.lifestates {
            if let Running::Lifestate(histories) = &mut self.properties[*index] {
                histories.step(event, facts, &mut self.violations);
            }
        }
        if let Some(relay) = &mut self.relay {
            let routes = &self.routes;
            relay.pass(&mut self.properties, routes, (event, facts), &self.limits, &mut self.violations);
        }
        if !self.steps {
            return;
        }
        self.domain.step(event, &self.texts, facts);
        let around = self.whereabouts.as_mut().map(|it| it.follow(event)).unwrap_or_default();
        for index in &self.formulas[event.kind as usize] {
            if let Running::Stepped(stepped) = &mut self.properties[*index] {
                stepped.step(event, around, &self.texts, facts, &mut self.violations);
            }
        }
    }

    /// Takes note of what died, as [`rvcheck_event::world::World::drain_dead`] lists it.
    pub fn collect(&mut self, dead: impl IntoIterator<Item = (Sort, u32)>) {
        for (sort, id) in dead {
            let value = Value::Object(sort, id);
            for property in &mut self.properties {
                match property {
                    Running::Guarded(guarded) => guarded.slicer.bury(value),
                    Running::Stepped(stepped) => stepped.bury(value),
                    Running::Lifestate(histories) => histories.bury(sort, id),
                    Running::Recorded(_) | Running::Counted(..) => {}
                }
            }
        }
    }

    /// Takes note of how a unit ended. A unit of which nothing is said counts as cut. It may be said at any time before
    /// [`Monitor::finish`]; what a test left behind still belongs to the unit.
    pub fn end_of_unit(&mut self, unit: UnitId, end: UnitEnd) {
        self.ends.insert(unit, end);
    }

    /// The violations that were found so far and not taken yet: those that nothing to come can mend. Those of states in
    /// `end_bad`, and those of formulas that only the end decides, come with the verdicts.
    pub fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.violations)
    }

    /// How many instances are alive, over all properties.
    pub fn instances(&self) -> usize {
        let bindings = self.properties.iter().map(|it| match it {
            Running::Lifestate(histories) => histories.bindings(),
            _ => 0,
        });
        self.slicers().map(Slicer::alive).sum::<usize>() + bindings.sum::<usize>()
    }

    fn slicers(&self) -> impl Iterator<Item = &Slicer> {
        self.properties.iter().filter_map(Running::slicer)
    }

    /// Why the monitor of a property stopped, if it did.
    pub fn fault(&self, property: usize) -> Option<&Fault> {
        match self.properties.get(property)? {
            Running::Lifestate(histories) => histories.fault.as_ref(),
            other => other.slicer()?.fault.as_ref(),
        }
    }

    /// What is known of a property over a unit that goes on; [`UnitId::PROCESS`] for one over the whole process. `None` if there is
    /// no such property, or its monitor stopped. What a formula that is decided at the end can hold for good is not found out.
    pub fn outlook(&self, property: usize, unit: UnitId, facts: &dyn Facts) -> Option<Outlook> {
        match self.properties.get(property)? {
            Running::Guarded(guarded) => guarded::outlook(&guarded.slicer, &guarded.automaton, unit),
            Running::Stepped(stepped) => quantify::outlook(stepped, &self.domain, unit, facts, self.limits),
            Running::Recorded(ltl) => {
                let recording = &self.recording;
                let violated = |end| {
                    let ends = HashMap::from([(unit, end)]);
                    let verdict = check(ltl, property, recording, &ends, facts, self.limits, &mut Vec::new());
                    let of_unit = verdict.units.iter().find(|it| it.unit == unit)?;
                    verdict.fault.is_none().then_some(of_unit.verdict == Verdict::Violated)
                };
                Some(match (violated(UnitEnd::Cut)?, violated(UnitEnd::Complete)?) {
                    (true, _) => Outlook::False,
                    (false, true) => Outlook::PresumablyFalse,
                    (false, false) => Outlook::PresumablyTrue,
                })
            }
            Running::Lifestate(histories) => histories.outlook(unit),
            Running::Counted(..) => None,
        }
    }

    /// The verdicts, now that the trace is over. `facts` has to know the texts of all events.
    pub fn finish(self, facts: &dyn Facts) -> Verdicts {
        let Monitor { properties, domain, recording, limits, mut violations, ends, .. } = self;
        let mut verdicts = Vec::new();
        for (index, property) in properties.into_iter().enumerate() {
            let mut found = Vec::new();
            verdicts.push(match property {
                Running::Guarded(guarded) => {
                    let Guarded { automaton, slicer, .. } = *guarded;
                    guarded::finish(slicer, &automaton, &ends, &mut found)
                }
                Running::Lifestate(histories) => histories.finish(&ends),
                Running::Counted(scope, counter) => {
                    counter.finish(scope, |unit| ends.get(&unit).copied().unwrap_or(UnitEnd::Cut))
                }
                Running::Stepped(stepped) => {
                    let end = End { property: index, domain: &domain, ends: &ends, facts, limits };
                    quantify::finish(&stepped, &end, &mut found)
                }
                Running::Recorded(ltl) => check(&ltl, index, &recording, &ends, facts, limits, &mut found),
            });
            violations.append(&mut found);
        }
        Verdicts { properties: verdicts, violations }
    }
}

impl Guarded {
    /// Compares what is received with what was sent.
    fn pair(&mut self, path: usize, side: Side, event: &Event, callee: Value) {
        let unit = if self.automaton.scope == Scope::Process { UnitId::PROCESS } else { event.unit };
        if !self.pairs.take(path, unit, side, callee) {
            self.slicer.doubts(&self.automaton, DoubtKind::Unsent, event);
        }
    }
}

impl Observer for Monitor {
    #[inline]
    fn observe(&mut self, event: &Event, world: &World) {
        self.step(event, world);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        Monitor::collect(self, dead.iter().copied());
    }
}

impl Running {
    fn slicer(&self) -> Option<&Slicer> {
        match self {
            Running::Guarded(guarded) => Some(&guarded.slicer),
            Running::Stepped(stepped) => Some(&stepped.slicer),
            Running::Recorded(_) | Running::Lifestate(_) | Running::Counted(..) => None,
        }
    }
}

impl Property {
    /// Why it is decided only when a test is over, and not stepped event by event, if that is so.
    pub fn is_decided_at_end(&self) -> Option<Unsteppable> {
        match self {
            Property::Automaton(_) | Property::Lifestate(_) | Property::BuiltIn(_) => None,
            Property::Ltl(it) => Stepped::check(it).err(),
        }
    }
}

/// Whether a formula has fluents that begin only where their task or thread is of a certain kind.
fn is_restricted(ltl: &Ltl) -> bool {
    let mut found = false;
    ltl.formula.visit(&mut |node| {
        found |= matches!(node, Node::Fluent(fluent, ..) if fluent.only != Only::Anywhere);
    });
    found
}
