//! Other orders of a few moments of a run, such as observed calls: one comes later than another that it came before, or earlier, and takes
//! with it what has to come with it. What was ordered stays so, but for the critical sections of a lock.

use crate::clocks::Clocks;
use crate::history::{History, StepId, TaskIx};
use rvcheck_event::id::TaskId;

/// Something that a task did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Whose it is.
    task: TaskIx,
    /// The last step of that task up to it.
    step: Option<StepId>,
    /// How many steps of that task have come before it.
    before: u32,
}

/// The moments of a run, in its order.
#[derive(Clone, Debug)]
pub struct Moments {
    clocks: Clocks,
    all: Vec<Moment>,
}

impl Moments {
    /// The events of these numbers, counted from 0, each of this task. `None` where the history is too long, or lacks one of the tasks.
    pub fn new(history: &History, events: impl IntoIterator<Item = (u64, TaskId)>) -> Option<Moments> {
        let clocks = Clocks::new(history)?;
        let mut all = Vec::new();
        for (event, id) in events {
            let task = history.tasks().iter().position(|it| it.id == id && !it.is_hub)? as TaskIx;
            let steps = history.steps_of(task);
            let of = |step: &StepId| history.step(*step).event;
            let before = steps.partition_point(|it| of(it) < event);
            let until = steps.partition_point(|it| of(it) <= event);
            let step = until.checked_sub(1).map(|last| steps[last]);
            all.push(Moment { task, step, before: before as u32 });
        }
        Some(Moments { clocks, all })
    }

    /// Whether one moment has to come before another, later one.
    pub fn precedes(&self, one: usize, other: usize) -> bool {
        let Moment { task, before, .. } = self.all[one];
        if task == self.all[other].task {
            return one < other;
        }
        self.clocks.of(self.all[other].step, task) > before
    }

    /// The moments of a run that ends with `last`, and in which `other` is on the other side of that than it was; `None` if there is no such run.
    pub fn moved(&self, other: usize, last: usize) -> Option<Vec<usize>> {
        if other < last {
            // It is late, and so is what comes after it.
            let is_late = |it: usize| it == other || it > other && self.precedes(other, it);
            (!is_late(last)).then(|| (0..=last).filter(|it| !is_late(*it)).collect())
        } else {
            // It is early, and so is what comes before it.
            let is_early = |it: usize| it == other || it < other && self.precedes(it, other);
            let early = (last + 1..=other).filter(|it| is_early(*it));
            (other > last && !is_early(last)).then(|| (0..last).chain(early).chain([last]).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{HappensBefore, Op, Seen, Task};
    use rvcheck_event::id::{SiteId, UnitId};

    /// Two tasks with steps at these events, and an edge.
    fn history(steps: &[(u32, u64)], edge: Option<(usize, usize)>) -> History {
        let mut history = History::default();
        for id in 1..=2 {
            history.add_task(Task {
                id: TaskId(id),
                unit: UnitId::PROCESS,
                kind: None,
                spawned_at: SiteId::NONE,
                is_hub: false,
                is_of_others: false,
            });
        }
        for (at, (task, event)) in steps.iter().enumerate() {
            history.add_step(*task, Op::Point, Seen { event: *event, ..Seen::default() });
            if let Some((from, to)) = edge
                && to == at
            {
                history.add_edge(HappensBefore { from: from as StepId, careful: false });
            }
        }
        history
    }

    fn moments(edge: Option<(usize, usize)>, events: &[(u64, u32)]) -> Moments {
        let steps = [(0, 1), (0, 3), (1, 4), (1, 6)];
        let events = events.iter().map(|(event, task)| (*event, TaskId(*task)));
        Moments::new(&history(&steps, edge), events).unwrap()
    }

    #[test]
    fn what_nothing_orders_comes_late_or_early() {
        let free = moments(None, &[(1, 1), (3, 1), (4, 2), (6, 2)]);
        assert_eq!(free.moved(0, 2), Some(vec![2]));
        assert_eq!(free.moved(1, 2), Some(vec![0, 2]));
        assert_eq!(free.moved(2, 1), Some(vec![0, 2, 1]));
        assert_eq!(free.moved(3, 0), Some(vec![2, 3, 0]));
        // A task does not overtake itself.
        assert_eq!((free.moved(0, 1), free.moved(3, 2)), (None, None));
    }

    #[test]
    fn what_is_ordered_stays_so_and_takes_with_it_what_follows() {
        let ordered = moments(Some((1, 2)), &[(1, 1), (3, 1), (4, 2), (6, 2)]);
        assert_eq!((ordered.moved(0, 2), ordered.moved(1, 3), ordered.moved(2, 1)), (None, None, None));
        // What is between two steps comes with the later one.
        let between = moments(Some((1, 3)), &[(1, 1), (2, 1), (4, 2), (5, 2), (7, 2)]);
        assert_eq!((between.moved(1, 3), between.moved(1, 4)), (Some(vec![0, 2, 3]), None));
        assert_eq!(between.moved(3, 0), Some(vec![2, 3, 0]));
    }

    #[test]
    fn a_task_that_the_history_lacks_has_no_moments() {
        assert!(Moments::new(&history(&[], None), [(1, TaskId(7))]).is_none());
    }
}
