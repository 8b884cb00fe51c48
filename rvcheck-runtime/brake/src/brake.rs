//! The monitors, record by record.

use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::Sort;
use rvcheck_event::trace::follow::{Follower, Ticketed};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::message::filled;
use rvcheck_spec::{Monitor, Property, Violation, Vocabulary, compile};

use crate::orders::{Action, Orders};

/// After how many events the monitors are told what died.
const COLLECT_EVERY: u32 = 256;

/// See the module.
#[derive(Clone, Debug)]
pub struct Brake {
    follower: Follower,
    monitor: Monitor,
    properties: Vec<(Property, Action)>,
    events: u32,
}

/// The program is to be stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The id of the property.
    pub property: String,
    /// How.
    pub action: Action,
    /// The unit that has violated it.
    pub unit: UnitId,
    /// What to tell the user: the property, the message with its binding, and the place.
    pub message: String,
}

impl Brake {
    /// Monitors of these properties. Those that cannot be compiled, and those that are decided only when a unit is over, stop
    /// nothing.
    pub fn new(orders: &Orders) -> Brake {
        let compiled = orders.0.iter().filter_map(|order| {
            let mut vocabulary = Vocabulary::default();
            for event in &order.events {
                vocabulary.declare_event(event);
            }
            for fluent in &order.fluents {
                vocabulary.declare_fluent(fluent);
            }
            let (property, _) = compile(&order.source, &vocabulary);
            Some((property.filter(|it| it.is_decided_at_end().is_none())?, order.action))
        });
        let properties: Vec<(Property, Action)> = compiled.collect();
        let monitor = Monitor::new(properties.iter().map(|(it, _)| it.clone()).collect());
        Brake { follower: Follower::new(), monitor, properties, events: 0 }
    }

    /// Takes in a definition with its payload, see [`rvcheck_event::trace::format::definition`].
    pub fn define(&mut self, tag: u32, payload: &[u8]) {
        self.follower.define(tag, payload);
    }

    /// The record of this thread that comes next. Where it violates several properties, the
    /// first of those that end the process counts, or else the first.
    pub fn step(&mut self, thread: ThreadId, next: Ticketed) -> Option<Stop> {
        let Brake { follower, monitor, .. } = self;
        let mut found = Vec::new();
        let mut events = 0;
        follower.take(thread, next, |event, world| {
            monitor.step(event, world);
            events += 1;
            let violations = monitor.take_violations();
            // What was held back is no longer in the hands of the thread that did it.
            found.extend(violations.into_iter().map(|it| (it, event.site, event.thread == thread)));
        });
        for _ in 0..events {
            self.count();
        }
        let ends = |it: &&(Violation, SiteId, bool)| self.action(&it.0) == Action::Abort;
        let own = || found.iter().find(|(_, _, own)| *own);
        let (violation, site, _) = found.iter().find(ends).or_else(own)?;
        self.stop(violation, *site)
    }

    /// Another event was stepped.
    fn count(&mut self) {
        self.events = self.events.wrapping_add(1);
        if self.events.is_multiple_of(COLLECT_EVERY) {
            self.monitor.collect(self.follower.drain_dead());
        }
    }

    fn action(&self, violation: &Violation) -> Action {
        self.properties.get(violation.property).map_or(Action::Panic, |(_, action)| *action)
    }

    fn stop(&self, violation: &Violation, site: SiteId) -> Option<Stop> {
        let (property, action) = self.properties.get(violation.property)?;
        let world = self.follower.world();
        let offence = property.offence(violation)?;
        let parameters = property.parameters();
        let said = filled(offence.message, |name| {
            let index = parameters.iter().position(|it| *it == name)?;
            violation.binding.get(index).map(|value| name_of(*value, world))
        });
        let binding: Vec<String> = parameters
            .iter()
            .zip(&violation.binding)
            .map(|(name, value)| format!("{name} = {}", name_of(*value, world)))
            .collect();
        let place =
            world.names().site(site).map_or(String::new(), |it| format!(" at {}:{}", it.file, it.line));
        let binding = if binding.is_empty() { String::new() } else { format!(" ({})", binding.join(", ")) };
        let message = format!("rvcheck: `{}` is violated{place}: {said}{binding}", property.id());
        Some(Stop { property: property.id().to_owned(), action: *action, unit: violation.unit, message })
    }
}

/// What is known of a value while the program runs. The report says more.
fn name_of(value: Value, world: &World) -> String {
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
            match born {
                Some(place) => format!("{} {id} of {}:{}", sort.name(), place.file, place.line),
                None => format!("{} {id}", sort.name()),
            }
        }
        Value::Int(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Symbol(text) => text.to_owned(),
        Value::Str(id) => names.text(id).to_owned(),
    }
}
