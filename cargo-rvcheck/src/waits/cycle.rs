//! Cycles in the wait-for graph.

use super::{For, Hold, Pending, Standing, Stuck, Waits};
use rvcheck_event::cycles::shortest;
use rvcheck_event::id::TaskId;
use rvcheck_event::kind::Mode;
use rvcheck_event::world::World;
use std::collections::{BTreeMap, BTreeSet};

/// An edge of a cycle in the wait-for graph: a task waits for what another task holds or could do, and that one waits too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitEdge {
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
    pub(super) fn steps(&self, pending: &Pending, kinds: Kinds) -> Vec<WaitEdge> {
        let step = |by: TaskId, hold: Option<Hold>| WaitEdge { pending: *pending, by, hold };
        let used = |by: Vec<TaskId>| by.into_iter().map(|it| step(it, None)).collect();
        let object = pending.wanted.object().and_then(|id| self.objects.get(&id));
        match (pending.wanted, object) {
            (For::End(task), _) => vec![step(task, None)],
            (For::Lock(_, mode), Some(object)) => {
                let mut steps: Vec<WaitEdge> = object
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
        let waiting = self.tasks.values().flat_map(|it| &it.pending);
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
    pub(super) fn cycles(&self, stuck: &Stuck, kinds: Kinds) -> Vec<Vec<WaitEdge>> {
        let waiting: Vec<(TaskId, &[Pending])> = stuck.waiting().collect();
        let numbers: BTreeMap<TaskId, u32> = waiting.iter().map(|it| it.0).zip(0..).collect();
        let steps: Vec<Vec<WaitEdge>> = waiting
            .iter()
            .map(|(_, pending)| pending.iter().flat_map(|it| self.steps(it, kinds)).collect())
            .collect();
        let nexts = |it: &Vec<WaitEdge>| it.iter().filter_map(|it| numbers.get(&it.by).copied()).collect();
        let graph: Vec<Vec<u32>> = steps.iter().map(nexts).collect();
        let mut found = Vec::new();
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        for (first, _) in (0..).zip(&graph) {
            if seen.contains(&first) {
                continue;
            }
            let Some(cycle) = shortest(&graph, first) else { continue };
            let nexts = cycle.iter().cycle().skip(1);
            let step = |(node, next): (&u32, &u32)| {
                let by = waiting[*next as usize].0;
                steps[*node as usize].iter().find(|it| it.by == by).cloned()
            };
            found.push(cycle.iter().zip(nexts).filter_map(step).collect());
            seen.extend(cycle);
        }
        found
    }
}

/// Whether a lock that is held like this cannot be had like that.
pub(super) const fn excludes(held: Mode, wanted: Mode) -> bool {
    !matches!((held, wanted), (Mode::Read, Mode::Read | Mode::Upgrade) | (Mode::Upgrade, Mode::Read))
}
