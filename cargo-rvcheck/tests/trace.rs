//! `cargo rvcheck trace`, and the forms of the report that show traces: what comes out of traces that were recorded before.

#[path = "../../rvcheck-runtime/event/tests/support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rvcheck_event::csv;
use rvcheck_event::jsonl;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::{merge, read};
use serde_json::Value;
use support::{Random, program};

/// A sale under a lock, a message and a task, in text.
const SHOP: &str = r#"{"e":"test_begin","a":{"x":"test:1","name":"monday"},"test":"monday","thread":1,"task":"task:1","time":10}
{"e":"spawn","a":{"t":"task:1","u":"task:2","kind":"async","name":"mover"},"test":"monday","thread":1,"time":20,"site":"src/lib.rs:3:5"}
{"e":"acquire","a":{"t":"task:1","l":"lock:7"},"object":"std::sync::Mutex","test":"monday","thread":1,"time":30,"site":"src/lib.rs:4:5"}
{"e":"poll","a":{"t":"task:2"},"test":"monday","thread":2,"time":40}
{"e":"request","a":{"t":"task:2","l":"lock:7"},"test":"monday","thread":2,"time":50,"site":"src/lib.rs:9:5"}
{"e":"suspend","a":{"t":"task:2","ns":20},"test":"monday","thread":2,"time":60}
{"e":"send","a":{"t":"task:1","c":"chan:8","n":1},"test":"monday","thread":1,"time":70}
{"e":"release","a":{"t":"task:1","l":"lock:7"},"test":"monday","thread":1,"time":80}
{"e":"poll","a":{"t":"task:2"},"test":"monday","thread":2,"time":90}
{"e":"acquire","a":{"t":"task:2","l":"lock:7"},"test":"monday","thread":2,"time":100,"site":"src/lib.rs:9:5"}
{"e":"recv","a":{"t":"task:2","c":"chan:8","n":1},"test":"monday","thread":2,"time":110}
{"e":"sale","a":{"by":"task:2","price":5},"test":"monday","thread":2,"task":"task:2","time":115}
{"e":"block","a":{"t":"task:2","what":"sleep"},"test":"monday","thread":2,"time":120}
{"e":"unblock","a":{"t":"task:2","what":"sleep","ns":5},"test":"monday","thread":2,"time":125}
{"e":"release","a":{"t":"task:2","l":"lock:7"},"test":"monday","thread":2,"time":130}
{"e":"finish","a":{"t":"task:2","outcome":"err"},"test":"monday","thread":2,"time":140}
{"e":"join","a":{"t":"task:1","u":"task:2"},"test":"monday","thread":1,"time":150}
{"e":"test_end","a":{"x":"test:1","name":"monday","outcome":"ok"},"test":"monday","thread":1,"task":"task:1","time":160}
"#;

/// Declares the event of the program's own.
const SPEC: &str = "schema = 1\n\n[events]\nsale = [\"by: task\", \"price: int\"]\n\n[[property]]\nid = \"no-sale\"\nlogic = \"ltl\"\nformula = \"forall t: task . G ! sale(t, _)\"\nmessage = \"{t} sells\"\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("there is room"));
        folder.write("shop.jsonl", SHOP.as_bytes());
        folder.write("shop.toml", SPEC.as_bytes());
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).expect("it can be written");
        path
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rvcheck"));
        command.current_dir(self.path()).arg("rvcheck").args(args).output().expect("the tool runs")
    }

    /// What it prints, if all is well.
    fn printed(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{args:?}");
        String::from_utf8(output.stdout).expect("it is a text")
    }
}

/// A trace of the recorder, of a random program.
fn recorded(seed: u64, steps: usize) -> Vec<u8> {
    program(&mut Random(seed), steps, 4).build()
}

#[test]
fn events_are_printed_one_a_line() {
    let folder = Folder::new();
    let all = folder.printed(&["trace", "print", "shop.jsonl", "--spec", "shop.toml"]);
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(lines.len(), SHOP.lines().count());
    assert_eq!(
        lines[1],
        "0.000020ms  monday  task:1  spawn u=task:2 (task mover) kind=async name=\"mover\"  src/lib.rs:3:5"
    );
    assert!(lines[11].contains("sale by=task:2 (task mover) price=5"), "{}", lines[11]);
}

