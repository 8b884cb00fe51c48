//! The models of libraries: all of them compile, and those to predict from have the rules that they are put together from.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rvcheck_event::jsonl;
use rvcheck_event::stream::EventStream;
use rvcheck_spec::evaluation::lifestate::validate::Validator;
use rvcheck_spec::{Monitor, PropertySource, UnitEnd, Verdict, Vocabulary, compile};
use support::sources;

/// The weakest first.
const STRENGTHS: [&str; 3] = ["top", "lifecycle", "lifestate"];

/// What rests on messages outside of callbacks, or what no call depends on.
const ONLY_VALIDATED: [&str; 2] = ["starts", "blocking"];

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lib/models")
}

/// The properties in a file of the models; none where there is no file.
fn properties(path: &str) -> Vec<PropertySource> {
    std::fs::read_to_string(models().join(path)).map_or_else(|_| Vec::new(), |text| sources(&text))
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the models are there");
    let paths = entries.map(|it| it.expect("an entry").path());
    paths.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
}

/// The libraries whose calls are prohibited somewhere.
fn libraries() -> Vec<String> {
    let stem = |it: &PathBuf| it.file_stem().and_then(|it| it.to_str()).expect("a plain name").to_owned();
    files(&models().join("sensitive")).iter().map(stem).collect()
}

/// The rules on callbacks, each once.
fn callbacks(strength: &str, library: &str) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for file in ["tokio", "drop", library].into_iter().filter(|it| seen.insert(it)) {
        for property in properties(&format!("callbacks/{strength}/{file}.toml")) {
            if !ONLY_VALIDATED.contains(&property.id.as_str()) {
                let fresh: Vec<String> =
                    property.rules.into_iter().filter(|it| !rules.contains(it)).collect();
                rules.extend(fresh);
            }
        }
    }
    rules
}

#[test]
fn every_model_of_libraries_compiles() {
    let files = files(&models());
    assert!(files.len() > 15, "{files:?}");
    for file in files {
        let sources = sources(&std::fs::read_to_string(&file).expect("it is text"));
        assert!(!sources.is_empty(), "{}", file.display());
        for source in sources {
            let (property, problems) = compile(&source, &Vocabulary::default());
            let place = format!("{}: {}", file.display(), source.id);
            assert_eq!((property.is_some(), problems), (true, Vec::new()), "{place}");
        }
    }
}

#[test]
fn models_to_predict_from_prohibit_the_same_calls_at_every_strength() {
    for library in libraries() {
        let sensitive = properties(&format!("sensitive/{library}.toml"));
        for strength in STRENGTHS {
            let callbacks = callbacks(strength, &library);
            let whole = properties(&format!("{strength}/{library}.toml"));
            assert_eq!(whole.len(), sensitive.len(), "{strength}/{library}");
            for (whole, sensitive) in whole.iter().zip(&sensitive) {
                let wanted: Vec<&String> = sensitive.rules.iter().chain(&callbacks).collect();
                let found: Vec<&String> = whole.rules.iter().collect();
                let advice = "run `python3 tools/precision/compose.py`";
                assert_eq!(found, wanted, "{strength}/{library}, {}: {advice}", sensitive.id);
                let said = |it: &PropertySource| (it.id.clone(), it.level.clone(), it.message.clone());
                assert_eq!(said(whole), said(sensitive), "{strength}/{library}: {advice}");
            }
        }
    }
}

#[test]
fn only_sensitive_properties_prohibit_what_the_program_does() {
    for strength in STRENGTHS {
        for library in libraries() {
            for rule in callbacks(strength, &library) {
                let (_, message) = rule.rsplit_once('|').expect("it has a sign");
                let from_library = message[1..].trim_start();
                let is_back = from_library.starts_with("cb ") || from_library.starts_with("ciret ");
                assert!(is_back, "callbacks/{strength}: {rule}");
            }
        }
    }
}

#[test]
fn what_everybody_knows_is_known_of_lifestates_too() {
    for library in libraries() {
        let lifestate = callbacks("lifestate", &library);
        for rule in callbacks("lifecycle", &library) {
            assert!(lifestate.contains(&rule), "{library}: {rule}");
        }
    }
}

/// A trace in JSON lines: `spawn t=task:1 u=task:2; finish t=task:2`.
fn trace(script: &str) -> String {
    let line = |event: &str| {
        let (name, values) = event.split_once(' ').expect("it has values");
        let value = |it: &str| {
            let (name, value) = it.split_once('=').expect("it is one");
            let is_number = value.parse::<u64>().is_ok();
            if is_number { format!("\"{name}\":{value}") } else { format!("\"{name}\":\"{value}\"") }
        };
        let values: Vec<String> = values.split(' ').map(value).collect();
        format!("{{\"e\":\"{name}\",\"a\":{{{}}}}}\n", values.join(","))
    };
    script.split(';').map(|it| line(it.trim())).collect()
}

