//! From an event to its row.

use crate::declared::Declared;
use crate::event::Event;
use crate::kind::EventKind;
use crate::value::Value;
use crate::world::World;
use std::borrow::Cow;

/// The row of an event, without the line break; `None` where an argument is not known and a later one is, which no row can say.
/// `world` is the state right after the event. Of an event that is `declared`, no more arguments are written than it has parameters.
pub fn row(event: &Event, world: &World, declared: &[Declared]) -> Option<String> {
    let name = world.names().event(event);
    let mut values: Vec<Value> = if event.kind == EventKind::User {
        let most = declared.iter().find(|it| it.name == name).map_or(usize::MAX, |it| it.params.len());
        world.arguments().iter().take(most).copied().collect()
    } else {
        (0..event.kind.signature().params.len()).map(|it| event.argument(it)).collect()
    };
    while values.last() == Some(&Value::Absent) {
        values.pop();
    }
    let mut row = quoted(name).into_owned();
    for value in values {
        row.push(',');
        row.push_str(&quoted(&text(value, world)?));
    }
    Some(row)
}

fn text(value: Value, world: &World) -> Option<String> {
    Some(match value {
        Value::Absent => return None,
        Value::Object(sort, number) => format!("{}:{number}", sort.name()),
        Value::Int(number) => number.to_string(),
        Value::Bool(it) => it.to_string(),
        Value::Symbol(text) => text.to_owned(),
        Value::Str(id) | Value::Group(id) => world.names().text(id).to_owned(),
    })
}

/// The value as it stands in a row: in quotes where something in it would end it, or the row would be taken for a comment.
fn quoted(text: &str) -> Cow<'_, str> {
    if text.is_empty() || text.starts_with('#') || text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
