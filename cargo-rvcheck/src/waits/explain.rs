//! Why those who wait will do so forever.

use super::cycle::{Kinds, WaitEdge, excludes};
use super::queue::Lost;
use super::stuck::{Standing, Stuck};
use super::{For, Pending, Waits};
use rvcheck_event::id::{ObjectId, TaskId};
use rvcheck_event::kind::{ObjectKind, TaskKind};
use rvcheck_event::world::World;
use std::collections::BTreeSet;

/// What kind of reason it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// Each has a lock that the next one wants, or waits for the end of the next one.
    LockOrder,
    /// A task wants a lock that it holds itself, or that is wanted by one that waits for it.
    DoubleLock,
    /// Those who wait could move the channel, and nobody else can.
    Channels,
    /// A future is the next one to have something, and nobody polls it.
    Futurelock,
    /// The signal was given before.
    LostWakeup,
    /// More permits are wanted than can ever be free.
    Permits,
    /// None of these, and the test hangs.
    Stall,
    /// None of these, and the test has ended without them.
    Abandoned,
}

impl Cause {
    /// All there are.
    pub const ALL: [Cause; 8] = [
        Cause::LockOrder,
        Cause::DoubleLock,
        Cause::Channels,
        Cause::Futurelock,
        Cause::LostWakeup,
        Cause::Permits,
        Cause::Stall,
        Cause::Abandoned,
    ];

    /// The id of the property that it violates.
    pub const fn property(self) -> &'static str {
        match self {
            Cause::LockOrder => "lock-order",
            Cause::DoubleLock => "double-lock",
            Cause::Channels => "channel-deadlock",
            Cause::Futurelock => "futurelock",
            Cause::LostWakeup => "lost-wakeup",
            Cause::Permits => "semaphore",
            Cause::Stall => "stall",
            Cause::Abandoned => "partial-deadlock",
        }
    }
}

/// A reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What kind of reason it is.
    pub cause: Cause,
    /// The cycle of waits; empty where there is none.
    pub cycle: Vec<WaitEdge>,
    /// The waits that have no end, where there is no cycle. The first one is the reason for the others.
    pub waits: Vec<Pending>,
    /// The request that is next in the queue and that nobody polls.
    pub queued: Option<Pending>,
    /// Who has given the signal too early, or to another one, and where.
    pub signal: Option<(TaskId, rvcheck_event::id::SiteId)>,
    /// The signal reached one of several who waited.
    pub reached_one: bool,
    /// Tasks that could go on if a worker thread were not blocked.
    pub starved: Vec<TaskId>,
    /// Something that is unmonitored, or a timer, may still end the wait.
    pub in_doubt: bool,
    /// Where nothing that is monitored is waited for: who does not go on, and how that one stands.
    pub outside: Option<(TaskId, Standing)>,
}

impl Explanation {
    fn of(cause: Cause) -> Explanation {
        Explanation {
            cause,
            cycle: Vec::new(),
            waits: Vec::new(),
            queued: None,
            signal: None,
            reached_one: false,
            starved: Vec::new(),
            in_doubt: false,
            outside: None,
        }
    }

    /// The waits that it is made of, the latest of a cycle first.
    pub fn pending(&self) -> Vec<Pending> {
        let mut cycle: Vec<Pending> = self.cycle.iter().map(|it| it.pending).collect();
        cycle.sort_by_key(|it| std::cmp::Reverse(it.order));
        cycle.extend(&self.waits);
        cycle
    }
}

