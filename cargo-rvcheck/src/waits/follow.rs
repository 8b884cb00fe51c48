//! From events to who waits for what.

use super::queue::{Lost, Object, note};
use super::{For, Hold, Pending};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Sort, TaskKind, What};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Who waits for what, after the events that were told so far.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    /// Those that have not ended.
    pub(super) tasks: BTreeMap<TaskId, Doing>,
    pub(super) objects: HashMap<ObjectId, Object>,
    /// How many events there were in each unit.
    units: HashMap<UnitId, u64>,
    /// The tests that have come to their end.
    ended: BTreeSet<UnitId>,
    /// Those that have taken the lock of a static.
    lock_statics: BTreeSet<UnitId>,
    events: u64,
}

/// A call that blocks a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) what: What,
    pub(super) timed: bool,
    pub(super) site: SiteId,
}

/// How far a task or thread has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Phase {
    /// It has done nothing yet.
    #[default]
    Unbegun,
    /// It has done something. It is a thread whose beginning and end are not told.
    Acting,
    /// It is polled, or a closure that was called.
    Running,
    /// It is a future that gave its thread back.
    Suspended {
        /// It had polled a running timer.
        timer: bool,
        /// It also waits for something that is not recorded.
        unrecorded: bool,
        /// Code that records nothing has a clone of its waker.
        kept: bool,
    },
}

/// What a task or thread is at.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Doing {
    pub(super) unit: UnitId,
    pub(super) kind: Option<TaskKind>,
    pub(super) phase: Phase,
    /// The awaits that it is at, the innermost first; and whether each is one of a timer.
    pub(super) awaits: Vec<(SiteId, bool)>,
    pub(super) pending: Vec<Pending>,
    pub(super) blocks: Vec<Block>,
    pub(super) children: Vec<TaskId>,
    /// When it was polled last, in events of the process.
    pub(super) polled: u64,
    /// Something that is not recorded, and of which no clone is counted, may have its waker.
    pub(super) keeps_waker: bool,
    /// Nobody has its handle.
    pub(super) detached: bool,
    /// Somebody has aborted it, or dropped the set that owns it: it will be cancelled, however it stands until then.
    pub(super) aborted: bool,
    /// It was spawned by the initialiser of a static, which may hand it work as long as the process lives.
    pub(super) of_static: bool,
    /// How many initialisers of statics it runs.
    initialises: u32,
    /// Where it did something last.
    pub(super) last: SiteId,
    /// The lock that it took last, and when, in events of the process.
    pub(super) looked: Option<(ObjectId, u64)>,
}

impl Observer for Waits {
    fn observe(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        self.events += 1;
        *self.units.entry(event.unit).or_default() += 1;
        match event.kind {
            K::TestEnd => {
                self.ended.insert(event.unit);
            }
            K::Spawn => self.spawn(event, world),
            K::Start | K::Poll => {
                let unit = world.unit_of(event.task);
                let order = self.events;
                let doing = self.doing(event);
                doing.polled = order;
                (doing.phase, doing.unit) = (Phase::Running, unit);
            }
            K::Suspend => {
                let timer = event.flags & flag::TIMER != 0;
                let unrecorded = event.flags & flag::UNRECORDED != 0;
                let kept = event.flags & flag::WAKER != 0;
                let doing = self.doing(event);
                doing.phase = Phase::Suspended { timer, unrecorded, kept };
                doing.keeps_waker |= unrecorded;
                // What was polled beside it once may remember that, and not show again.
                doing.pending.iter_mut().for_each(|it| it.in_doubt |= unrecorded);
            }
            K::WakerDrop if event.number == 0 => {
                if let Some(Doing { phase: Phase::Suspended { kept, .. }, .. }) =
                    self.tasks.get_mut(&TaskId(event.object))
                {
                    *kept = false;
                }
            }
            K::Finish | K::Cancel => self.end(event.task),
            K::Panic if event.flags & flag::CAUGHT == 0 => self.end(event.task),
            K::Await => self.doing(event).awaits.push((event.site, event.flags & flag::ENUM != 0)),
            K::Resume | K::AwaitCancel => {
                let doing = self.doing(event);
                if let Some(at) = doing.awaits.iter().rposition(|it| it.0 == event.site) {
                    doing.awaits.remove(at);
                    // What has kept it was awaited there.
                    doing.keeps_waker &= !doing.awaits.is_empty();
                }
            }
            K::Block => {
                let what = What::of_bits(event.flags & flag::ENUM).unwrap_or(What::Lock);
                let timed = event.flags & flag::TIMED != 0;
                self.doing(event).blocks.push(Block { what, timed, site: event.site });
            }
            K::Unblock => self.unblock(event),
            K::JoinWait | K::Join | K::Detach => self.join(event),
            K::Abort => self.abort(TaskId(event.object)),
            K::Request | K::Acquire | K::Release | K::Withdraw => {
                self.used(event);
                self.lock(event, world);
            }
            K::PermitWait | K::Permit | K::PermitRelease | K::PermitForget | K::PermitCancel => {
                self.used(event);
                self.semaphore(event);
            }
            K::SignalWait | K::Signalled | K::NotifyOne | K::NotifyAll | K::SignalCancel => {
                self.used(event);
                self.signal(event, world);
            }
            _ => self.channel(event),
        }
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        for (sort, id) in dead {
            if matches!(sort, Sort::Lock | Sort::Chan | Sort::Sem | Sort::Signal) {
                self.objects.remove(&ObjectId(*id));
            }
        }
    }
}

