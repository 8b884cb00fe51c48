//! How the tasks and threads of a unit stand.

use super::follow::{Block, Doing, Phase};
use super::{For, Pending, Waits};
use rvcheck_event::id::{SiteId, TaskId, UnitId};
use rvcheck_event::kind::{TaskKind, What};
use std::collections::BTreeSet;

/// How a task or thread stands that has begun and is not over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It waits for one of these; `blocked` when its thread does so with it.
    Waits {
        /// What for, at least one.
        pending: Vec<Pending>,
        /// Its thread waits as well.
        blocked: bool,
    },
    /// It waits for one of these, of which there may be none, or for something that is unmonitored and can give them up.
    Outside {
        /// What for.
        pending: Vec<Pending>,
        /// Where.
        at: SiteId,
    },
    /// A timer will let it go on.
    Timer(SiteId),
    /// It was spawned and has not run yet.
    Unbegun,
    /// It runs, as far as is known. There it did something last.
    Runs(SiteId),
}

/// The tasks and threads of a unit that are not over, at one moment.
#[derive(Clone, Debug, Default)]
pub struct Stuck {
    /// How each stands.
    pub tasks: Vec<(TaskId, Standing)>,
    /// It is known that none of them can go on, even where what is recorded does not show it.
    pub hung: bool,
}

impl Stuck {
    /// Those that wait.
    pub fn waiting(&self) -> impl Iterator<Item = (TaskId, &[Pending])> {
        self.tasks.iter().filter_map(|(task, standing)| match standing {
            Standing::Waits { pending, .. } => Some((*task, pending.as_slice())),
            Standing::Outside { pending, .. } if !pending.is_empty() => Some((*task, pending.as_slice())),
            _ => None,
        })
    }

    /// What one task waits for.
    pub fn pending(&self, task: TaskId) -> &[Pending] {
        self.waiting().find(|it| it.0 == task).map_or(&[], |it| it.1)
    }

    /// How one task stands.
    pub fn standing(&self, task: TaskId) -> Option<&Standing> {
        self.tasks.iter().find(|it| it.0 == task).map(|it| &it.1)
    }

    /// Nothing in the unit will go on by itself: all that is left of it waits for something that is monitored.
    pub fn is_closed(&self) -> bool {
        self.waiting().next().is_some()
            && self.tasks.iter().all(|it| matches!(it.1, Standing::Waits { .. } | Standing::Unbegun))
    }

    /// A timer will let something go on.
    pub fn has_timer(&self) -> bool {
        self.tasks.iter().any(|it| matches!(it.1, Standing::Timer(_)))
    }
}

impl Waits {
    /// The units of which something is not over.
    pub fn units(&self) -> Vec<UnitId> {
        let mut units: Vec<UnitId> = self.alive().map(|(_, doing)| doing.unit).collect();
        units.sort();
        units.dedup();
        units
    }

    /// How the tasks and threads of this unit stand.
    pub fn stuck(&self, unit: UnitId) -> Stuck {
        let mine = self.alive().filter(|(_, doing)| doing.unit == unit);
        let standing = |(task, doing)| Some((task, self.standing(task, doing)?));
        Stuck { tasks: mine.filter_map(standing).collect(), hung: false }
    }

    /// A timer will let the unit's own body go on, or somebody whose end it waits for: it may come to its end, whoever else is stuck.
    pub fn body_waits_for_timer(&self, unit: UnitId) -> bool {
        let stuck = self.stuck(unit);
        let mut open: Vec<TaskId> = self
            .alive()
            .filter(|(_, doing)| doing.unit == unit && doing.kind == Some(TaskKind::Test))
            .map(|it| it.0)
            .collect();
        let mut seen = BTreeSet::new();
        while let Some(task) = open.pop() {
            if !seen.insert(task) {
                continue;
            }
            if let Some(Standing::Timer(_)) = stuck.standing(task) {
                return true;
            }
            open.extend(stuck.pending(task).iter().filter_map(|it| match it.wanted {
                For::End(other) => Some(other),
                _ => None,
            }));
        }
        false
    }

    fn alive(&self) -> impl Iterator<Item = (TaskId, &Doing)> {
        self.tasks.iter().map(|(task, doing)| (*task, doing))
    }

    fn is_alive(&self, task: TaskId) -> bool {
        self.tasks.contains_key(&task)
    }

    /// `None` for a thread of which nothing is known but that it has done something once.
    fn standing(&self, task: TaskId, doing: &Doing) -> Option<Standing> {
        if doing.phase == Phase::Unbegun {
            return Some(Standing::Unbegun);
        }
        let pending = |wanted: &dyn Fn(&Pending) -> bool| -> Vec<Pending> {
            let open = |it: &&Pending| match it.wanted {
                For::End(task) => self.is_alive(task),
                _ => true,
            };
            doing.pending.iter().filter(open).filter(|it| wanted(it)).copied().collect()
        };
        if let Phase::Suspended { timer, unrecorded, kept } = doing.phase {
            let waits = pending(&|_| true);
            let at = doing.awaits.first().map_or(doing.last, |it| it.0);
            return Some(if timer || doing.awaits.iter().any(|it| it.1) || waits.iter().any(|it| it.timed) {
                Standing::Timer(at)
            } else if doing.pending.is_empty() && !doing.keeps_waker && !kept {
                Standing::Waits { pending: vec![Pending::unrecorded(task, For::Waker, at)], blocked: false }
            } else if unrecorded || kept || waits.is_empty() || waits.iter().any(|it| it.in_doubt) {
                Standing::Outside { pending: waits, at }
            } else {
                Standing::Waits { pending: waits, blocked: false }
            });
        }
        let Some(Block { what, timed, site }) = doing.blocks.last().copied() else {
            let is_known = doing.phase == Phase::Running || doing.kind == Some(TaskKind::Test);
            return is_known.then_some(Standing::Runs(doing.last));
        };
        let waits = pending(&|it| it.site == site);
        Some(match what {
            _ if timed || waits.iter().any(|it| it.timed) => Standing::Timer(site),
            What::Sleep => Standing::Timer(site),
            What::BlockOn | What::Join if waits.is_empty() => {
                self.waits_for_children(task, doing, what, site)
            }
            // Whoever parks while it polls a future waits for whatever that waits for.
            What::Park if waits.is_empty() && doing.awaits.is_empty() => {
                Standing::Waits { pending: vec![Pending::unrecorded(task, For::Unpark, site)], blocked: true }
            }
            _ if waits.is_empty() => Standing::Outside { pending: waits, at: site },
            _ => Standing::Waits { pending: waits, blocked: true },
        })
    }

    /// Who drives a future waits for that, and who leaves a scope for the threads in it.
    fn waits_for_children(&self, task: TaskId, doing: &Doing, what: What, site: SiteId) -> Standing {
        let kinds: &[TaskKind] = match what {
            What::BlockOn => &[TaskKind::Root, TaskKind::Test],
            _ => &[TaskKind::Thread],
        };
        let of_kind = |child: &&TaskId| {
            let child = self.tasks.get(child);
            child.and_then(|it| it.kind).is_some_and(|it| kinds.contains(&it))
        };
        let ends = |child: &TaskId| Pending::unrecorded(task, For::End(*child), site);
        let pending: Vec<Pending> = doing.children.iter().filter(of_kind).map(ends).collect();
        if pending.is_empty() {
            Standing::Outside { pending, at: site }
        } else {
            Standing::Waits { pending, blocked: true }
        }
    }
}
