//! Recorded traces and traces as JSON lines.

use rvcheck_event::declared::Declared;
use rvcheck_event::event::Event;
use rvcheck_event::kind::Sort;
use rvcheck_event::log::Log;
use rvcheck_event::record::RECORD_SIZE;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::{merge, read};
use rvcheck_event::{csv, jsonl};

/// What is read of a trace is bounded by its size, its times do not go back on a thread, and reading it again gives the
/// same. As JSON lines it has the same events.
pub fn trace(input: &[u8]) {
    let Ok(trace) = read::read(input) else { return };
    let mut merge = merge::events(&trace);
    let (events, lines) = all(&mut merge);
    assert!(events.len() <= input.len() / RECORD_SIZE, "{} events", events.len());
    let problems = (trace.problems(), merge.problems());
    let again = read::read(input).expect("it was read before");
    let mut merge = merge::events(&again);
    assert_eq!(all(&mut merge), (events.clone(), lines.clone()));
    assert_eq!(problems, (again.problems(), merge.problems()));
    let mut last = std::collections::BTreeMap::new();
    for event in &events {
        let last = last.entry(event.thread).or_insert(0);
        assert!(event.time >= *last, "time goes back on {:?}", event.thread);
        *last = event.time;
    }
    let log = jsonl::read(lines.as_bytes(), &declared());
    assert_eq!(log.problems.len() + log.events.len(), events.len(), "{:?}", log.problems);
}

/// A log has its problems in the order of its lines, and its events survive being written again.
pub fn lines(input: &[u8]) {
    let log = jsonl::read(input, &declared());
    let count = input.split(|it| *it == b'\n').count();
    assert!(log.events.len() + log.problems.len() <= count);
    assert!(log.problems.is_sorted_by_key(|it| it.line));
    assert!(log.problems.iter().all(|it| (1..=count).contains(&it.line)), "{:?}", log.problems);
    let kinds = |log: &Log| log.events.iter().map(|it| it.kind).collect::<Vec<_>>();
    let (events, lines) = all(&mut log.replay());
    assert_eq!(events, log.events);
    let again = jsonl::read(lines.as_bytes(), &declared());
    assert_eq!(again.problems, [], "{lines}");
    assert_eq!(kinds(&again), kinds(&log));
    assert_eq!(all(&mut again.replay()).1, lines);
}

/// Rows have their problems in the order of their lines, at characters of these; what is read of them survives as JSON lines.
pub fn rows(input: &[u8]) {
    let log = csv::read(input, &declared());
    assert_eq!(log.events, csv::read(input, &declared()).events);
    let text = String::from_utf8_lossy(input);
    let lines: Vec<&str> = text.split('\n').collect();
    assert!(log.problems.is_sorted_by_key(|it| (it.line, it.column)), "{:?}", log.problems);
    for problem in &log.problems {
        let line = problem.line.checked_sub(1).and_then(|it| lines.get(it));
        let length = line.map_or(0, |it| it.chars().count());
        assert!((1..=length + 1).contains(&problem.column), "{problem:?} in {lines:?}");
    }
    assert!(log.events.len() + log.problems.len() <= lines.len());
    let lines = all(&mut log.replay()).1;
    let again = jsonl::read(lines.as_bytes(), &declared());
    assert_eq!(again.problems, [], "{lines}");
    assert_eq!(all(&mut again.replay()).1, lines);
}

/// All events of a stream, also as JSON lines.
fn all(stream: &mut impl EventStream) -> (Vec<Event>, String) {
    let (mut events, mut lines) = (Vec::new(), String::new());
    while let Some(event) = stream.next() {
        lines += &jsonl::line(&event, stream.world(), &declared());
        lines.push('\n');
        events.push(event);
    }
    (events, lines)
}

/// An event of a program's own.
fn declared() -> [Declared; 1] {
    let params = [("who", Sort::Any), ("t", Sort::Task), ("n", Sort::Int)];
    [Declared {
        name: "grant".to_owned(),
        params: params.map(|(name, sort)| (name.to_owned(), sort)).to_vec(),
    }]
}