/// What a property of the models says of a trace: its verdict, and how many messages come before the one that refutes it, if any does.
fn said(file: &str, id: &str, script: &str) -> (Verdict, Option<u64>) {
    let source = properties(file).into_iter().find(|it| it.id == id).expect("it is there");
    let property = compile(&source, &Vocabulary::default()).0.expect("it compiles");
    let log = jsonl::read(trace(script).as_bytes(), Vocabulary::default().declared());
    let log = log.with_unit_for_the_rest("process");
    assert_eq!(log.problems, [], "{script}");
    let mut monitor = Monitor::new(vec![property.clone()]);
    let mut validator = Validator::new(property.lifestate().expect("it is one"));
    let mut replay = log.replay();
    while let Some(event) = replay.next() {
        monitor.step(&event, replay.world());
        validator.step(&event, replay.world());
    }
    for (unit, _) in log.names().units() {
        monitor.end_of_unit(unit, UnitEnd::Complete);
    }
    let validations = validator.finish();
    let refuted = validations.iter().find(|it| it.refutation.is_some()).map(|it| it.valid);
    (monitor.finish(replay.world()).properties[0].units[0].verdict, refuted)
}

#[test]
fn a_sensitive_call_is_violated_where_it_goes_wrong_and_holds_elsewhere() {
    const SPAWNED: &str = "spawn t=task:1 u=task:2; set_spawn t=task:1 u=task:2 n=1; poll t=task:2";
    let in_set = |rest: &str| format!("{SPAWNED}; {rest}");
    let cases = [
        // A set is dropped: its task runs, has finished, has panicked, was joined, or is none of a set.
        ("set-dropped-early", in_set("suspend t=task:2; detach t=task:1 u=task:2"), Verdict::Violated),
        ("set-dropped-early", in_set("finish t=task:2; detach t=task:1 u=task:2"), Verdict::Held),
        ("set-dropped-early", in_set("panic t=task:2; detach t=task:1 u=task:2"), Verdict::Held),
        ("set-dropped-early", in_set("finish t=task:2; join t=task:1 u=task:2"), Verdict::Held),
        ("set-dropped-early", "spawn t=task:1 u=task:2; detach t=task:1 u=task:2".to_owned(), Verdict::Held),
        // A branch of `select!` waits for room and loses; it wins; another branch received.
        (
            "message-given-up",
            "send_wait t=task:1 c=chan:1; send_cancel t=task:1 c=chan:1".to_owned(),
            Verdict::Violated,
        ),
        (
            "message-given-up",
            "send_wait t=task:1 c=chan:1; send t=task:1 c=chan:1 n=1".to_owned(),
            Verdict::Held,
        ),
        (
            "message-given-up",
            "recv_wait t=task:1 c=chan:1; recv_cancel t=task:1 c=chan:1".to_owned(),
            Verdict::NotExercised,
        ),
        (
            "place-given-up",
            "request t=task:1 l=lock:1; withdraw t=task:1 l=lock:1".to_owned(),
            Verdict::Violated,
        ),
        ("place-given-up", "request t=task:1 l=lock:1; acquire t=task:1 l=lock:1".to_owned(), Verdict::Held),
        (
            "place-given-up",
            "permit_wait t=task:1 s=sem:1 n=2; permit_cancel t=task:1 s=sem:1".to_owned(),
            Verdict::Violated,
        ),
        (
            "place-given-up",
            "signal_wait t=task:1 o=signal:1; signal_cancel t=task:1 o=signal:1".to_owned(),
            Verdict::Violated,
        ),
        (
            "place-given-up",
            "signal_wait t=task:1 o=signal:1; signalled t=task:1 o=signal:1".to_owned(),
            Verdict::Held,
        ),
        // A channel is closed and then used; another one is.
        (
            "sent-when-closed",
            "chan_close t=task:1 c=chan:1; send t=task:2 c=chan:1 n=1".to_owned(),
            Verdict::Violated,
        ),
        (
            "sent-when-closed",
            "send t=task:2 c=chan:1 n=1; chan_close t=task:1 c=chan:1; recv t=task:1 c=chan:1 n=1".to_owned(),
            Verdict::Held,
        ),
        (
            "sent-when-closed",
            "chan_close t=task:1 c=chan:1; send t=task:2 c=chan:2 n=1".to_owned(),
            Verdict::Held,
        ),
    ];
    for (id, script, verdict) in cases {
        assert_eq!(said("sensitive/tokio.toml", id, &script).0, verdict, "{id}: {script}");
    }
}

#[test]
fn a_task_that_was_let_go_is_not_joined() {
    let handles = |script: &str| said("callbacks/lifestate/tokio.toml", "handles", script).1;
    assert_eq!(handles("spawn t=task:1 u=task:2; finish t=task:2; join t=task:1 u=task:2"), None);
    assert_eq!(handles("spawn t=task:1 u=task:2; detach t=task:1 u=task:2; finish t=task:2"), None);
    assert_eq!(handles("spawn t=task:1 u=task:2; detach t=task:1 u=task:2; join t=task:3 u=task:2"), Some(1));
    // One is let go, the other one of the set was joined before.
    let script = "set_spawn t=task:1 u=task:2 n=1; set_spawn t=task:1 u=task:3 n=1; join t=task:1 u=task:2; detach t=task:1 u=task:3";
    assert_eq!(handles(script), None);
}
