//! `channel-deadlock`: a loop that ends when all senders are gone, in an agent that keeps one itself, or that somebody waits for who does.

use super::{Certainty, CodeRef, Hit, Rule};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Deed, Patience, only};
use crate::facts::agents::steps::{Step, Steps};
use crate::facts::enders::{Exits, Home, exits_of, kept_at, owns};
use crate::facts::objects::{CallSite, Thing};
use crate::flow::code_ref::{call_or_await, call_ref};
use crate::flow::paths::Paths;
use crate::flow::text::referent;
use crate::flow::{Function, FunctionId, Program};
use crate::mir::{BlockId, Local, Operand};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "kept-open",
    property: "channel-deadlock",
    doc: "A receive loop ends when all senders are gone, and the one who waits for that keeps a sender.",
    check,
};

/// Finds such loops.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (agent, steps) in facts.agents() {
        for step in &steps.steps {
            match step.deed {
                Deed::Receive | Deed::Drain => {
                    hits.extend(rest_of_downgraded(facts, steps, step));
                    if step.patience == Patience::Unlimited {
                        hits.extend(by_itself(facts, *agent, steps, step));
                    }
                }
                Deed::Join if step.patience == Patience::Unlimited => {
                    hits.extend(by_joiner(facts, steps, step));
                }
                _ => {}
            }
        }
    }
    hits.sort();
    hits.dedup();
    hits
}

/// An exit that needs a message is none where each sender's agent may be over without sending.
fn ends_only_by_closing(facts: &Facts<'_>, exits: &Exits, channel: CallSite) -> bool {
    if exits.otherwise || !exits.by_closing {
        return false;
    }
    exits.by_message.is_empty() || may_all_be_silent(facts, channel)
}

/// Whether the agents that send on a channel are all spawned for one message each, which some path leaves out.
fn may_all_be_silent(facts: &Facts<'_>, channel: CallSite) -> bool {
    let sends =
        |step: &&Step| step.deed == Deed::Send && step.things.iter().any(|it| *it == Thing::Sender(channel));
    let mut senders =
        facts.agents().iter().filter(|(_, steps)| steps.steps.iter().any(|it| sends(&it))).peekable();
    senders.peek().is_some()
        && senders.all(|(agent, steps)| {
            let count = steps.steps.iter().filter(sends).count();
            matches!(agent, Agent::Spawned(..))
                && count == 1
                && steps.steps.len() == 1
                && steps.first.1
                && !steps.steps[0].repeats
        })
}

fn by_itself(facts: &Facts<'_>, agent: Agent, steps: &Steps, step: &Step) -> Option<Hit> {
    let program = facts.program;
    let channel = only(&step.things)?;
    let id = steps.frames[step.frame].function;
    let function = program.function(id);
    let paths = Paths::of(function);
    let exits = exits_of(function, &paths, step.block)?;
    if !ends_only_by_closing(facts, &exits, channel) {
        return None;
    }
    let (home, at, wait) = kept_in_frames(facts, steps, step.frame, step.block, channel)?;
    let does_something = |function: &Function, behind: &BTreeSet<BlockId>| {
        behind.iter().any(|it| {
            function.call(*it).is_some_and(|(_, callee)| callee.name() != "drop" && !callee.hands_on())
        })
    };
    let returned = function.body.type_of(Local(0));
    let returns_nothing = matches!(returned, "()" | "!") || returned.ends_with("Poll<()>");
    let outer = program.function(at);
    let in_outer = at != id && does_something(outer, &Paths::of(outer).after(wait));
    let is_joined = match agent {
        Agent::Spawned(site, _) => facts.agents().iter().any(|(_, it)| {
            it.steps.iter().any(|it| it.deed == Deed::Join && it.things.contains(&Thing::Task(site)))
        }),
        Agent::Caller(_) => true,
    };
    let matters = does_something(function, &exits.behind) || !returns_nothing || in_outer;
    if !(matters || is_joined && !matches!(agent, Agent::Caller(_))) {
        return None;
    }
    let message = match &home.name {
        Some(name) => {
            format!("this loop ends when all senders are gone, and `{name}` keeps one of them until it ends")
        }
        None => {
            "this loop ends when all senders are gone, and one of them is kept here until it ends".to_owned()
        }
    };
    let mut related = vec![made(program, channel)];
    if at != id {
        related.push((call_or_await(program, at, wait), "a sender is kept here meanwhile".to_owned()));
    }
    let waits =
        (call_or_await(program, id, step.block), "waits for ever once all messages were received".to_owned());
    let (primary, related) = match waits.0 {
        CodeRef::Item(_) => (related.remove(0), related),
        _ => (waits, related),
    };
    Some(Hit {
        certainty: Certainty::Usually,
        message,
        primary,
        related,
        advice: "drop the sender before the loop, keep a weak one, or move it to where it is used".to_owned(),
    })
}

