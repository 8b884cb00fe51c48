//! The JSON Schema of a line of a trace: an event, its arguments, and what else is known of it.

use rvcheck_event::kind::{EventKind, ObjectKind, Param, Sort};
use serde_json::{Map, Value, json};

/// What a value of this sort is in JSON.
fn of_sort(sort: Sort) -> Value {
    match sort {
        Sort::Int => json!({ "type": "integer" }),
        Sort::Bool => json!({ "type": "boolean" }),
        Sort::Any => json!({ "type": ["string", "integer", "boolean", "null"] }),
        Sort::Str | Sort::Group => json!({ "type": "string" }),
        sort => {
            let description = format!("A {0}: `{0}:3`, or a name", sort.name());
            json!({ "type": "string", "minLength": 1, "description": description })
        }
    }
}

/// What the arguments of a built-in event are.
fn arguments(kind: EventKind) -> Value {
    let signature = kind.signature();
    let mut keys = Map::new();
    let all: [&[Param]; 2] = [signature.params, signature.attrs];
    for (name, sort) in all.into_iter().flatten() {
        keys.insert((*name).to_owned(), of_sort(*sort));
    }
    json!({
        "if": { "properties": { "e": { "const": signature.name } }, "required": ["e"] },
        "then": {
            "description": signature.meaning,
            "properties": { "a": { "additionalProperties": false, "properties": keys } },
        },
    })
}

/// The schema.
pub(super) fn schema() -> Value {
    let kinds: Vec<&str> = ObjectKind::ALL.iter().map(|it| it.name()).collect();
    let text = |description: &str| json!({ "type": "string", "description": description });
    let number = |description: &str| json!({ "type": "integer", "minimum": 0, "description": description });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a trace of rvcheck",
        "type": "object",
        "required": ["e"],
        "properties": {
            "e": text("The name of the event: a built-in one, or one that a property file declares"),
            "a": { "type": "object", "description": "Its arguments and attributes, by name" },
            "test": text("The test that it belongs to"),
            "time": number("When it happened, in ns"),
            "site": text("The place in the source, as file:line:column"),
            "thread": number("The number of the thread"),
            "task": text("The task that acts, where it is no argument"),
            "object": { "enum": kinds, "description": "What exactly a lock, channel, semaphore or signal is" },
            "by_owner": { "type": "boolean", "description": "Of detach: the set or scope that owned the handle is gone" },
            "caught_at": text("Of a caught panic: the place in the source where that was"),
            "group": text("The instance of a named group of tasks, such as workers:1"),
            "callee": { "type": ["string", "integer", "boolean", "null"], "description": "What a message is sent to" },
        },
        "allOf": EventKind::built_in().map(arguments).collect::<Vec<_>>(),
    })
}
