//! The greatest set of tasks and threads of which each waits for something that only others in the set could still do.
//!
//! It is found by taking out, again and again, whoever may go on. Who could act from outside: a task that runs, waits for a timer or for
//! something unmonitored; another unit that has used what is waited for; whatever reaches a static. Of a lock that cannot be handed over,
//! of a join and of the ends of channels that are gone, it is known who could act. Of everything else, anybody outside may have a handle.

use super::cycle::{Kinds, excludes};
use super::explain::is_fair;
use super::follow::Doing;
use super::outside::{Known, Outside};
use super::queue::Object;
use super::{For, Pending, Standing, Stuck, Waits};
use rvcheck_event::id::{ObjectId, TaskId, UnitId};
use rvcheck_event::kind::{Mode, ObjectKind, TaskKind};
use rvcheck_event::world::World;
use rvcheck_source::facts::keeping::Class;
use std::collections::{BTreeMap, BTreeSet};

/// Who is in the set so far, and what is outside.
struct Fixpoint<'w> {
    waits: &'w Waits,
    world: &'w World,
    inside: BTreeMap<TaskId, Vec<Pending>>,
    outside: Outside<'w>,
}

impl Waits {
    /// Those tasks and threads of the unit that nobody can let go on any more. Its body is over, and `by`, who has run it, does nothing
    /// more; where nobody is known to have done so, anybody may still be outside.
    pub(super) fn abandoned(
        &self,
        unit: UnitId,
        by: Option<TaskId>,
        world: &World,
        known: Known<'_>,
    ) -> Stuck {
        let mut outside = Outside::knowing(known, self.locks_static(unit));
        if by.is_none() {
            outside.add_hidden();
            if !self.is_accounted(unit, world) {
                outside.add_unknown();
            }
        }
        self.abandoned_among(self.left_by(unit, by), outside, world)
    }

    /// The same if whoever waits for a timer ends without doing anything for them.
    pub(super) fn abandoned_after_timers(&self, unit: UnitId, by: Option<TaskId>, world: &World) -> Stuck {
        let mut stuck = self.left_by(unit, by);
        stuck.tasks.retain(|it| !matches!(it.1, Standing::Timer(_)));
        let mut outside = Outside::default();
        if by.is_none() {
            outside.add_unknown();
        }
        self.abandoned_among(stuck, outside, world)
    }

    /// Whether it is known of the unit's own thread, and of all others that have done something, how they stand.
    fn is_accounted(&self, unit: UnitId, world: &World) -> bool {
        let mut threads = world.names().threads().map(|it| it.1);
        let main = threads.find(|it| it.unit == unit && (it.name == "main" || it.kind == TaskKind::Test));
        let mine = self.tasks.iter().filter(|(_, doing)| doing.unit == unit).count();
        let stuck = self.stuck(unit);
        mine == stuck.tasks.len() && main.is_some_and(|it| stuck.standing(it.task).is_some())
    }

    /// Whoever is left of the unit but `by`, and but those whom a static keeps.
    fn left_by(&self, unit: UnitId, by: Option<TaskId>) -> Stuck {
        let of_static = |task: TaskId| self.tasks.get(&task).is_some_and(|it| it.of_static);
        let mut stuck = self.stuck(unit);
        stuck.tasks.retain(|it| Some(it.0) != by && !of_static(it.0));
        stuck
    }

    fn abandoned_among(&self, mut stuck: Stuck, mut outside: Outside<'_>, world: &World) -> Stuck {
        let is_aborted = |task: TaskId| self.tasks.get(&task).is_some_and(|it| it.aborted);
        let waits = |(task, standing): &(TaskId, Standing)| match standing {
            Standing::Waits { pending, .. } if !is_aborted(*task) => Some((*task, pending.clone())),
            _ => None,
        };
        let inside: BTreeMap<TaskId, Vec<Pending>> = stuck.tasks.iter().filter_map(waits).collect();
        for (task, standing) in stuck.tasks.iter().filter(|it| !inside.contains_key(&it.0)) {
            outside.add(*task, Some(standing), self, world);
        }
        let mut fixpoint = Fixpoint { waits: self, world, inside, outside };
        fixpoint.narrow(&stuck);
        stuck.tasks.retain(|it| fixpoint.inside.contains_key(&it.0));
        stuck.hung = true;
        stuck
    }
}