/// The reasons why the tasks of a unit wait forever. Where nothing is certain yet, and the unit may still go on, there are
/// none; with `last`, nothing more is waited for, and there is at least one if anything waits at all.
pub fn explain(waits: &Waits, stuck: &Stuck, world: &World, last: bool) -> Vec<Explanation> {
    let held_up = waits.held_up(&stuck.with_single_waits(), world, stuck.is_closed());
    let certain = waits.cycles(&held_up, Kinds::Certain);
    let locks: Vec<Explanation> = certain
        .into_iter()
        .map(|cycle| of_cycle(cycle, world))
        .filter(|it| it.cause != Cause::Stall || last)
        .collect();
    if !locks.is_empty() || !last {
        return locks;
    }
    if !stuck.is_closed() {
        let mut waits = whatever_waits(stuck);
        waits.retain(|it| !it.is_own_future());
        let outside = if waits.is_empty() { outside(stuck) } else { None };
        let in_doubt = Explanation { waits, outside, in_doubt: !stuck.hung, ..Explanation::of(Cause::Stall) };
        return Vec::from_iter(
            (!in_doubt.waits.is_empty() || in_doubt.outside.is_some()).then_some(in_doubt),
        );
    }
    let in_a_cycle = |kinds| {
        let cycles = waits.cycles(stuck, kinds).into_iter();
        cycles.map(|it| of_cycle(it, world)).next()
    };
    let found = too_many_permits(stuck, world)
        .or_else(|| missing_permits(waits, stuck))
        .or_else(|| unpolled(waits, stuck, world))
        .or_else(|| in_a_cycle(Kinds::Channels))
        .or_else(|| lost_signal(waits, stuck))
        .or_else(|| signal_of_another(waits, stuck))
        .or_else(|| lost_change(waits, stuck, world))
        .or_else(|| parked(stuck))
        .or_else(|| in_a_cycle(Kinds::All))
        .or_else(|| channel(waits, stuck))
        .unwrap_or_else(|| Explanation { waits: whatever_waits(stuck), ..Explanation::of(Cause::Stall) });
    vec![Explanation { starved: starved(waits, stuck), ..found }]
}

impl Stuck {
    /// Without the tasks that wait for several things at once, or for something that is unmonitored: they go on with any of them.
    fn with_single_waits(&self) -> Stuck {
        let single = |standing: &Standing| match standing {
            Standing::Waits { pending, .. } => pending.len() == 1,
            Standing::Outside { .. } => false,
            _ => true,
        };
        let tasks = self.tasks.iter().filter(|it| single(&it.1)).cloned().collect();
        Stuck { tasks, hung: self.hung }
    }
}

fn of_cycle(cycle: Vec<WaitEdge>, world: &World) -> Explanation {
    let wanted: Vec<For> = cycle.iter().map(|it| it.pending.wanted).collect();
    let objects: BTreeSet<ObjectId> = wanted.iter().filter_map(|it| it.object()).collect();
    let any = |like: fn(&For) -> bool| wanted.iter().any(like);
    let joins = any(|it| matches!(it, For::End(_)));
    let is_pool = |it: &For| match it {
        For::Permits(id, _) => world.object(*id).is_none_or(|it| it.capacity != 1),
        _ => false,
    };
    let cause = if any(|it| matches!(it, For::Room(_) | For::Message(_))) {
        Cause::Channels
    } else if any(|it| matches!(it, For::Signal(_))) || objects.is_empty() {
        Cause::Stall
    } else if wanted.iter().any(is_pool) || (objects.len() == 1 && any(|it| matches!(it, For::Permits(..)))) {
        Cause::Permits
    } else if objects.len() > 1 || joins {
        Cause::LockOrder
    } else {
        Cause::DoubleLock
    };
    Explanation { cycle, ..Explanation::of(cause) }
}

/// Everything that is waited for, the waits for the ends of tasks last: those wait for something themselves.
fn whatever_waits(stuck: &Stuck) -> Vec<Pending> {
    let mut all: Vec<Pending> = stuck.waiting().flat_map(|it| it.1).copied().collect();
    all.sort_by_key(|it| (matches!(it.wanted, For::End(_)), it.order));
    all
}

/// Who stands still without waiting for anything that is monitored.
fn outside(stuck: &Stuck) -> Option<(TaskId, Standing)> {
    let is_outside = |it: &&(TaskId, Standing)| matches!(it.1, Standing::Outside { .. });
    let stands = |it: &&(TaskId, Standing)| matches!(it.1, Standing::Timer(_) | Standing::Runs(_));
    let all = &stuck.tasks;
    all.iter().find(is_outside).or_else(|| all.iter().find(stands)).cloned()
}

