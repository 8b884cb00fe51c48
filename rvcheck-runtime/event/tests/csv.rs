//! Traces are read from comma-separated values, and survive being written as such.

mod support;

use rvcheck_event::csv;
use rvcheck_event::declared::Declared;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::log::line_of;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::value::Value;
use support::{Random, program};

fn declared() -> Vec<Declared> {
    let one = |name: &str, params: &[(&str, Sort)]| Declared {
        name: name.to_owned(),
        params: params.iter().map(|(it, sort)| ((*it).to_owned(), *sort)).collect(),
    };
    vec![
        one("grant", &[("who", Sort::Task), ("n", Sort::Int), ("ok", Sort::Bool)]),
        one("say", &[("what", Sort::Any)]),
        one("note", &[("text", Sort::Str)]),
    ]
}

/// The events of a text without problems: each with its line and its arguments, in words.
fn shown(text: &str) -> Vec<String> {
    let log = csv::read(text.as_bytes(), &declared());
    assert_eq!(log.problems, [], "{text}");
    let mut replay = log.replay();
    let mut found = Vec::new();
    while let Some(event) = replay.next() {
        let world = replay.world();
        let word = |value: Value| match value.text(world.names()) {
            Some(text) => format!("{text:?}"),
            None => format!("{value:?}"),
        };
        let built_in = event.kind.signature().params.len();
        let arguments: Vec<String> = if event.kind == EventKind::User {
            world.arguments().iter().map(|it| word(*it)).collect()
        } else {
            (0..built_in).map(|it| word(event.argument(it))).collect()
        };
        found.push(format!("{} {}", line_of(event.site).unwrap_or(0), arguments.join(" ")));
    }
    found
}

#[test]
fn values_are_converted_to_the_sorts_of_the_parameters() {
    let text = "acquire,task:3,17\ngrant,3,-5,true\nsay,7\nsay,true\nsay,task:3\nnote,7\nnote,true\ngrant,main\nsay,99999999999999999999\n";
    let expected = [
        "1 Object(Task, 3) Object(Lock, 17)",
        "2 Object(Task, 3) Int(-5) Bool(true)",
        "3 Int(7)",
        "4 Bool(true)",
        "5 \"task:3\"",
        "6 \"7\"",
        "7 \"true\"",
        "8 Object(Task, 18)",
        "9 Int(9223372036854775807)",
    ];
    assert_eq!(shown(text), expected);
}

#[test]
fn quotes_are_those_of_the_rfc() {
    for (text, expected) in [
        ("note,\"a,b\"", "1 \"a,b\""),
        ("note,\"a \"\"b\"\"\"", "1 \"a \\\"b\\\"\""),
        ("note,\"a\r\nb\"\r\n", "1 \"a\\r\\nb\""),
        ("\"note\",\"\"", "1 \"\""),
        ("note, a", "1 \" a\""),
        ("# note,b\n\nnote,#", "3 \"#\""),
        ("\u{feff}note,a", "1 \"a\""),
    ] {
        assert_eq!(shown(text), [expected], "{text:?}");
    }
    assert_eq!(shown("note,\"a\nb\"\nnote,c"), ["1 \"a\\nb\"", "3 \"c\""]);
    assert_eq!(shown("other,1,2,3"), ["1 "], "an event that is not known has no arguments");
    assert_eq!(shown("# only a comment"), [""; 0]);
}

#[test]
fn malformed_input_is_reported_with_its_location() {
    for (text, expected) in [
        ("grant,a,b", "2:9: `n` is a whole number, not `\"b\"`"),
        ("grant,a,1,yes", "2:11: `ok` is true or false, not `\"yes\"`"),
        ("grant,lock:1", "2:7: `who` is a task, not `lock:1`"),
        ("grant,", "2:7: `who` names no task"),
        ("grant,a,1,true,5", "2:16: `grant` has only 3 arguments"),
        ("acquire,a,b,write", "2:13: `acquire` has only 2 arguments"),
        (",a", "2:1: the name of the event is missing"),
        ("note,\"a\"b", "2:9: expected `,` or the end of the line after `\"`"),
        ("note,a\"b", "2:7: a value with `\"` in it stands in quotes, with each `\"` doubled"),
        ("note,\"a", "2:6: this `\"` is not closed"),
    ] {
        let log = csv::read(format!("# first\n{text}").as_bytes(), &declared());
        let messages: Vec<_> = log.problems.iter().map(ToString::to_string).collect();
        assert_eq!(messages, [expected], "{text}");
        assert!(log.events.is_empty(), "{text}");
    }
    let log = csv::read(b"note,a\ngrant,a,b\nnote,\xff\nnote,c", &declared());
    let messages: Vec<_> = log.problems.iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["2:9: `n` is a whole number, not `\"b\"`", "3:6: this byte is not UTF-8"]);
}

/// The rows of a stream, and what its events are called and are about.
fn rows(mut stream: impl EventStream) -> (String, Vec<String>) {
    let (mut rows, mut said) = (String::new(), Vec::new());
    while let Some(event) = stream.next() {
        let world = stream.world();
        rows += &csv::row(&event, world, &declared()).expect("everything is known");
        rows.push('\n');
        let arguments = (0..event.kind.signature().params.len()).map(|it| event.argument(it));
        let arguments: Vec<Value> = arguments.collect();
        said.push(format!("{} {arguments:?}", world.names().event(&event)));
    }
    (rows, said)
}

#[test]
fn what_events_are_about_survives_their_rows() {
    let mut random = Random(13);
    for case in 0..60 {
        let steps = random.below(300);
        let bytes = program(&mut random, steps, 4).build();
        let trace = read::read(&bytes).expect("a trace");
        let (text, said) = rows(merge::events(&trace));
        let log = csv::read(text.as_bytes(), &declared());
        assert_eq!(log.problems, [], "case {case}");
        assert_eq!(rows(log.replay()), (text, said), "case {case}");
    }
}

#[test]
fn rows_are_read_as_they_were_written() {
    for text in [
        "grant,task:3,-5,true",
        "say,task:3",
        "note,\"a,b\"",
        "note,\"a \"\"b\"\"\"",
        "note,\"a\nb\"",
        "note,\"#\"",
        "note,\"\"",
        "\"#odd, name\"",
        "grant,task:3",
        "acquire,task:1,lock:2",
    ] {
        let log = csv::read(text.as_bytes(), &declared());
        assert_eq!(log.problems, [], "{text}");
        let mut replay = log.replay();
        let event = replay.next().expect("one event");
        assert_eq!(csv::row(&event, replay.world(), &declared()).as_deref(), Some(text));
    }
    let log = rvcheck_event::jsonl::read(br#"{"e":"acquire","a":{"l":"lock:3"},"time":1}"#, &[]);
    let mut replay = log.replay();
    let event = replay.next().expect("one event");
    assert_eq!(csv::row(&event, replay.world(), &[]), None, "who it was is not known");
}
