//! Where records have tickets, these are their order, for whoever reads the trace as for whoever follows the program.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use rvcheck_event::event::Event;
use rvcheck_event::id::ThreadId;
use rvcheck_event::kind::{EventKind, ObjectKind};
use rvcheck_event::record::{Record, code};
use rvcheck_event::trace::follow::{Follower, Ticketed};
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
    let mut events = Vec::new();
    for (ticket, thread, record, nanos) in in_order(&trace) {
        follower.take(thread, Ticketed { ticket, nanos, record }, |event, _| events.push(*event));
    }
    events
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
fn a_message_is_sent_before_it_is_received_whatever_the_tickets_say() {
    let mut trace = TraceBuilder::new().with_tickets();
    let site = trace.site("src/lib.rs", 1, 1);
    let threads: Vec<ThreadId> = ["a", "b", "c"].map(|name| trace.thread(name)).into();
    let first = trace.object(threads[0], ObjectKind::StdMpsc, site, 0);
    let second = trace.object(threads[0], ObjectKind::StdMpsc, site, 0);
    // The senders are slower to record what they did.
    trace.event(threads[2], EventKind::Recv, second, 1, site);
    trace.event(threads[1], EventKind::Recv, first, 1, site);
    trace.event(threads[2], EventKind::Closed, second, 0, site);
    trace.send(threads[1], second, site);
    trace.event(threads[1], EventKind::Closed, first, 0, site);
    trace.send(threads[0], first, site);
    let bytes = trace.build();
    let trace = read::read(&bytes).expect("a trace");
    let events: Vec<Event> = merge::events(&trace).collect();
    let kinds: Vec<(u32, EventKind)> = events.iter().map(|it| (it.thread.0, it.kind)).collect();
    let expected = [
        (1, EventKind::Send),
        (2, EventKind::Recv),
        (2, EventKind::Send),
        (3, EventKind::Recv),
        (3, EventKind::Closed),
        (2, EventKind::Closed),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(followed(&bytes), events);
}

#[test]
fn of_a_trace_that_is_cut_every_event_comes_out_once() {
    let mut random = Random(9);
    for _ in 0..50 {
        let bytes = recorded(&mut random, 300);
        let cut = &bytes[..bytes.len() - random.below(bytes.len() / 2)];
        let trace = read::read(cut).expect("the header is there");
        // What was sent may be missing.
        let mut kept: Vec<_> = in_order(&trace).into_iter().filter_map(|it| it.2.kind()).collect();
        let mut found: Vec<_> = merge::events(&trace).map(|it| it.kind).collect();
        kept.sort_unstable_by_key(|it| *it as u8);
        found.sort_unstable_by_key(|it| *it as u8);
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
