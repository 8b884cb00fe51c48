//! Traces survive being written as JSON lines and read back.

mod support;

use rvcheck_event::declared::Declared;
use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::jsonl;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::log::{Log, line_of};
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::world::World;
use rvcheck_event::{Value, attribute};
use support::{Random, program};

/// An event as properties see it: its place, test, arguments and attributes, with texts instead of numbers.
fn seen(event: &Event, world: &World) -> String {
    let signature = event.kind.signature();
    let own = if event.kind == EventKind::User { world.arguments() } else { &[] };
    let text = |value: Value| match value.text(world.names()) {
        Some(text) => format!("{text:?}"),
        None => format!("{value:?}"),
    };
    let built_in = (0..signature.params.len()).map(|it| event.argument(it));
    let arguments: Vec<_> = built_in.chain(own.iter().copied()).map(text).collect();
    let attributes: Vec<_> =
        signature.attrs.iter().map(|(name, _)| (*name, attribute(event, name, world).map(text))).collect();
    let names = world.names();
    let name = (event.kind == EventKind::User).then(|| names.text(StringId(event.object)));
    let place = names.site(event.site).map(ToString::to_string);
    let unit = names.unit(event.unit).map(|it| names.text(it));
    let (flags, ns) = (event.flags, (event.ns, event.cpu, event.time, event.number));
    format!(
        "{signature:?} {name:?} {flags} {:?} {:?} {unit:?} {place:?} {ns:?} {arguments:?} {attributes:?}",
        event.thread, event.task
    )
}

fn all_seen(mut stream: impl EventStream) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(event) = stream.next() {
        all.push(seen(&event, stream.world()));
    }
    all
}

fn lines(mut stream: impl EventStream) -> String {
    let mut all = String::new();
    while let Some(event) = stream.next() {
        all += &jsonl::line(&event, stream.world(), &declared());
        all.push('\n');
    }
    all
}

/// `grant(who: task, n: int)`, `say(what)`, `tick()`.
fn declared() -> Vec<Declared> {
    let one = |name: &str, params: &[(&str, Sort)]| Declared {
        name: name.to_owned(),
        params: params.iter().map(|(it, sort)| ((*it).to_owned(), *sort)).collect(),
    };
    vec![
        one("grant", &[("who", Sort::Task), ("n", Sort::Int)]),
        one("say", &[("what", Sort::Any), ("how", Sort::Str)]),
        one("tick", &[]),
    ]
}

fn clean(text: &str) -> Log {
    let log = jsonl::read(text.as_bytes(), &declared());
    assert_eq!(log.problems, []);
    assert!(log.unknown.is_empty());
    log
}

#[test]
fn a_trace_survives_its_lines() {
    let mut random = Random(11);
    for case in 0..100 {
        let steps = random.below(300);
        let bytes = program(&mut random, steps, 4).build();
        let trace = read::read(&bytes).expect("a trace");
        let text = lines(merge::events(&trace));
        let log = clean(&text);
        assert_eq!(all_seen(merge::events(&trace)), all_seen(log.replay()), "case {case}");
        assert_eq!(lines(log.replay()), text, "case {case}");
    }
}

#[test]
fn a_log_is_equal_to_the_log_of_its_lines() {
    let mut random = Random(12);
    let bytes = program(&mut random, 400, 4).build();
    let trace = read::read(&bytes).expect("a trace");
    let first = clean(&lines(merge::events(&trace)));
    let second = clean(&lines(first.replay()));
    assert_eq!(first.events, second.events);
    assert_eq!(first.names(), second.names());
}

