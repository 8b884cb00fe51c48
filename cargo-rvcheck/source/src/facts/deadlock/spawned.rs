//! Which agents run while another one waits: who is spawned only behind the wait does not.

use crate::body::paths::Paths;
use crate::facts::agents::Agent;
use crate::facts::agents::steps::{StepId, Steps};
use crate::mir::BlockId;
use crate::program::Program;

/// Whether an agent cannot have been spawned yet where another one is at a step: each call that spawns it is made by that one, and later.
pub(super) fn is_spawned_later(program: &Program, steps: &Steps, at: StepId, other: Agent) -> bool {
    let Agent::Spawned(site, _) = other else { return false };
    let mut spawns =
        (0..steps.frames.len()).filter(|it| steps.frames[*it].function == site.function).peekable();
    let step = &steps.steps[at];
    spawns.peek().is_some()
        && spawns.all(|frame| comes_behind(program, steps, (step.frame, step.block), (frame, site.block)))
}

/// Whether an agent comes to the second place only behind the first one.
fn comes_behind(program: &Program, steps: &Steps, first: (usize, BlockId), second: (usize, BlockId)) -> bool {
    let mut way: Vec<_> = steps.outward(first.0, first.1).collect();
    let mut other: Vec<_> = steps.outward(second.0, second.1).collect();
    // From the body that is common to both inwards.
    while let (Some((one, _, at)), Some((another, _, then))) = (way.pop(), other.pop()) {
        if one != another {
            return false;
        }
        if at != then {
            return !Paths::of(program.function(steps.frames[one].function)).leads(then, at);
        }
    }
    false
}
