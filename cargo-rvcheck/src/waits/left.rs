//! Who is left behind when the body of a unit is over, and will never go on.
//!
//! A test that passes may leave tasks and threads behind that wait forever. [`Left`] looks for them at two moments: when a thread has
//! driven its root future to the end and has not shut its runtime down yet, and when a test's thread ends. Where nothing ends, it looks
//! when it is asked to. Whoever belongs to the unit
//! then is [abandoned](super::abandoned) or may go on. What happens afterwards can only take a finding back: somebody goes on after all, or
//! somebody who is not stuck moves what they wait for. The futures of a runtime that is shut down are dropped; that is no progress.

use super::abandoned::group_by_wait;
use super::explain::Cause;
use super::outside::{Ends, Known};
use super::{Explanation, For, Pending, Standing, Stuck, Waits, explain};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Sort, What};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many findings are remembered. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 10;

/// What is lost with those who are left behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// A lock, a message, permits or a caller is stuck with them.
    Work,
    /// They are workers that nobody told to end.
    Workers,
    /// They may be services that have each other's handles, and live as long as their runtime: no fault of one of them.
    Services,
}

/// Tasks and threads that wait for each other, or for what nobody will ever do.
#[derive(Clone, Debug)]
pub struct Abandoned {
    /// The unit that left them.
    pub unit: UnitId,
    /// How they stand: each of them waits.
    pub stuck: Stuck,
    /// Why they will not go on.
    pub explanation: Explanation,
    /// What is lost with them.
    pub lost: Lost,
    /// Nobody has the handle of any of them.
    pub detached: bool,
    /// The unit's own body had ended when they were found.
    pub is_over: bool,
    /// Who had the other end of what is waited for, has given such a signal or has taken it, and where last.
    pub others: Vec<(TaskId, SiteId)>,
    /// Where each of them was spawned.
    pub spawned: Vec<(TaskId, SiteId)>,
    /// Those of whom it is not known yet that they did nothing more.
    open: BTreeSet<TaskId>,
}

impl Abandoned {
    /// Whether something goes wrong for them: work is stuck, or a signal was missed. Else they are only idle.
    pub fn misses_something(&self) -> bool {
        self.lost == Lost::Work || self.explanation.cause == Cause::LostWakeup
    }
}

/// What has come to its end when it is asked who is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// The root future that this thread has driven. Its runtime drops the futures that are left.
    Root(TaskId),
    /// A test, which this thread has run. Nobody drops them any more.
    Test(TaskId),
    /// The process.
    Process,
    /// Nothing.
    None,
}

impl End {
    /// Who has come to it.
    fn by(self) -> Option<TaskId> {
        match self {
            End::Root(task) | End::Test(task) => Some(task),
            End::Process | End::None => None,
        }
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Left<'a> {
    waits: Waits,
    known: Known<'a>,
    found: BTreeMap<u32, Abandoned>,
    next: u32,
    /// Where somebody waits who may be left behind, by unit: if nobody who waits for a timer does anything for them.
    doubtful: BTreeMap<UnitId, BTreeSet<SiteId>>,
    /// By whom, and by what they wait for, each of these is found.
    members: HashMap<TaskId, u32>,
    objects: HashMap<ObjectId, BTreeSet<u32>>,
}

impl Observer for Left<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        self.take_back(event);
        match event.kind {
            EventKind::TestEnd => self.look(event.unit, End::Test(event.task), world),
            EventKind::Unblock if event.flags & flag::ENUM == What::BlockOn as u8 => {
                self.look(event.unit, End::Root(event.task), world);
            }
            _ => {}
        }
        self.waits.observe(event, world);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        self.waits.collect(dead);
    }
}