impl Fixpoint<'_> {
    /// Takes out whoever may go on, until nobody may.
    fn narrow(&mut self, stuck: &Stuck) {
        loop {
            let goes_on = |(task, pending): (&TaskId, &Vec<Pending>)| {
                (self.may_be_aborted(*task) || pending.iter().any(|it| self.may_end(it))).then_some(*task)
            };
            let gone: Vec<TaskId> = self.inside.iter().filter_map(goes_on).collect();
            if gone.is_empty() {
                return;
            }
            for task in &gone {
                self.outside.add(*task, stuck.standing(*task), self.waits, self.world);
            }
            self.inside.retain(|task, _| !gone.contains(task));
        }
    }

    fn doing(&self, task: TaskId) -> Option<&Doing> {
        self.waits.tasks.get(&task)
    }

    /// Whether somebody outside may have the handle of the task, and abort it.
    fn may_be_aborted(&self, task: TaskId) -> bool {
        let Some(doing) = self.doing(task).filter(|_| self.outside.has(&Class::Handle)) else { return false };
        let is_joined = |it: &Pending| it.wanted == For::End(task);
        matches!(doing.kind, Some(TaskKind::Async | TaskKind::Local))
            && !doing.detached
            && !self.inside.values().flatten().any(is_joined)
    }

    /// Whether somebody outside may end the wait.
    fn may_end(&self, pending: &Pending) -> bool {
        let object = pending.wanted.object().map(|id| (id, self.waits.objects.get(&id)));
        match (pending.wanted, object) {
            (For::End(task), _) => !self.inside.contains_key(&task),
            (For::Unpark, _) => self.outside.has(&Class::Handle),
            (For::Waker, _) => false,
            (_, Some((_, None)) | None) => true,
            (For::Lock(_, mode), Some((id, Some(object)))) => self.lock_may_come(pending, id, mode, object),
            (For::Permits(_, count), Some((id, Some(object)))) => {
                self.permits_may_come(pending, id, count, object)
            }
            (For::Room(_), Some((id, Some(object)))) => self.room_may_come(id, object),
            (For::Message(_), Some((id, Some(object)))) => self.message_may_come(pending, id, object),
            (For::Signal(_), Some((id, Some(object)))) => {
                let is_given = object.given.to_all > pending.order || object.given.to_one > 0;
                is_given || self.outside.has(&Class::Signal) || self.is_kept(id, object)
            }
        }
    }

    /// Whether a static or another unit may have a handle of the object.
    fn is_kept(&self, id: ObjectId, object: &Object) -> bool {
        let of_static = |task: &TaskId| self.doing(*task).is_some_and(|it| it.of_static);
        let mut users = object.senders.keys().chain(object.receivers.keys()).chain(object.notifiers.keys());
        object.is_shared || self.world.object(id).is_none_or(|it| it.is_static) || users.any(of_static)
    }

    fn kind(&self, id: ObjectId) -> Option<ObjectKind> {
        self.world.object(id).map(|it| it.kind)
    }

    /// Whether those who have the lock may all give it back, or nobody has it.
    fn lock_may_come(&self, pending: &Pending, id: ObjectId, mode: Mode, object: &Object) -> bool {
        let mut holds = object.holds.iter().filter(|it| excludes(it.mode, mode)).peekable();
        if holds.peek().is_none() {
            let steps = self.waits.steps(pending, Kinds::Certain);
            let writers_first = !steps.is_empty() && steps.iter().all(|it| self.inside.contains_key(&it.by));
            return !writers_first && !self.is_given_in_vain(id, object);
        }
        let is_sent = self.kind(id).is_none_or(|it| it.sends_guards() != Some(false));
        holds.all(|hold| {
            let gone = self.doing(hold.task).is_none();
            let elsewhere = (gone || is_sent) && self.outside.has(&Class::Guard);
            elsewhere || !(gone || self.inside.contains_key(&hold.task))
        })
    }

    fn permits_may_come(&self, pending: &Pending, id: ObjectId, count: u32, object: &Object) -> bool {
        if self.outside.has(&Class::Permits) || self.is_kept(id, object) {
            return true;
        }
        let taken = object.holds.iter().fold(0_u32, |sum, it| sum.saturating_add(it.count));
        let capacity = self.world.object(id).map_or(0, |it| it.capacity);
        if capacity >= taken.saturating_add(count) {
            let first = self.first_for(id).filter(|it| *it != *pending);
            let behind = first.is_some_and(|it| !self.may_end(&it));
            return !behind && !self.is_given_in_vain(id, object);
        }
        object.holds.iter().any(|it| self.doing(it.task).is_some() && !self.inside.contains_key(&it.task))
    }

    /// Whoever wants the object first of all those inside.
    fn first_for(&self, id: ObjectId) -> Option<Pending> {
        let all = self.inside.values().flatten().filter(|it| it.wanted.object() == Some(id));
        all.min_by_key(|it| it.order).copied()
    }

    /// What is handed over in the order of requests was given to one who was polled since then, and did not take it.
    fn is_given_in_vain(&self, id: ObjectId, object: &Object) -> bool {
        let is_fair = self.kind(id).is_some_and(is_fair);
        let first = self.first_for(id).filter(|_| is_fair);
        first.and_then(|it| self.doing(it.task)).is_some_and(|it| it.polled > object.freed)
    }

    /// Whether somebody outside may have an end of the channel.
    fn has_end(&self, id: ObjectId, object: &Object) -> bool {
        self.outside.has_end(id, self.world) || self.is_kept(id, object)
    }

    fn room_may_come(&self, id: ObjectId, object: &Object) -> bool {
        let contents = object.contents;
        if contents.closed || contents.no_receiver {
            return true;
        }
        let Some(facts) = self.world.object(id) else { return true };
        let meets = || self.inside.values().flatten().any(|it| it.wanted == For::Message(id));
        let has_room = if facts.hands_over { meets() } else { contents.messages < facts.capacity };
        has_room || self.has_end(id, object)
    }

    fn message_may_come(&self, pending: &Pending, id: ObjectId, object: &Object) -> bool {
        let contents = object.contents;
        let is_there = match self.kind(id) {
            // Who was polled since then has looked at the value, and waits for another one.
            Some(ObjectKind::TokioWatch) => {
                let polled = self.doing(pending.task).map_or(0, |it| it.polled);
                contents.sent > pending.order.max(polled)
            }
            Some(ObjectKind::TokioBroadcast) => contents.sent > pending.order,
            _ => contents.messages > 0,
        };
        contents.closed || contents.no_sender || is_there || self.has_end(id, object)
    }
}

