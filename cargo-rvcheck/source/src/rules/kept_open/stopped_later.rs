//! A loop that ends when all senders are dropped, while a task or thread keeps one that is only stopped behind that loop.

use super::super::{Certainty, Hit};
use super::made;
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{WaitLimit, only};
use crate::facts::agents::steps::{Step, Steps};
use crate::facts::objects::{CallSite, SpawnKind};
use crate::facts::termination::{kept_at, loop_of, unending_unless};
use crate::program::code_ref::call_ref;
use std::collections::BTreeSet;

/// Finds who keeps a sender of the channel that is received from, and why it does not end.
pub(super) fn kept_until_stopped(facts: &Facts<'_>, agent: Agent, steps: &Steps, step: &Step) -> Option<Hit> {
    let program = facts.program;
    let channel = only(&step.things).filter(|_| step.wait_limit == WaitLimit::Unlimited)?;
    let (frame, block, exits) = loop_of(program, steps, step)?;
    if exits.otherwise || !exits.by_closing || !exits.by_message.is_empty() {
        return None;
    }
    let id = steps.frames[frame].function;
    let paths = Paths::of(program.function(id));
    let is_behind = |it: &CallSite| {
        it.function == id && exits.behind.contains(&it.block) && !paths.leads(it.block, block)
    };
    let outward: Vec<_> = steps.outward(frame, block).collect();
    let is_started = |site: &CallSite| {
        let mut frames = outward.iter();
        frames.any(|(_, id, at)| {
            *id == site.function && Paths::of(program.function(*id)).leads(site.block, *at)
        })
    };
    let mut spawns = facts.objects().spawns.iter().filter(|(site, _)| is_started(site));
    spawns.find_map(|(site, spawn)| {
        let [root] = spawn.roots.iter().collect::<Vec<_>>()[..] else { return None };
        if *root == agent.root() || !keeps(facts, *root, channel) {
            return None;
        }
        let is_missing = |given: &BTreeSet<CallSite>| !given.is_empty() && given.iter().all(is_behind);
        let life = unending_unless(facts, *site, *root, &is_missing).filter(|it| !it.asked.is_empty())?;
        let stop = life.on_request?;
        let what = if spawn.kind == SpawnKind::Thread { "thread" } else { "task" };
        Some(Hit {
            certainty: Certainty::Usually,
            message: format!(
                "this loop ends when all senders are dropped, but a {what} holds one until it is \
                 stopped, which happens only after the loop"
            ),
            primary: (
                super::receives_at(program, id, block),
                "waits forever once all messages are received".to_owned(),
            ),
            related: vec![
                (call_ref(program, site.function, site.block), "spawned here with a sender".to_owned()),
                (
                    call_ref(program, stop.function, stop.block),
                    "stopped here, which is never reached".to_owned(),
                ),
                made(program, channel),
            ],
            advice: "stop it before the loop, or give it no sender of the channel that the loop drains"
                .to_owned(),
        })
    })
}

/// Whether a body keeps a sender of a channel of its own while it runs something.
fn keeps(facts: &Facts<'_>, root: FunctionId, channel: CallSite) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let mut calls = program.function(root).calls();
    calls.any(|(block, ..)| kept_at(program, objects, root, block, channel).is_some_and(|it| !it.is_given))
}
