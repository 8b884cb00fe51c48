//! The monitors of the enforced properties, record by record.

use std::collections::BTreeSet;

use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::Sort;
use rvcheck_event::observer::Observer;
use rvcheck_event::remedy::Remedy;
use rvcheck_event::trace::follow::{Follower, Ticketed};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::derivation::{Telling, derivation};
use rvcheck_spec::message::filled;
use rvcheck_spec::{Automaton, Level, Monitor, Property, Violation, Vocabulary, compile};

use crate::enforced::{Action, EnforcedProperties};
use crate::lesson::{self, Lesson};

/// See the module.
#[derive(Clone, Debug)]
pub struct Enforcer {
    follower: Follower,
    monitor: Monitor,
    properties: Vec<(Property, Action)>,
    /// Where calls are refused, by the place of the property in the list.
    refused: BTreeSet<(usize, SiteId)>,
    /// The same, where that was learnt in earlier runs, as `FILE:LINE:COLUMN`.
    known: Vec<Vec<String>>,
    lessons: Vec<Lesson>,
}

/// The program is to be stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The id of the property.
    pub property: String,
    /// How.
    pub action: Action,
    /// The test that has violated it.
    pub unit: UnitId,
    /// What to tell the user: the property, the message with its binding, and the place.
    pub message: String,
}

/// A violation that is reported while the program runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LiveViolation {
    /// The id of the property.
    pub property: String,
    /// How bad it is.
    pub level: Level,
    /// The test, if it is one.
    pub test: Option<String>,
    /// The file and the line.
    pub place: String,
    /// What the property says of it.
    pub message: String,
}

/// A violation with the site of the event that brought it about, and whether that event is the one of the last record.
struct Detected {
    violation: Violation,
    site: SiteId,
    own: bool,
}

/// The monitors, while this thread acts.
struct Monitoring<'a> {
    monitor: &'a mut Monitor,
    thread: ThreadId,
    found: Vec<Detected>,
}

impl Observer for Monitoring<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        self.monitor.observe(event, world);
        // What was delayed is no longer in the hands of the thread that did it.
        let (site, own) = (event.site, event.thread == self.thread);
        let violations = self.monitor.take_violations().into_iter();
        self.found.extend(violations.map(|violation| Detected { violation, site, own }));
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        Observer::collect(self.monitor, dead);
    }
}

impl Enforcer {
    /// Monitors of these properties. Those that cannot be compiled, and those that are decided only when a test is over, stop
    /// nothing.
    pub fn new(enforced: &EnforcedProperties) -> Enforcer {
        let compiled = enforced.0.iter().filter_map(|enforced| {
            let mut vocabulary = Vocabulary::default();
            for event in &enforced.events {
                if !vocabulary.declare_message(event) {
                    vocabulary.declare_event(event);
                }
            }
            for fluent in &enforced.fluents {
                vocabulary.declare_fluent(fluent);
            }
            let (property, _) = compile(&enforced.source, &vocabulary);
            let property = property.filter(|it| it.is_decided_at_end().is_none())?;
            Some(((property, enforced.action), enforced.known.clone()))
        });
        let (properties, known): (Vec<(Property, Action)>, Vec<Vec<String>>) = compiled.unzip();
        let monitor = Monitor::new(properties.iter().map(|(it, _)| it.clone()).collect());
        Enforcer {
            follower: Follower::new(),
            monitor,
            properties,
            refused: BTreeSet::new(),
            known,
            lessons: Vec::new(),
        }
    }

    /// Takes in a definition with its payload, see [`rvcheck_event::trace::format::definition`].
    pub fn define(&mut self, tag: u32, payload: &[u8]) {
        self.follower.define(tag, payload);
    }

    /// The record of this thread that comes next. Where it violates several properties that stop the program, the
    /// first of those that end the process counts, or else the first.
    pub fn step(&mut self, thread: ThreadId, next: Ticketed) -> Option<Stop> {
        let mut found = self.found(thread, next);
        found.retain(|it| match self.action(&it.violation) {
            Action::Enforce(remedy) => self.is_refused(remedy, it),
            Action::Panic | Action::Abort => true,
        });
        let ends = |it: &&Detected| self.action(&it.violation) == Action::Abort;
        let own = || found.iter().find(|it| it.own);
        let Detected { violation, site, .. } = found.iter().find(ends).or_else(own)?;
        self.stop(violation, *site)
    }

    /// What was learnt since this was last asked for.
    pub fn take_lessons(&mut self) -> Vec<Lesson> {
        std::mem::take(&mut self.lessons)
    }

    /// Whether the call is to be refused that has violated a property with this remedy. If it is the first one of its place, that is
    /// learnt instead.
    fn is_refused(&mut self, remedy: Remedy, detected: &Detected) -> bool {
        let Detected { violation, site, .. } = detected;
        let number = violation.property;
        let world = self.follower.world();
        let Some((property, _)) = self.properties.get(number) else { return false };
        if remedy == Remedy::Refuse && self.refused.contains(&(number, *site)) {
            return true;
        }
        let Some(places) = lesson::places(remedy, violation, *site, world) else { return false };
        let place = world.names().site(*site).map(ToString::to_string);
        let is_known =
            place.is_some_and(|it| self.known.get(number).is_some_and(|known| known.contains(&it)));
        self.lessons.push(Lesson { property: property.id().to_owned(), remedy, places });
        if remedy == Remedy::Refuse {
            self.refused.insert((number, *site));
        }
        remedy == Remedy::Refuse && is_known
    }

