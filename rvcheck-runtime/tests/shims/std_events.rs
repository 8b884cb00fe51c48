//! What the shim of std reports, read back from the trace of a program whose comments say what to expect.

use std::fs;

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::flag;
use rvcheck_event::trace::{merge, read};

use crate::annotated::compare;
use crate::shim::{Against, kit, program, run};

#[test]
fn every_line_records_the_events_behind_it() {
    let source = program("recorded.rs");
    let text = fs::read_to_string(&source).unwrap();
    // Files with relative paths are the program's own.
    let binary = kit().compile(&source, "2024", Against::Shim, &["--remap-path-prefix=/="]).unwrap();
    let path = binary.with_extension("rvt");
    run(&binary, Some(&path));
    let bytes = fs::read(&path).unwrap();
    compare(&text, &bytes);
}

#[test]
fn messages_from_a_dependency_are_received_without_a_send() {
    let source = program("dependency.rs");
    let own = format!("--remap-path-prefix={}=dependency.rs", source.display());
    let binary = kit().compile(&source, "2024", Against::Shim, &[&own]).unwrap();
    let path = binary.with_extension("rvt");
    run(&binary, Some(&path));
    let bytes = fs::read(&path).unwrap();
    let trace = read::read(&bytes).unwrap();
    let mut merge = merge::events(&trace);
    let messages: Vec<(EventKind, u64)> = merge
        .by_ref()
        .filter(|event| matches!(event.kind, EventKind::Send | EventKind::Recv))
        .map(|event| (event.kind, event.number))
        .collect();
    let expected = [(EventKind::Recv, 0), (EventKind::Recv, 0), (EventKind::Send, 1), (EventKind::Recv, 1)];
    assert_eq!(messages, expected);
    assert!(merge.problems().is_empty(), "{}", merge.problems());
}

#[test]
fn of_atomics_what_is_new_to_a_task_and_who_else_may_see_it_is_recorded() {
    let binary =
        kit().compile(&program("atomics.rs"), "2024", Against::Shim, &["--remap-path-prefix=/="]).unwrap();
    let path = binary.with_extension("rvt");
    let printed = run(&binary, Some(&path));
    assert_eq!(printed, run(&binary, None), "what is recorded changes nothing");
    let bytes = fs::read(&path).unwrap();
    let trace = read::read(&bytes).unwrap();
    let mut merge = merge::events(&trace);
    let mut objects = Vec::new();
    let mut seen = Vec::new();
    for event in merge.by_ref() {
        if matches!(event.kind, EventKind::AtomicStore | EventKind::AtomicLoad) {
            if !objects.contains(&event.object) {
                objects.push(event.object);
            }
            let object =
                objects.iter().position(|it| *it == event.object).map(|at| ["flag", "count", "pointer"][at]);
            let what = match (event.kind, event.flags & flag::DECIDES != 0) {
                (EventKind::AtomicStore, _) => "store",
                (_, true) => "decides",
                (_, false) => "load",
            };
            seen.push(format!("{} {what}", object.unwrap_or_default()));
        }
    }
    let expected = [
        "flag store",
        "flag decides",
        "count store",
        "flag store",
        "count load",
        "count decides",
        "flag decides",
        "flag store",
        "pointer store",
    ];
    assert_eq!(seen, expected, "{printed}");
    assert!(merge.problems().is_empty(), "{}", merge.problems());
}