#[test]
fn the_line_of_the_manual_is_understood() {
    let text = r#"{"e":"acquire","a":{"t":"task:3","l":"lock:17","mode":"write"},"thread":1,"test":"it::moves","time":1200,"site":"src/lib.rs:3:5"}"#;
    let log = clean(text);
    let [event] = log.events[..] else { panic!("one event") };
    assert_eq!((event.kind, event.task.0, event.object, event.thread.0), (EventKind::Acquire, 3, 17, 1));
    assert_eq!(event.time, 1200);
    assert_eq!(log.names().unit(event.unit).map(|it| log.names().text(it)), Some("it::moves"));
    assert_eq!(log.names().site(event.site).map(ToString::to_string).as_deref(), Some("src/lib.rs:3:5"));
    let mut replay = log.replay();
    replay.next();
    assert_eq!(attribute(&event, "mode", replay.world()), Some(Value::Symbol("write")));
    assert_eq!(attribute(&event, "time", replay.world()), Some(Value::Int(1200)));
}

#[test]
fn a_line_tells_what_waits_for_a_lock_by_its_type_or_in_so_many_words() {
    for (text, kind, send) in [
        (r#"{"e":"acquire","a":{"l":"till"}}"#, None, None),
        (r#"{"e":"acquire","a":{"l":"till","kind":"async"}}"#, Some("async"), Some(true)),
        (r#"{"e":"acquire","a":{"l":"till","kind":"::blocking"}}"#, Some("blocking"), Some(false)),
        (r#"{"e":"acquire","a":{"l":"till","kind":"blocking","send":true}}"#, Some("blocking"), Some(true)),
        (r#"{"e":"acquire","a":{"l":"till"},"object":"lock_api::RwLock"}"#, Some("blocking"), Some(false)),
    ] {
        let log = clean(text);
        let mut replay = log.replay();
        let event = replay.next().expect("one event");
        let of = |name| attribute(&event, name, replay.world());
        assert_eq!(of("kind"), kind.map(Value::Symbol), "{text}");
        assert_eq!(of("send"), send.map(Value::Bool), "{text}");
    }
}

#[test]
fn objects_may_have_names_of_their_own() {
    let log = clean(
        r#"{"e":"acquire","a":{"t":"main","l":"ledger"}}
           {"e":"release","a":{"t":"task:main","l":"lock:ledger"}}
           {"e":"acquire","a":{"t":"main","l":"other"}}"#,
    );
    let [first, second, third] = log.events[..] else { panic!("three events") };
    assert_eq!((first.task, first.object), (second.task, second.object));
    assert_ne!(first.object, third.object);
    let numbers = [first.task.0, first.object, third.object];
    assert!(numbers.iter().all(|it| *it < 8), "they take little room: {numbers:?}");
    assert_eq!(log.names().task(first.task).map(|it| log.names().text(it)), Some("main"));
}

#[test]
fn malformed_input_is_reported_with_its_location() {
    for (text, column, message) in [
        ("{", 2, "no JSON: expected `\"`"),
        ("[]", 1, "a line is a JSON object"),
        ("{}", 1, "`e`, the name of the event, is missing"),
        (r#"{"e":1}"#, 2, "`e` is a string, not `1`"),
        (r#"{"e":"poll","a":[]}"#, 13, "`a` is not a JSON object"),
        (r#"{"e":"poll","a":{"x":1}}"#, 18, "`poll` has no argument `x`"),
        (r#"{"e":"poll","a":{"t":"lock:1"}}"#, 18, "`t` is a task, not `lock:1`"),
        (r#"{"e":"poll","a":{"t":1}}"#, 18, "`t` is a string, not `1`"),
        (r#"{"e":"poll","a":{"t":"a","t":"b"}}"#, 18, "`t` is given twice"),
        (r#"{"e":"poll","a":{"t":""}}"#, 18, "`t` names no task"),
        (r#"{"e":"acquire","a":{"mode":"wild"}}"#, 21, "`wild` is no `mode`"),
        (r#"{"e":"acquire","a":{"kind":"wild"}}"#, 21, "`wild` is no `kind`"),
        (r#"{"e":"acquire","a":{"send":1}}"#, 21, "`send` is true or false, not `1`"),
        (r#"{"e":"acquire","a":{"try":1}}"#, 21, "`try` is true or false, not `1`"),
        (r#"{"e":"poll","time":-1}"#, 13, "`time` is a number from 0, not `-1`"),
        (r#"{"e":"poll","test":1}"#, 13, "`test` is a string, not `1`"),
        (r#"{"e":"poll","group":1}"#, 13, "`group` is a string, not `1`"),
        (r#"{"e":"grant","a":{"who":"lock:1"}}"#, 19, "`who` is a task, not `lock:1`"),
        (r#"{"e":"grant","a":{"n":"1"}}"#, 19, "`n` is a whole number, not `\"1\"`"),
        (r#"{"e":"grant","a":{"n":1.5}}"#, 19, "`n` is a whole number, not `1.5`"),
        (r#"{"e":"grant","a":{"m":1}}"#, 19, "`grant` has no argument `m`"),
        (r#"{"e":"tick","a":{"n":1}}"#, 18, "`tick` has no argument `n`"),
        (r#"{"e":"say","a":{"what":[]}}"#, 17, "`what` is a string, a whole number, true or false, not `[]`"),
    ] {
        let log = jsonl::read(format!("\n{text}\n").as_bytes(), &declared());
        let messages: Vec<_> = log.problems.iter().map(|it| (it.line, it.column, &*it.message)).collect();
        assert_eq!(messages, [(2, column, message)], "{text}");
        assert!(log.events.is_empty());
    }
    let log = jsonl::read(b"{\"e\":\"poll\"}\n{\"e\":\"p\xff\"}", &[]);
    let messages: Vec<_> = log.problems.iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["2:8: this byte is not UTF-8"]);
}

#[test]
fn an_event_of_another_name_is_a_position_and_nothing_else() {
    let log = jsonl::read(
        b"{\"e\":\"other\"}\n{\"e\":\"other\",\"a\":{\"n\":[1],\"n\":2},\"test\":\"a\"}\n{\"e\":\"poll\"}\r\n\n",
        &declared(),
    );
    assert_eq!(log.problems, []);
    assert_eq!(log.unknown.get("other"), Some(&2));
    assert_eq!(log.events.len(), 3);
    let mut replay = log.replay();
    let event = replay.next().expect("there is one");
    assert_eq!((event.kind, replay.world().arguments()), (EventKind::User, &[][..]));
}

#[test]
fn declared_events_have_their_arguments_in_the_order_of_their_parameters() {
    let text = r#"{"e":"grant","a":{"n":5,"who":"task:3"},"time":1}
{"e":"grant","a":{"n":99999999999999999999},"time":2}
{"e":"say","a":{"what":"lock:7","how":"lock:7"},"time":3}
{"e":"poll","a":{"t":"task:3"},"time":4}
{"e":"say","a":{"what":true},"time":5}
{"e":"tick","time":6}"#;
    let log = clean(text);
    let mut replay = log.replay();
    let mut found = Vec::new();
    while let Some(event) = replay.next() {
        if event.kind == EventKind::User {
            let lock = log.names().id_of("lock:7").map_or(Value::Absent, Value::Str);
            found.push(
                replay
                    .world()
                    .arguments()
                    .iter()
                    .map(|it| if *it == lock { Value::Symbol("lock:7") } else { *it })
                    .collect::<Vec<_>>(),
            );
        }
        assert_eq!(line_of(event.site).map(u64::from), Some(event.time), "a line is its own place");
    }
    let expected = [
        vec![Value::Object(Sort::Task, 3), Value::Int(5)],
        vec![Value::Absent, Value::Int(i64::MAX)],
        vec![Value::Object(Sort::Lock, 7), Value::Symbol("lock:7")],
        vec![Value::Bool(true), Value::Absent],
        vec![],
    ];
    assert_eq!(found, expected);
    let again = clean(&lines(log.replay()));
    assert_eq!(all_seen(log.replay()), all_seen(again.replay()));
    assert_eq!(log.untimed, None);
    assert_eq!(clean("{\"e\":\"tick\",\"time\":1}\n{\"e\":\"tick\"}").untimed, Some(2));
}

#[test]
fn the_group_and_the_callee_are_those_of_the_line_alone_and_survive() {
    let text = concat!(
        "{\"e\":\"tick\",\"group\":\"workers:1\",\"callee\":\"task:9\",\"time\":1}\n",
        "{\"e\":\"start\",\"a\":{\"t\":\"task:2\"},\"group\":\"workers:2\",\"time\":2}\n",
        "{\"e\":\"tick\",\"callee\":7,\"time\":3}\n",
        "{\"e\":\"poll\",\"a\":{\"t\":\"task:2\"},\"time\":4}\n",
    );
    let messages = |log: &Log| {
        let mut found = Vec::new();
        let mut replay = log.replay();
        while let Some(event) = replay.next() {
            let world = replay.world();
            let group = world.group().text(world.names()).map(str::to_owned);
            assert_eq!(attribute(&event, "group", world).is_some(), group.is_some());
            found.push((group, world.callee()));
        }
        found
    };
    let expected = [
        (Some("workers:1".to_owned()), Value::Object(Sort::Task, 9)),
        (Some("workers:2".to_owned()), Value::Absent),
        (None, Value::Int(7)),
        (None, Value::Absent),
    ];
    let log = clean(text);
    assert_eq!(messages(&log), expected);
    assert_eq!(messages(&clean(&lines(log.replay()))), expected);
}

#[test]
fn a_test_is_the_same_object_wherever_it_is_named() {
    let test = [Declared { name: "of".to_owned(), params: vec![("x".to_owned(), Sort::Test)] }];
    let text = br#"{"e":"of","a":{"x":"it::a"},"test":"it::b"}
{"e":"test_begin","a":{"x":"it::a"},"test":"it::a"}"#;
    let log = jsonl::read(text, &test);
    assert_eq!(log.problems, []);
    let mut replay = log.replay();
    replay.next();
    let [Value::Object(Sort::Test, number)] = *replay.world().arguments() else { panic!("a test") };
    assert_eq!((log.events[1].unit.0, log.events[1].object), (number, number));
    assert_ne!(log.events[0].unit.0, number);
}

#[test]
fn what_belongs_to_no_test_can_be_a_unit_of_its_own() {
    for (text, units) in [
        ("", vec!["process"]),
        ("{\"e\":\"tick\"}", vec!["process"]),
        ("{\"e\":\"tick\",\"test\":\"a\"}", vec!["a"]),
        ("{\"e\":\"tick\"}\n{\"e\":\"tick\",\"test\":\"a\"}", vec!["a", "process"]),
    ] {
        let log = clean(text).with_unit_for_the_rest("process");
        let found: Vec<_> = log.names().units().map(|(_, name)| name).collect();
        assert_eq!(found, units, "{text}");
        assert!(log.events.iter().all(|it| it.unit.is_some()));
    }
}

#[test]
fn no_line_can_break_the_reader() {
    let mut random = Random(13);
    let bytes = program(&mut random, 60, 4).build();
    let trace = read::read(&bytes).expect("a trace");
    let text = lines(merge::events(&trace)).into_bytes();
    let mut with_problems = 0;
    for _ in 0..400 {
        let mut copy = text.clone();
        for _ in 0..=random.below(20) {
            let at = random.below(copy.len());
            match random.below(3) {
                0 => copy[at] = random.next() as u8,
                1 => drop(copy.remove(at)),
                _ => copy.insert(at, b"\"{}[]:,0-"[random.below(9)]),
            }
        }
        let log = jsonl::read(&copy, &declared());
        with_problems += usize::from(!log.problems.is_empty());
        all_seen(log.replay());
    }
    assert!(with_problems > 100, "the damage is noticed");
}
