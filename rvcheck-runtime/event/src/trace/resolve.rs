//! From records, one after another in their order, to events.
//!
//! Whoever knows the order calls [`Resolver::take`] for each record: the merge, which has found it out, and whoever follows a
//! program while it runs.

use std::collections::VecDeque;

use super::actor::Actor;
use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, UnitId};
use crate::kind::{EventKind, Sort};
use crate::record::{NO_ROOM, Record, RecordOrder, code, flag, has_coarse_time, order_of};
use crate::value::Value;
use crate::world::{Object, Task, World};

/// How many events an object outlives its last owner. Its last events on other threads are ordered only by time.
const MOURNING: u64 = 1024;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Resolver {
    world: World,
    /// The records come in the order of their tickets, so that no other order counts.
    ticketed: bool,
    /// Objects that were dropped, with the count of events after which they are forgotten.
    doomed: VecDeque<(u64, ObjectId)>,
    count: u64,
    /// The time of the last record with a ticket, in ns.
    time: u64,
    late: u64,
}

/// What a record has brought about that another thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passed {
    /// Nothing.
    Nothing,
    /// The birth of an object.
    Birth(u32),
    /// The spawn of a task.
    Spawn(u32),
    /// An object has come to the position before `next`.
    Object { id: u32, next: u32 },
    /// A message was sent; `gave_up` if that settles others.
    Message { id: u32, number: u32, gave_up: bool },
    /// A task has come to the position before `next`.
    Task { id: u32, next: u32, ended: bool },
}

/// The texts that records name.
pub(crate) trait Strings {
    /// The text with this number.
    fn string(&self, number: u32) -> StringId;
}

impl Resolver {
    /// From this world on.
    pub(crate) fn new(world: World, ticketed: bool) -> Resolver {
        Resolver { world, ticketed, doomed: VecDeque::new(), count: 0, time: 0, late: 0 }
    }

    /// The world right after the last event.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// The same, to change it.
    #[inline]
    pub(crate) fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Whether the records come in the order of their tickets.
    #[inline]
    pub(crate) fn is_ticketed(&self) -> bool {
        self.ticketed
    }

    /// How many records came when their place in the order was already passed.
    pub(crate) fn late(&self) -> u64 {
        self.late
    }

    /// Whether the record is about a message whose send was not seen yet.
    #[inline]
    pub(crate) fn waits_for_message(&mut self, record: Record) -> bool {
        matches!(record.kind(), Some(EventKind::Recv | EventKind::Undelivered))
            && record.object != 0
            && record.number != 0
            && self.world.objects.entry(record.object).is_some_and(|it| !it.sent.contains(record.number))
    }

    /// Before the next event, what the last one has ended is gone.
    #[inline]
    pub(crate) fn bury(&mut self) {
        self.world.bury();
        if self.doomed.front().is_some_and(|(due, _)| *due <= self.count) {
            self.end_doomed();
        }
    }

    /// The record happens; the event that it is, if it is one.
    #[inline]
    pub(crate) fn take(
        &mut self,
        actor: &mut Actor,
        record: Record,
        strings: &impl Strings,
    ) -> (Option<Event>, Passed) {
        if self.ticketed {
            // The clock was read after the ticket was taken, and another thread may have been quicker.
            self.time = self.time.max(actor.read_time);
            actor.set_time(self.time);
        }
        match record.kind() {
            Some(kind) => {
                self.count += 1;
                let (event, passed) = self.take_event(actor, kind, record, strings);
                (Some(event), passed)
            }
            None => (None, self.take_mark(actor, record)),
        }
    }

    /// A record that is no event.
    fn take_mark(&mut self, actor: &mut Actor, record: Record) -> Passed {
        let id = ObjectId(record.object);
        match record.code {
            code::OBJECT => {
                let kind = record.object_kind();
                let born_at = SiteId(record.site);
                let class = self.world.names().class(born_at).unwrap_or(StringId::NONE);
                let hands_over = kind.sort() == Sort::Chan && record.number == NO_ROOM;
                let capacity = if hands_over { 0 } else { record.number };
                let is_static = record.order16 & flag::STATIC != 0;
                self.world.bear(id, Object { kind, born_at, class, capacity, hands_over, is_static });
                if self.world.objects.entry(id.0).is_some_and(|it| it.waiters > 0) {
                    return Passed::Birth(id.0);
                }
            }
            code::OBJECT_DROP => self.doomed.push_back((self.count + MOURNING, id)),
            _ => {
                let unit = UnitId(record.object);
                if actor.acting() == actor.own {
                    actor.unit = unit;
                }
                if let Some(entry) = self.world.tasks.entry(actor.own.0) {
                    entry.facts.unit = unit;
                }
            }
        }
        Passed::Nothing
    }

