//! Services at rest: each has served before, and waits for the next message where its loop begins. That nobody sends one is no fault.

use super::problem::reaches;
use super::search::{At, Reached, Search, State};
use crate::facts::agents::operation::Deed;
use crate::facts::agents::steps::{StepId, Steps};
use std::collections::{BTreeMap, BTreeSet};

impl Search<'_> {
    /// Whether all of these agents are at rest in a state, to which the others led.
    pub(super) fn is_at_rest(
        &self,
        state: &State,
        agents: &BTreeSet<usize>,
        from: &BTreeMap<State, Option<Reached>>,
    ) -> bool {
        let before = || {
            let states = std::iter::successors(from.get(state), |it| from.get(&it.as_ref()?.0));
            states.flatten().filter_map(|it| it.1)
        };
        agents.iter().all(|agent| {
            let At::Step(at) = state.agents[*agent] else { return false };
            let steps = &self.problem.agents[*agent].1;
            self.branches(*agent, at).into_iter().any(|it| {
                steps.steps[it].deed == Deed::Receive
                    && begins_a_loop(steps, it)
                    && before().any(|by| by == (*agent, it))
            })
        })
    }
}

/// Whether an agent comes to a step again and again, and to no other one of its loop before.
fn begins_a_loop(steps: &Steps, at: StepId) -> bool {
    let comes_back = |it: StepId| reaches(steps, it, it, &|_| false);
    comes_back(at)
        && steps.first.0.iter().any(|it| *it == at || !comes_back(*it) && reaches(steps, *it, at, &comes_back))
}
