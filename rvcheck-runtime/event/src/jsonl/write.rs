//! From an event to its line.

use crate::attribute::attribute;
use crate::declared::Declared;
use crate::event::Event;
use crate::id::{ObjectId, StringId, UnitId};
use crate::json::Json;
use crate::kind::{EventKind, Sort};
use crate::log::is_about_object;
use crate::record::flag;
use crate::value::Value;
use crate::world::World;

/// The line of an event, without the line break. `world` is the state right after the event; `declared` tells what the arguments
/// of the program's own events are called, and those of others are left out.
pub fn line(event: &Event, world: &World, declared: &[Declared]) -> String {
    let signature = event.kind.signature();
    let mut arguments = Vec::new();
    let mut name = signature.name;
    if event.kind == EventKind::User {
        name = world.names().text(StringId(event.object));
        let params = declared.iter().find(|it| it.name == name).map_or(&[][..], |it| &it.params);
        for ((param, _), value) in params.iter().zip(world.arguments()) {
            arguments.extend(json(*value, world).map(|it| (param.clone(), it)));
        }
    }
    for (index, (name, _)) in signature.params.iter().enumerate() {
        arguments.extend(json(event.argument(index), world).map(|it| ((*name).to_owned(), it)));
    }
    for (name, _) in signature.attrs {
        let value = attribute(event, name, world).and_then(|it| json(it, world));
        arguments.extend(value.map(|it| ((*name).to_owned(), it)));
    }
    let mut entries = vec![("e", Json::Text(name.into())), ("a", Json::Map(arguments))];
    if event.thread.is_some() {
        entries.push(("thread", Json::Int(event.thread.0.into())));
    }
    if event.unit != UnitId::PROCESS {
        let name = world.names().unit(event.unit).map(|it| world.names().text(it).to_owned());
        entries.push(("test", Json::Text(name.unwrap_or_else(|| format!("test:{}", event.unit.0)))));
    }
    entries.push(("time", Json::Int(i64::try_from(event.time).unwrap_or(i64::MAX))));
    if let Some(place) = world.names().site(event.site) {
        entries.push(("site", Json::Text(place.to_string())));
    }
    if let Some(object) = world.object(ObjectId(event.object)).filter(|_| is_about_object(event.kind)) {
        entries.push(("object", Json::Text(object.kind.name().into())));
    }
    if event.task.is_some() && signature.params.first().is_none_or(|it| it.1 != Sort::Task) {
        entries.push(("task", Json::Text(format!("task:{}", event.task.0))));
    }
    for (key, value) in [("group", world.group()), ("callee", world.callee())] {
        entries.extend(json(value, world).map(|it| (key, it)));
    }
    if event.kind == EventKind::Detach && event.flags & flag::BY_OWNER != 0 {
        entries.push(("by_owner", Json::Bool(true)));
    }
    if let Some(place) = event.caught_at().and_then(|site| world.names().site(site)) {
        entries.push(("caught_at", Json::Text(place.to_string())));
    }
    Json::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()).to_string()
}

fn json(value: Value, world: &World) -> Option<Json> {
    Some(match value {
        Value::Absent => return None,
        Value::Object(sort, number) => Json::Text(format!("{}:{number}", sort.name())),
        Value::Int(number) => Json::Int(number),
        Value::Bool(it) => Json::Bool(it),
        Value::Symbol(text) => Json::Text(text.into()),
        Value::Str(id) | Value::Group(id) => Json::Text(world.names().text(id).into()),
    })
}
