//! Sends that block the thread while a bounded channel is full.
//!
//! A channel for one answer has room for it, so only repeated sends count, on channels that are not part of a message.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::{FunctionId, Kind};
use crate::facts::Facts;
use crate::facts::agents::operation::{Op, WaitLimit, only};
use crate::facts::deadlock::is_sent_along;
use crate::facts::objects::Capacity;
use crate::program::code_ref::{CodeRef, call_ref};
use std::collections::BTreeSet;

/// Finds such sends.
pub(super) fn check(facts: &Facts<'_>, without: &BTreeSet<FunctionId>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits = Vec::new();
    for (_, steps) in facts.agents() {
        let Some(root) = steps.frames.first().map(|it| it.function) else { continue };
        if program.function(root).kind != Kind::Coroutine || without.contains(&root) {
            continue;
        }
        for step in steps.steps.iter().filter(|it| it.op == Op::Send && it.wait_limit == WaitLimit::Unlimited)
        {
            let id = steps.frames[step.frame].function;
            let function = program.function(id);
            // One that is awaited gives a future.
            let gives = function.call(step.block).and_then(|(call, _)| function.type_of(&call.into));
            if gives.is_none_or(|it| !it.is_result()) {
                continue;
            }
            let Some(channel) = only(&step.things).filter(|it| facts.may_be_full(*it)) else { continue };
            let room = match facts.objects().channels.get(&channel) {
                Some(Capacity::Constant(room)) => Some(*room),
                Some(Capacity::Given) => None,
                _ => continue,
            };
            let is_answer = is_sent_along(program, facts.objects(), channel);
            let (mut repeats, mut elsewhere) = (false, false);
            for (_, id, block) in steps.outward(step.frame, step.block) {
                let function = program.function(id);
                let paths = Paths::of(function);
                let around = paths.loop_around(block);
                let made_inside = channel.function == id && around.contains(&channel.block);
                repeats |= !around.is_empty() && !made_inside;
                elsewhere |= function.callee(block).blocks_in_place();
            }
            if is_answer || elsewhere || !(repeats || room == Some(0)) {
                continue;
            }
            let place = call_ref(program, id, step.block);
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "when the channel is full, this send blocks the thread that runs the task, and every other task on it"
                    .to_owned(),
                primary: (if matches!(place, CodeRef::Item(_)) { CodeRef::of_body(program, id) } else { place }, "blocks here".to_owned()),
                related: vec![(call_ref(program, channel.function, channel.block), "the channel is made here".to_owned())],
                advice: "use the sender's asynchronous method, `try_send`, or an unbounded channel".to_owned(),
            });
        }
    }
    hits.sort();
    hits.dedup_by(|a, b| a.primary == b.primary);
    hits
}
