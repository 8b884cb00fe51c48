//! The one canonical order of all threads' records, as a stream of events.
//!
//! The order keeps what is known for certain: each thread's own order, the positions in the order of a lock, semaphore,
//! signal or task, a message's send before its receive, a task's spawn before its first poll and its end before its join,
//! and an object's birth before its use. Where that leaves a choice, the earlier time goes first, then the smaller thread.
//!
//! When a record was lost that others wait for, the earliest waiting thread goes on without it, and a gap is counted.
//! Memory follows what is alive, not the length of the trace.

mod lane;
mod order;
mod wait;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use super::problems::Problems;
use super::read::Trace;
use super::ticks::Ticks;
use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, UnitId};
use crate::kind::{EventKind, Sort};
use crate::record::{Order, Record, code, flag, has_coarse_time, order_of};
use crate::world::{Object, Task, World};
use lane::{Lane, ends_task};
use order::ahead;
use wait::{For, Wait, Waits};

/// How many events an object outlives its last owner. Its last events on other threads are ordered only by time.
const MOURNING: u64 = 1024;

/// The events of a trace in canonical order.
pub fn events<'t>(trace: &'t Trace<'_>) -> Merge<'t> {
    let mut merge = Merge {
        ticks: trace.ticks(),
        strings: trace,
        lanes: trace.streams().iter().map(|it| Lane::new(trace, it)).collect(),
        waiting: vec![None; trace.streams().len()],
        ready: BinaryHeap::new(),
        current: None,
        waits: Waits::default(),
        woken: Vec::new(),
        parked: None,
        world: World::new(trace.shared_names(), trace.id_limit()),
        doomed: VecDeque::new(),
        count: 0,
        problems: Problems::default(),
    };
    for lane in 0..merge.lanes.len() {
        merge.advance(lane);
        merge.ready.extend(merge.current.take().map(Reverse));
    }
    merge
}

/// An iterator over the events of a trace, and the world as it is after the last one.
#[derive(Clone, Debug)]
pub struct Merge<'t> {
    ticks: &'t Ticks,
    strings: &'t Trace<'t>,
    lanes: Vec<Lane<'t>>,
    /// What each lane waits for, if it does.
    waiting: Vec<Option<Wait>>,
    /// Lanes that can go on, by time and number.
    ready: BinaryHeap<Reverse<(u64, u32)>>,
    /// The lane that went on last, if it can go on again; it is not in `ready`.
    current: Option<(u64, u32)>,
    waits: Waits,
    woken: Vec<u32>,
    /// The waiting lanes by time and number, once a gap has shown that records are missing.
    parked: Option<BTreeSet<(u64, u32)>>,
    world: World,
    /// Objects that were dropped, with the count of events after which they are forgotten.
    doomed: VecDeque<(u64, ObjectId)>,
    count: u64,
    problems: Problems,
}

impl Iterator for Merge<'_> {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        self.world.bury();
        if self.doomed.front().is_some_and(|(due, _)| *due <= self.count) {
            self.end_doomed();
        }
        loop {
            let Some(lane) = self.choose() else {
                if self.fill_gap() {
                    continue;
                }
                self.finish();
                return None;
            };
            let event = self.take(lane);
            self.advance(lane);
            if let Some(event) = event {
                self.count += 1;
                return Some(event);
            }
        }
    }
}

