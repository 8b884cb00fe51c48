//! Loops that take `Lagged` for the end of a broadcast channel: a receiver that fell behind gets that error once, with the number of
//! messages that it missed, and can go on.

use super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::agents::operation::{Op, WaitLimit};
use crate::facts::agents::steps::{Step, Steps};
use crate::facts::termination::{Exits, exits_of, looks_at_missed, loop_of};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::call_or_await;
use rvcheck_primitives::Failure;
use std::collections::BTreeMap;

/// Finds such loops.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits = BTreeMap::new();
    let mut add = |id: FunctionId, block: BlockId| {
        let hit = hit(program, id, block);
        hits.insert(hit.primary.0.clone(), hit);
    };
    for (id, function) in program.functions() {
        for (made, ..) in function.calls().filter(|(it, ..)| may_lag(function, *it)) {
            let block = awaited_at(function, made).unwrap_or(made);
            let exits = exits_of(function, Paths::of(function), block);
            if exits.is_some_and(|it| takes_for_closed(&it, block)) && !looks_at_missed(function) {
                add(id, made);
            }
        }
    }
    // A function that gives on what it receives has its loop in a caller.
    for (_, steps) in facts.agents() {
        for step in steps.steps.iter().filter(|it| it.op == Op::Receive) {
            if ends_where_it_lags(program, steps, step) {
                add(steps.frames[step.frame].function, step.block);
            }
        }
    }
    hits.into_values().collect()
}

fn may_lag(function: &Function, block: BlockId) -> bool {
    let row = function.callee(block).row();
    row.is_some_and(|it| it.operation.failures.contains(&Failure::Lagged) && it.operation.may_wait_for_ever())
}

/// Whether a loop ends where there is an error, and nothing comes back to its receive: that has more to give.
fn takes_for_closed(exits: &Exits, receive: BlockId) -> bool {
    exits.by_closing && !exits.behind.contains(&receive)
}

fn ends_where_it_lags(program: &Program, steps: &Steps, step: &Step) -> bool {
    let function = program.function(steps.frames[step.frame].function);
    if step.wait_limit != WaitLimit::Unlimited || !may_lag(function, step.block) {
        return false;
    }
    let Some((_, block, exits)) = loop_of(program, steps, step) else { return false };
    let mut frames = steps.outward(step.frame, step.block);
    takes_for_closed(&exits, block)
        && frames.all(|(_, id, at)| !exits.around.contains(&at) || !looks_at_missed(program.function(id)))
        && !looks_at_missed(function)
}

fn hit(program: &Program, id: FunctionId, block: BlockId) -> Hit {
    Hit {
        certainty: Certainty::Usually,
        message: "a receiver that falls behind gets `RecvError::Lagged` here, and the loop ends as if the channel were closed"
            .to_owned(),
        primary: (call_or_await(program, id, block), "receives here".to_owned()),
        related: Vec::new(),
        advice: "continue the loop on `RecvError::Lagged`, and end it on `RecvError::Closed`".to_owned(),
    }
}
