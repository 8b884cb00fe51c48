//! An event as a line for people.

use crate::check::{Labels, OpenTrace};
use crate::escape::one_line;
use rvcheck_event::attribute;
use rvcheck_event::declared::Declared;
use rvcheck_event::event::Event;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use std::fmt::Write as _;

/// What an event is written with.
pub(super) struct Writer<'a> {
    pub(super) trace: &'a OpenTrace<'a>,
    pub(super) labels: &'a Labels<'a>,
    pub(super) declared: &'a [Declared],
}

impl Writer<'_> {
    /// Time, test, task, event with its arguments and attributes, and place, with two spaces between them.
    pub(super) fn line(&self, event: &Event, world: &World) -> String {
        let signature = event.kind.signature();
        let unit = self.trace.unit(event.unit);
        let unit = if unit.is_empty() { "-" } else { &unit };
        let task = self.value(Value::object(Sort::Task, event.task.0), event, world);
        let mut line =
            format!("{}ms  {unit}  {task}  {}", milliseconds(event.time), world.names().event(event));
        if event.kind == EventKind::User {
            let name = world.names().event(event);
            let params = self.declared.iter().find(|it| it.name == name).map_or(&[][..], |it| &it.params);
            for (at, value) in world.arguments().iter().enumerate() {
                let param = params.get(at).map_or_else(|| (at + 1).to_string(), |it| it.0.clone());
                let _ = write!(line, " {param}={}", self.value(*value, event, world));
            }
        }
        for (at, (param, sort)) in signature.params.iter().enumerate() {
            if !(at == 0 && *sort == Sort::Task) {
                let _ = write!(line, " {param}={}", self.value(event.argument(at), event, world));
            }
        }
        for (name, _) in signature.attrs {
            match attribute(event, name, world) {
                // What a mark says by being there.
                None | Some(Value::Bool(false)) => {}
                Some(Value::Int(nanos)) if matches!(*name, "ns" | "cpu") && nanos == 0 => {}
                Some(value) => {
                    let _ = write!(line, " {name}={}", self.value(value, event, world));
                }
            }
        }
        if let Some(place) = self.labels.place(event.site, event, world) {
            let _ = write!(line, "  {place}");
        }
        one_line(&line).into_owned()
    }

    /// A value, with its number and its name where it is an object.
    fn value(&self, value: Value, event: &Event, world: &World) -> String {
        match value {
            Value::Absent => "-".to_owned(),
            Value::Object(Sort::Thread, number) => format!("thread:{number}"),
            Value::Object(sort, number) => {
                let (id, name) = (format!("{}:{number}", sort.name()), self.labels.name(value, event, world));
                if name == id { id } else { format!("{id} ({name})") }
            }
            Value::Str(id) | Value::Group(id) => format!("{:?}", world.names().text(id)),
            Value::Int(number) => number.to_string(),
            Value::Bool(it) => it.to_string(),
            Value::Symbol(text) => text.to_owned(),
        }
    }
}

/// A time in ms, exact to the ns.
pub(super) fn milliseconds(nanos: u64) -> String {
    format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000)
}
