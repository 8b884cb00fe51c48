//! What the events of locks and semaphores become.

use super::{Gather, Holding, asks, hubs, is_weaker};
use crate::calls::{is_known, passes_writers, tries};
use crate::history::{Ask, HappensBefore, Lock, LockIx, Op, Seen, TaskIx};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, StringId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind};
use rvcheck_event::record::flag;
use rvcheck_event::world::World;

impl Gather {
    pub(super) fn lock(&mut self, id: ObjectId, world: &World) -> LockIx {
        if let Some(lock) = self.locks.get(&id) {
            return *lock;
        }
        let lock = self.add_lock(id, world);
        self.locks.insert(id, lock);
        lock
    }

    pub(super) fn add_lock(&mut self, id: ObjectId, world: &World) -> LockIx {
        let known = world.object(id);
        let kind = known.map(|it| it.kind);
        self.holding.push(Holding::default());
        self.history.add_lock(Lock {
            id,
            kind,
            born_at: known.map_or(SiteId::NONE, |it| it.born_at),
            class: known.map_or(StringId::NONE, |it| it.class),
            queues: kind != Some(ObjectKind::RecursiveRwLock),
            reentrant: kind == Some(ObjectKind::LockApiReentrant),
        })
    }

    pub(super) fn lock_event(&mut self, event: &Event, world: &World) {
        let task = self.task(event.task, event.unit, world);
        let lock = self.lock(ObjectId(event.object), world);
        let mode = Mode::of_bits(event.flags & flag::ENUM).unwrap_or(Mode::Write);
        let ask = if event.flags & flag::TRY != 0 { Ask::Tries } else { asks(self.history.lock(lock).kind) };
        if mode == Mode::Read && passes_writers(event.site, world) {
            self.jumping.insert(event.site);
        }
        match event.kind {
            EventKind::Request => self.request(task, lock, mode, ask, event),
            EventKind::Acquire => self.acquire(task, lock, mode, ask, event),
            EventKind::Release => self.release(task, lock, mode, event.site),
            _ => {
                self.doing[task as usize].asking.retain(|it| it.0 != lock);
                self.doing[task as usize].awaits.explained(event.object);
            }
        }
    }

    /// Semaphores of one permit are locks, the others order those who give permits back and those who get some.
    pub(super) fn permit_event(&mut self, event: &Event, world: &World) {
        if self.facts.counting.contains(&event.object) {
            let topic = hubs::Topic::Signal(event.object);
            match event.kind {
                EventKind::PermitRelease => {
                    let step = self.point(event, world);
                    self.hubs.tell(&mut self.history, topic, step);
                }
                EventKind::Permit => {
                    let step = self.point(event, world);
                    self.heard(step, topic);
                    self.explained(event, event.object);
                }
                EventKind::PermitWait => {
                    let task = self.task(event.task, event.unit, world);
                    self.doing[task as usize].awaits.wait(event.object);
                }
                _ => {}
            }
            return;
        }
        let task = self.task(event.task, event.unit, world);
        let lock = self.lock(ObjectId(event.object), world);
        // Whether it was only tried is in no record, but in the source.
        let tried = !is_known(event.site, world) || tries(event.site, world);
        let ask = if tried { Ask::Tries } else { Ask::Suspends };
        match event.kind {
            EventKind::PermitWait => self.request(task, lock, Mode::Write, Ask::Suspends, event),
            EventKind::Permit => self.acquire(task, lock, Mode::Write, ask, event),
            _ => self.release(task, lock, Mode::Write, event.site),
        }
    }

    pub(super) fn request(&mut self, task: TaskIx, lock: LockIx, mode: Mode, ask: Ask, event: &Event) {
        let seen = Seen { event: self.count, time: self.time, site: event.site };
        let doing = &mut self.doing[task as usize];
        if ask != Ask::Tries {
            doing.asking.push((lock, mode, ask, seen));
        }
        doing.awaits.wait(event.object);
    }

    pub(super) fn acquire(&mut self, task: TaskIx, lock: LockIx, mode: Mode, ask: Ask, event: &Event) {
        let doing = &mut self.doing[task as usize];
        let asked = doing.asking.iter().rposition(|it| it.0 == lock).map(|at| doing.asking.remove(at));
        doing.awaits.explained(event.object);
        // What is downgraded was never free.
        let downgraded = doing.gave_back.is_some_and(|(other, from)| other == lock && is_weaker(mode, from));
        let ask = match asked {
            Some((_, _, ask, ..)) => ask,
            None if downgraded => Ask::Tries,
            None => ask,
        };
        let waits = doing.awaits.begun();
        // What was taken before a wait that still goes on is held by another of the task's futures.
        let since = doing.awaits.unresolved().unwrap_or(0);
        let aside: Vec<LockIx> =
            doing.holds.iter().filter(|(_, waits)| *waits < since).map(|(lock, _)| *lock).collect();
        let before = self
            .facts
            .signalling
            .contains(&event.object)
            .then(|| self.holding[lock as usize].released)
            .flatten();
        let step = self.step(task, Op::Acquire { lock, mode, ask }, event.site);
        if let Some(from) = before {
            self.history.add_edge(HappensBefore { from, careful: true });
        }
        self.history.set_aside(step, aside);
        self.doing[task as usize].holds.push((lock, waits));
        self.holding[lock as usize].open.push((task, mode, step));
    }

    pub(super) fn release(&mut self, task: TaskIx, lock: LockIx, mode: Mode, site: SiteId) {
        let open = &mut self.holding[lock as usize].open;
        let own = open.iter().rposition(|(holder, held, _)| *holder == task && *held == mode);
        let Some(at) = own.or_else(|| open.iter().rposition(|(_, held, _)| *held == mode)) else { return };
        let (holder, _, acquire) = open.remove(at);
        let holds = &mut self.doing[holder as usize].holds;
        if let Some(at) = holds.iter().rposition(|(it, _)| *it == lock) {
            holds.remove(at);
        }
        let step = self.step(task, Op::Release { lock, acquire }, site);
        self.doing[task as usize].gave_back = Some((lock, mode));
        self.holding[lock as usize].released = Some(step);
    }
}