/// A request for more permits than the semaphore has, where nobody is left who could add some.
fn too_many_permits(stuck: &Stuck, world: &World) -> Option<Explanation> {
    let too_many = |it: &Pending| match it.wanted {
        For::Permits(id, count) => world.object(id).is_some_and(|it| it.capacity > 0 && it.capacity < count),
        _ => false,
    };
    let found = whatever_waits(stuck).into_iter().find(too_many)?;
    Some(Explanation { waits: vec![found], ..Explanation::of(Cause::Permits) })
}

/// A wait for permits that somebody has taken with them: their task has ended, and did not give them back.
fn missing_permits(waits: &Waits, stuck: &Stuck) -> Option<Explanation> {
    let is_missing = |it: &Pending| match it.wanted {
        For::Permits(id, _) => {
            let mut holds = waits.objects.get(&id).into_iter().flat_map(|it| &it.holds).peekable();
            holds.peek().is_some() && holds.all(|it| !waits.tasks.contains_key(&it.task))
        }
        _ => false,
    };
    let found = whatever_waits(stuck).into_iter().find(is_missing)?;
    Some(Explanation { waits: vec![found], ..Explanation::of(Cause::Permits) })
}

/// What is handed over in the order of requests, so that it waits for the first one to take it.
pub(super) const fn is_fair(kind: ObjectKind) -> bool {
    matches!(
        kind,
        ObjectKind::TokioMutex
            | ObjectKind::TokioRwLock
            | ObjectKind::TokioSemaphore
            | ObjectKind::AsyncLockMutex
            | ObjectKind::AsyncLockRwLock
    )
}

/// A lock or semaphore that nobody has and that somebody waits for. So the first one in the queue was given it, and would have
/// taken it if it had been polled.
fn unpolled(waits: &Waits, stuck: &Stuck, world: &World) -> Option<Explanation> {
    let all = whatever_waits(stuck);
    let is_free = |first: &Pending| {
        let Some(id) = first.wanted.object() else { return false };
        let fair = world.object(id).is_some_and(|it| is_fair(it.kind));
        let Some(object) = waits.objects.get(&id).filter(|_| fair) else { return false };
        match first.wanted {
            For::Lock(_, mode) => !object.holds.iter().any(|it| excludes(it.mode, mode)),
            For::Permits(_, count) => {
                let taken: u32 = object.holds.iter().map(|it| it.count).sum();
                world.object(id).is_some_and(|it| it.capacity >= taken.saturating_add(count))
            }
            _ => false,
        }
    };
    let mut seen = BTreeSet::new();
    let firsts = all.iter().filter(|it| it.wanted.object().is_some_and(|id| seen.insert(id)));
    for queued in firsts.filter(|it| is_free(it)) {
        // Its own task waits for something else, and would poll it if it were at that place.
        let own = all.iter().filter(|it| it.task == queued.task && *it != queued).max_by_key(|it| it.order);
        if let Some(own) = own {
            let others = all.iter().filter(|it| it.wanted.is_like(queued.wanted) && it.task != queued.task);
            let waits = std::iter::once(own).chain(others).copied().collect();
            return Some(Explanation { waits, queued: Some(*queued), ..Explanation::of(Cause::Futurelock) });
        }
    }
    None
}

/// A signal that was given while nobody waited.
fn lost_signal(waits: &Waits, stuck: &Stuck) -> Option<Explanation> {
    let lost = |it: &Pending| -> Option<Lost> {
        let For::Signal(id) = it.wanted else { return None };
        waits.objects.get(&id)?.lost
    };
    let (pending, lost) = whatever_waits(stuck).into_iter().find_map(|it| Some((it, lost(&it)?)))?;
    let signal = Some((lost.task, lost.site));
    Some(Explanation { waits: vec![pending], signal, ..Explanation::of(Cause::LostWakeup) })
}

