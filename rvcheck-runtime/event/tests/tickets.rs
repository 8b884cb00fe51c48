//! Where records have tickets, these are their order, for whoever reads the trace as for whoever follows the program.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use rvcheck_event::event::Event;
use rvcheck_event::id::ThreadId;
use rvcheck_event::record::{Record, code};
use rvcheck_event::trace::follow::Follower;
use rvcheck_event::trace::format::{PAGE, chunk};
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::trace::{merge, read};
use support::{Random, program_in};

/// The bytes of a random program that was recorded with tickets.
fn recorded(random: &mut Random, steps: usize) -> Vec<u8> {
    program_in(TraceBuilder::new().with_tickets(), random, steps).build()
}

/// The records behind a ticket, and those of CPU time, with ticket, thread and time, in the order of the tickets.
fn in_order(trace: &read::Trace<'_>) -> Vec<(u64, ThreadId, Record, u64)> {
    let mut all = Vec::new();
    for thread in trace.threads() {
        let (mut ticket, mut time) = (0, 0);
        for record in trace.records(thread) {
            match record.code {
                code::TICKET => (ticket, time) = (record.ticket_number(), record.value()),
                // It comes before the ticket of the record that it belongs to.
                code::CPU => all.push((ticket + 1, thread, record, time)),
                code::TIME => {}
                _ => all.push((ticket, thread, record, time)),
            }
        }
    }
    all.sort_by_key(|it| it.0);
    all
}

/// What a follower makes of the same records.
fn followed(bytes: &[u8]) -> Vec<Event> {
    let mut follower = Follower::new();
    // The definitions are in the first chunk.
    let mut at = PAGE + chunk::CONTENTS;
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    while number(at) != 0 {
        let length = number(at) as usize;
        assert!(follower.define(number(at + 4), &bytes[at + 8..at + 8 + length]));
        at = (at + 8 + length).next_multiple_of(8);
    }
    let trace = read::read(bytes).expect("a trace");
    in_order(&trace)
        .into_iter()
        .filter_map(|(_, thread, record, time)| follower.take(thread, record, time))
        .collect()
}

#[test]
fn the_merge_follows_the_tickets() {
    let mut random = Random(7);
    for round in 0..200 {
        let steps = 20 + random.below(400);
        let bytes = recorded(&mut random, steps);
        let trace = read::read(&bytes).expect("a trace");
        assert!(trace.is_ticketed());
        let expected: Vec<_> = in_order(&trace)
            .into_iter()
            .filter_map(|(_, thread, record, time)| Some((thread, record.kind()?, time)))
            .collect();
        let mut merge = merge::events(&trace);
        let found: Vec<_> = merge.by_ref().map(|it| (it.thread, it.kind, it.time)).collect();
        assert_eq!(found, expected, "round {round}");
        assert!(merge.problems().is_empty(), "round {round}: {}", merge.problems());
    }
}

#[test]
fn who_follows_the_program_sees_the_same_events() {
    let mut random = Random(8);
    for round in 0..200 {
        let steps = 20 + random.below(400);
        let bytes = recorded(&mut random, steps);
        let trace = read::read(&bytes).expect("a trace");
        assert_eq!(followed(&bytes), merge::events(&trace).collect::<Vec<_>>(), "round {round}");
    }
}

#[test]
fn tickets_that_are_missing_leave_the_rest_in_order() {
    let mut random = Random(9);
    for _ in 0..50 {
        let bytes = recorded(&mut random, 300);
        let cut = &bytes[..bytes.len() - random.below(bytes.len() / 2)];
        let trace = read::read(cut).expect("the header is there");
        let kept: Vec<_> = in_order(&trace).into_iter().filter_map(|it| it.2.kind()).collect();
        let found: Vec<_> = merge::events(&trace).map(|it| it.kind).collect();
        assert_eq!(found, kept);
    }
}

#[test]
fn a_ticket_survives_its_record() {
    for number in [1, u64::from(u32::MAX) + 7, (1 << 48) - 1] {
        let record = Record::ticket(number, 123_456_789_012);
        assert_eq!((record.ticket_number(), record.value()), (number, 123_456_789_012));
    }
}
