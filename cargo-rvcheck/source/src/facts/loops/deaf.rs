//! Iterations in which a body lets time pass and hears nothing.

use super::{Pause, may_look, pauses, uncounted_loops};
use crate::body::walk;
use crate::body::{Definition, FunctionId};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::mir::BlockId;
use std::collections::BTreeSet;

/// The pauses of a body in loops that neither look nor come by one of these blocks, and that are left once something succeeds.
pub(crate) fn deaf(facts: &Facts<'_>, id: FunctionId, heard: &BTreeSet<BlockId>) -> Vec<Pause> {
    let function = facts.program.function(id);
    let pauses = pauses(facts.program, id);
    if pauses.is_empty() {
        return Vec::new();
    }
    let loops = uncounted_loops(function, heard);
    let deaf = loops.iter().filter(|it| !it.exits.is_empty());
    let mut found = Vec::new();
    for loop_ in deaf {
        let inside = pauses.iter().filter(|it| loop_.blocks.contains(&it.block));
        let inside: Vec<Pause> = inside.copied().collect();
        if !inside.is_empty() && !may_look(facts, id, &loop_.blocks) {
            found.extend(inside);
        }
    }
    found
}

/// How deep calls are followed, and how many bodies.
const DEEPEST: usize = 3;
const MOST: usize = 32;

/// [`deaf`] pauses in what a call runs before it comes back, where nothing of that looks.
pub(crate) fn deaf_within(facts: &Facts<'_>, id: FunctionId, at: BlockId) -> Vec<(FunctionId, Pause)> {
    let program = facts.program;
    let mut found = Vec::new();
    let mut left = MOST;
    let first = runs_to_its_end(facts, id, at).into_iter().map(|it| (it, DEEPEST));
    walk::reached(first, |(inner, depth)| {
        let inside = program.function(inner);
        left = left.saturating_sub(1);
        if left == 0 || depth == 0 || inner == id {
            return Vec::new();
        }
        let all: BTreeSet<BlockId> = inside.blocks().map(|it| it.0).collect();
        let tried = deaf(facts, inner, &BTreeSet::new());
        if !tried.is_empty() && !may_look(facts, inner, &all) {
            found.extend(tried.into_iter().map(|it| (inner, it)));
        }
        let next = inside.calls().flat_map(|(block, ..)| runs_to_its_end(facts, inner, block));
        next.map(|it| (it, depth - 1)).collect::<Vec<_>>()
    });
    found
}

/// The bodies that the call at the end of a block runs, and that nothing ends before. What a function of a library polls, it may drop.
fn runs_to_its_end(facts: &Facts<'_>, id: FunctionId, block: BlockId) -> BTreeSet<FunctionId> {
    let program = facts.program;
    let function = program.function(id);
    let all = bodies(program, facts.objects(), id, function, block);
    if !function.callee(block).is_poll() {
        return all;
    }
    let made = function.polled(block).and_then(|it| function.producer(&it));
    let is_plain = match made {
        Some(Definition::Called(made)) => {
            let callee = function.callee(made);
            let invoked = callee.invokes() || callee.of_trait().is_some_and(|it| it.starts_with("AsyncFn"));
            invoked || !bodies(program, facts.objects(), id, function, made).is_empty()
        }
        Some(Definition::Assigned(..)) => true,
        None => false,
    };
    if is_plain { all } else { BTreeSet::new() }
}
