//! One thread's records, with the context that they leave out: time, acting task, and what is blocked.

use super::super::format::chunk;
use super::super::problems::Problems;
use super::super::read::{ThreadRecords, Trace};
use super::super::ticks::Ticks;
use crate::id::{TaskId, ThreadId, UnitId};
use crate::kind::EventKind;
use crate::record::{COARSE_SHIFT, RECORD_SIZE, Record, code, flag};

/// How far a coarse time may lie before the last known one, in its own unit. A record is stamped before it is written, and
/// what is written in between may carry a later time. Everything farther back is in truth ahead.
const BACK: u32 = 1 << 24;

/// How many nested blocking calls are remembered.
const NESTED: usize = 256;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Lane<'t> {
    pub(super) thread: ThreadId,
    /// The task that stands for the thread itself.
    pub(super) own: TaskId,
    /// The record that comes next.
    pub(super) head: Record,
    /// Its time in ns; never decreases.
    pub(super) time: u64,
    /// Its time as it was read, without that.
    pub(super) read_time: u64,
    /// CPU time noted for the end of the current poll, in ns.
    pub(super) cpu: u64,
    /// The unit of the acting task.
    pub(super) unit: UnitId,
    bytes: &'t [u8],
    records: &'t ThreadRecords,
    next_chunk: usize,
    position: usize,
    end: usize,
    segment: Segment,
    hint: usize,
    /// The tasks that are being polled, the innermost last.
    polled: Vec<TaskId>,
    /// Blocking calls that are under way, with their beginnings in ns.
    blocked: Vec<(u8, u32, u64)>,
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
        timed[kind as usize] = crate::record::has_coarse_time(kind) || crate::record::has_full_time(kind);
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

impl<'t> Lane<'t> {
    pub(super) fn new(trace: &'t Trace<'_>, records: &'t ThreadRecords) -> Lane<'t> {
        let known = trace.names().thread(records.thread);
        Lane {
            thread: records.thread,
            own: known.map_or(TaskId::NONE, |it| it.task),
            head: Record::default(),
            time: 0,
            read_time: 0,
            cpu: 0,
            unit: known.map_or(UnitId::PROCESS, |it| it.unit),
            bytes: trace.bytes(),
            records,
            next_chunk: 0,
            position: 0,
            end: 0,
            segment: Segment::default(),
            hint: 0,
            polled: Vec::new(),
            blocked: Vec::new(),
        }
    }

    /// The task that acts.
    #[inline]
    pub(super) fn acting(&self) -> TaskId {
        self.polled.last().copied().unwrap_or(self.own)
    }

    /// The thread begins to poll a task.
    pub(super) fn push(&mut self, task: TaskId) {
        if self.polled.last() != Some(&task) {
            self.polled.push(task);
        }
    }

    /// The thread no longer polls the task, nor any task inside it.
    pub(super) fn pop(&mut self, task: TaskId) {
        if let Some(at) = self.polled.iter().rposition(|it| *it == task) {
            self.polled.truncate(at);
        }
    }

    /// The head begins a blocking call.
    pub(super) fn block(&mut self) {
        if self.blocked.len() < NESTED {
            self.blocked.push((self.head.flags, self.head.site, self.read_time));
        }
    }

    /// The head ends a blocking call: how long it took, in ns.
    pub(super) fn unblock(&mut self) -> u64 {
        let call = (self.head.flags, self.head.site);
        let Some(at) = self.blocked.iter().rposition(|it| (it.0, it.1) == call) else { return 0 };
        let began = self.blocked[at].2;
        self.blocked.truncate(at);
        self.read_time.saturating_sub(began)
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
                code::CPU => self.cpu = record.value(),
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
        if TIMED[usize::from(record.code)] {
            self.begin_segment(ticks_of(record, self.segment.ticks), ticks);
        } else {
            self.segment.index += 1;
            let passed = (self.segment.step * self.segment.index as f64) as u64;
            self.read_time = self.segment.nanos.saturating_add(passed);
        }
        self.time = self.time.max(self.read_time);
        Some(record)
    }

    /// From here to the next known time, times are interpolated.
    fn begin_segment(&mut self, now: u64, ticks: &Ticks) {
        let nanos = ticks.nanos_near(now, &mut self.hint);
        self.read_time = nanos;
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
            // What was polled and blocked before is unknown; the header tells the innermost task.
            self.polled.clear();
            self.blocked.clear();
            self.cpu = 0;
            if next.task.is_some() && next.task != self.own {
                self.polled.push(next.task);
            }
        }
        self.begin_segment(next.ticks, ticks);
        debug_assert!(next.end >= next.first && next.first >= chunk::CONTENTS);
        true
    }
}

/// Whether this panic is the end of its task.
pub(super) fn ends_task(record: Record) -> bool {
    record.flags & flag::CAUGHT == 0
}