impl Waits {
    /// Nothing has happened yet.
    pub fn new() -> Waits {
        Waits::default()
    }

    /// How many events a unit had.
    pub fn events_of(&self, unit: UnitId) -> u64 {
        self.units.get(&unit).copied().unwrap_or(0)
    }

    /// Whether the unit is a test that has come to its end, whatever it has left behind.
    pub fn is_ended(&self, unit: UnitId) -> bool {
        self.ended.contains(&unit)
    }

    /// Whether somebody of the unit has taken the lock of a static.
    pub(super) fn locks_static(&self, unit: UnitId) -> bool {
        self.lock_statics.contains(&unit)
    }

    /// The acting task, with the unit that it acts for.
    fn doing(&mut self, event: &Event) -> &mut Doing {
        let doing = self.tasks.entry(event.task).or_default();
        if doing.phase == Phase::Unbegun {
            (doing.phase, doing.unit) = (Phase::Acting, event.unit);
        }
        if event.site.is_some() {
            doing.last = event.site;
        }
        doing
    }

    fn object(&mut self, id: ObjectId) -> &mut Object {
        self.objects.entry(id).or_default()
    }

    /// The unit of an event uses the object that it is about.
    fn used(&mut self, event: &Event) {
        self.object(ObjectId(event.object)).used_by(event.unit);
    }

    fn spawn(&mut self, event: &Event, world: &World) {
        let child = TaskId(event.object);
        let by = self.doing(event);
        let of_static = by.of_static || by.initialises > 0;
        by.kind = by.kind.or_else(|| world.task(event.task).map(|it| it.kind));
        by.children.push(child);
        let kind = TaskKind::of_bits(event.flags & flag::ENUM);
        self.tasks.insert(child, Doing { unit: event.unit, kind, of_static, ..Doing::default() });
    }

    fn end(&mut self, task: TaskId) {
        let Some(doing) = self.tasks.remove(&task) else { return };
        for pending in doing.pending {
            self.leave(pending.wanted);
        }
    }

    fn join(&mut self, event: &Event) {
        let wanted = For::End(TaskId(event.object));
        self.stop_waiting(event, wanted);
        if event.kind == EventKind::JoinWait {
            self.wait(event, wanted);
        }
        if event.kind == EventKind::Detach {
            if let Some(doing) = self.tasks.get_mut(&TaskId(event.object)) {
                doing.detached = true;
            }
            if event.flags & flag::BY_OWNER != 0 {
                self.abort(TaskId(event.object));
            }
        }
    }

    fn abort(&mut self, task: TaskId) {
        if let Some(doing) = self.tasks.get_mut(&task) {
            doing.aborted = true;
        }
    }