    #[inline]
    fn take_event(
        &mut self,
        actor: &mut Actor,
        kind: EventKind,
        record: Record,
        strings: &impl Strings,
    ) -> (Event, Passed) {
        use EventKind as K;
        let mut passed = Passed::Nothing;
        let mut callee = Value::Absent;
        let mut event = Event {
            kind,
            flags: record.flags,
            thread: actor.thread,
            task: actor.acting(),
            unit: actor.unit,
            site: if has_coarse_time(kind) { SiteId::NONE } else { SiteId(record.site) },
            object: record.object,
            number: 0,
            time: actor.time,
            ns: 0,
            cpu: 0,
        };
        match kind {
            K::Start | K::Poll | K::Suspend | K::Finish | K::Panic | K::Cancel => {
                passed = self.take_task_event(actor, record, &mut event, strings);
            }
            K::Spawn => passed = self.take_spawn(record, &event, strings),
            // A runtime's own thread may drop a handle that belongs to a test.
            K::Join | K::Ended | K::JoinWait | K::Detach | K::Abort if event.unit == UnitId::PROCESS => {
                event.unit = self.world.unit_of(TaskId(record.object));
            }
            // 1 where the task has gone on since.
            K::WakerDrop => {
                event.unit = self.world.unit_of(TaskId(record.object));
                let position = self.world.tasks.entry(record.object).map_or(0, |it| it.position);
                event.number = u64::from(position != record.number);
            }
            K::Await | K::Resume | K::AwaitCancel => event.object = 0,
            K::Block => {
                event.object = 0;
                actor.block(record);
            }
            K::Unblock => {
                event.object = 0;
                event.ns = actor.unblock(record);
            }
            K::TestBegin | K::TestEnd => event.unit = UnitId(record.object),
            K::User => {
                event.object = strings.string(record.object).0;
                callee = actor.arguments.take_callee(record.object, |id| strings.string(id));
                let arguments = actor.arguments.take(record.number, |id| strings.string(id));
                self.world.set_arguments(arguments);
            }
            K::Send => {
                event.number = record.number.into();
                passed = self.take_send(record);
            }
            K::SetSpawn | K::Recv | K::Undelivered | K::PermitWait | K::SenderDrop | K::ReceiverDrop => {
                event.number = record.number.into();
            }
            K::Permit | K::PermitRelease | K::PermitForget => {
                event.number = record.number.into();
                passed = self.pass_object(order_of(kind), record);
            }
            K::Acquire
            | K::Release
            | K::Signalled
            | K::NotifyOne
            | K::NotifyAll
            | K::AtomicStore
            | K::AtomicLoad => {
                passed = self.pass_object(order_of(kind), record);
            }
            _ => {}
        }
        self.world.apply(&event);
        let has_groups = self.world.names().has_groups();
        let group = self.world.task(event.task).filter(|_| has_groups).map_or(Value::Absent, |it| it.group);
        self.world.set_context(group, callee);
        (event, passed)
    }

    /// Counts an ordered event of an object.
    #[inline]
    fn pass_object(&mut self, order: RecordOrder, record: Record) -> Passed {
        let Some(entry) = self.world.objects.entry(record.object) else {
            self.late += u64::from(record.object != 0 && !self.ticketed);
            return Passed::Nothing;
        };
        match ahead(order, record, entry.position) {
            None => {}
            Some(..=0) => self.late += u64::from(!self.ticketed),
            Some(_) => {
                entry.position = entry.position.wrapping_add(1);
                if entry.waiters > 0 {
                    return Passed::Object { id: record.object, next: entry.position.wrapping_add(1) };
                }
            }
        }
        Passed::Nothing
    }

