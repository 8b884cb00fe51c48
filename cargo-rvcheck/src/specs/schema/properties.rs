//! The JSON Schema of property files: their keys, with what each is for. What strings say, only the tool checks.

use crate::finding::Level;
use rvcheck_enforcement::Action;
use rvcheck_event::remedy::Remedy;
use rvcheck_spec::BUILT_IN;
use serde_json::{Map, Value, json};

/// What a key takes.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// A table of strings.
    Named,
    /// A table of integers and truth values.
    Constants,
}

impl Kind {
    fn schema(self) -> Value {
        let text = json!({ "type": "string" });
        match self {
            Kind::Text => text,
            Kind::Texts => json!({ "type": "array", "items": text }),
            Kind::Named => json!({ "type": "object", "additionalProperties": text }),
            Kind::Constants => {
                json!({ "type": "object", "additionalProperties": { "type": ["integer", "boolean"] } })
            }
        }
    }
}

/// A key, what it takes, and what it is for.
type Key = (&'static str, Kind, &'static str);

/// The keys of a property that have no list of values.
const PROPERTY: [Key; 24] = [
    ("id", Kind::Text, "The name in reports and options"),
    ("title", Kind::Text, "What it demands, in a few words"),
    ("message", Kind::Text, "The sentence of a finding; `{t}` stands for what `t` is bound to"),
    ("formula", Kind::Text, "Of ltl: the formula"),
    ("params", Kind::Texts, "Of automata: the parameters, such as \"t: task\""),
    ("vars", Kind::Constants, "Of automata: registers with their first values"),
    ("initial", Kind::Text, "Of automata: the state at the beginning"),
    ("bad", Kind::Texts, "Of automata: the states that violate the property"),
    ("good", Kind::Texts, "Of automata: the states in which nothing can be violated any more"),
    ("end_bad", Kind::Texts, "Of automata: the states that violate the property at the end of a test"),
    ("transitions", Kind::Texts, "Of automata: \"from -- event [guard] / actions --> to\""),
    ("rules", Kind::Texts, "Of lifestates: which histories permit or prohibit which messages"),
    ("view", Kind::Named, "Of grammars: the messages, each with its terminal"),
    ("grammar", Kind::Named, "Of grammars: the alternatives of each nonterminal"),
    ("group", Kind::Text, "Of grammars: each instance of this group of tasks has an instance of its own"),
    ("per", Kind::Texts, "Of grammars: each value of these parameters has an instance of its own"),
    ("levels", Kind::Named, "The level of a bad state, where it is another than the property's"),
    ("messages", Kind::Named, "The message of a bad state, where it is another than the property's"),
    ("primary", Kind::Texts, "The events whose place is the finding's, the first choice first"),
    ("related", Kind::Texts, "The events whose places a finding mentions besides"),
    ("labels", Kind::Named, "What is written at the place of an event"),
    ("next", Kind::Text, "What the user can do about a finding"),
    ("stop", Kind::Text, "How `on_violation = \"stop\"` stops the program"),
    ("remedy", Kind::Text, "What `on_violation = \"enforce\"` does"),
];

/// The words that a key takes, and what it is for.
fn choices() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    vec![
        ("logic", vec!["ltl", "automaton", "grammar", "lifestate", BUILT_IN], "In which logic it is written"),
        (
            "level",
            Level::ALL.iter().map(|it| it.name()).collect(),
            "How much a violation matters; error without it",
        ),
        ("scope", vec!["test", "process"], "Of what a trace is made up; test without it"),
        (
            "steps",
            vec!["trace", "slice"],
            "Of ltl: whether each event is a step, or only those of the binding",
        ),
        (
            "on_violation",
            vec!["report", "stop", "enforce"],
            "What happens where it is violated; report without it",
        ),
        (
            "stop",
            Action::STOPS.iter().map(|it| it.1).collect(),
            "How the program is stopped; panic without it",
        ),
        (
            "remedy",
            Remedy::ALL.iter().map(|it| it.name()).collect(),
            "What is done at a place that has violated it",
        ),
    ]
}

/// The schema of a table with these keys and no others.
fn table(keys: &Map<String, Value>, required: &[&str]) -> Value {
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": keys })
}

fn described(keys: &[Key]) -> Map<String, Value> {
    let mut all = Map::new();
    for (name, kind, description) in keys {
        let mut schema = kind.schema();
        schema["description"] = json!(description);
        all.insert((*name).to_owned(), schema);
    }
    all
}

fn property() -> Value {
    let mut keys = described(&PROPERTY);
    for (name, words, description) in choices() {
        keys.insert(name.to_owned(), json!({ "enum": words, "description": description }));
    }
    let mut schema = table(&keys, &["id", "logic"]);
    // What each logic cannot do without.
    let needs = [
        ("ltl", vec!["formula"]),
        ("automaton", vec!["initial", "transitions"]),
        ("grammar", vec!["view", "grammar"]),
        ("lifestate", vec!["rules"]),
    ];
    let needs = needs.iter().map(|(logic, keys)| {
        json!({ "if": { "properties": { "logic": { "const": logic } }, "required": ["logic"] }, "then": { "required": keys } })
    });
    schema["allOf"] = needs.collect();
    schema
}

/// The schema.
pub(super) fn schema() -> Value {
    let mut observed = described(&[
        ("fn", Kind::Text, "The path of the function, such as \"shop::Worker::accept\""),
        ("as", Kind::Text, "The name of the event; that of the function without it"),
        ("args", Kind::Texts, "The arguments of the event: names, or names with expressions"),
        ("refusal", Kind::Text, "Which results mean that the function has refused the call"),
    ]);
    let side = json!({ "enum": ["receive", "send"], "description": "The event is in the function, or at its calls" });
    observed.insert("side".to_owned(), side);
    let observe = table(&observed, &["fn", "side"]);
    let group = table(
        &described(&[
            ("name", Kind::Text, "The name; instances are called NAME:1 and so on"),
            ("spawn", Kind::Text, "The path of the function whose spawns begin an instance"),
        ]),
        &["name", "spawn"],
    );
    let fluent = table(
        &described(&[
            ("params", Kind::Texts, "The parameters, such as \"t: task\""),
            ("from", Kind::Text, "The event from which on it holds"),
            ("to", Kind::Text, "The event until which it holds"),
        ]),
        &[],
    );
    let list =
        |of: Value, description: &str| json!({ "type": "array", "items": of, "description": description });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A property file of rvcheck",
        "type": "object",
        "additionalProperties": false,
        "required": ["schema"],
        "properties": {
            "schema": { "const": super::super::SCHEMA, "description": "The version of the form of the file" },
            "library": {
                "type": "array",
                "items": { "type": "string" },
                "description": "The crates and modules that are libraries, beside those of other people",
            },
            "events": {
                "type": "object",
                "additionalProperties": { "type": "array", "items": { "type": "string" } },
                "description": "Events of the program's own, with their parameters, such as \"by: task\"",
            },
            "fluent": {
                "type": "object",
                "additionalProperties": fluent,
                "description": "What holds from one event to another",
            },
            "observe": list(observe, "Functions of the program that are events"),
            "group": list(group, "Named groups of tasks"),
            "property": list(property(), "What has to be true of each trace"),
        },
    })
}