#[test]
fn events_are_filtered_by_what_they_are_and_about() {
    let folder = Folder::new();
    for (args, expected) in [
        (&["--kind", "acquire"][..], 2),
        (&["--kind", "acquire", "--kind", "sale"], 3),
        (&["--kind", "acquire", "--task", "mover"], 1),
        (&["--task", "task:1"], 7),
        (&["--task", "1", "--kind", "join"], 1),
        (&["--object", "lock:7"], 5),
        (&["--object", "chan:8"], 2),
        (&["--object", "chan:7"], 0),
        (&["--from", "100ns", "--until", "120ns"], 3),
        (&["--unit", "mon"], 18),
        (&["--unit", "tuesday"], 0),
        (&["--limit", "4"], 4),
        (&["--limit", "0"], 0),
    ] {
        let args = [&["trace", "print", "shop.jsonl", "--spec", "shop.toml"], args].concat();
        assert_eq!(folder.printed(&args).lines().count(), expected, "{args:?}");
    }
}

#[test]
fn a_trace_is_counted() {
    let folder = Folder::new();
    let text = folder.printed(&["trace", "stat", "shop.jsonl"]);
    for line in ["  units     monday 18", "  tasks     async 1", "  objects   channel 1, std::sync::Mutex 1"]
    {
        assert!(text.contains(line), "{text}");
    }
    folder.write("random.rvt", &recorded(3, 400));
    let json: Value =
        serde_json::from_str(&folder.printed(&["trace", "stat", "random.rvt", "--message-format", "json"]))
            .expect("it is JSON");
    let events = folder.printed(&["trace", "print", "random.rvt"]).lines().count();
    assert_eq!(json["events"], events);
    let kinds = json["kinds"].as_object().expect("an object").values();
    assert_eq!(kinds.filter_map(Value::as_u64).sum::<u64>(), events as u64);
    assert_eq!((&json["recorder"]["dropped"], &json["recorder"]["lost"]), (&0.into(), &"nothing".into()));
    assert!(json["units"]["it::one"].as_u64().is_some_and(|it| it > 0), "{json}");
}

#[test]
fn what_is_exported_is_read_again() {
    let folder = Folder::new();
    for seed in 0..5 {
        let bytes = recorded(seed, 300);
        folder.write("random.rvt", &bytes);
        let trace = read::read(&bytes).expect("a trace");
        let (mut lines, mut rows) = (String::new(), String::new());
        let mut events = merge::events(&trace);
        while let Some(event) = events.next() {
            lines += &(jsonl::line(&event, EventStream::world(&events), &[]) + "\n");
            rows += &(csv::row(&event, EventStream::world(&events), &[]).expect("all is known") + "\n");
        }
        assert_eq!(folder.printed(&["trace", "export", "random.rvt", "--format", "jsonl"]), lines);
        assert_eq!(folder.printed(&["trace", "export", "random.rvt", "--format", "csv"]), rows);
        folder.printed(&["trace", "export", "random.rvt", "--format", "jsonl", "--out", "again.jsonl"]);
        assert_eq!(folder.printed(&["trace", "export", "again.jsonl", "--format", "jsonl"]), lines);
        folder.write("again.csv", rows.as_bytes());
        assert_eq!(folder.printed(&["trace", "export", "again.csv", "--format", "csv"]), rows);
    }
    let sale = "sale,task:2,5";
    let args = ["trace", "export", "shop.jsonl", "--format", "csv", "--spec", "shop.toml"];
    assert!(folder.printed(&args).lines().any(|it| it == sale));
    let args = ["trace", "export", "shop.jsonl", "--format", "jsonl", "--limit", "3"];
    assert_eq!(folder.printed(&args).lines().count(), 3);
}

#[test]
fn what_cannot_be_done_is_said_in_one_message() {
    let folder = Folder::new();
    folder.write("torn.rvt", &recorded(1, 50)[..40]);
    folder.write("not.rvt", &[7; 9000]);
    folder.write("bad.jsonl", b"{\"e\":7}\n");
    fs::create_dir(folder.path().join("empty")).expect("it can be made");
    let export = |rest: &'static [&'static str]| [&["trace", "export"][..], rest].concat();
    for (args, code, message) in [
        (vec!["trace", "print", "missing.rvt"], 2, "cannot read missing.rvt"),
        (vec!["trace", "print", "torn.rvt"], 2, "too short for a trace"),
        (vec!["trace", "stat", "not.rvt"], 2, "the file is not a trace"),
        (vec!["trace", "print", "bad.jsonl"], 2, "bad.jsonl:1:2: `e` is a string"),
        (vec!["trace", "stat", "empty"], 2, "empty is a folder without a run"),
        (vec!["trace", "print", "shop.jsonl", "--kind", "sell"], 2, "there is no event `sell`"),
        (vec!["trace", "print", "shop.jsonl", "--process", "2"], 2, "there is no process `2`"),
        (vec!["trace", "print", "shop.jsonl", "--from", "5"], 2, "`5` is no time"),
        (export(&["shop.jsonl", "--format", "csv", "--out", "no/where"]), 1, "cannot write no/where"),
        (export(&["shop.jsonl", "--format", "csv", "--out", "./shop.jsonl"]), 2, "is the trace itself"),
        (export(&["shop.jsonl", "--format", "xml"]), 2, "invalid value 'xml'"),
    ] {
        let output = folder.run(&args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("shop.jsonl")).expect("it is there"), SHOP);
}

