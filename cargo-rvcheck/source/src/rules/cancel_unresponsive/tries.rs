//! A loop that retries with pauses and does not check for a request to stop, although the code around it, before it, or its caller does.

use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::Facts;
use crate::facts::loops::{Heard, Pause, deaf, deaf_within, heard};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::{CodeRef, await_ref, call_ref};
use crate::rules::{Certainty, Hit};
use std::collections::BTreeSet;

/// Iterations with pauses in which nothing looks, where the rest of the agent does.
pub(super) fn check(facts: &Facts<'_>, id: FunctionId) -> Vec<Hit> {
    let program = facts.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let heard = heard(facts, id);
    let all: BTreeSet<BlockId> = heard.iter().map(|it| it.at).collect();
    let own = if heard.is_empty() { Vec::new() } else { deaf(facts, id, &all) };
    let mut hits = Vec::new();
    let mut reported = BTreeSet::new();
    for stop in &heard {
        // What comes when the order was heard may take its time.
        let between = |it: BlockId| paths.leads(stop.at, it) && (!stop.repeats || paths.leads(it, stop.at));
        for pause in own.iter().filter(|it| between(it.block)) {
            if reported.insert((id, pause.block)) {
                hits.push(hit(program, (id, *pause), (id, stop), None));
            }
        }
        let called = function.calls().map(|it| it.0).filter(|it| stop.repeats && between(*it));
        for at in called.collect::<Vec<_>>() {
            for (inner, pause) in deaf_within(facts, id, at) {
                if reported.insert((inner, pause.block)) {
                    hits.push(hit(program, (inner, pause), (id, stop), Some(at)));
                }
            }
        }
    }
    hits
}

fn hit(
    program: &Program,
    (body, pause): (FunctionId, Pause),
    (id, stop): (FunctionId, &Heard),
    called: Option<BlockId>,
) -> Hit {
    let mut related = vec![(stop.look.clone(), "checks for a request to stop".to_owned())];
    if let Some(at) = called {
        let label = if pause.awaited.is_some() { "waits for the loop here" } else { "calls the loop here" };
        related.push((await_ref(program, id, at), label.to_owned()));
    }
    let who = if called.is_some() { "its caller" } else { "the surrounding code" };
    let advice = match pause.awaited {
        Some(_) => "wait for the request to stop as well, with `select!`, or bound the number of tries",
        None => "check for the request to stop in each iteration, too, or bound the number of tries",
    };
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "this loop retries until it succeeds and never checks for a request to stop, although {who} does"
        ),
        primary: (place(program, body, pause), "waits here before it retries".to_owned()),
        related,
        advice: advice.to_owned(),
    }
}

fn place(program: &Program, id: FunctionId, pause: Pause) -> CodeRef {
    match pause.awaited {
        Some(_) => await_ref(program, id, pause.block),
        None => call_ref(program, id, pause.block),
    }
}