    fn lock(&mut self, event: &Event, world: &World) {
        let id = ObjectId(event.object);
        let mode = Mode::of_bits(event.flags & flag::ENUM).unwrap_or(Mode::Write);
        let wanted = For::Lock(id, mode);
        let of_static = world.object(id).filter(|it| it.is_static);
        let initialises = of_static.is_some_and(|it| it.kind.is_made_once());
        if of_static.is_some() {
            self.lock_statics.insert(event.unit);
        }
        match event.kind {
            EventKind::Request => self.wait(event, wanted),
            EventKind::Release => {
                let order = self.events;
                self.object(id).freed = order;
                self.object(id).release(event.task, event.site);
                if initialises {
                    let doing = self.doing(event);
                    doing.initialises = doing.initialises.saturating_sub(1);
                }
            }
            EventKind::Acquire => {
                self.stop_waiting(event, wanted);
                // Whoever acts has begun, also where it did nothing before.
                let order = self.events;
                let doing = self.doing(event);
                doing.initialises += u32::from(initialises);
                doing.looked = Some((id, order));
                self.object(id).taken = order;
                let hold = Hold { task: event.task, mode, count: 1, site: event.site };
                self.object(id).holds.push(hold);
            }
            _ => {
                self.stop_waiting(event, wanted);
            }
        }
    }

    fn semaphore(&mut self, event: &Event) {
        let id = ObjectId(event.object);
        let count = u32::try_from(event.number).unwrap_or(u32::MAX);
        let wanted = For::Permits(id, count);
        match event.kind {
            EventKind::PermitWait => self.wait(event, wanted),
            EventKind::Permit => {
                self.stop_waiting(event, wanted);
                self.doing(event);
                let hold = Hold { task: event.task, mode: Mode::Write, count, site: event.site };
                self.object(id).holds.push(hold);
            }
            EventKind::PermitRelease if event.flags & flag::ADDED != 0 => {
                let order = self.events;
                self.object(id).freed = order;
            }
            EventKind::PermitRelease | EventKind::PermitForget => {
                let order = self.events;
                self.object(id).freed = order;
                self.object(id).give_back(event.task, count);
            }
            _ => {
                self.stop_waiting(event, wanted);
            }
        }
    }

    fn signal(&mut self, event: &Event, world: &World) {
        let id = ObjectId(event.object);
        let wanted = For::Signal(id);
        let kind = world.object(id).map(|it| it.kind);
        let keeps = kind == Some(ObjectKind::TokioNotify);
        // A task that has come to a barrier has done all that it can.
        let meets = kind.is_some_and(ObjectKind::is_barrier);
        // Nobody comes to a barrier, or cancels something, too early.
        let listens = kind == Some(ObjectKind::EventListenerEvent);
        let loses = keeps || listens || kind.is_some_and(ObjectKind::is_condvar);
        match event.kind {
            EventKind::SignalWait => self.wait(event, wanted),
            EventKind::Signalled => {
                let waited = self.stop_waiting(event, wanted);
                // Whoever did not have to wait has taken what was kept.
                let order = self.events;
                let object = self.object(id);
                if meets {
                    // The last one has come, and lets all others go on.
                    object.given.to_all = order;
                }
                object.given.to_one = object.given.to_one.saturating_sub(1);
                object.stored &= waited;
                // A listener gets what was given after it was made, although it did not wait yet.
                if listens && !waited {
                    object.lost = None;
                }
            }
            EventKind::NotifyOne | EventKind::NotifyAll => {
                let order = self.events;
                let object = self.object(id);
                if !meets {
                    note(&mut object.notifiers, event.task, event.site);
                }
                let signal = Lost { task: event.task, site: event.site, order };
                let is_of_several = event.kind == EventKind::NotifyOne && object.waiting > 1;
                object.reached_one = Some(signal).filter(|_| loses && is_of_several);
                if event.kind == EventKind::NotifyAll && !meets {
                    object.given.to_all = order;
                } else if event.kind == EventKind::NotifyOne && object.given.to_one < object.waiting {
                    object.given.to_one += 1;
                }
                if object.waiting == 0 {
                    let is_kept = keeps && event.kind == EventKind::NotifyOne;
                    if loses && (!is_kept || object.stored) {
                        object.lost = Some(signal);
                    }
                    object.stored |= is_kept;
                }
            }
            _ => {
                self.stop_waiting(event, wanted);
            }
        }
    }

