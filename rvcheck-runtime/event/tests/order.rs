//! The merge agrees with a naive one that looks at everything in every step.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_event::id::ThreadId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::record::{
    COARSE_SHIFT, Record, RecordOrder, code, flag, has_coarse_time, has_full_time, order_of,
};
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read::{self, Trace};
use rvcheck_event::trace::write::TraceBuilder;
use support::{Random, program};

/// A record with its time in ns.
type Timed = (u64, Record);

/// The records of a thread with their times: known ones as they are, those between interpolated.
fn timed(trace: &Trace<'_>, thread: ThreadId) -> Vec<Timed> {
    let records: Vec<Record> = trace.records(thread).collect();
    let mut last = records.first().map_or(0, |it| it.value());
    let known: Vec<Option<u64>> = records
        .iter()
        .map(|it| {
            let ticks = match it.kind() {
                _ if it.code == code::TIME => it.value(),
                Some(kind) if has_full_time(kind) => it.value(),
                Some(kind) if has_coarse_time(kind) => {
                    let behind = i64::from(it.site.wrapping_sub((last >> COARSE_SHIFT) as u32) as i32);
                    ((last >> COARSE_SHIFT).cast_signed() + behind).cast_unsigned() << COARSE_SHIFT
                }
                _ => return None,
            };
            last = last.max(ticks);
            Some(trace.ticks().nanos(ticks))
        })
        .collect();
    let mut result = Vec::new();
    let (mut anchor, mut greatest) = (0, 0);
    for (index, record) in records.into_iter().enumerate() {
        let time = known[index].unwrap_or_else(|| {
            let next = (index..known.len()).find(|it| known[*it].is_some());
            let (start, end) = (known[anchor].unwrap_or(0), next.and_then(|it| known[it]));
            let passed = end.map_or(0, |it| it.saturating_sub(start)) as f64;
            let step = passed / next.map_or(1, |it| it - anchor) as f64;
            start + (step * (index - anchor) as f64) as u64
        });
        if known[index].is_some() {
            anchor = index;
        }
        greatest = greatest.max(time);
        result.push((greatest, record));
    }
    result.retain(|(_, it)| it.kind().is_some() || matches!(it.code, code::OBJECT | code::OBJECT_DROP));
    result
}

/// What the naive merge knows of the records so far.
#[derive(Default)]
struct Seen {
    spawned: BTreeSet<u32>,
    ended: BTreeSet<u32>,
    born: BTreeSet<u32>,
    sent: BTreeSet<(u32, u32)>,
    tasks: BTreeMap<u32, u32>,
    objects: BTreeMap<u32, u32>,
}

/// What a record waits for.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Missing {
    Spawn,
    End,
    Birth,
    Message,
    Task(u32),
    Object(u32),
}

impl Seen {
    fn missing(&self, record: Record) -> Option<Missing> {
        use EventKind as K;
        let id = record.object;
        let at = |positions: &BTreeMap<u32, u32>| positions.get(&id).copied().unwrap_or(0);
        let Some(kind) = record.kind() else {
            let ahead = record.code == code::OBJECT_DROP && record.number > at(&self.objects);
            return ahead.then_some(Missing::Object(record.number + 1));
        };
        let sort = kind.signature().params.get(1).or(kind.signature().params.first()).map(|it| it.1.name());
        if matches!(sort, Some("lock" | "chan" | "sem" | "signal")) && !self.born.contains(&id) {
            return Some(Missing::Birth);
        }
        match (kind, order_of(kind)) {
            (K::Start | K::Detach | K::Abort, _) if !self.spawned.contains(&id) => Some(Missing::Spawn),
            (K::WakerDrop, _) => {
                (record.number > at(&self.tasks)).then_some(Missing::Task(record.number + 1))
            }
            (K::Join, _) if !self.ended.contains(&id) => Some(Missing::End),
            (K::Recv | K::Undelivered, _) if !self.sent.contains(&(id, record.number)) => {
                Some(Missing::Message)
            }
            (K::Poll | K::Suspend | K::Finish | K::Cancel, _) => {
                if record.number == 1 && !self.spawned.contains(&id) {
                    return Some(Missing::Spawn);
                }
                (record.number > at(&self.tasks) + 1).then_some(Missing::Task(record.number))
            }
            (_, RecordOrder::Exact) => {
                (record.number > at(&self.objects) + 1).then_some(Missing::Object(record.number))
            }
            // The programs here are shorter than the counter's wrap-around.
            (_, RecordOrder::Low16) => {
                let number = u32::from(record.order16);
                (number > at(&self.objects) + 1).then_some(Missing::Object(number))
            }
            _ => None,
        }
    }

