//! What the shim of tokio reports, read back from the trace of a program whose comments say what to expect.

#[expect(dead_code, reason = "the tests of the shim of std use the rest")]
mod shim;
#[expect(dead_code, reason = "the tests of behaviour use the rest")]
mod tokio_kit;

use std::collections::BTreeMap;
use std::fs;

use rvcheck_event::event::Event;
use rvcheck_event::kind::{EventKind, Mode, TaskKind, What};
use rvcheck_event::record::flag;
use rvcheck_event::trace::{merge, read};

use shim::run;
use tokio_kit::{Tokio, program};

#[test]
fn every_line_records_the_events_behind_it() {
    compare("recorded.rs", &Tokio::with_features(&["full", "test-util"]));
}

#[test]
fn so_it_is_with_an_old_tokio() {
    compare("recorded_old.rs", Tokio::old());
}

/// Compares what the program says behind its lines with what it records.
fn compare(name: &str, tokio: &Tokio) {
    let source = program(name);
    let text = fs::read_to_string(&source).unwrap();
    // Files with relative paths are the program's own; those of the real crate stay absolute.
    let own = format!("--remap-path-prefix={}={name}", source.display());
    let binary = tokio.shimmed(&source, &[&own]).unwrap();
    let path = binary.with_extension("rvt");
    run(&binary, Some(&path));
    let bytes = fs::read(&path).unwrap();
    let trace = read::read(&bytes).unwrap();

    let mut placed: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut placeless: BTreeMap<String, u32> = BTreeMap::new();
    let mut merge = merge::events(&trace);
    for event in merge.by_ref() {
        match trace.names().site(event.site) {
            Some(place) if place.own => placed.entry(place.line).or_default().push(label(&event)),
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
