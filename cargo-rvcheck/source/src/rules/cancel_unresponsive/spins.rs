//! A loop in async code that never suspends spins until something it checks changes, or forever.

use crate::body::FunctionId;
use crate::facts::loops::{By, asks_others, loops};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::rules::{Certainty, Hit};
use std::collections::BTreeSet;

/// Loops in which nothing suspends, each exit of which goes by what others change.
pub(super) fn check(program: &Program, id: FunctionId) -> Vec<Hit> {
    let function = program.function(id);
    let polls: BTreeSet<BlockId> = function.suspensions.iter().filter_map(|it| it.poll).collect();
    let mut hits = Vec::new();
    for loop_ in loops(function, &BTreeSet::new()).iter().filter(|it| it.blocks.is_disjoint(&polls)) {
        let exits = loop_.exits.iter().filter(|it| it.leads_out(function));
        let asked = exits.map(|it| match it.by {
            By::Said(call) if loop_.blocks.contains(&call) && asks_others(program, function, call) => {
                Some(call)
            }
            _ => None,
        });
        let Some(asked) = asked.collect::<Option<Vec<BlockId>>>() else { continue };
        let Some(first) = asked.first() else { continue };
        hits.push(Hit {
            certainty: Certainty::Usually,
            message: "this loop in async code spins without suspending: its task cannot be cancelled, and no other task can run on the \
                      thread"
                .to_owned(),
            primary: (call_ref(program, id, *first), "the condition is checked here".to_owned()),
            related: Vec::new(),
            advice: "wait for the change with a channel or `Notify`, or await something in each iteration".to_owned(),
        });
    }
    hits
}