    fn give_up(&mut self, id: u32, number: u32, missing: Missing) {
        match missing {
            Missing::Spawn => drop(self.spawned.insert(id)),
            Missing::End => drop(self.ended.insert(id)),
            Missing::Birth => drop(self.born.insert(id)),
            Missing::Message => drop(self.sent.insert((id, number))),
            Missing::Task(need) => drop(self.tasks.insert(id, need - 1)),
            Missing::Object(need) => drop(self.objects.insert(id, need - 1)),
        }
    }

    fn take(&mut self, record: Record) {
        use EventKind as K;
        let id = record.object;
        let Some(kind) = record.kind() else {
            if record.code == code::OBJECT {
                self.born.insert(id);
            }
            return;
        };
        let number =
            if order_of(kind) == RecordOrder::Low16 { u32::from(record.order16) } else { record.number };
        let positions = match kind {
            K::Poll | K::Suspend | K::Finish | K::Cancel => Some(&mut self.tasks),
            _ if matches!(order_of(kind), RecordOrder::Exact | RecordOrder::Low16) => Some(&mut self.objects),
            _ => None,
        };
        if let Some(positions) = positions {
            let position = positions.entry(id).or_default();
            *position = (*position).max(number);
        }
        match kind {
            K::Spawn => drop(self.spawned.insert(id)),
            K::Send => drop(self.sent.insert((id, number))),
            K::Finish | K::Cancel => drop(self.ended.insert(id)),
            K::Panic if record.flags & flag::CAUGHT == 0 => drop(self.ended.insert(id)),
            _ => {}
        }
    }
}

/// The events in order, as (thread, kind, time), and the number of gaps.
fn naive(trace: &Trace<'_>) -> (Vec<(u32, EventKind, u64)>, u64) {
    let ids: Vec<ThreadId> = trace.threads().collect();
    let streams: Vec<Vec<Timed>> = ids.iter().map(|it| timed(trace, *it)).collect();
    let mut next = vec![0; streams.len()];
    let mut seen = Seen::default();
    seen.spawned.extend(trace.names().threads().map(|(_, it)| it.task.0));
    let (mut order, mut gaps) = (Vec::new(), 0);
    loop {
        let heads: Vec<(u64, usize, Record)> = (0..streams.len())
            .filter_map(|it| streams[it].get(next[it]).map(|(time, record)| (*time, it, *record)))
            .collect();
        let ready = heads.iter().filter(|it| seen.missing(it.2).is_none()).min_by_key(|it| (it.0, it.1));
        if let Some((time, stream, record)) = ready {
            seen.take(*record);
            next[*stream] += 1;
            if let Some(kind) = record.kind() {
                order.push((ids[*stream].0, kind, *time));
            }
            continue;
        }
        let Some((_, _, first)) = heads.iter().min_by_key(|it| (it.0, it.1)) else { return (order, gaps) };
        gaps += 1;
        let mut missing = seen.missing(*first).expect("it is not ready");
        for (_, _, other) in &heads {
            match (missing, seen.missing(*other)) {
                (Missing::Task(a), Some(Missing::Task(b))) if other.object == first.object && b < a => {
                    missing = Missing::Task(b);
                }
                (Missing::Object(a), Some(Missing::Object(b))) if other.object == first.object && b < a => {
                    missing = Missing::Object(b);
                }
                _ => {}
            }
        }
        seen.give_up(first.object, first.number, missing);
    }
}