/// Those who wait for each other, or for the same things, together; everybody else alone.
pub(super) fn group_by_wait(waits: &Waits, stuck: &Stuck) -> Vec<Stuck> {
    let tasks: Vec<TaskId> = stuck.tasks.iter().map(|it| it.0).collect();
    let mut groups: Vec<usize> = (0..tasks.len()).collect();
    let mut join = |a: usize, b: usize| {
        let (from, to) = (groups[a].max(groups[b]), groups[a].min(groups[b]));
        groups.iter_mut().filter(|it| **it == from).for_each(|it| *it = to);
    };
    let mut wanted: BTreeMap<ObjectId, usize> = BTreeMap::new();
    for (at, task) in tasks.iter().enumerate() {
        for pending in stuck.pending(*task) {
            let by = waits.steps(pending, Kinds::All).into_iter().map(|it| it.by);
            by.filter_map(|by| tasks.iter().position(|it| *it == by)).for_each(|other| join(at, other));
            if let Some(object) = pending.wanted.object() {
                join(at, *wanted.entry(object).or_insert(at));
            }
        }
    }
    let numbers: BTreeSet<usize> = groups.iter().copied().collect();
    let of = |number: usize| {
        let mine = stuck.tasks.iter().zip(&groups).filter(|it| *it.1 == number);
        Stuck { tasks: mine.map(|it| it.0.clone()).collect(), hung: stuck.hung }
    };
    numbers.into_iter().map(of).collect()
}