    fn channel(&mut self, event: &Event) {
        use EventKind as K;
        let id = ObjectId(event.object);
        let is_last = event.number == 0;
        match event.kind {
            K::SenderDrop => self.object(id).contents.no_sender |= is_last,
            K::ReceiverDrop => self.object(id).contents.no_receiver |= is_last,
            K::ChanClose => self.object(id).contents.closed = true,
            K::SendWait | K::RecvWait | K::Send | K::Recv | K::Lagged | K::Closed => self.used(event),
            _ => {}
        }
        match event.kind {
            K::SendWait => self.wait(event, For::Room(id)),
            K::RecvWait => {
                note(&mut self.object(id).receivers, event.task, event.site);
                self.wait(event, For::Message(id));
            }
            K::Send => {
                self.stop_waiting(event, For::Room(id));
                let order = self.events;
                let object = self.object(id);
                note(&mut object.senders, event.task, event.site);
                object.contents.sent = order;
                object.contents.messages = object.contents.messages.saturating_add(1);
            }
            K::Recv | K::Lagged => {
                self.stop_waiting(event, For::Message(id));
                let object = self.object(id);
                note(&mut object.receivers, event.task, event.site);
                object.contents.messages = object.contents.messages.saturating_sub(1);
            }
            K::Closed => {
                self.stop_waiting(event, For::Room(id));
                self.stop_waiting(event, For::Message(id));
            }
            K::SendCancel => {
                self.stop_waiting(event, For::Room(id));
            }
            K::RecvCancel => {
                self.stop_waiting(event, For::Message(id));
            }
            _ => {}
        }
    }

    fn wait(&mut self, event: &Event, wanted: For) {
        let timed = event.kind == EventKind::Request && event.flags & flag::TRY != 0;
        let (order, time) = (self.events, event.time);
        let pending =
            Pending { task: event.task, wanted, site: event.site, timed, in_doubt: false, order, time };
        self.doing(event).pending.push(pending);
        if let Some(id) = wanted.object() {
            self.object(id).waiting += 1;
        }
    }

    /// One wait less for this.
    fn leave(&mut self, wanted: For) {
        if let Some(object) = wanted.object().and_then(|id| self.objects.get_mut(&id)) {
            object.waiting = object.waiting.saturating_sub(1);
        }
    }

    /// A wait of the acting task is over; or of another one, which began what this one has ended. Whether there was any.
    fn stop_waiting(&mut self, event: &Event, wanted: For) -> bool {
        let found = |doing: &Doing, site: Option<SiteId>| {
            doing
                .pending
                .iter()
                .position(|it| it.wanted.is_like(wanted) && site.is_none_or(|site| it.site == site))
        };
        if let Some(doing) = self.tasks.get_mut(&event.task)
            && let Some(at) = found(doing, Some(event.site)).or_else(|| found(doing, None))
        {
            doing.pending.remove(at);
            self.leave(wanted);
            return true;
        }
        let waiting = match wanted.object() {
            Some(id) => self.objects.get(&id).is_some_and(|it| it.waiting > 0),
            None => false,
        };
        if !waiting {
            return false;
        }
        // Who waits with its thread has begun what it waits for itself.
        for doing in self.tasks.values_mut().filter(|it| it.blocks.is_empty()) {
            if let Some(at) = found(doing, Some(event.site)) {
                doing.pending.remove(at);
                self.leave(wanted);
                return true;
            }
        }
        false
    }

    /// What was waited for with the thread blocked is waited for no more.
    fn unblock(&mut self, event: &Event) {
        let doing = self.doing(event);
        if let Some(at) = doing.blocks.iter().rposition(|it| it.site == event.site) {
            doing.blocks.truncate(at);
        }
        let over: Vec<For> =
            doing.pending.iter().filter(|it| it.site == event.site).map(|it| it.wanted).collect();
        doing.pending.retain(|it| it.site != event.site);
        for wanted in over {
            self.leave(wanted);
        }
    }
}
