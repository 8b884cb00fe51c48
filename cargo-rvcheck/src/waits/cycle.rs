//! Cycles in the wait-for graph.

use super::follow::Phase;
use super::{For, Hold, Pending, Standing, Stuck, Waits};
use rvcheck_event::id::TaskId;
use rvcheck_event::kind::Mode;
use rvcheck_event::world::World;
use std::collections::{BTreeMap, BTreeSet};

/// One step of a cycle: somebody waits, and what he waits for is up to somebody else, who waits too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The wait.
    pub pending: Pending,
    /// Who could end it.
    pub by: TaskId,
    /// What that one has, where it is that.
    pub hold: Option<Hold>,
}

/// Which waits count as steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kinds {
    /// Those for locks, for permits and for the end of tasks: who could end them is known for certain.
    Certain,
    /// Those for channels, too. Who has used the other end of one counts as one who could do so again.
    Channels,
    /// All. Who has given a signal counts as one who could do so again.
    All,
}

impl Waits {
    /// Who could end this wait.
    pub(super) fn steps(&self, pending: &Pending, kinds: Kinds) -> Vec<Step> {
        let step = |by: TaskId, hold: Option<Hold>| Step { pending: *pending, by, hold };
        let used = |by: Vec<TaskId>| by.into_iter().map(|it| step(it, None)).collect();
        let object = pending.wanted.object().and_then(|id| self.objects.get(&id));
        match (pending.wanted, object) {
            (For::End(task), _) => vec![step(task, None)],
            (For::Lock(_, mode), Some(object)) => {
                let mut steps: Vec<Step> = object
                    .holds
                    .iter()
                    .filter(|it| excludes(it.mode, mode))
                    .map(|it| step(it.task, Some(*it)))
                    .collect();
                if steps.is_empty() && mode == Mode::Read {
                    steps.extend(self.writers_before(pending).into_iter().map(|it| step(it, None)));
                }
                steps
            }
            (For::Permits(..), Some(object)) => {
                object.holds.iter().map(|it| step(it.task, Some(*it))).collect()
            }
            (_, Some(_)) if kinds == Kinds::Certain => Vec::new(),
            (For::Room(_), Some(object)) => used(object.receivers.keys().copied().collect()),
            (For::Message(_), Some(object)) => used(object.senders.keys().copied().collect()),
            (For::Signal(_), Some(object)) if kinds == Kinds::All => {
                used(object.notifiers.keys().copied().collect())
            }
            _ => Vec::new(),
        }
    }

    /// Those who wait to write and came before this reader, who has to let them pass.
    fn writers_before(&self, reader: &Pending) -> Vec<TaskId> {
        let before = |it: &&Pending| match it.wanted {
            For::Lock(id, mode) => {
                Some(id) == reader.wanted.object() && mode != Mode::Read && it.order < reader.order
            }
            _ => false,
        };
        let waiting = self.tasks.values().filter(|it| it.phase != Phase::Over).flat_map(|it| &it.pending);
        waiting.filter(before).map(|it| it.task).collect()
    }

    /// Those tasks that nobody else can let go on, as far as is known for certain. A semaphore takes permits from whoever has some, and
    /// anybody who still goes on can add some: so those who wait for permits are among them only where the unit is `closed`.
    pub(super) fn held_up(&self, stuck: &Stuck, world: &World, closed: bool) -> Stuck {
        let mut held_up = stuck.clone();
        loop {
            let before = held_up.tasks.len();
            let those = held_up.clone();
            let is_among = |task: TaskId| !those.pending(task).is_empty();
            let is_held_up = |pending: &Pending| match pending.wanted {
                For::Permits(id, wanted) => {
                    let of = |it: &&Hold| is_among(it.task);
                    let holds = self.objects.get(&id).into_iter().flat_map(|it| &it.holds).filter(of);
                    let kept = holds.fold(0_u32, |sum, it| sum.saturating_add(it.count));
                    let all = world.object(id).map_or(0, |it| it.capacity);
                    closed && kept > 0 && all.saturating_sub(kept) < wanted
                }
                _ => self.steps(pending, Kinds::Certain).iter().any(|it| is_among(it.by)),
            };
            held_up.tasks.retain(|(_, standing)| match standing {
                Standing::Waits { pending, .. } => pending.iter().all(is_held_up),
                _ => false,
            });
            if held_up.tasks.len() == before {
                return held_up;
            }
        }
    }

    /// A cycle of waits for each group of tasks that wait for each other, the shortest that begins at its first task.
    pub(super) fn cycles(&self, stuck: &Stuck, kinds: Kinds) -> Vec<Vec<Step>> {
        let mut found = Vec::new();
        let mut seen: BTreeSet<TaskId> = BTreeSet::new();
        for (task, _) in stuck.waiting() {
            if seen.contains(&task) {
                continue;
            }
            if let Some(cycle) = self.cycle_through(task, stuck, kinds) {
                seen.extend(cycle.iter().map(|it| it.pending.task));
                found.push(cycle);
            }
        }
        found
    }

    fn cycle_through(&self, first: TaskId, stuck: &Stuck, kinds: Kinds) -> Option<Vec<Step>> {
        // From each task the step by which it was reached, breadth first.
        let mut reached: BTreeMap<TaskId, Step> = BTreeMap::new();
        let mut next = vec![first];
        while !next.is_empty() {
            let steps: Vec<Step> = next
                .iter()
                .flat_map(|task| stuck.pending(*task))
                .flat_map(|pending| self.steps(pending, kinds))
                .collect();
            next.clear();
            for step in steps {
                let by = step.by;
                if by == first {
                    return Some(way_back(step, first, &reached));
                }
                if !stuck.pending(by).is_empty() && !reached.contains_key(&by) {
                    reached.insert(by, step);
                    next.push(by);
                }
            }
        }
        None
    }
}

/// The steps from `first` to the one that closes the cycle.
fn way_back(last: Step, first: TaskId, reached: &BTreeMap<TaskId, Step>) -> Vec<Step> {
    let mut way = vec![last];
    while let Some(step) = way.last().map(|it| it.pending.task).filter(|it| *it != first) {
        let Some(before) = reached.get(&step) else { break };
        way.push(before.clone());
    }
    way.reverse();
    way
}

/// Whether a lock that is held like this cannot be had like that.
pub(super) const fn excludes(held: Mode, wanted: Mode) -> bool {
    !matches!((held, wanted), (Mode::Read, Mode::Read | Mode::Upgrade) | (Mode::Upgrade, Mode::Read))
}
