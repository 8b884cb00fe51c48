//! Lifestates in tests: short ways to write them and their traces, and random ones.

#![allow(dead_code, reason = "each test uses its part of the kit")]

#[path = "../dice.rs"]
pub(crate) mod dice;
pub(crate) mod random;

use std::fmt::Write as _;

use rvcheck_event::event::Event;
use rvcheck_event::jsonl;
use rvcheck_event::log::Log;
use rvcheck_event::stream::EventStream;
use rvcheck_event::world::World;
use rvcheck_oracles::lifestates::Sent;
use rvcheck_spec::evaluation::lifestate::blocks::{Blocks, Cutter};
use rvcheck_spec::{Property, PropertySource, Vocabulary};

use random::{TASKS, script};

/// Polls are messages where a rule speaks of them.
pub(crate) const NAMES_POLLS: &str = "(_ & true) |- cb poll(t)";

/// A lifestate of these rules.
pub(crate) fn lifestate(rules: &[&str]) -> PropertySource {
    PropertySource {
        id: "l".to_owned(),
        logic: "lifestate".to_owned(),
        rules: rules.iter().map(|it| (*it).to_owned()).collect(),
        ..PropertySource::default()
    }
}

/// A trace of messages, separated by semicolons: `ciret Ready = Service::poll_ready(1)`. `test:` in front of one says whose it is. `cb poll(1)`
/// and `cbret suspend = poll(1)` are the built-in events, and what is between them is of this task.
pub(crate) fn lines(script: &str) -> String {
    let mut out = String::new();
    let mut task = String::new();
    for message in script.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let (test, message) = match message.split_once("@ ") {
            Some((test, message)) => (format!(r#","test":"{test}""#), message),
            None => (String::new(), message),
        };
        let (head, values) = message.trim_end_matches(')').split_once('(').expect("there are parameters");
        let (kind, rest) = head.split_once(' ').expect("there is a kind");
        let (kind, rest) = match rest.strip_prefix("ciret ").filter(|_| kind == "dis") {
            Some(rest) => ("dis ciret", rest),
            None if kind == "dis" => ("dis ci", &rest[3..]),
            None => (kind, rest),
        };
        let (result, path) = match rest.split_once('=') {
            Some((result, path)) => (Some(result.trim()), path.trim()),
            None => (None, rest),
        };
        if path == "poll" {
            let event = result.unwrap_or("poll");
            let _ = writeln!(out, "{{\"e\":\"{event}\",\"a\":{{\"t\":\"task:{values}\"}}{test}}}");
            task = result.map_or_else(|| format!(",\"task\":\"task:{values}\""), |_| String::new());
            continue;
        }
        let value = |it: &str| if it.parse::<i64>().is_ok() { it.to_owned() } else { format!("{it:?}") };
        let mut given: Vec<String> =
            result.into_iter().map(|it| format!(r#""result":{}"#, value(it))).collect();
        let values = values.split(',').map(str::trim).filter(|it| !it.is_empty());
        given.extend(values.enumerate().map(|(at, it)| format!(r#""{}":{}"#, at + 1, value(it))));
        let _ = writeln!(out, "{{\"e\":\"{kind} {path}\",\"a\":{{{}}}{test}{task}}}", given.join(","));
    }
    out
}

/// A poll of a trace in which several tasks are polled at once.
pub(crate) struct Poll {
    pub(crate) task: i64,
    /// What it does; its first and last message are its ends.
    pub(crate) messages: Vec<Sent>,
    /// When each of these comes.
    pub(crate) times: Vec<usize>,
    pub(crate) begin: usize,
    pub(crate) end: usize,
}

/// The trace of these polls, each on a thread of its task's own.
pub(crate) fn interleaved(polls: &[Poll]) -> String {
    let mut all: Vec<(usize, String)> = Vec::new();
    for poll in polls {
        let task = poll.task - TASKS;
        for (time, message) in poll.times.iter().zip(&poll.messages) {
            let line = lines(&script(message));
            let of_poll = message.path == "poll";
            let whose = if of_poll { String::new() } else { format!(",\"task\":\"task:{task}\"") };
            let open = line.trim_end().strip_suffix('}').unwrap_or_default();
            all.push((*time, format!("{open},\"thread\":{task}{whose}}}\n")));
        }
    }
    all.sort_by_key(|it| it.0);
    all.into_iter().map(|it| it.1).collect()
}

/// Hands the messages of a trace to something that looks at them.
pub(crate) fn fed(vocabulary: &Vocabulary, lines: &str, mut look: impl FnMut(&Event, &World)) -> Log {
    let log = jsonl::read(lines.as_bytes(), vocabulary.declared()).with_unit_for_the_rest("process");
    assert_eq!(log.problems, [], "{lines}");
    let mut replay = log.replay();
    while let Some(event) = replay.next() {
        look(&event, replay.world());
    }
    log
}

/// The callbacks of the one unit of a trace.
pub(crate) fn cut(property: &Property, vocabulary: &Vocabulary, lines: &str) -> Blocks {
    let mut cutter = Cutter::new(property.lifestate().expect("it is one"));
    fed(vocabulary, lines, |event, world| {
        cutter.step(event, world);
    });
    cutter.finish().pop().map(|it| it.1).unwrap_or_default()
}
