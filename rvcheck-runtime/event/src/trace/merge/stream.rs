//! One thread's records with their times.

use super::super::format::chunk;
use super::super::problems::Problems;
use super::super::read::{ThreadRecords, Trace};
use super::super::ticks::Ticks;
use crate::kind::EventKind;
use crate::record::{COARSE_SHIFT, RECORD_SIZE, Record, code};
use crate::trace::actor::Actor;

/// How far a coarse time may lie before the last known one, in its own unit. A record is stamped before it is written, and
/// what is written in between may carry a later time. Everything farther back is in truth ahead.
const BACK: u32 = 1 << 24;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Stream<'t> {
    pub(super) actor: Actor,
    /// The record that comes next.
    pub(super) head: Record,
    /// Its ticket, where the trace has tickets.
    ticket: u64,
    /// The trace has tickets, which also tell the times.
    ticketed: bool,
    bytes: &'t [u8],
    records: &'t ThreadRecords,
    next_chunk: usize,
    position: usize,
    end: usize,
    segment: Segment,
    hint: usize,
}

/// The records between two known times.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    /// The known time at its beginning, in ticks and ns.
    ticks: u64,
    nanos: u64,
    /// ns from one record to the next.
    step: f64,
    /// How many records of it were read.
    index: u64,
}

/// Whether records of a code carry a time, by code.
const TIMED: [bool; 256] = {
    let mut timed = [false; 256];
    timed[code::TIME as usize] = true;
    let mut index = 0;
    while index < EventKind::ALL.len() {
        let kind = EventKind::ALL[index];
        timed[kind as usize] = crate::record::has_time(kind);
        index += 1;
    }
    timed
};

/// The reading of the counter that a timed record carries, given the last known one.
fn ticks_of(record: Record, last: u64) -> u64 {
    match record.kind() {
        Some(kind) if crate::record::has_coarse_time(kind) => {
            let coarse = last >> COARSE_SHIFT;
            let ahead = record.site.wrapping_sub(coarse as u32).wrapping_add(BACK);
            (coarse + u64::from(ahead)).saturating_sub(BACK.into()) << COARSE_SHIFT
        }
        _ => record.value(),
    }
}

impl<'t> Stream<'t> {
    pub(super) fn new(trace: &'t Trace<'_>, records: &'t ThreadRecords) -> Stream<'t> {
        Stream {
            actor: Actor::new(records.thread, trace.names().thread(records.thread)),
            head: Record::default(),
            ticket: 0,
            ticketed: trace.is_ticketed(),
            bytes: trace.bytes(),
            records,
            next_chunk: 0,
            position: 0,
            end: 0,
            segment: Segment::default(),
            hint: 0,
        }
    }

    /// What decides which stream goes first: the ticket, or else the time.
    #[inline]
    pub(super) fn rank(&self) -> u64 {
        if self.ticketed { self.ticket } else { self.actor.time }
    }

    /// Goes on to the next record that is not only about the thread itself. `false` when there is none.
    #[inline]
    pub(super) fn advance(&mut self, ticks: &Ticks, problems: &mut Problems) -> bool {
        loop {
            let Some(record) = self.read(ticks) else {
                if self.next_chunk(ticks) {
                    continue;
                }
                return false;
            };
            match record.code {
                code::TIME => {}
                code::TICKET => {
                    self.ticket = record.ticket_number();
                    self.actor.set_time(record.value());
                }
                code::CPU => self.actor.cpu = record.value(),
                code::ARGUMENT => self.actor.arguments.add(record),
                code::OBJECT | code::OBJECT_DROP | code::UNIT => {
                    self.head = record;
                    return true;
                }
                other if EventKind::of_code(other).is_some() => {
                    self.head = record;
                    return true;
                }
                _ => problems.bad_records += 1,
            }
        }
    }

    /// The next record of this chunk, with its time.
    #[inline]
    fn read(&mut self, ticks: &Ticks) -> Option<Record> {
        let bytes = self.bytes.get(self.position..self.end)?.first_chunk::<RECORD_SIZE>()?;
        let record = Record::of_bytes(bytes);
        if record.code == 0 {
            return None;
        }
        self.position += RECORD_SIZE;
        if self.ticketed {
            return Some(record);
        }
        if TIMED[usize::from(record.code)] {
            self.begin_segment(ticks_of(record, self.segment.ticks), ticks);
        } else {
            self.segment.index += 1;
            let passed = (self.segment.step * self.segment.index as f64) as u64;
            self.actor.read_time = self.segment.nanos.saturating_add(passed);
        }
        self.actor.set_time(self.actor.read_time);
        Some(record)
    }

    /// From here to the next known time, times are interpolated.
    fn begin_segment(&mut self, now: u64, ticks: &Ticks) {
        let nanos = ticks.nanos_near(now, &mut self.hint);
        self.actor.read_time = nanos;
        let known = now.max(self.segment.ticks);
        let (records, next) = self.next_known_time(known);
        let passed = next.map_or(0, |it| ticks.nanos_near(it, &mut self.hint.clone()).saturating_sub(nanos));
        let step = passed as f64 / records as f64;
        self.segment = Segment { ticks: known, nanos, step, index: 0 };
    }

    /// The next known time from `position` on, and how many records away it is.
    fn next_known_time(&self, last: u64) -> (u64, Option<u64>) {
        let (rest, _) = self.bytes[self.position..self.end].as_chunks::<RECORD_SIZE>();
        let mut records = 1;
        for bytes in rest {
            if bytes[0] == 0 {
                break;
            }
            if TIMED[usize::from(bytes[0])] {
                return (records, Some(ticks_of(Record::of_bytes(bytes), last)));
            }
            records += 1;
        }
        let next = self.records.chunks.get(self.next_chunk).filter(|it| !it.after_gap);
        (records, next.map(|it| it.ticks))
    }

    /// Goes on to the next chunk, if there is one.
    #[cold]
    fn next_chunk(&mut self, ticks: &Ticks) -> bool {
        let Some(next) = self.records.chunks.get(self.next_chunk) else { return false };
        self.next_chunk += 1;
        self.position = next.first;
        self.end = next.end;
        if next.after_gap {
            self.actor.forget(next.task);
        }
        if !self.ticketed {
            self.begin_segment(next.ticks, ticks);
        }
        debug_assert!(next.end >= next.first && next.first >= chunk::CONTENTS);
        true
    }
}