#[cfg(unix)]
#[test]
fn whoever_closes_the_pipe_has_seen_enough() {
    let folder = Folder::new();
    folder.write("random.rvt", &recorded(2, 20_000));
    for args in [
        &["print", "random.rvt"][..],
        &["export", "random.rvt", "--format", "jsonl"],
        &["export", "random.rvt", "--format", "chrome-trace"],
        &["export", "random.rvt", "--format", "otlp"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rvcheck"));
        command.current_dir(folder.path()).args(["rvcheck", "trace"]).args(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the tool runs");
        let mut some = [0; 100];
        child.stdout.take().expect("a pipe").read_exact(&mut some).expect("it prints");
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// A slice: its track, name, category, and where it begins and ends, in ns.
#[derive(Debug)]
struct Slice {
    track: (u64, u64),
    name: String,
    category: String,
    from: u64,
    to: u64,
}

/// Reads what Perfetto reads of times: µs, without what is less than a ns.
fn nanos(value: &Value) -> u64 {
    (value.as_f64().expect("a time") * 1000.0) as u64
}

fn track(event: &Value) -> (u64, u64) {
    (event["pid"].as_u64().expect("a process"), event["tid"].as_u64().expect("a thread"))
}

/// Holds a document against what trace events have to be, and gives its slices, and how many flows of each kind there are.
fn checked(text: &str) -> (Vec<Slice>, BTreeMap<String, usize>, Vec<Value>) {
    let document: Value = serde_json::from_str(text).expect("it is JSON");
    let (mut slices, mut flows, mut instants) = (Vec::new(), BTreeMap::new(), Vec::new());
    let mut named = BTreeSet::new();
    for event in document["traceEvents"].as_array().expect("a list") {
        let place = track(event);
        match event["ph"].as_str().expect("a phase") {
            "M" => {
                if event["name"] == "thread_name" {
                    assert!(named.insert(place.1), "each track has a number of its own: {event}");
                }
            }
            "X" => {
                let (from, name) = (nanos(&event["ts"]), event["name"].as_str().expect("a name"));
                let to = from + nanos(&event["dur"]);
                let category = event["cat"].as_str().expect("a category").to_owned();
                assert!(named.contains(&place.1) && to > from, "{event}");
                slices.push(Slice { track: place, name: name.to_owned(), category, from, to });
            }
            "s" | "f" => {
                let id = event["id"].as_u64().expect("a number");
                let ends: &mut Vec<Value> = flows.entry(id).or_default();
                assert_eq!(event["ph"], ["s", "f"][ends.len()], "a flow begins and then ends: {event}");
                ends.push(event.clone());
            }
            "i" => instants.push(event.clone()),
            other => panic!("a phase `{other}` is not expected"),
        }
    }
    slices.sort_by_key(|it| (it.track, it.from, std::cmp::Reverse(it.to)));
    let mut open: Vec<&Slice> = Vec::new();
    for slice in &slices {
        open.retain(|it| it.track == slice.track && it.to > slice.from);
        if let Some(around) = open.last() {
            assert!(around.from < slice.from && slice.to <= around.to, "{around:?} and {slice:?}");
        }
        open.push(slice);
    }
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (id, ends) in flows {
        assert_eq!(ends.len(), 2, "flow {id} has both ends");
        assert!(nanos(&ends[0]["ts"]) < nanos(&ends[1]["ts"]), "flow {id} goes forwards");
        for end in &ends {
            let (track, time) = (track(end), nanos(&end["ts"]));
            let is_around = |it: &&Slice| it.track == track && it.from < time && time < it.to;
            assert!(slices.iter().any(|it| is_around(&it)), "flow {id} is in a slice: {end}");
        }
        *kinds.entry(ends[0]["cat"].as_str().expect("a kind").to_owned()).or_default() += 1;
    }
    (slices, kinds, instants)
}

#[test]
fn trace_events_are_what_happened() {
    let folder = Folder::new();
    let text = folder.printed(&["trace", "export", "shop.jsonl", "--format", "chrome-trace"]);
    let (slices, flows, instants) = checked(&text);
    let of = |category: &str| {
        let of: Vec<(&str, u64, u64)> = slices
            .iter()
            .filter(|it| it.category == category)
            .map(|it| (it.name.as_str(), it.from, it.to))
            .collect();
        of
    };
    assert_eq!(of("test"), [("monday", 10, 160)]);
    assert_eq!(of("task"), [("task mover", 20, 142)]);
    assert_eq!(of("wait"), [("lock:7", 50, 100)]);
    let holds: BTreeSet<_> = of("hold").into_iter().collect();
    assert_eq!(holds, BTreeSet::from([("lock:7", 30, 80), ("lock:7", 100, 130)]));
    // On the track of the task, and on that of the thread.
    assert_eq!((of("poll").len(), of("block").len()), (4, 2));
    let one = |it: &str| (it.to_owned(), 1);
    assert_eq!(flows, ["join", "send", "spawn", "wake"].map(one).into());
    assert_eq!(instants.iter().map(|it| it["name"].as_str()).collect::<Vec<_>>(), [Some("sale")]);
}

#[test]
fn trace_events_of_any_program_are_sound() {
    let folder = Folder::new();
    let mut seen = BTreeSet::new();
    for seed in 0..12 {
        folder.write("random.rvt", &recorded(seed, 500));
        let text = folder.printed(&["trace", "export", "random.rvt", "--format", "chrome-trace"]);
        let (slices, flows, _) = checked(&text);
        seen.extend(slices.into_iter().map(|it| it.category));
        seen.extend(flows.into_keys());
        assert_eq!(text, folder.printed(&["trace", "export", "random.rvt", "--format", "chrome-trace"]));
    }
    let expected = ["block", "hold", "join", "poll", "send", "spawn", "task", "test", "wait"];
    assert!(expected.iter().all(|it| seen.contains(*it)), "{seen:?}");
    let text =
        folder.printed(&["trace", "export", "random.rvt", "--format", "chrome-trace", "--limit", "40"]);
    checked(&text);
    assert!(text.contains("only the first 40 events are shown"));
}

#[test]
fn a_report_shows_its_findings_on_the_timeline() {
    let folder = Folder::new();
    let args = ["replay", "shop.jsonl", "--spec", "shop.toml", "--output", "chrome-trace=trace.json"];
    let args = [&args[..], &["--output", "otlp=spans.jsonl"]].concat();
    assert_eq!(folder.run(&args).status.code(), Some(10));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it was written");
    let (_, _, instants) = checked(&read("trace.json"));
    let [finding] = &instants.iter().filter(|it| it["cat"] == "finding").collect::<Vec<_>>()[..] else {
        panic!("one finding: {instants:?}")
    };
    assert_eq!((nanos(&finding["ts"]), &finding["args"]["property"]), (115, &"no-sale".into()));
    let spans = spans(&read("spans.jsonl"));
    let test = spans.iter().find(|it| it["name"] == "monday").expect("the test is a span");
    assert_eq!(test["events"][0]["name"], "rvcheck.finding");
    assert_eq!((&test["events"][0]["timeUnixNano"], &test["status"]["code"]), (&"115".into(), &2.into()));
    let output =
        folder.run(&["replay", "shop.jsonl", "--spec", "shop.toml", "--output", "otlp=shop.toml/where"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write shop.toml"));
}

/// Holds lines against what OTLP has to be in JSON, and gives the spans.
fn spans(text: &str) -> Vec<Value> {
    let mut spans = Vec::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        for resource in line["resourceSpans"].as_array().expect("a list") {
            let attributes = resource["resource"]["attributes"].as_array().expect("a list");
            assert!(attributes.iter().any(|it| it["key"] == "service.name"), "{resource}");
            for scope in resource["scopeSpans"].as_array().expect("a list") {
                assert_eq!(scope["scope"]["name"], "rvcheck");
                spans.extend(scope["spans"].as_array().expect("a list").iter().cloned());
            }
        }
    }
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let is_hex = |it: &str, length: usize| {
        it.len() == length && it.bytes().all(|it| it.is_ascii_hexdigit()) && it.bytes().any(|it| it != b'0')
    };
    let mut known = BTreeMap::new();
    for span in &spans {
        let (trace, id) = (text(&span["traceId"]), text(&span["spanId"]));
        assert!(is_hex(&trace, 32) && is_hex(&id, 16), "{span}");
        assert!(known.insert(id, trace).is_none(), "each span has a number of its own: {span}");
        let time = |key: &str| text(&span[key]).parse::<u64>().expect("ns");
        assert!(time("startTimeUnixNano") < time("endTimeUnixNano"), "{span}");
        assert_eq!(span["kind"], 1);
        let mut keys = BTreeSet::new();
        for attribute in span["attributes"].as_array().expect("a list") {
            assert!(keys.insert(text(&attribute["key"])), "{span}");
            let value = attribute["value"].as_object().expect("an object");
            let [(kind, value)] = value.iter().collect::<Vec<_>>()[..] else { panic!("one value: {span}") };
            let fits = match kind.as_str() {
                "stringValue" => value.is_string(),
                "intValue" => text(value).parse::<i64>().is_ok(),
                "boolValue" => value.is_boolean(),
                _ => false,
            };
            assert!(fits, "{span}");
        }
    }
    for span in &spans {
        if let Some(parent) = span.get("parentSpanId") {
            assert_eq!(known.get(&text(parent)), Some(&text(&span["traceId"])), "{span}");
        }
        for link in span["links"].as_array().expect("a list") {
            assert_eq!(known.get(&text(&link["spanId"])), Some(&text(&link["traceId"])), "{span}");
        }
    }
    spans
}

#[test]
fn spans_are_what_happened() {
    let folder = Folder::new();
    let args = ["trace", "export", "shop.jsonl", "--format", "otlp"];
    let text = folder.printed(&args);
    let all = spans(&text);
    let find =
        |name: &str| all.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{name}: {all:#?}"));
    let (test, task) = (find("monday"), find("task mover"));
    assert_eq!((test.get("parentSpanId"), task["parentSpanId"].as_str()), (None, test["spanId"].as_str()));
    assert_eq!((&test["startTimeUnixNano"], &test["endTimeUnixNano"]), (&"10".into(), &"160".into()));
    assert_eq!((&test["status"], &task["status"]["code"]), (&serde_json::json!({}), &2.into()));
    let linked = |span: &Value| span["links"].as_array().map_or(0, Vec::len);
    // The poll is let go on and receives the message, and the test goes on after the end of the task.
    let polls: Vec<usize> = all.iter().filter(|it| it["name"] == "poll").map(linked).collect();
    assert_eq!((polls, linked(test)), (vec![0, 2], 1));
    assert_eq!(text, folder.printed(&args), "the numbers are the same each time");
}

#[test]
fn spans_of_any_program_are_sound() {
    let folder = Folder::new();
    for seed in 20..32 {
        folder.write("random.rvt", &recorded(seed, 500));
        let text = folder.printed(&["trace", "export", "random.rvt", "--format", "otlp"]);
        assert!(spans(&text).len() > 20, "{seed}");
        assert_eq!(text, folder.printed(&["trace", "export", "random.rvt", "--format", "otlp"]));
    }
    let text = folder.printed(&["trace", "export", "random.rvt", "--format", "otlp", "--limit", "40"]);
    spans(&text);
    assert!(text.contains("only the first 40 events are shown"));
}

const VIEWERS: &str = include_str!("../../docs/viewers.md");

/// The first block of the page of this language.
fn block(language: &str) -> &'static str {
    let mut marked = VIEWERS.split("\n```").skip(1).step_by(2);
    marked.find_map(|it| it.strip_prefix(language)?.strip_prefix('\n')).expect("the page has one")
}

#[test]
fn the_page_of_viewers_shows_what_the_tool_prints() {
    let folder = Folder::new();
    folder.write("shop.jsonl", format!("{}\n", block("jsonl")).as_bytes());
    let command = block("console").strip_prefix("$ cargo rvcheck ").expect("a command");
    let printed = folder.printed(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(printed.trim_end(), block("text"), "{printed}");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_table_takes_a_feature() {
    let output = Folder::new().run(&["trace", "export", "shop.jsonl", "--format", "parquet"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("was built without the feature `parquet`"));
}

#[cfg(feature = "parquet")]
#[test]
fn a_table_is_a_parquet_file() {
    let folder = Folder::new();
    let args = ["trace", "export", "shop.jsonl", "--format", "parquet", "--out", "events.parquet"];
    folder.printed(&args);
    let bytes = fs::read(folder.path().join("events.parquet")).expect("it was written");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}
