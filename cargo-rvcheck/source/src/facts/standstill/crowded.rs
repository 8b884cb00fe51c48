//! Waits for the end of agents that wait for room: who waits is the only one who takes messages, and takes the first one later.

use super::problem::{Rounds, escaping, reaches, rounds, site};
use super::{Move, Standstill, What};
use crate::body::provenance::is_given;
use crate::body::{FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Deed, Patience, only};
use crate::facts::agents::steps::{Step, StepId, Steps};
use crate::facts::objects::{CallSite, Capacity};
use crate::mir::{Operand, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use std::collections::BTreeSet;

/// Such waits of a program.
pub(super) fn crowded(facts: &Facts<'_>) -> Vec<Standstill> {
    let taken_elsewhere = escaping(facts.program, facts.objects());
    let mut found: Vec<Standstill> = Vec::new();
    for (agent, steps) in facts.agents() {
        for (at, step) in steps.steps.iter().enumerate() {
            if step.deed != Deed::Join || step.patience != Patience::Unlimited || step.select.is_some() {
                continue;
            }
            let joined = step.things.iter().filter_map(site).flat_map(|task| {
                let of_task = move |it: &&(Agent, Steps)| matches!(it.0, Agent::Spawned(it, _) if it == task);
                facts.agents().iter().filter(of_task).map(move |it| (task, it))
            });
            for (task, (other, of_other)) in joined {
                let full = of_other.steps.iter().find(|send| {
                    send.deed == Deed::Send
                        && send.patience == Patience::Unlimited
                        && send.select.is_none()
                        && only(&send.things).is_some_and(|channel| {
                            !taken_elsewhere.contains(&channel)
                                && taken_only_later(facts, *agent, steps, at, channel)
                                && !fits(facts, steps, task, of_other, send, channel)
                        })
                });
                let Some(send) = full else { continue };
                let Some(channel) = only(&send.things) else { continue };
                let waits = |agent: Agent, steps: &Steps, step: &Step, what| Move {
                    agent,
                    function: steps.frames[step.frame].function,
                    block: step.block,
                    what,
                    from: None,
                };
                let join = waits(*agent, steps, step, What::Joins(task));
                let send = waits(*other, of_other, send, What::Sends(channel));
                let is_known = found.iter().any(|it| {
                    it.waits.first().is_some_and(|it| it.function == join.function && it.block == join.block)
                });
                if !is_known {
                    found.push(Standstill { waits: vec![join, send], before: Vec::new() });
                }
            }
        }
    }
    found
}

/// Whether all that takes messages out of a channel is an agent's own, and behind one of its steps.
fn taken_only_later(facts: &Facts<'_>, agent: Agent, steps: &Steps, at: StepId, channel: CallSite) -> bool {
    let takes = |it: &Step| {
        matches!(it.deed, Deed::Receive | Deed::Drain) && it.things.iter().any(|it| site(it) == Some(channel))
    };
    let own: Vec<StepId> = (0..steps.steps.len()).filter(|it| takes(&steps.steps[*it])).collect();
    let later =
        own.iter().all(|it| reaches(steps, at, *it, &|_| false) && !reaches(steps, *it, at, &|_| false));
    // Others that run the same functions are the same agent, entered further in.
    let functions: BTreeSet<FunctionId> =
        own.iter().map(|it| steps.frames[steps.steps[*it].frame].function).collect();
    let others = facts.agents().iter().filter(|(it, _)| *it != agent);
    let is_only = others.flat_map(|(_, it)| it.steps.iter().map(move |step| (it, step))).all(|(of, step)| {
        !takes(step) || functions.contains(&of.frames[step.frame].function) && only(&step.things).is_none()
    });
    !own.is_empty() && later && is_only
}

/// Whether all that is sent may fit into a channel: where it is counted, or the room is made for it.
fn fits(
    facts: &Facts<'_>,
    steps: &Steps,
    task: CallSite,
    of_other: &Steps,
    send: &Step,
    channel: CallSite,
) -> bool {
    let program = facts.program;
    let spawned = steps.frames.iter().position(|it| it.function == task.function);
    let Some(spawned) = spawned else { return true };
    let spawned = rounds(program, steps, spawned, task.block);
    let count = match (spawned, rounds(program, of_other, send.frame, send.block)) {
        (Rounds::AtMost(one), Rounds::AtMost(other)) => one.checked_mul(other),
        (Rounds::Unknown, _) | (_, Rounds::Unknown) => return true,
        _ => None,
    };
    match facts.objects().channels.get(&channel) {
        Some(Capacity::Constant(room)) => count.is_some_and(|it| it <= *room),
        Some(Capacity::Given) => count.is_some() || sizes_more(program, channel),
        _ => true,
    }
}

/// Whether the number that says how much fits in says other things as well, as how many messages there will be.
fn sizes_more(program: &Program, channel: CallSite) -> bool {
    let function = program.function(channel.function);
    let Some((call, _)) = function.call(channel.block) else { return true };
    let Some(size) = call.arguments.first() else { return true };
    if !is_given(function, size) {
        return true;
    }
    // The argument or captured value that it is a copy of.
    let mut slot = match size {
        Operand::Place(place) => Slot::at(place),
        Operand::Constant(_) => return true,
    };
    let mut copies = BTreeSet::from([slot.clone()]);
    while let Some(definition) = function.definition(&slot) {
        let Some(Rvalue::Use(Operand::Place(from))) = function.assigned(definition) else { return true };
        slot = Slot::at(from);
        if !copies.insert(slot.clone()) {
            break;
        }
    }
    let is_it = |it: &Place| copies.contains(&Slot::at(it));
    let uses = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| {
        let stated = it.statements.iter().filter(|it| match it {
            Statement::Assign(into, value) => !is_it(into) && value.places().any(is_it),
            _ => false,
        });
        let called = match &it.terminator {
            Terminator::Call(call) => {
                call.arguments.iter().filter_map(Operand::place).filter(|it| is_it(it)).count()
            }
            _ => 0,
        };
        vec![(); stated.count() + called]
    });
    uses.count() > 1
}
