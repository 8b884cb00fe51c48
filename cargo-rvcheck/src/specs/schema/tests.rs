use super::*;
use crate::report::tests::assert_committed;
use crate::specs::{property, read};
use jsonschema::Validator;

fn text(render: fn(&mut dyn Write) -> io::Result<()>) -> String {
    let mut text = Vec::new();
    render(&mut text).expect("a vector takes everything");
    String::from_utf8(text).expect("it is text")
}

fn validator(render: fn(&mut dyn Write) -> io::Result<()>) -> Validator {
    let schema: Value = serde_json::from_str(&text(render)).expect("it is JSON");
    jsonschema::validator_for(&schema).expect("it is a schema")
}

/// What a TOML text is as JSON.
fn value(text: &str) -> Value {
    let table: toml::Table = text.parse().expect("it is TOML");
    serde_json::to_value(table).expect("it has no dates")
}

/// The TOML files below a folder of the repository.
fn files(folder: &str) -> Vec<(String, String)> {
    let folder = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut found = Vec::new();
    for entry in folder.read_dir_utf8().expect("it is there") {
        let path = entry.expect("it can be read").into_path();
        if path.is_dir() {
            let inner = path.file_name().expect("it has a name");
            found.extend(files(&format!("{folder}/{inner}")));
        } else if path.extension() == Some("toml") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            found.push((path.into_string(), text));
        }
    }
    found
}

#[test]
fn the_committed_schemas_are_those_of_the_code() {
    assert_committed(&text(render_properties), "properties.json");
    assert_committed(&text(render_trace), "trace.json");
}

#[test]
fn the_librarys_own_files_are_valid() {
    let validator = validator(render_properties);
    let mut seen = 0;
    for (path, text) in files("specs/lib").into_iter().chain(files("specs/protocols")) {
        if let Err(error) = validator.validate(&value(&text)) {
            panic!("{path}: {error} at {}", error.instance_path());
        }
        seen += 1;
    }
    assert!(seen > rvcheck_specs::LIBRARY.len(), "{seen}");
}

/// What is around a property in a file.
const PROPERTY: &str =
    "schema = 1\n[[property]]\nid = \"calm\"\nlogic = \"ltl\"\nformula = \"G !panic(_)\"\n";

#[test]
fn what_the_schema_refuses_the_reader_refuses_too() {
    let validator = validator(render_properties);
    assert!(validator.is_valid(&value(PROPERTY)));
    assert_eq!(read(&[("my.toml".to_owned(), PROPERTY.to_owned())]).problems, []);
    let cases = [
        PROPERTY.replace("schema = 1", "schema = 2"),
        PROPERTY.replace("schema = 1\n", ""),
        PROPERTY.replace("id = \"calm\"\n", ""),
        PROPERTY.replace("formula", "formular"),
        PROPERTY.replace("\"ltl\"", "\"tlt\""),
        PROPERTY.replace("\"ltl\"", "\"automaton\""),
        PROPERTY.replace("\"ltl\"", "\"grammar\""),
        PROPERTY.replace("\"ltl\"", "\"lifestate\""),
        format!("{PROPERTY}level = \"fatal\"\n"),
        format!("{PROPERTY}scope = \"world\"\n"),
        format!("{PROPERTY}steps = \"all\"\n"),
        format!("{PROPERTY}bad = \"one\"\n"),
        format!("{PROPERTY}on_violation = \"panic\"\n"),
        format!("{PROPERTY}on_violation = \"stop\"\nstop = \"exit\"\n"),
        format!("{PROPERTY}on_violation = \"enforce\"\nremedy = \"hope\"\n"),
        format!("{PROPERTY}[[observe]]\nfn = \"a::b\"\nside = \"left\"\n"),
        format!("{PROPERTY}[[observe]]\nside = \"send\"\n"),
        format!("{PROPERTY}[[group]]\nname = \"workers\"\n"),
        format!("{PROPERTY}[fluent.busy]\nfrom = 1\nto = \"x()\"\n"),
        format!("{PROPERTY}[events]\nsale = \"by: task\"\n"),
        format!("library = \"tower\"\n{PROPERTY}"),
    ];
    for case in cases {
        assert!(!validator.is_valid(&value(&case)), "the schema takes\n{case}");
        assert_ne!(read(&[("my.toml".to_owned(), case.clone())]).problems, [], "the reader takes\n{case}");
    }
}

#[test]
fn the_schema_has_the_keys_that_the_reader_has() {
    let schema: Value = serde_json::from_str(&text(render_properties)).expect("it is JSON");
    let keys = |of: &Value| of.as_object().expect("a table").keys().cloned().collect::<Vec<_>>();
    let mut of_schema = keys(&schema["properties"]["property"]["items"]["properties"]);
    of_schema.sort();
    let of_reader: Vec<String> = property::keys().into_iter().map(str::to_owned).collect();
    assert_eq!(of_schema, of_reader);
}

#[test]
fn lines_of_traces_are_valid_and_others_are_not() {
    let validator = validator(render_trace);
    let folder = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay");
    let mut seen = 0;
    for entry in folder.read_dir_utf8().expect("it is there") {
        let path = entry.expect("it can be read").into_path();
        // One is about lines that are cut off.
        if path.extension() != Some("jsonl") || path.file_stem() == Some("cut") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        for line in text.lines().filter(|it| !it.trim().is_empty()) {
            let value: Value = serde_json::from_str(line).expect("it is JSON");
            if let Err(error) = validator.validate(&value) {
                panic!("{path}: {line}: {error}");
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
    for line in [
        r#"{"a": {}}"#,
        r#"{"e": 3}"#,
        r#"{"e": "acquire", "a": {"t": "ann", "lock": "till"}}"#,
        r#"{"e": "acquire", "a": {"t": 1, "l": "till"}}"#,
        r#"{"e": "acquire", "a": {"t": "ann", "l": "till"}, "time": "now"}"#,
        r#"{"e": "acquire", "a": {"t": "ann", "l": "till"}, "object": "cupboard"}"#,
    ] {
        let value: Value = serde_json::from_str(line).expect("it is JSON");
        assert!(!validator.is_valid(&value), "{line}");
        let log = rvcheck_event::jsonl::read(line.as_bytes(), &[]);
        assert!(!log.problems.is_empty(), "the reader takes {line}");
    }
}
