//! Vector clocks (Fidge 1988, Mattern 1989): of each step, how many steps of each task have to come before what follows it.

use crate::history::{History, StepId, TaskIx};

/// How many numbers are kept at most.
const MOST: usize = 1 << 24;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    tasks: usize,
    /// One after another those of the steps, each with a number for each task.
    all: Vec<u32>,
    /// Before any step.
    none: Vec<u32>,
}

impl Clocks {
    /// Of all steps, by the edges that are known to be there; `None` where these are too many.
    pub(crate) fn new(history: &History) -> Option<Clocks> {
        let tasks = history.tasks().len();
        if history.len().saturating_mul(tasks) > MOST {
            return None;
        }
        let mut all: Vec<u32> = Vec::with_capacity(history.len() * tasks);
        let mut of_task: Vec<Vec<u32>> = vec![vec![0; tasks]; tasks];
        for (id, step) in history.steps().iter().enumerate() {
            let own = &mut of_task[step.task as usize];
            for edge in history.edges(id as StepId).iter().filter(|it| !it.careful) {
                let from = &all[edge.from as usize * tasks..][..tasks];
                own.iter_mut().zip(from).for_each(|(it, other)| *it = (*it).max(*other));
            }
            own[step.task as usize] = step.position + 1;
            all.extend_from_slice(own);
        }
        Some(Clocks { tasks, all, none: vec![0; tasks] })
    }

    /// Right behind a step; at the beginning where there is none.
    pub(crate) fn after(&self, step: Option<StepId>) -> &[u32] {
        match step {
            Some(step) => &self.all[step as usize * self.tasks..][..self.tasks],
            None => &self.none,
        }
    }

    /// How many steps of this task have come then.
    pub(crate) fn of(&self, step: Option<StepId>, task: TaskIx) -> u32 {
        self.after(step)[task as usize]
    }
}
