//! The flag or token is read once, before the loop that it should end.

use crate::body::paths::Paths;
use crate::body::{FunctionId, Kind};
use crate::facts::Facts;
use crate::facts::loops::{asks_to_stop, looks, loops};
use crate::mir::BlockId;
use crate::program::code_ref::call_ref;
use crate::rules::{Certainty, Hit};
use std::collections::BTreeSet;

/// Loops that end by a flag that was read before them, and in which nothing reads it again.
pub(super) fn check(facts: &Facts<'_>, id: FunctionId) -> Vec<Hit> {
    let program = facts.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let looks = looks(facts, id);
    let mut found: BTreeSet<BlockId> = BTreeSet::new();
    for loop_ in loops(function, &BTreeSet::new()) {
        let waits = function.kind != Kind::Coroutine
            || function.suspensions.iter().any(|it| it.poll.is_some_and(|it| loop_.blocks.contains(&it)));
        let looks_again = loop_.blocks.iter().any(|it| asks_to_stop(program, function, *it));
        let early = looks.iter().filter(|look| {
            let leaves = loop_.exits.iter().any(|it| it.from == look.branch);
            leaves && !loop_.blocks.contains(&look.call) && paths.leads(look.call, look.branch)
        });
        if waits && !looks_again {
            found.extend(early.map(|it| it.call).filter(|it| asks_to_stop(program, function, *it)));
        }
    }
    let hit = |read| Hit {
        certainty: Certainty::Usually,
        message: "the request to stop is checked once, before the loop: a later one is never noticed"
            .to_owned(),
        primary: (
            call_ref(program, id, read),
            "read here, but not in the loop that it should end".to_owned(),
        ),
        related: Vec::new(),
        advice: "check it in each iteration".to_owned(),
    };
    found.into_iter().map(hit).collect()
}