    fn take_send(&mut self, record: Record) -> Passed {
        let Some(entry) = self.world.objects.entry(record.object) else { return Passed::Nothing };
        if record.number != 0 {
            let gave_up = entry.sent.insert(record.number);
            if entry.waiters > 0 {
                return Passed::Message { id: record.object, number: record.number, gave_up };
            }
        }
        Passed::Nothing
    }

    fn take_spawn(&mut self, record: Record, event: &Event, strings: &impl Strings) -> Passed {
        let id = TaskId(record.object);
        let facts = Task {
            kind: record.task_kind(),
            parent: event.task,
            unit: event.unit,
            spawned_at: event.site,
            output: strings.string(record.number),
            runs: StringId::NONE,
            group: Value::Absent,
        };
        self.world.spawn(id, facts);
        if self.world.tasks.entry(id.0).is_some_and(|it| it.waiters > 0) {
            return Passed::Spawn(id.0);
        }
        Passed::Nothing
    }

    /// An event that is about its acting task and nothing else.
    #[inline]
    fn take_task_event(
        &mut self,
        actor: &mut Actor,
        record: Record,
        event: &mut Event,
        strings: &impl Strings,
    ) -> Passed {
        use EventKind as K;
        let id = TaskId(record.object);
        event.task = id;
        event.object = 0;
        let entry = self.world.tasks.entry(id.0);
        event.unit = entry.as_ref().map_or(UnitId::PROCESS, |entry| entry.facts.unit);
        match event.kind {
            K::Start => {
                let kind = entry.as_ref().map_or(record.task_kind(), |entry| entry.facts.kind);
                if let Some(entry) = entry {
                    entry.facts.runs = strings.string(record.number);
                }
                event.flags = event.flags & !flag::ENUM | kind as u8;
                return Passed::Nothing;
            }
            K::Panic => {
                event.number = record.number.into();
                if ends_task(record) {
                    // The position of the task stays where it was.
                    let next = entry.map_or(0, |entry| entry.position.wrapping_add(1));
                    actor.pop(id);
                    actor.unit = self.world.unit_of(actor.acting());
                    return self.end_task(id, next);
                }
                return Passed::Nothing;
            }
            _ => {}
        }
        let Some(entry) = entry else {
            self.late += u64::from(!self.ticketed);
            return Passed::Nothing;
        };
        match ahead(RecordOrder::Exact, record, entry.position) {
            None => {}
            Some(..=0) => self.late += u64::from(!self.ticketed),
            Some(_) => entry.position = entry.position.wrapping_add(1),
        }
        let (next, waiters) = (entry.position.wrapping_add(1), entry.waiters);
        if event.kind == K::Poll {
            entry.polled_at = Some(actor.read_time);
            actor.push(id);
            actor.unit = event.unit;
        } else {
            event.ns = entry.polled_at.take().map_or(0, |began| actor.read_time.saturating_sub(began));
            event.cpu = std::mem::take(&mut actor.cpu);
            actor.pop(id);
            actor.unit = self.world.unit_of(actor.acting());
        }
        if event.kind != K::Poll && event.kind != K::Suspend {
            return self.end_task(id, next);
        }
        if waiters > 0 { Passed::Task { id: id.0, next, ended: false } } else { Passed::Nothing }
    }

    /// The task has ended.
    fn end_task(&mut self, id: TaskId, next: u32) -> Passed {
        self.world.end_task(id);
        if self.world.tasks.entry(id.0).is_some_and(|it| it.waiters > 0) {
            return Passed::Task { id: id.0, next, ended: true };
        }
        Passed::Nothing
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
    pub(crate) fn finish(&mut self) {
        for (_, id) in self.doomed.drain(..) {
            self.world.end_object(id);
        }
        self.world.bury();
    }
}

/// How far a record's position is ahead of what was seen of its object: 1 is the next one, 0 and below are passed.
pub(super) fn ahead(order: RecordOrder, record: Record, position: u32) -> Option<i32> {
    match order {
        RecordOrder::Exact if record.number != 0 => Some(record.number.wrapping_sub(position) as i32),
        RecordOrder::Low16 => Some(i32::from(record.order16.wrapping_sub(position as u16) as i16)),
        _ => None,
    }
}

/// Whether this panic is the end of its task.
fn ends_task(record: Record) -> bool {
    record.flags & flag::CAUGHT == 0
}
