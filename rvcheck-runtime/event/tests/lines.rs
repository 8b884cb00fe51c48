//! Traces survive being written as JSON lines and read back.

mod support;

use rvcheck_event::event::Event;
use rvcheck_event::jsonl::{self, Log};
use rvcheck_event::kind::EventKind;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::world::World;
use rvcheck_event::{Value, attribute};
use support::{Random, program};

/// An event as properties see it: its place, test, arguments and attributes, with texts instead of numbers.
fn seen(event: &Event, world: &World) -> String {
    let signature = event.kind.signature();
    let text = |value: Value| match value.text(world) {
        Some(text) => format!("{text:?}"),
        None => format!("{value:?}"),
    };
    let arguments: Vec<_> = (0..signature.params.len()).map(|it| text(event.argument(it))).collect();
    let attributes: Vec<_> =
        signature.attrs.iter().map(|(name, _)| (*name, attribute(event, name, world).map(text))).collect();
    let names = world.names();
    let place = names.site(event.site).map(ToString::to_string);
    let unit = names.unit(event.unit).map(|it| names.text(it));
    let (flags, ns) = (event.flags, (event.ns, event.cpu, event.time, event.number));
    format!(
        "{signature:?} {flags} {:?} {:?} {unit:?} {place:?} {ns:?} {arguments:?} {attributes:?}",
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
        all += &jsonl::line(&event, stream.world());
        all.push('\n');
    }
    all
}

fn clean(text: &str) -> Log {
    let log = jsonl::read(text.as_bytes());
    assert_eq!(log.problems, []);
    assert!(log.unknown.is_empty());
    log
}

#[test]
fn a_trace_survives_its_lines() {
    let mut random = Random(11);
    for round in 0..100 {
        let steps = random.below(300);
        let bytes = program(&mut random, steps, 4).build();
        let trace = read::read(&bytes).expect("a trace");
        let text = lines(merge::events(&trace));
        let log = clean(&text);
        assert_eq!(all_seen(merge::events(&trace)), all_seen(log.replay()), "round {round}");
        assert_eq!(lines(log.replay()), text, "round {round}");
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
fn objects_may_have_names_of_their_own() {
    let log = clean(
        r#"{"e":"acquire","a":{"t":"main","l":"ledger"}}
           {"e":"release","a":{"t":"task:main","l":"lock:ledger"}}
           {"e":"acquire","a":{"t":"main","l":"other"}}"#,
    );
    let [first, second, third] = log.events[..] else { panic!("three events") };
    assert_eq!((first.task, first.object), (second.task, second.object));
    assert_ne!(first.object, third.object);
    assert_eq!(log.names().task(first.task).map(|it| log.names().text(it)), Some("main"));
}

#[test]
fn what_makes_no_sense_is_told_with_its_line() {
    for (text, message) in [
        ("{", "no JSON: expected `\"` at column 2"),
        ("[]", "a line is a JSON object"),
        ("{}", "`e`, the name of the event, is missing"),
        (r#"{"e":"poll","a":[]}"#, "`a` is not a JSON object"),
        (r#"{"e":"poll","a":{"x":1}}"#, "`poll` has no argument `x`"),
        (r#"{"e":"poll","a":{"t":"lock:1"}}"#, "`t` is a task, not `lock:1`"),
        (r#"{"e":"poll","a":{"t":1}}"#, "`t` is a string, not `1`"),
        (r#"{"e":"acquire","a":{"mode":"wild"}}"#, "`wild` is no `mode`"),
        (r#"{"e":"acquire","a":{"try":1}}"#, "`try` is true or false, not `1`"),
        (r#"{"e":"poll","time":-1}"#, "`time` is a number from 0, not `-1`"),
    ] {
        let log = jsonl::read(format!("\n{text}\n").as_bytes());
        let told: Vec<_> = log.problems.iter().map(|it| (it.line, &*it.message)).collect();
        assert_eq!(told, [(2, message)], "{text}");
        assert!(log.events.is_empty());
    }
}

#[test]
fn events_of_other_names_are_counted() {
    let log = jsonl::read(b"{\"e\":\"grant\"}\n{\"e\":\"grant\",\"a\":{\"n\":1}}\n{\"e\":\"poll\"}\r\n\n");
    assert_eq!(log.unknown.get("grant"), Some(&2));
    assert_eq!(log.events.len(), 1);
    assert_eq!(log.problems, []);
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
        let log = jsonl::read(&copy);
        with_problems += usize::from(!log.problems.is_empty());
        all_seen(log.replay());
    }
    assert!(with_problems > 100, "the damage is noticed");
}