impl Merge<'_> {
    /// The world right after the last event.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Takes the list of what died, see [`World::drain_dead`].
    pub fn drain_dead(&mut self) -> std::vec::Drain<'_, (Sort, u32)> {
        self.world.drain_dead()
    }

    /// What was wrong with the records so far. Complete after the last event.
    pub fn problems(&self) -> Problems {
        self.problems
    }

    /// The lane that goes on.
    #[inline]
    fn choose(&mut self) -> Option<usize> {
        let chosen = match (self.current.take(), self.ready.peek()) {
            (Some(current), Some(Reverse(first))) if *first < current => {
                self.ready.push(Reverse(current));
                self.ready.pop()?.0
            }
            (Some(current), _) => current,
            (None, _) => self.ready.pop()?.0,
        };
        Some(chosen.1 as usize)
    }

    /// Reads the next record of a lane and finds out whether it can go on.
    #[inline]
    fn advance(&mut self, lane: usize) {
        if self.lanes[lane].advance(self.ticks, &mut self.problems) {
            match self.obstacle(lane) {
                None => self.current = Some((self.lanes[lane].time, lane as u32)),
                Some(wait) => self.park(lane, wait),
            }
        } else {
            self.world.end_thread(self.lanes[lane].own);
        }
    }

    fn park(&mut self, lane: usize, wait: Wait) {
        self.waiting[lane] = Some(wait);
        self.waits.park(wait, lane as u32);
        if let Some(parked) = &mut self.parked {
            parked.insert((self.lanes[lane].time, lane as u32));
        }
        if let Some(count) = self.waiters(wait.what, wait.id) {
            *count += 1;
        }
    }

    fn waiters(&mut self, what: For, id: u32) -> Option<&mut u32> {
        match what {
            For::Birth | For::Object | For::Message => self.world.objects.entry(id).map(|it| &mut it.waiters),
            For::Task | For::Spawn | For::End => self.world.tasks.entry(id).map(|it| &mut it.waiters),
        }
    }

    /// Lets the threads go on for which `is_over` holds of what they waited for.
    fn wake(&mut self, what: For, id: u32, is_over: impl Fn(u32) -> bool) {
        let mut woken = std::mem::take(&mut self.woken);
        self.waits.wake(what, id, &mut woken, is_over);
        if let Some(count) = self.waiters(what, id) {
            *count = count.saturating_sub(woken.len() as u32);
        }
        for lane in woken.drain(..) {
            self.waiting[lane as usize] = None;
            if let Some(parked) = &mut self.parked {
                parked.remove(&(self.lanes[lane as usize].time, lane));
            }
            match self.obstacle(lane as usize) {
                None => self.ready.push(Reverse((self.lanes[lane as usize].time, lane))),
                Some(wait) => self.park(lane as usize, wait),
            }
        }
        self.woken = woken;
    }

    /// The head of the lane happens.
    #[inline]
    fn take(&mut self, lane: usize) -> Option<Event> {
        let record = self.lanes[lane].head;
        match record.kind() {
            Some(kind) => Some(self.take_event(lane, kind, record)),
            None => {
                self.take_mark(lane, record);
                None
            }
        }
    }

    /// A record that is no event.
    fn take_mark(&mut self, lane: usize, record: Record) {
        let id = ObjectId(record.object);
        match record.code {
            code::OBJECT => {
                let kind = record.object_kind();
                let born_at = SiteId(record.site);
                let class = self.world.names().class(born_at).unwrap_or(StringId::NONE);
                self.world.bear(id, Object { kind, born_at, class, capacity: record.number });
                if self.waiters(For::Birth, id.0).is_some_and(|it| *it > 0) {
                    self.wake(For::Birth, id.0, |_| true);
                }
            }
            code::OBJECT_DROP => self.doomed.push_back((self.count + MOURNING, id)),
            _ => {
                let unit = UnitId(record.object);
                let lane = &mut self.lanes[lane];
                if lane.acting() == lane.own {
                    lane.unit = unit;
                }
                if let Some(entry) = self.world.tasks.entry(lane.own.0) {
                    entry.facts.unit = unit;
                }
            }
        }
    }

    #[inline]
    fn take_event(&mut self, lane: usize, kind: EventKind, record: Record) -> Event {
        use EventKind as K;
        let it = &mut self.lanes[lane];
        let mut event = Event {
            kind,
            flags: record.flags,
            thread: it.thread,
            task: it.acting(),
            unit: it.unit,
            site: if has_coarse_time(kind) { SiteId::NONE } else { SiteId(record.site) },
            object: record.object,
            number: 0,
            time: it.time,
            ns: 0,
            cpu: 0,
        };
        match kind {
            K::Start | K::Poll | K::Suspend | K::Finish | K::Panic | K::Cancel => {
                self.take_task_event(lane, record, &mut event);
            }
            K::Spawn => self.take_spawn(record, &event),
            // A runtime's own thread may drop a handle that belongs to a test.
            K::Join | K::Detach | K::Abort if event.unit == UnitId::PROCESS => {
                event.unit = self.world.unit_of(TaskId(record.object));
            }
            K::Await | K::Resume | K::AwaitCancel => event.object = 0,
            K::Block => {
                event.object = 0;
                it.block();
            }
            K::Unblock => {
                event.object = 0;
                event.ns = it.unblock();
            }
            K::TestBegin | K::TestEnd => event.unit = UnitId(record.object),
            K::Send => {
                event.number = record.number.into();
                self.take_send(record);
            }
            K::Recv | K::Undelivered | K::PermitWait => event.number = record.number.into(),
            K::Permit | K::PermitRelease | K::PermitForget => {
                event.number = record.number.into();
                self.pass_object(order_of(kind), record);
            }
            K::Acquire | K::Release | K::Signalled | K::NotifyOne | K::NotifyAll => {
                self.pass_object(order_of(kind), record);
            }
            _ => {}
        }
        self.world.apply(&event);
        event
    }

    /// Counts an ordered event of an object, and wakes whoever waits for the next one.
    #[inline]
    fn pass_object(&mut self, order: Order, record: Record) {
        let Some(entry) = self.world.objects.entry(record.object) else {
            self.problems.late_records += u64::from(record.object != 0);
            return;
        };
        match ahead(order, record, entry.position) {
            None => {}
            Some(..=0) => self.problems.late_records += 1,
            Some(_) => {
                entry.position = entry.position.wrapping_add(1);
                if entry.waiters > 0 {
                    let next = entry.position.wrapping_add(1);
                    self.wake(For::Object, record.object, |need| need == next);
                }
            }
        }
    }

    fn take_send(&mut self, record: Record) {
        let Some(entry) = self.world.objects.entry(record.object) else { return };
        if record.number != 0 {
            let gave_up_a_hole = entry.sent.insert(record.number);
            if entry.waiters > 0 {
                self.wake(For::Message, record.object, |need| gave_up_a_hole || need == record.number);
            }
        }
    }

    fn take_spawn(&mut self, record: Record, event: &Event) {
        let id = TaskId(record.object);
        let facts = Task {
            kind: record.task_kind(),
            parent: event.task,
            unit: event.unit,
            spawned_at: event.site,
            output: self.strings.string(record.number),
        };
        self.world.spawn(id, facts);
        if self.waiters(For::Spawn, id.0).is_some_and(|it| *it > 0) {
            self.wake(For::Spawn, id.0, |_| true);
        }
    }

    /// An event that is about its acting task and nothing else.
    #[inline]
    fn take_task_event(&mut self, lane: usize, record: Record, event: &mut Event) {
        use EventKind as K;
        let it = &mut self.lanes[lane];
        let id = TaskId(record.object);
        event.task = id;
        event.object = 0;
        let entry = self.world.tasks.entry(id.0);
        event.unit = entry.as_ref().map_or(UnitId::PROCESS, |entry| entry.facts.unit);
        match event.kind {
            K::Start => {
                let kind = entry.map_or(record.task_kind(), |entry| entry.facts.kind);
                event.flags = event.flags & !flag::ENUM | kind as u8;
                return;
            }
            K::Panic => {
                event.number = record.number.into();
                if ends_task(record) {
                    it.pop(id);
                    it.unit = self.world.unit_of(it.acting());
                    self.wake_joiners(id);
                }
                return;
            }
            _ => {}
        }
        let Some(entry) = entry else {
            self.problems.late_records += 1;
            return;
        };
        let passes = match ahead(Order::Exact, record, entry.position) {
            None => false,
            Some(..=0) => {
                self.problems.late_records += 1;
                false
            }
            Some(_) => {
                entry.position = entry.position.wrapping_add(1);
                entry.waiters > 0
            }
        };
        let next = entry.position.wrapping_add(1);
        if event.kind == K::Poll {
            entry.polled_at = Some(it.read_time);
            it.push(id);
            it.unit = event.unit;
        } else {
            event.ns = entry.polled_at.take().map_or(0, |began| it.read_time.saturating_sub(began));
            event.cpu = std::mem::take(&mut it.cpu);
            it.pop(id);
            it.unit = self.world.unit_of(it.acting());
        }
        if passes {
            self.wake(For::Task, id.0, |need| need == next);
        }
        if event.kind != K::Poll && event.kind != K::Suspend {
            self.wake_joiners(id);
        }
    }

    /// The task has ended.
    fn wake_joiners(&mut self, id: TaskId) {
        self.world.end_task(id);
        if self.waiters(For::End, id.0).is_some_and(|it| *it > 0) {
            self.wake(For::End, id.0, |_| true);
        }
    }

    /// Forgets objects that were dropped long enough ago.
    fn end_doomed(&mut self) {
        while let Some((due, id)) = self.doomed.front().copied() {
            if due > self.count {
                break;
            }
            self.doomed.pop_front();
            if self.world.objects.get(id.0).is_some_and(|it| it.waiters > 0) {
                self.doomed.push_back((self.count + MOURNING, id));
            } else {
                self.world.end_object(id);
            }
        }
    }

    /// After the last event, everything that was dropped is gone.
    fn finish(&mut self) {
        for (_, id) in self.doomed.drain(..) {
            self.world.end_object(id);
        }
        self.world.bury();
    }
}
