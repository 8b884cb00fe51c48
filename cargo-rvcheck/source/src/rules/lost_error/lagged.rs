//! Loops that take `Lagged` for the end of a broadcast channel: a receiver that fell behind gets that error once, with the number of messages that it
//! missed, and can go on.

use super::{Certainty, Hit};
use crate::facts::Facts;
use crate::facts::agents::operation::{Deed, Patience};
use crate::facts::agents::steps::{Step, Steps};
use crate::facts::enders::{looks_at_missed, loop_of};
use crate::program::Program;
use crate::program::code_ref::call_or_await;
use rvcheck_primitives::Failure;
use std::collections::BTreeMap;

/// Finds such loops.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let mut hits = BTreeMap::new();
    for (_, steps) in facts.agents() {
        for step in &steps.steps {
            if ends_where_it_lags(facts.program, steps, step) {
                let hit = hit(facts.program, steps, step);
                hits.insert(hit.primary.0.clone(), hit);
            }
        }
    }
    hits.into_values().collect()
}

fn ends_where_it_lags(program: &Program, steps: &Steps, step: &Step) -> bool {
    let function = program.function(steps.frames[step.frame].function);
    let may_lag = || {
        function.callee(step.block).row().is_some_and(|it| it.operation.failures.contains(&Failure::Lagged))
    };
    if step.deed != Deed::Receive || step.patience != Patience::Unlimited || !may_lag() {
        return false;
    }
    let Some((_, block, exits)) = loop_of(program, steps, step) else { return false };
    // Whoever comes back to it has more to receive.
    if !exits.by_closing || exits.behind.contains(&block) {
        return false;
    }
    let mut frames = steps.outward(step.frame, step.block);
    frames.all(|(_, id, at)| !exits.around.contains(&at) || !looks_at_missed(program.function(id)))
        && !looks_at_missed(function)
}

fn hit(program: &Program, steps: &Steps, step: &Step) -> Hit {
    let id = steps.frames[step.frame].function;
    Hit {
        certainty: Certainty::Usually,
        message: "a receiver that falls behind gets `RecvError::Lagged` here, and the loop ends as if the channel were closed"
            .to_owned(),
        primary: (call_or_await(program, id, step.block), "receives here".to_owned()),
        related: Vec::new(),
        advice: "continue the loop on `RecvError::Lagged`, and end it on `RecvError::Closed`".to_owned(),
    }
}
