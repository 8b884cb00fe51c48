//! Where records have tickets, these are their order, for whoever reads the trace as for whoever follows the program.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, ThreadId};
use rvcheck_event::kind::{EventKind, ObjectKind};
use rvcheck_event::record::{RECORD_SIZE, Record, code};
use rvcheck_event::trace::follow::{Follower, Ticketed};
use rvcheck_event::trace::format::{PAGE, chunk};
use rvcheck_event::trace::tail::{Listener, Source, Tail};
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
        follower.take(thread, Ticketed { ticket, nanos, record }, &mut events);
    }
    events
}

#[test]
fn the_merge_follows_the_tickets() {
    let mut random = Random(7);
    for case in 0..200 {
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
        assert_eq!(found, expected, "case {case}");
        assert!(merge.problems().is_empty(), "case {case}: {}", merge.problems());
    }
}

#[test]
fn who_follows_the_program_sees_the_same_events() {
    let mut random = Random(8);
    for case in 0..200 {
        let steps = 20 + random.below(400);
        let bytes = recorded(&mut random, steps);
        let trace = read::read(&bytes).expect("a trace");
        assert_eq!(followed(&bytes), merge::events(&trace).collect::<Vec<_>>(), "case {case}");
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

/// What a tail tells, as events.
#[derive(Default)]
struct Heard {
    follower: Follower,
    events: Vec<Event>,
}

impl Listener for Heard {
    fn define(&mut self, tag: u32, payload: &[u8]) {
        assert!(self.follower.define(tag, payload));
    }

    fn record(&mut self, thread: ThreadId, next: Ticketed) {
        self.follower.take(thread, next, &mut self.events);
    }
}

/// The bytes of a trace of which everything up to this ticket was written. Of what comes later, tickets may be there already.
struct Partly<'a> {
    bytes: &'a [u8],
    ticket: u64,
}

impl Source for Partly<'_> {
    fn read(&mut self, offset: u64, buffer: &mut [u8]) -> usize {
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        // Only records are read in whole records from behind a chunk's header.
        let records = buffer[..count].as_chunks_mut::<RECORD_SIZE>().0;
        let mut hidden = false;
        for bytes in records.iter_mut().filter(|_| offset > PAGE as u64 + 4096) {
            let record = Record::of_bytes(bytes);
            hidden |= record.code == code::TICKET && record.ticket_number() > self.ticket;
            if hidden {
                *bytes = [0; RECORD_SIZE];
            }
        }
        count
    }
}

#[test]
fn who_reads_while_it_is_written_hears_each_event_as_soon_as_it_is_there() {
    let mut random = Random(11);
    for case in 0..60 {
        let pages = 1 + random.below(3) as u32;
        let steps = 50 + random.below(600);
        let trace = TraceBuilder::new().with_tickets().with_chunk_pages(pages);
        let bytes = program_in(trace, &mut random, steps).build();
        let whole: Vec<Event> = merge::events(&read::read(&bytes).expect("a trace")).collect();
        let (mut tail, mut heard) = (Tail::new(), Heard::default());
        for ticket in (0..).step_by(1 + random.below(40)) {
            tail.poll(&mut Partly { bytes: &bytes, ticket }, false, &mut heard);
            assert!(heard.events.len() as u64 <= ticket, "case {case}");
            if ticket > 2 * whole.len() as u64 + 100 {
                break;
            }
        }
        assert_eq!(heard.events, whole, "case {case}");
    }
}

#[test]
fn a_ticket_without_a_record_is_waited_for_until_it_is_given_up() {
    let mut trace = TraceBuilder::new().with_tickets();
    let site = trace.site("src/lib.rs", 1, 1);
    let thread = trace.thread("a");
    trace.event(thread, EventKind::Await, ObjectId::NONE, 0, site);
    // The record behind this one is lost.
    trace.push(thread, Record::wide(code::TIME, 0, 0, 0));
    trace.event(thread, EventKind::Resume, ObjectId::NONE, 0, site);
    let bytes = trace.build();
    let (mut tail, mut heard) = (Tail::new(), Heard::default());
    let mut source = Partly { bytes: &bytes, ticket: u64::MAX };
    assert!(tail.poll(&mut source, false, &mut heard));
    assert_eq!((heard.events.len(), tail.is_waiting()), (1, true));
    assert!(tail.poll(&mut source, true, &mut heard));
    assert_eq!((heard.events.len(), tail.is_waiting()), (2, false));
}
