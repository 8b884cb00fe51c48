//! Services at rest: each waits for the next message where its loop begins, after they have served. That nobody sends one is no fault.

use super::problem::reaches;
use super::search::{At, Reached, Search, State, steps_to};
use crate::facts::agents::operation::Op;
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
        let heads = |agent: usize| {
            let At::Step(at) = state.agents[agent] else { return Vec::new() };
            let steps = &self.problem.agents[agent].1;
            let is_head = |it: &StepId| steps.steps[*it].op == Op::Receive && begins_a_loop(steps, *it);
            self.branches(agent, at).into_iter().filter(is_head).collect()
        };
        let heads: BTreeMap<usize, Vec<StepId>> = agents.iter().map(|it| (*it, heads(*it))).collect();
        heads.values().all(|it| !it.is_empty())
            && steps_to(state, from)
                .any(|(agent, step)| heads.get(&agent).is_some_and(|it| it.contains(&step)))
    }
}

/// Whether an agent comes to a step again and again, and to no other one of its loop before.
fn begins_a_loop(steps: &Steps, at: StepId) -> bool {
    let comes_back = |it: StepId| reaches(steps, it, it, &|_| false);
    comes_back(at)
        && steps
            .first
            .0
            .iter()
            .any(|it| *it == at || !comes_back(*it) && reaches(steps, *it, at, &comes_back))
}