impl Waits {
    /// Whether who waits for a signal took a lock after the last one was given, and nobody else has taken that lock since: what the signal told of
    /// was there to be seen, and nothing has changed.
    pub(super) fn has_seen_all(&self, explanation: &Explanation) -> bool {
        let [Pending { task, wanted: For::Signal(signal), .. }] = explanation.waits[..] else {
            return false;
        };
        let given = self.objects.get(&signal).and_then(|it| it.lost);
        let looked = self.tasks.get(&task).and_then(|it| it.looked);
        given.zip(looked).is_some_and(|(given, (lock, at))| {
            given.order < at && self.objects.get(&lock).is_some_and(|it| it.taken == at)
        })
    }
}

/// A signal for one of several who waited, of whom this one waits on.
fn signal_of_another(waits: &Waits, stuck: &Stuck) -> Option<Explanation> {
    let missed = |it: &Pending| -> Option<Lost> {
        let For::Signal(id) = it.wanted else { return None };
        waits.objects.get(&id)?.reached_one.filter(|signal| it.order < signal.order)
    };
    let (pending, missed) = whatever_waits(stuck).into_iter().find_map(|it| Some((it, missed(&it)?)))?;
    let signal = Some((missed.task, missed.site));
    Some(Explanation {
        waits: vec![pending],
        signal,
        reached_one: true,
        ..Explanation::of(Cause::LostWakeup)
    })
}

/// A wait for a change of a value, after all changes were made.
fn lost_change(waits: &Waits, stuck: &Stuck, world: &World) -> Option<Explanation> {
    let changed = |it: &Pending| {
        let For::Message(id) = it.wanted else { return None };
        let is_watch = world.object(id).is_some_and(|it| it.kind == ObjectKind::TokioWatch);
        let object = waits.objects.get(&id).filter(|_| is_watch)?;
        object.senders.iter().next_back().map(|(task, site)| (*task, *site))
    };
    let (pending, signal) = whatever_waits(stuck).into_iter().find_map(|it| Some((it, changed(&it)?)))?;
    let signal = Some(signal);
    Some(Explanation { waits: vec![pending], signal, ..Explanation::of(Cause::LostWakeup) })
}

/// A thread that is parked when nobody is left who could let it go on, or a task whose waker nobody has.
fn parked(stuck: &Stuck) -> Option<Explanation> {
    let is_lost = |it: &Pending| matches!(it.wanted, For::Unpark | For::Waker);
    let pending = whatever_waits(stuck).into_iter().find(is_lost)?;
    Some(Explanation { waits: vec![pending], ..Explanation::of(Cause::LostWakeup) })
}

/// A wait for a channel of which nobody else is left to move it.
fn channel(waits: &Waits, stuck: &Stuck) -> Option<Explanation> {
    let of_channel = |it: &Pending| matches!(it.wanted, For::Room(_) | For::Message(_));
    // One that could be moved by a task that waits itself is not the first of the reasons.
    let is_root =
        |it: &Pending| waits.steps(it, Kinds::All).iter().all(|step| stuck.pending(step.by).is_empty());
    let all = whatever_waits(stuck);
    let root = all.iter().find(|it| of_channel(it) && is_root(it))?;
    let others = all.iter().filter(|it| *it != root);
    Some(Explanation {
        waits: std::iter::once(root).chain(others).copied().collect(),
        ..Explanation::of(Cause::Channels)
    })
}

/// Tasks that have not run yet although a future blocks a thread of the runtime.
fn starved(waits: &Waits, stuck: &Stuck) -> Vec<TaskId> {
    let is_future = |task: &TaskId| {
        let kind = waits.tasks.get(task).and_then(|it| it.kind);
        matches!(kind, Some(TaskKind::Async | TaskKind::Local | TaskKind::Root | TaskKind::Test))
    };
    let blocks =
        |it: &(TaskId, Standing)| is_future(&it.0) && matches!(it.1, Standing::Waits { blocked: true, .. });
    if !stuck.tasks.iter().any(blocks) {
        return Vec::new();
    }
    let unbegun = stuck.tasks.iter().filter(|it| it.1 == Standing::Unbegun);
    unbegun.map(|it| it.0).filter(is_future).collect()
}