    /// The same for whoever only watches: every violation for which there is a place in the program's own source.
    pub fn watch(&mut self, thread: ThreadId, next: Ticketed) -> Vec<LiveViolation> {
        let found = self.found(thread, next);
        found.iter().filter_map(|it| self.live_violation(&it.violation)).collect()
    }

    /// What is violated by what happens now.
    fn found(&mut self, thread: ThreadId, next: Ticketed) -> Vec<Detected> {
        let mut monitoring = Monitoring { monitor: &mut self.monitor, thread, found: Vec::new() };
        self.follower.take(thread, next, &mut monitoring);
        monitoring.found
    }

    fn action(&self, violation: &Violation) -> Action {
        self.properties.get(violation.property).map_or(Action::Panic, |(_, action)| *action)
    }

    /// What the property says of a violation.
    fn message_of(&self, property: &Property, violation: &Violation) -> Option<String> {
        let offence = property.offence(violation)?;
        let parameters = property.parameters();
        Some(filled(offence.message, |name| {
            let index = parameters.iter().position(|it| *it == name)?;
            violation.binding.get(index).map(|value| name_of(*value, self.follower.world()))
        }))
    }

    /// Why the trace is not a word of the grammar, or which rule of a lifestate prohibits the message, if the property is one.
    fn derived(&self, property: &Property, violation: &Violation) -> Vec<String> {
        if let Property::Lifestate(lifestate) = property {
            let rule = lifestate.rules.get(violation.state).map(|it| &it.text);
            let line = |text: &String| format!("prohibited by rule {}: {text}", violation.state + 1);
            return rule.map(line).into_iter().collect();
        }
        let Property::Automaton(Automaton { grammar: Some(grammar), .. }) = property else {
            return Vec::new();
        };
        let world = self.follower.world();
        let telling = Telling {
            name: &|value| name_of(value, world),
            event: &|event| world.names().event(event).to_owned(),
            arguments: world.arguments(),
            callee: world.callee(),
        };
        derivation(grammar, violation, &telling)
    }

    fn live_violation(&self, violation: &Violation) -> Option<LiveViolation> {
        let (property, _) = self.properties.get(violation.property)?;
        let names = self.follower.world().names();
        let own = |site: SiteId| names.site(site).filter(|it| it.own && it.position.is_known());
        // The report looks for the place in the same order.
        let named = |name: &String| {
            let mut seen = violation.witness.iter().rev().filter(|it| names.event(it) == name);
            seen.find_map(|it| own(it.site))
        };
        let primary = property.presentation().primary.iter().find_map(named);
        let place = primary.or_else(|| violation.witness.iter().rev().find_map(|it| own(it.site)))?;
        Some(LiveViolation {
            property: property.id().to_owned(),
            level: property.offence(violation)?.level,
            test: names.unit(violation.unit).map(|it| names.text(it).to_owned()),
            place: format!("{}:{}", place.file, place.position.line),
            message: self.message_of(property, violation)?,
        })
    }

    fn stop(&self, violation: &Violation, site: SiteId) -> Option<Stop> {
        let (property, action) = self.properties.get(violation.property)?;
        let world = self.follower.world();
        let text = self.message_of(property, violation)?;
        let parameters = property.parameters();
        let binding: Vec<String> = parameters
            .iter()
            .zip(&violation.binding)
            .map(|(name, value)| format!("{name} = {}", name_of(*value, world)))
            .collect();
        let place = world
            .names()
            .site(site)
            .map_or(String::new(), |it| format!(" at {}:{}", it.file, it.position.line));
        let binding = if binding.is_empty() { String::new() } else { format!(" ({})", binding.join(", ")) };
        let message = format!("rvcheck: `{}` is violated{place}: {text}{binding}", property.id());
        let message = [vec![message], self.derived(property, violation)].concat().join("\n  ");
        Some(Stop { property: property.id().to_owned(), action: *action, unit: violation.unit, message })
    }
}

/// What is known of a value while the program runs. The report says more.
pub fn name_of(value: Value, world: &World) -> String {
    let names = world.names();
    match value {
        Value::Absent => "something unknown".to_owned(),
        Value::Object(Sort::Task, id) => match names.task(TaskId(id)) {
            Some(name) => format!("task {id} `{}`", names.text(name)),
            None => format!("task {id}"),
        },
        Value::Object(Sort::Test, id) => {
            names.unit(UnitId(id)).map_or("the process".to_owned(), |it| format!("`{}`", names.text(it)))
        }
        Value::Object(sort, id) => {
            let born = world.object(ObjectId(id)).and_then(|it| names.site(it.born_at));
            match born.filter(|it| it.own) {
                Some(place) => format!("{} {id} of {}:{}", sort.name(), place.file, place.position.line),
                None => format!("{} {id}", sort.name()),
            }
        }
        Value::Int(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Symbol(text) => text.to_owned(),
        Value::Str(id) | Value::Group(id) => names.text(id).to_owned(),
    }
}