/// Where a sender is kept at a wait: in its body, or in one of those that called it.
fn kept_in_frames(
    facts: &Facts<'_>,
    steps: &Steps,
    frame: usize,
    block: BlockId,
    channel: CallSite,
) -> Option<(Home, FunctionId, BlockId)> {
    let (mut frame, mut block) = (frame, block);
    loop {
        let id = steps.frames[frame].function;
        if closes(facts.program.function(id)) {
            return None;
        }
        if let Some(home) = kept_at(facts.program, facts.objects(), id, block, channel) {
            return Some((home, id, block));
        }
        (frame, block) = steps.frames[frame].from?;
    }
}

fn closes(function: &Function) -> bool {
    function
        .calls()
        .any(|(.., callee)| matches!(callee.name(), "close" | "close_channel" | "abort" | "abort_all"))
}

/// Somebody waits for the end of an agent that receives until all senders are gone, and keeps one.
fn by_joiner(facts: &Facts<'_>, steps: &Steps, join: &Step) -> Option<Hit> {
    let (program, objects) = (facts.program, facts.objects());
    let task = only(&join.things)?;
    let joiner = steps.frames[join.frame].function;
    if closes(program.function(joiner)) {
        return None;
    }
    let mut of_task =
        facts.agents().iter().filter(|(agent, _)| matches!(agent, Agent::Spawned(it, _) if *it == task));
    let (_, joined) = of_task.next().filter(|_| of_task.next().is_none())?;
    joined.steps.iter().find_map(|step| {
        let channel = only(&step.things).filter(|_| matches!(step.deed, Deed::Receive | Deed::Drain) && step.patience == Patience::Unlimited)?;
        let id = joined.frames[step.frame].function;
        let function = program.function(id);
        let exits = exits_of(function, &Paths::of(function), step.block)?;
        if exits.otherwise || !exits.by_closing || !exits.by_message.is_empty() {
            return None;
        }
        let home = kept_at(program, objects, joiner, join.block, channel)?;
        let name = home.name.map_or_else(|| "a sender".to_owned(), |it| format!("`{it}` with a sender"));
        Some(Hit {
            certainty: Certainty::Usually,
            message: format!("this waits for the end of a loop that ends when all senders are gone, and keeps {name} meanwhile"),
            primary: (call_or_await(program, joiner, join.block), "waits for ever".to_owned()),
            related: vec![
                (call_or_await(program, id, step.block), "for the end of this loop".to_owned()),
                made(program, channel),
            ],
            advice: "drop the sender before you wait for the end of who receives".to_owned(),
        })
    })
}

/// A weak handle is made so that the loop ends when nobody else is left, and a part of the strong one is kept through the loop.
fn rest_of_downgraded(facts: &Facts<'_>, steps: &Steps, step: &Step) -> Option<Hit> {
    let (program, objects) = (facts.program, facts.objects());
    let received = step.things.iter().filter_map(|it| match it {
        Thing::Receiver(site) => Some(*site),
        _ => None,
    });
    received.into_iter().find_map(|channel| {
        let (mut frame, mut block) = (step.frame, step.block);
        loop {
            let id = steps.frames[frame].function;
            let function = program.function(id);
            let paths = Paths::of(function);
            let downgraded = function.calls().find(|(at, call, callee)| {
                let on = call.arguments.first().and_then(Operand::place).and_then(|it| function.type_of(it));
                let inner = on.map(|it| referent(it).unwrap_or(it)).unwrap_or_default();
                callee.name().contains("downgrade") && paths.leads(*at, block) && owns(program, objects, inner, 5).contains(&channel)
            });
            if let Some((at, ..)) = downgraded
                && let Some(home) = kept_at(program, objects, id, block, channel).filter(|it| !it.is_given)
            {
                let name = home.name.map_or_else(|| "the handle".to_owned(), |it| format!("`{it}`"));
                return Some(Hit {
                    certainty: Certainty::Usually,
                    message: format!("{name} is downgraded so that this ends with the last sender, and what is left of it keeps a sender meanwhile"),
                    primary: (call_ref(program, id, at), "downgraded here".to_owned()),
                    related: vec![
                        (call_or_await(program, id, block), "the strong one is kept here until the end".to_owned()),
                        made(program, channel),
                    ],
                    advice: "clone the parts that are needed, and drop the strong handle before the loop".to_owned(),
                });
            }
            (frame, block) = steps.frames[frame].from?;
        }
    })
}

fn made(program: &Program, it: CallSite) -> (CodeRef, String) {
    (call_ref(program, it.function, it.block), "the channel is made here".to_owned())
}
