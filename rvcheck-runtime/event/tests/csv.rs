//! Traces are read from comma-separated values.

use rvcheck_event::csv;
use rvcheck_event::declared::Declared;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::log::line_of;
use rvcheck_event::stream::EventStream;
use rvcheck_event::value::Value;

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
fn what_makes_no_sense_is_told_with_its_place() {
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
        let told: Vec<_> = log.problems.iter().map(ToString::to_string).collect();
        assert_eq!(told, [expected], "{text}");
        assert!(log.events.is_empty(), "{text}");
    }
    let log = csv::read(b"note,a\ngrant,a,b\nnote,\xff\nnote,c", &declared());
    let told: Vec<_> = log.problems.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["2:9: `n` is a whole number, not `\"b\"`", "3:6: this byte is not UTF-8"]);
}
