//! A request to stop is seen, but the reaction does not lead out: a `break` ends only an inner loop.

use crate::body::paths::Paths;
use crate::body::select::is_disabled_at;
use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::loops::obeyed;
use crate::mir::BlockId;
use crate::program::library::sort;
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::Is;
use std::collections::BTreeSet;

/// The places where an order for good is seen, and behind which the body comes back to them and never to its end.
pub(super) fn check(facts: &Facts<'_>, id: FunctionId) -> Vec<Hit> {
    let function = facts.program.function(id);
    let paths = Paths::of(function);
    let goes_on = obeyed(facts, id).into_iter().filter(|it| {
        let beyond = paths.from(&[it.to], &|_| false);
        !changes(function, &paths.loop_around(it.at))
            && beyond.contains(&it.at)
            && !beyond.iter().any(|it| function.returns_at(*it))
    });
    let hits = goes_on.map(|it| Hit {
        certainty: Certainty::Usually,
        message: "the request to stop is seen here, but the surrounding loop goes on forever".to_owned(),
        primary: (it.look, "leads back into the loop".to_owned()),
        related: Vec::new(),
        advice: "return, or leave the outer loop by its label: `break 'outer`".to_owned(),
    });
    hits.collect()
}

/// Whether a loop may have another token afterwards, or turns branches off.
fn changes(function: &Function, around: &BTreeSet<BlockId>) -> bool {
    around.iter().any(|it| {
        let gives = function.call(*it).and_then(|(call, _)| function.type_of(&call.into)).and_then(sort);
        gives == Some(Is::Token) || is_disabled_at(function, *it)
    })
}
