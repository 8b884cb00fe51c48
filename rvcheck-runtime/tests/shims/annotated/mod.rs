//! Programs whose comments say what each line records: `//~ acquire(write) release(write)` behind the line, and for what has
//! no place of the program's own a line `//~~ finish 2, detach 1`.

use std::collections::BTreeMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::TaskId;
use rvcheck_event::kind::{EventKind, Mode, TaskKind, What};
use rvcheck_event::record::flag;
use rvcheck_event::trace::{merge, read};

/// Compares the comments of a program with the trace that it has left.
pub(crate) fn compare(text: &str, bytes: &[u8]) {
    let trace = read::read(bytes).unwrap();
    let mut placed: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut placeless: BTreeMap<String, u32> = BTreeMap::new();
    let mut merge = merge::events(&trace);
    while let Some(event) = merge.next() {
        let joined = merge.world().task(TaskId(event.object));
        if matches!(event.kind, EventKind::AtomicStore | EventKind::AtomicLoad) {
            // They have no place, and who finds something that is made once comes when it comes.
            continue;
        }
        if event.kind == EventKind::JoinWait && joined.is_some_and(|it| it.kind == TaskKind::Blocking) {
            // Whether it has ended before is a matter of chance.
            continue;
        }
        match trace.names().site(event.site) {
            Some(place) if place.own => placed.entry(place.position.line).or_default().push(label(&event)),
            _ => *placeless.entry(label(&event)).or_default() += 1,
        }
    }
    assert!(merge.problems().is_empty(), "{}", merge.problems());

    let mut wrong = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let expected = line.split_once("//~ ").map_or("", |(_, events)| events);
        let found = placed.get(&(index as u32 + 1)).map_or(String::new(), |events| events.join(" "));
        if found != expected {
            wrong.push(format!("line {}: expected “{expected}”, found “{found}”", index + 1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let expected = text.lines().find_map(|line| line.strip_prefix("//~~ ")).unwrap();
    placeless.retain(|name, _| !["start", "poll", "suspend", "finish"].contains(&name.as_str()));
    let found: Vec<String> = placeless.iter().map(|(name, count)| format!("{name} {count}")).collect();
    assert_eq!(found.join(", "), expected);
}

/// The name of the event, with what its flags say, and the number of a message or the count of permits.
fn label(event: &Event) -> String {
    let bits = event.flags & flag::ENUM;
    let name = event.kind.signature().name;
    match event.kind {
        EventKind::Request | EventKind::Acquire | EventKind::Release | EventKind::Withdraw => {
            let mark = if event.flags & flag::TRY == 0 { "" } else { ", try" };
            format!("{name}({}{mark})", Mode::of_bits(bits).unwrap().name())
        }
        EventKind::Block | EventKind::Unblock => format!("{name}({})", What::of_bits(bits).unwrap().name()),
        EventKind::Spawn => format!("{name}({})", TaskKind::of_bits(bits).unwrap().name()),
        EventKind::Send
        | EventKind::Recv
        | EventKind::SetSpawn
        | EventKind::Undelivered
        | EventKind::PermitWait
        | EventKind::Permit
        | EventKind::PermitForget => format!("{name}({})", event.number),
        EventKind::PermitRelease => {
            let mark = if event.flags & flag::ADDED == 0 { "" } else { ", added" };
            format!("{name}({}{mark})", event.number)
        }
        EventKind::Detach if event.flags & flag::BY_OWNER != 0 => format!("{name}(by owner)"),
        _ => name.to_owned(),
    }
}
