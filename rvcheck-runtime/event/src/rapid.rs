//! Traces in the STD form of the tool RAPID: an event a line, `thread|operation(what)|place`.
//!
//! `acq` and `rel` take locks, which their thread may take again, and give them back; `fork` and `join` are about threads. What a
//! read sees is only known to be written before, so each read counts as a signal of all the writes before it. The place is a
//! number that means nothing here; events are at their lines.

use crate::declared::Declared;
use crate::json::Json;
use crate::kind::ObjectKind;
use crate::log::Log;
use crate::log::collect::{Collector, Details};

/// The operations: their names, those of the events that they become, and the parameters of these.
const OPERATIONS: [(&str, &str, &str); 6] = [
    ("acq", "acquire", "l"),
    ("rel", "release", "l"),
    ("fork", "spawn", "u"),
    ("join", "join", "u"),
    ("w", "notify_all", "o"),
    ("r", "signalled", "o"),
];

/// Reads a trace. Empty lines are skipped; lines that make no sense are left out and reported in [`Log::problems`]. Nothing of it is
/// declared, so `declared` only says what the other readers are given.
pub fn read(text: &[u8], declared: &[Declared]) -> Log {
    let mut collector = Collector::new(declared);
    for (index, line) in text.split(|it| *it == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Err((at, message)) = take(&mut collector, line, index + 1) {
            collector.problem(index + 1, line[..at].chars().count() + 1, message);
        }
    }
    collector.finish()
}

/// Takes the event of a line; what is wrong with it, and at which byte.
fn take(collector: &mut Collector<'_>, line: &str, number: usize) -> Result<(), (usize, String)> {
    let form = || "expected `thread|operation(what)|place`".to_owned();
    let (thread, rest) = line.split_once('|').ok_or_else(|| (0, form()))?;
    let operation = rest.split_once('|').map_or(rest, |(it, _)| it);
    let at = thread.len() + 1;
    let (name, what) = operation
        .strip_suffix(')')
        .and_then(|it| it.split_once('('))
        .filter(|(_, what)| !what.is_empty() && !thread.is_empty())
        .ok_or_else(|| (at, form()))?;
    let known = OPERATIONS.iter().find(|(it, ..)| *it == name);
    let (_, event, param) = known.ok_or_else(|| (at, format!("`{name}` is no operation")))?;
    let named = collector.named(event);
    let mut taken = collector.begin(named, event, number);
    let mut details = Details::default();
    // What is joined or forked is a thread, and called so by its own events, too.
    for (key, value) in [("t", thread), (*param, what)] {
        let value = Json::Text(value.to_owned());
        collector.argument(&mut taken, &mut details, key, &value).map_err(|message| (at, message))?;
    }
    if *param == "l" {
        details.object = Some(ObjectKind::LockApiReentrant);
    }
    collector.without_time(number);
    collector.learn(&taken, details);
    collector.push(named, event, taken, &[]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::EventKind as K;

    #[test]
    fn each_operation_is_an_event_of_its_thread() {
        let log =
            read(b"T1|fork(T2)|1\nT1|acq(L1)|2\nT1|w(V)|3\nT1|rel(L1)|4\n\nT2|r(V)|5\nT1|join(T2)|6\n", &[]);
        assert_eq!(log.problems, []);
        let kinds: Vec<K> = log.events.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [K::Spawn, K::Acquire, K::NotifyAll, K::Release, K::Signalled, K::Join]);
        assert_eq!(log.events[0].object, log.events[4].task.0);
    }

    #[test]
    fn malformed_input_is_reported_with_its_location() {
        let log = read("T1|acq(L1)|2\nT1 acq\nT1|lock(L1)|3\nß|acq()|4\n".as_bytes(), &[]);
        let places: Vec<_> = log.problems.iter().map(|it| (it.line, it.column)).collect();
        assert_eq!(places, [(2, 1), (3, 4), (4, 3)]);
        assert_eq!(log.events.len(), 1);
    }
}
