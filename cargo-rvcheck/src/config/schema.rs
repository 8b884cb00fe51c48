//! The JSON Schema of the configuration, for editors. `docs/schema/config.json` is what [`render_schema`] writes.

use super::options::{Kind, Options};
use crate::levels::Choice;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes the JSON Schema of `.config/rvcheck.toml`, made from the options.
pub fn render_schema(out: &mut dyn Write) -> io::Result<()> {
    let options = Options::all();
    let mut keys = Map::new();
    keys.insert(
        "inherits".to_owned(),
        json!({ "type": "string", "description": "The profile that has the settings which this one has not" }),
    );
    let levels: Vec<&str> = Choice::ALL.iter().map(|it| it.name()).collect();
    keys.insert(
        "levels".to_owned(),
        json!({
            "type": "object",
            "description": "The levels of properties, by id",
            "additionalProperties": { "enum": levels },
        }),
    );
    for name in options.names() {
        keys.insert(name.to_owned(), value(&options, name));
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": super::PATH,
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "profile": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": keys,
                },
            },
        },
    });
    serde_json::to_writer_pretty(&mut *out, &schema).map_err(io::Error::from)?;
    writeln!(out)
}

fn value(options: &Options, name: &str) -> Value {
    let Some(argument) = options.argument(name) else { return Value::Bool(true) };
    let words: Vec<String> =
        argument.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect();
    let mut schema = match options.kind(name) {
        Some(Kind::Flag) => json!({ "type": "boolean" }),
        Some(Kind::List) => json!({ "type": "array", "items": { "type": "string" } }),
        _ if !words.is_empty() => json!({ "enum": words }),
        _ => json!({ "type": ["string", "integer"] }),
    };
    if let Some(help) = argument.get_help() {
        schema["description"] = help.to_string().into();
    }
    schema
}
