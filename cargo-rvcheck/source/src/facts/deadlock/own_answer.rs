//! Whether an agent waits for an answer that only it could give: it has put the question into its own mailbox.
//!
//! Several services may be made by one function, and one of them may ask another: the one above it, or one that it hears of. So the mailbox
//! counts as its own only where nothing that comes from elsewhere can have a sender of another one.

use super::problem::{Problem, has_both_ends, reaches};
use crate::ty::Ty;

use crate::body::{Function, Kind};
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, only};
use crate::facts::agents::steps::{StepId, Steps};
use crate::facts::objects::{CallSite, Kinds, Node, Objects, Thing, inside, kinds};
use crate::facts::termination::receiver_at;
use crate::mir::Local;
use crate::program::Program;
use std::collections::BTreeSet;

/// Whether an agent that receives an answer has put its sender into a request that only the agent itself takes, out of its own mailbox.
pub(super) fn waits_for_own_answer(problem: &Problem<'_>, agent: usize, receive: StepId) -> bool {
    let (program, objects) = (problem.program, problem.objects);
    let steps = &problem.agents[agent].1;
    let Some(answer) = only(&steps.steps[receive].things) else { return false };
    let Some(mailbox) = asked(steps, receive).filter(|it| *it != answer) else { return false };
    let mut takers = (0..problem.agents.len()).filter(|it| takes(&problem.agents[*it].1, mailbox));
    let asked_for = Thing::Sender(answer);
    let is_in_request = objects.in_node(&Node::Payload(mailbox)).contains(&asked_for)
        || inside(program, objects, message(program, mailbox)).0.contains(&asked_for);
    is_in_request
        && takers.next() == Some(agent)
        && takers.next().is_none()
        && is_own(problem, agent, mailbox)
}

/// Whether an agent that waits for an answer has the receiver of the mailbox with its question, and takes no more messages out of it: the
/// sender of the answer stays there.
pub(super) fn keeps_its_question(problem: &Problem<'_>, agent: usize, receive: StepId) -> bool {
    let steps = &problem.agents[agent].1;
    let Some(mailbox) = asked(steps, receive) else { return false };
    let step = &steps.steps[receive];
    let mut outward = steps.outward(step.frame, step.block);
    outward.any(|(_, id, block)| receiver_at(problem.program, problem.objects, id, block, mailbox).is_some())
}

/// Whether the sender of a channel is a part of a message of another one, as that of an answer is.
pub(crate) fn is_sent_along(program: &Program, objects: &Objects, channel: CallSite) -> bool {
    let sender = Thing::Sender(channel);
    objects.channels.keys().filter(|it| **it != channel).any(|it| {
        objects.in_node(&Node::Payload(*it)).contains(&sender)
            || inside(program, objects, message(program, *it)).0.contains(&sender)
    })
}

/// The channel of all sends that come last before a step, if it is one.
fn asked(steps: &Steps, before: StepId) -> Option<CallSite> {
    let sends = |it: StepId| steps.steps[it].op == Op::Send;
    let last = (0..steps.steps.len()).filter(|it| sends(*it) && reaches(steps, *it, before, &sends));
    let channels: BTreeSet<Option<CallSite>> = last.map(|it| only(&steps.steps[it].things)).collect();
    let mut channels = channels.into_iter();
    channels.next().flatten().filter(|_| channels.next().is_none())
}

/// Whether an agent receives from a channel.
fn takes(steps: &Steps, channel: CallSite) -> bool {
    steps
        .steps
        .iter()
        .any(|it| matches!(it.op, Op::Receive | Op::Drain) && it.things.contains(&Thing::Receiver(channel)))
}

/// Whether each sender of a channel that an agent can have is of the channel that it receives from, and not of another one that was made at
/// the same place.
pub(super) fn is_own(problem: &Problem<'_>, agent: usize, mailbox: CallSite) -> bool {
    let (program, objects) = (problem.program, problem.objects);
    let (agent, steps) = &problem.agents[agent];
    let is_made_by_it = steps.frames.iter().any(|it| it.function == mailbox.function);
    let is_made_for_it = matches!(agent, Agent::Spawned(site, _)
        if program.item(site.function) == program.item(mailbox.function));
    if !is_made_by_it && !is_made_for_it && !has_both_ends(objects, mailbox) {
        return false;
    }
    let message = message(program, mailbox);
    // Others may have got a sender of another one, and give it back.
    let is_alike =
        |ty: Ty| ty != message && ty.has(|it| it == message) && kinds(ty, &|_| false).meets(Kinds::SENDER);
    let may_be = |ty: Ty| {
        let (things, may_have_more) = inside(program, objects, ty);
        let is_behind_it = || may_have_more && is_behind_a_trait(program, objects, mailbox);
        is_alike(ty) || things.contains(&Thing::Sender(mailbox)) || is_behind_it()
    };
    let received = steps.steps.iter().filter(|it| matches!(it.op, Op::Receive | Op::Drain));
    let mut channels = received.flat_map(|it| &it.things).filter_map(|it| match it {
        Thing::Receiver(site) => Some(*site),
        _ => None,
    });
    let is_given = given(program.function(mailbox.function)).into_iter().any(may_be);
    !is_given && !channels.any(|it| may_be(self::message(program, it)))
}

/// The type of the messages of a channel.
fn message(program: &Program, channel: CallSite) -> Ty {
    let maker = program.function(channel.function);
    let ends = maker.call(channel.block).and_then(|(call, _)| maker.type_of(&call.into)).unwrap_or_default();
    ends.argument(0).and_then(|it| it.argument(0)).unwrap_or_default()
}

/// The types of what a body is given.
fn given(function: &Function) -> Vec<Ty> {
    if function.kind != Kind::Function {
        return function.captured_types().collect();
    }
    let numbers = 1..=u32::try_from(function.body.arguments).unwrap_or(u32::MAX);
    numbers.map(|it| function.body.type_of(Local(it))).collect()
}

/// Whether a type that has a sender of a channel implements a trait of the workspace, so that it may be behind a trait object or a type
/// parameter.
fn is_behind_a_trait(program: &Program, objects: &Objects, channel: CallSite) -> bool {
    program.functions().any(|(id, _)| {
        let has_it = |ty: Ty| inside(program, objects, ty).0.contains(&Thing::Sender(channel));
        program.trait_of(id).is_some_and(|it| program.knows_trait(it))
            && program.type_of(id).map(Ty::read).is_some_and(has_it)
    })
}
