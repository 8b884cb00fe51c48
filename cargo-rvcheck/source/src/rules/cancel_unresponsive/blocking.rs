//! A loop on a blocking thread that checks nothing that could ask it to stop, and whose handle is aborted: the abort has no effect once
//! it runs.

use crate::facts::Facts;
use crate::facts::loops::{Stop, Way, may_look, pauses, uncounted_loops};
use crate::program::code_ref::{CodeRef, call_ref};
use crate::rules::{Certainty, Hit};
use std::collections::BTreeSet;

/// Aborts of handles of such loops.
pub(super) fn check(facts: &Facts<'_>, stops: &[Stop]) -> Vec<Hit> {
    let program = facts.program;
    let found = stops.iter().filter_map(|stop| {
        let Way::Blocking(spawned) = stop.way else { return None };
        let pauses = pauses(program, stop.root);
        let keeps_looping = uncounted_loops(program.function(stop.root), &BTreeSet::new()).into_iter().any(|loop_| {
            pauses.iter().any(|it| loop_.blocks.contains(&it.block)) && !may_look(facts, stop.root, &loop_.blocks)
        });
        keeps_looping.then(|| Hit {
            certainty: Certainty::Usually,
            message: "an abort does not stop a blocking task that is already running, and its loop never checks for a request to stop"
                .to_owned(),
            primary: (call_ref(program, stop.by.function, stop.by.block), "this abort has no \
                                                                           effect".to_owned()),
            related: vec![
                (call_ref(program, spawned.function, spawned.block), "spawned here".to_owned()),
                (CodeRef::of_body(program, stop.root), "loops in here".to_owned()),
            ],
            advice: "check an `AtomicBool` or a `CancellationToken` in each iteration, and set that instead".to_owned(),
        })
    });
    found.collect()
}