impl<'a> Left<'a> {
    /// Nothing has happened yet.
    pub fn new() -> Left<'a> {
        Left::default()
    }

    /// The same, where this is known of ends.
    pub fn knowing(ends: &'a dyn Ends) -> Left<'a> {
        Left { known: Known(Some(ends)), ..Left::default() }
    }

    /// Who waits for what now.
    pub fn waits(&self) -> &Waits {
        &self.waits
    }

    /// The units of which a longer run could tell whether somebody is left behind there, and where those wait. Now, somebody else waits for a
    /// timer.
    pub fn doubtful(&self) -> &BTreeMap<UnitId, BTreeSet<SiteId>> {
        &self.doubtful
    }

    /// Those who were left behind, in the order in which that was found.
    pub fn finish(self) -> (Waits, Vec<Abandoned>) {
        let found = self.found.into_values().filter(|it| it.open.is_empty()).collect();
        (self.waits, found)
    }

    /// The process has ended in an orderly way. What its main thread had then is not known.
    pub fn process_ends(&mut self, world: &World) {
        self.look_at_open(End::Process, world);
    }

    /// Nothing more is known of the process, which goes on or was ended from outside. Its units have not come to their ends, so that anybody
    /// in them may have a handle.
    pub fn goes_on(&mut self, world: &World) {
        self.look_at_open(End::None, world);
    }

    /// Looks at the units that are not over by themselves.
    fn look_at_open(&mut self, end: End, world: &World) {
        let units = self.waits.units();
        for unit in units.into_iter().filter(|it| !self.waits.is_ended(*it)).collect::<Vec<_>>() {
            self.look(unit, end, world);
        }
    }

    /// Looks for those whom the unit has left behind.
    fn look(&mut self, unit: UnitId, end: End, world: &World) {
        let by = end.by();
        let abandoned = self.waits.abandoned(unit, by, world, self.known);
        self.doubt(unit, by, &abandoned, world);
        if abandoned.tasks.is_empty() {
            return;
        }
        let again: Vec<u32> =
            abandoned.tasks.iter().filter_map(|it| self.members.get(&it.0).copied()).collect();
        for number in again {
            self.forget(number);
        }
        let first = self.next;
        for group in group_by_wait(&self.waits, &abandoned) {
            for explanation in explain(&self.waits, &group, world, true) {
                if self.found.len() < MOST {
                    self.add(unit, group.clone(), explanation, end, world);
                }
            }
        }
        self.mark_services(first);
    }

    /// Marks services among those that were found from this one on. Who has the last handle of an idle worker is not known: it may be
    /// another one of them. It is, where that has used the handle; and where workers of several kinds are idle, it may be.
    fn mark_services(&mut self, first: u32) {
        let idle: Vec<u32> =
            self.found.range(first..).filter(|it| !it.1.misses_something()).map(|it| *it.0).collect();
        let waiting: BTreeMap<TaskId, Vec<Pending>> = idle
            .iter()
            .flat_map(|it| self.found[it].stuck.waiting())
            .map(|(task, pending)| (task, pending.to_vec()))
            .collect();
        let is_root = |(task, pending): &(&TaskId, &Vec<Pending>)| {
            let mut users = pending.iter().flat_map(|it| self.waits.users(it)).map(|it| it.0);
            !users.any(|it| it != **task && waiting.contains_key(&it))
        };
        let roots: BTreeSet<TaskId> = waiting.iter().filter(is_root).map(|it| *it.0).collect();
        let spawned = idle.iter().flat_map(|it| &self.found[it].spawned);
        let kinds: BTreeSet<SiteId> = spawned.filter(|it| roots.contains(&it.0)).map(|it| it.1).collect();
        for number in idle {
            if let Some(found) = self.found.get_mut(&number) {
                let has_root = found.stuck.tasks.iter().any(|it| roots.contains(&it.0));
                found.lost = if kinds.len() == 1 && has_root { Lost::Workers } else { Lost::Services };
            }
        }
    }

    /// Notes whether more than these may be left behind.
    fn doubt(&mut self, unit: UnitId, by: Option<TaskId>, certain: &Stuck, world: &World) {
        if self.doubtful.len() >= MOST || by.is_none() {
            return;
        }
        let mut possible = self.waits.abandoned_after_timers(unit, by, world);
        possible.tasks.retain(|it| certain.standing(it.0).is_none());
        for group in group_by_wait(&self.waits, &possible) {
            if self.waits.keeps_work(&group, world) {
                let sites = group.waiting().flat_map(|it| it.1).map(|it| it.site);
                self.doubtful.entry(unit).or_default().extend(sites);
            }
        }
    }

    fn add(&mut self, unit: UnitId, stuck: Stuck, mut explanation: Explanation, end: End, world: &World) {
        match explanation.cause {
            Cause::Stall => explanation.cause = Cause::Abandoned,
            // Whoever waits for another change wants one that comes after those that it has seen.
            Cause::LostWakeup
                if matches!(explanation.waits[..], [Pending { wanted: For::Message(_), .. }]) =>
            {
                (explanation.cause, explanation.signal) = (Cause::Channels, None);
            }
            Cause::LostWakeup if self.waits.has_seen_all(&explanation) => {
                (explanation.cause, explanation.signal) = (Cause::Abandoned, None);
            }
            _ => {}
        }
        let number = self.next;
        self.next += 1;
        let tasks: BTreeSet<TaskId> = stuck.tasks.iter().map(|it| it.0).collect();
        for (task, pending) in stuck.waiting() {
            self.members.insert(task, number);
            for object in pending.iter().filter_map(|it| it.wanted.object()) {
                self.objects.entry(object).or_default().insert(number);
            }
        }
        let detached = tasks.iter().all(|it| self.waits.tasks.get(it).is_some_and(|it| it.detached));
        let lost = if self.waits.keeps_work(&stuck, world) { Lost::Work } else { Lost::Workers };
        let others = self.waits.others(&stuck);
        let spawned = tasks.iter().filter_map(|it| Some((*it, world.task(*it)?.spawned_at))).collect();
        let open = if matches!(end, End::Root(_)) { tasks } else { BTreeSet::new() };
        let abandoned = Abandoned {
            unit,
            stuck,
            explanation,
            lost,
            detached,
            is_over: end != End::None,
            others,
            spawned,
            open,
        };
        self.found.insert(number, abandoned);
    }

    fn forget(&mut self, number: u32) {
        let Some(gone) = self.found.remove(&number) else { return };
        for (task, pending) in gone.stuck.waiting() {
            if self.members.get(&task) == Some(&number) {
                self.members.remove(&task);
            }
            for object in pending.iter().filter_map(|it| it.wanted.object()) {
                if let Some(numbers) = self.objects.get_mut(&object) {
                    numbers.remove(&number);
                }
            }
        }
    }

    /// What happens after somebody was found shows whether that was wrong.
    fn take_back(&mut self, event: &Event) {
        if self.found.is_empty() {
            return;
        }
        if let Some(number) = self.members.get(&event.task).copied() {
            if event.kind == EventKind::Cancel {
                if let Some(found) = self.found.get_mut(&number) {
                    found.open.remove(&event.task);
                }
            } else if is_progress(event.kind) {
                self.forget(number);
            }
            return;
        }
        let moved: Vec<u32> = if event.kind == EventKind::Abort {
            self.members.get(&TaskId(event.object)).copied().into_iter().collect()
        } else if is_move(event.kind) {
            self.objects.get(&ObjectId(event.object)).into_iter().flatten().copied().collect()
        } else {
            return;
        };
        for number in moved {
            self.forget(number);
        }
    }
}