fn merged(trace: &Trace<'_>) -> (Vec<(u32, EventKind, u64)>, u64) {
    let mut merge = merge::events(trace);
    let order = merge.by_ref().map(|it| (it.thread.0, it.kind, it.time)).collect();
    (order, merge.problems().order_gaps)
}

/// The same threads with changed records.
fn rebuilt(trace: &Trace<'_>, mut change: impl FnMut(usize, Record) -> Option<Record>) -> Vec<u8> {
    let mut copy = TraceBuilder::new().with_chunk_pages(64);
    let threads: Vec<ThreadId> = trace.threads().collect();
    let made: Vec<ThreadId> = threads.iter().map(|_| copy.thread("copy")).collect();
    for (old, new) in threads.into_iter().zip(made) {
        for (index, record) in trace.records(old).enumerate() {
            if let Some(record) = change(index, record) {
                copy.push(new, record);
            }
        }
    }
    copy.pass(1_000_000);
    copy.build()
}

#[test]
fn a_whole_trace_is_merged_as_the_naive_merge_does() {
    let mut random = Random(1);
    for case in 0..300 {
        let steps = 20 + random.below(400);
        let bytes = program(&mut random, steps, 64).build();
        let trace = read::read(&bytes).expect("a trace");
        let (order, gaps) = merged(&trace);
        assert_eq!(gaps, 0, "case {case}");
        assert_eq!(order, naive(&trace).0, "case {case}");
    }
}

#[test]
fn wrong_clocks_do_not_break_the_order_of_objects() {
    let mut random = Random(2);
    for case in 0..300 {
        let steps = 20 + random.below(300);
        let bytes = program(&mut random, steps, 64).build();
        let original = read::read(&bytes).expect("a trace");
        let bytes = rebuilt(&original, |index, record| {
            let skew = random.next() % 200_000;
            let skews = record.code == code::TIME && index > 0;
            Some(if skews { Record::wide(code::TIME, 0, 0, record.value() + skew) } else { record })
        });
        let trace = read::read(&bytes).expect("a trace");
        let (order, gaps) = merged(&trace);
        assert_eq!(gaps, 0, "case {case}");
        assert_eq!(order, naive(&trace).0, "case {case}");
    }
}

#[test]
fn lost_records_are_given_up_one_gap_at_a_time() {
    let mut random = Random(3);
    let mut all_gaps = 0;
    for case in 0..300 {
        let steps = 20 + random.below(300);
        let bytes = program(&mut random, steps, 64).build();
        let original = read::read(&bytes).expect("a trace");
        let bytes = rebuilt(&original, |_, record| (!random.one_in(10)).then_some(record));
        let trace = read::read(&bytes).expect("a trace");
        let (order, gaps) = merged(&trace);
        assert_eq!((&order, gaps), (&naive(&trace).0, naive(&trace).1), "case {case}");
        let records: usize =
            trace.threads().map(|it| trace.records(it).filter(|it| it.kind().is_some()).count()).sum();
        assert_eq!(order.len(), records, "every event comes out once");
        all_gaps += gaps;
    }
    assert!(all_gaps > 100, "the losses matter");
}

#[test]
fn the_size_of_chunks_does_not_matter() {
    for seed in 0..50 {
        let events = |pages| {
            let bytes = program(&mut Random(seed), 1500, pages).build();
            let trace = read::read(&bytes).expect("a trace");
            assert!(trace.problems().is_empty(), "{}", trace.problems());
            merge::events(&trace).collect::<Vec<_>>()
        };
        assert_eq!(events(1), events(64));
    }
}