/// Whether who does that goes on, and is not only being dropped.
const fn is_progress(kind: EventKind) -> bool {
    use EventKind as K;
    matches!(
        kind,
        K::Suspend
            | K::Finish
            | K::Resume
            | K::Acquire
            | K::Recv
            | K::Send
            | K::Closed
            | K::Permit
            | K::Signalled
            | K::Join
            | K::Unblock
    )
}

/// Whether that may end the wait of another one for the object.
const fn is_move(kind: EventKind) -> bool {
    use EventKind as K;
    matches!(
        kind,
        K::Send
            | K::Recv
            | K::Closed
            | K::ChanClose
            | K::SenderDrop
            | K::ReceiverDrop
            | K::Release
            | K::PermitRelease
            | K::NotifyOne
            | K::NotifyAll
    )
}

impl Waits {
    /// Who had the other end of what is waited for, and where last.
    fn users(&self, pending: &Pending) -> Vec<(TaskId, SiteId)> {
        let Some(object) = pending.wanted.object().and_then(|id| self.objects.get(&id)) else {
            return Vec::new();
        };
        let users = match pending.wanted {
            For::Room(_) => &object.receivers,
            For::Message(_) => &object.senders,
            _ => &object.notifiers,
        };
        let holds = object.holds.iter().map(|it| (it.task, it.site));
        users.iter().map(|it| (*it.0, *it.1)).chain(holds).collect()
    }

    /// Who had the other end of what these wait for, and is none of them.
    fn others(&self, stuck: &Stuck) -> Vec<(TaskId, SiteId)> {
        let all: BTreeSet<(TaskId, SiteId)> =
            stuck.waiting().flat_map(|it| it.1).flat_map(|it| self.users(it)).collect();
        all.into_iter().filter(|it| stuck.pending(it.0).is_empty()).collect()
    }

    /// Whether a lock, a message, permits or a caller is stuck with these, and not only workers who have nothing to do.
    fn keeps_work(&self, stuck: &Stuck, world: &World) -> bool {
        use rvcheck_event::kind::ObjectKind as O;
        let is_work = |it: &Pending| match it.wanted {
            For::Lock(..) | For::Room(_) | For::Permits(..) => true,
            For::End(_) => !it.is_own_future(),
            For::Message(id) => {
                world.object(id).is_some_and(|it| matches!(it.kind, O::TokioOneshot | O::FuturesOneshot))
            }
            For::Signal(id) => world.object(id).is_some_and(|it| it.kind.is_barrier()),
            For::Unpark | For::Waker => false,
        };
        let holds = |task: TaskId| self.objects.values().any(|it| it.holds.iter().any(|it| it.task == task));
        stuck.waiting().any(|(task, pending)| pending.iter().any(is_work) || holds(task))
            && stuck.tasks.iter().all(|it| matches!(it.1, Standing::Waits { .. }))
    }
}
