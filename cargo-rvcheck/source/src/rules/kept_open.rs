//! `channel-deadlock`: a loop that ends when all senders are dropped, in an agent that keeps one itself, or that is waited for by one that
//! does. A single receive is such a wait, too, if nothing sends.

mod downgraded;
mod stopped_later;

use self::downgraded::{rest_of_downgraded, rest_of_taken_apart};
use self::stopped_later::kept_until_stopped;
use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::provenance::source;

use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit, only};
use crate::facts::agents::steps::{Step, Steps};
use crate::facts::objects::{CallSite, Node, Thing, is_sender};
use crate::facts::termination::{
    DropOrder, Exits, Holder, is_closed_by_call, kept_at, kept_by_later_field, loop_of,
};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Terminator};
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Ending, Is};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "kept-open",
    property: "channel-deadlock",
    doc: "A task or thread waits until all senders are dropped, but holds a sender itself.",
    shown_by: ShownBy::Run("the receiver is still in its loop after every other sender is gone"),
    check,
};

/// Finds such loops.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (agent, steps) in facts.agents() {
        for step in &steps.steps {
            match step.op {
                Op::Receive | Op::Drain => {
                    hits.extend(rest_of_downgraded(facts, steps, step));
                    hits.extend(by_itself(facts, *agent, steps, step));
                    hits.extend(kept_until_stopped(facts, *agent, steps, step));
                }
                Op::Join if step.wait_limit == WaitLimit::Unlimited => {
                    hits.extend(by_joiner(facts, steps, step));
                }
                _ => {}
            }
        }
    }
    for (id, _) in facts.program.functions() {
        hits.extend(rest_of_taken_apart(facts, id));
    }
    hits.sort();
    hits.dedup_by(|one, other| one.primary == other.primary && one.message == other.message);
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
        |step: &&Step| step.op == Op::Send && step.things.iter().any(|it| *it == Thing::Sender(channel));
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

/// Whether nobody else sends on a channel than the agent itself, between its receives: when there is nothing left to do, nothing comes.
fn feeds_itself(facts: &Facts<'_>, own: &Steps, channel: CallSite) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let sends = |it: &&Step| it.op == Op::Send && it.things.contains(&Thing::Sender(channel));
    let functions = |steps: &Steps| -> BTreeSet<FunctionId> {
        steps.steps.iter().filter(sends).map(|it| steps.frames[it.frame].function).collect()
    };
    let own_sends = functions(own);
    let in_loop = own.steps.iter().filter(sends).any(|it| it.repeats || is_in_loop(program, own, it));
    let of_others =
        facts.agents().iter().flat_map(|(_, it)| functions(it)).any(|it| !own_sends.contains(&it));
    // Others may be given a sender, to send with or not.
    let returned = |id: FunctionId| objects.in_node(&Node::Slot(id, Slot::of(Local(0))));
    let gives = program
        .functions()
        .any(|(id, _)| program.is_open(id) && returned(id).contains(&Thing::Sender(channel)));
    let has = |id: FunctionId| {
        let function = program.function(id);
        let places = function.body.variables.iter().map(|(_, place)| place);
        places.into_iter().any(|it| objects.at(program, id, it).contains(&Thing::Sender(channel)))
    };
    let is_spawned = objects
        .spawns
        .values()
        .flat_map(|it| &it.roots)
        .any(|it| own.frames.iter().all(|frame| frame.function != *it) && has(*it));
    in_loop && !of_others && !gives && !is_spawned
}

/// Whether a step is in a loop of one of the bodies that lead to it.
fn is_in_loop(program: &Program, steps: &Steps, step: &Step) -> bool {
    steps.outward(step.frame, step.block).any(|(_, id, block)| Paths::of(program.function(id)).repeats(block))
}

/// Whether the branch at the end of a block asks for a limit, and not whether all is done: it compares which of two numbers is greater, none of
/// them zero.
fn limits(function: &Function, branch: BlockId) -> bool {
    let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
        function.body.block(branch).map(|it| &it.terminator)
    else {
        return false;
    };
    let compared = function.definition(&Slot::at(on)).and_then(|it| function.assigned(it));
    let Some((operator, parts)) = compared.and_then(Rvalue::operated) else { return false };
    let is_zero = |it: &Operand| it.is_nought();
    operator.orders() && !parts.iter().any(is_zero)
}

fn by_itself(facts: &Facts<'_>, agent: Agent, steps: &Steps, step: &Step) -> Option<Hit> {
    let program = facts.program;
    let channel = only(&step.things)?;
    let is_limited = step.wait_limit == WaitLimit::Limited;
    if is_limited && !comes_back(step) {
        return None;
    }
    let (frame, block, exits) = loop_of(program, steps, step)
        .or_else(|| waits_for_end(facts, steps, step, channel).filter(|_| !is_limited))?;
    let id = steps.frames[frame].function;
    let function = program.function(id);
    let feeds_itself =
        || feeds_itself(facts, steps, channel) && exits.by_message.iter().all(|it| limits(function, *it));
    let is_fed = exits.by_closing && !exits.otherwise && feeds_itself();
    if !is_fed && !ends_only_by_closing(facts, &exits, channel)
        || is_closed_by_call(facts, channel, (id, &exits.behind))
    {
        return None;
    }
    let (holder, at, wait) = kept_in_frames(facts, steps, step.frame, step.block, channel)?;
    // What polls comes back to the wait itself.
    let does_something = |function: &Function, behind: &BTreeSet<BlockId>| {
        behind.iter().any(|it| {
            function.call(*it).is_some_and(|(_, callee)| {
                let polls = callee.is_poll() || callee.owner() == "Pin";
                !callee.is_named_drop() && !polls && !callee.hands_on()
            })
        })
    };
    let returned = function.body.type_of(Local(0));
    let returns_nothing = matches!(returned.head(), "()" | "!")
        || returned.is_poll() && returned.argument(0).is_some_and(Ty::is_unit);
    let outer = program.function(at);
    let in_outer = at != id && does_something(outer, &Paths::of(outer).after(wait));
    let is_joined = match agent {
        Agent::Spawned(site, _) => facts.agents().iter().any(|(_, it)| {
            it.steps.iter().any(|it| it.op == Op::Join && it.things.contains(&Thing::Task(site)))
        }),
        Agent::Caller(_) => true,
    };
    let matters = does_something(function, &exits.behind) || !returns_nothing || in_outer;
    let matters = matters || is_joined && !matches!(agent, Agent::Caller(_));
    // A value may be meant to receive for as long as the program runs; who makes the channel and ends with its loop, less so.
    if !matters && channel.function != at {
        return None;
    }
    let what = if exits.around.is_empty() && step.op == Op::Receive { "wait" } else { "loop" };
    let message = match &holder.name {
        Some(name) => {
            format!("this {what} ends when all senders are dropped, but `{name}` holds one until then")
        }
        None => {
            format!("this {what} ends when all senders are dropped, but one is held here until then")
        }
    };
    let mut related = vec![made(program, channel)];
    if at != id {
        related.push((call_or_await(program, at, wait), "a sender is kept here meanwhile".to_owned()));
    }
    let waits = if is_limited {
        "loops forever once all messages are received"
    } else {
        "waits forever once all messages are received"
    };
    let waits = (receives_at(program, id, block), waits.to_owned());
    let (primary, related) = match waits.0 {
        CodeRef::Item(_) => (related.remove(0), related),
        _ => (waits, related),
    };
    Some(Hit {
        certainty: if matters { Certainty::Usually } else { Certainty::Doubt },
        message,
        primary,
        related,
        advice: "drop the sender before the loop, keep a weak sender, or move the sender to where it is used"
            .to_owned(),
    })
}

/// Whether a receive that waits for a while, or not at all, is made again and again by itself: only that there are no senders ends it.
fn comes_back(step: &Step) -> bool {
    step.op == Op::Receive && step.select.is_none() && step.repeats
}

/// The place of a receive; of an iterator over messages, where that is made.
fn receives_at(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    let place = call_or_await(program, id, block);
    if !matches!(place, CodeRef::Item(_)) {
        return place;
    }
    let function = program.function(id);
    let on = function.call(block).and_then(|(call, _)| call.place(0));
    let made = on.and_then(|it| source(function, &Slot::at(it)));
    made.map_or(place, |it| call_ref(program, id, it))
}

/// A receive from a channel that nobody sends on, as a loop that ends with the senders: what is waited for is their end.
fn waits_for_end(
    facts: &Facts<'_>,
    steps: &Steps,
    step: &Step,
    channel: CallSite,
) -> Option<(usize, BlockId, Exits)> {
    if step.select.is_some() || step.repeats || may_send(facts, channel) {
        return None;
    }
    let behind = Paths::of(body_of(facts, steps, step)).after(step.block);
    Some((step.frame, step.block, Exits { behind, by_closing: true, ..Exits::default() }))
}

fn body_of<'a>(facts: &'a Facts<'_>, steps: &Steps, step: &Step) -> &'a Function {
    facts.program.function(steps.frames[step.frame].function)
}

/// Whether somebody may send on a channel: by a call of its own, or by what another crate does with a sender.
fn may_send(facts: &Facts<'_>, channel: CallSite) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let maker = program.function(channel.function);
    let made = maker.call(channel.block).and_then(|(call, _)| maker.type_of(&call.into)).unwrap_or_default();
    program.functions().any(|(id, function)| {
        function.calls().any(|(block, call, callee)| {
            let is_it = |place: &Place| {
                let ty = function.type_of(place).unwrap_or_default();
                let ty = ty.pointee();
                let things = objects.at(program, id, place);
                // Of one that is not known the type may tell that it is another one.
                let may_be = things.is_empty() && made.has(|it| it == ty);
                is_sender(ty) && (may_be || things.contains(&Thing::Sender(channel)))
            };
            let row = function.callee(block).row();
            let is_idle = program.called(function, block).is_some()
                || callee.hands_on()
                || callee.clones()
                || callee.is_named_drop()
                || row.is_some_and(|it| !matches!(it.operation.action, Action::Send | Action::Reserve));
            !is_idle && call.places().any(is_it)
        })
    })
}

/// Where a sender is kept at a wait: in its body, or in one of those that called it.
fn kept_in_frames(
    facts: &Facts<'_>,
    steps: &Steps,
    frame: usize,
    block: BlockId,
    channel: CallSite,
) -> Option<(Holder, FunctionId, BlockId)> {
    let mut open = steps.outward(frame, block).take_while(|it| !closes(facts.program.function(it.1)));
    open.find_map(|(_, id, block)| {
        Some((kept_at(facts.program, facts.objects(), id, block, channel)?, id, block))
    })
}

/// Whether a body closes a channel or aborts a task: then it does not rely on the end of the senders.
fn closes(function: &Function) -> bool {
    function.calls().any(|(_, call, callee)| {
        let on = function.type_given(call, 0);
        let of_tasks = on.is_some_and(|it| mentions(it, |it| matches!(it, Is::Tasks(Ending::Detaches))));
        (callee.closes() || callee.aborts()) && !of_tasks
    })
}

/// Somebody waits for the end of an agent that receives until all senders are gone, and keeps one. Or has let go of its own so that the
/// agent ends, which keeps one itself.
fn by_joiner(facts: &Facts<'_>, steps: &Steps, join: &Step) -> Option<Hit> {
    let tasks = join.things.iter().filter_map(|it| match it {
        Thing::Task(site) => Some(*site),
        _ => None,
    });
    // What a scope waits for in the end may have been waited for before.
    let is_known = |task: CallSite| {
        let before =
            steps.steps.iter().filter(|it| it.op == Op::Join && it.things.contains(&Thing::Task(task)));
        before.into_iter().any(|it| it.things.len() < join.things.len())
    };
    tasks.into_iter().filter(|it| !is_known(*it)).find_map(|task| {
        let joined = facts.spawned_at(task, steps)?;
        joined.steps.iter().find_map(|step| joined_too_early(facts, steps, join, joined, step))
    })
}

fn joined_too_early(
    facts: &Facts<'_>,
    steps: &Steps,
    join: &Step,
    joined: &Steps,
    step: &Step,
) -> Option<Hit> {
    let program = facts.program;
    let receives = matches!(step.op, Op::Receive | Op::Drain)
        && (step.wait_limit == WaitLimit::Unlimited || comes_back(step));
    let channel = only(&step.things).filter(|_| receives)?;
    let (frame, block, exits) = loop_of(program, joined, step)?;
    let id = joined.frames[frame].function;
    if exits.otherwise || !exits.by_closing || is_closed_by_call(facts, channel, (id, &exits.behind)) {
        return None;
    }
    let loop_at = (receives_at(program, id, block), "this loop is waited for".to_owned());
    let joiner = steps.frames[join.frame].function;
    let waits = (call_or_await(program, joiner, join.block), "waits forever".to_owned());
    if exits.by_message.is_empty()
        && let Some((holder, at, wait)) = kept_in_frames(facts, steps, join.frame, join.block, channel)
    {
        let name =
            holder.name.map_or_else(|| "a sender".to_owned(), |it| format!("`{it}`, which holds a sender"));
        let mut related = vec![loop_at, made(program, channel)];
        // What another function keeps is let go of there.
        let outer = (call_or_await(program, at, wait), "a sender is kept here until this ends".to_owned());
        let primary = if at == joiner {
            waits
        } else if program.item(at) == program.item(joiner) {
            related.push(outer);
            waits
        } else {
            related.push(waits);
            outer
        };
        return Some(Hit {
            certainty: Certainty::Usually,
            message: format!(
                "this waits for a loop that ends when all senders are dropped, but holds \
                              {name} meanwhile"
            ),
            primary,
            related,
            advice: "drop the sender before waiting for the receiver to end".to_owned(),
        });
    }
    // Whoever drops a value sends nothing more: no message ends the loop.
    let mut outward = steps.outward(join.frame, join.block);
    let order = outward.find_map(|(_, id, _)| kept_by_later_field(program, facts.objects(), id, channel));
    if let Some(DropOrder { of, waits: first, keeps }) = order {
        return Some(Hit {
            certainty: Certainty::Usually,
            message: format!(
                "`{of}` drops its field `{first}` before `{keeps}`: the drop waits for a loop that ends \
                 when all senders are dropped, but \
                 `{keeps}` holds one"
            ),
            primary: waits,
            related: vec![loop_at, made(program, channel)],
            advice: format!("declare `{keeps}` before `{first}`: fields are dropped in declaration order"),
        });
    }
    // A loop that ends in no other way is reported where it is.
    if exits.by_message.is_empty() {
        return None;
    }
    let released = is_named_drop(facts, steps, join, channel)?;
    let (holder, at, wait) = kept_in_frames(facts, joined, step.frame, step.block, channel)?;
    let name = holder.name.map_or_else(|| "one".to_owned(), |it| format!("`{it}`, which holds one"));
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "the sender is dropped to end the loop that this waits for, but the loop never ends: it holds \
             {name} itself"
        ),
        primary: waits,
        related: vec![
            (call_or_await(program, id, block), "the loop ends when all senders are dropped".to_owned()),
            (call_or_await(program, at, wait), "a sender is kept here".to_owned()),
            (call_ref(program, released.function, released.block), "the sender is dropped here".to_owned()),
            made(program, channel),
        ],
        advice: "end the loop with a message, or keep only a weak sender in it".to_owned(),
    })
}

/// Where an agent lets go of a sender before it waits for an end, if it has sent nothing before.
fn is_named_drop(facts: &Facts<'_>, steps: &Steps, join: &Step, channel: CallSite) -> Option<CallSite> {
    let (program, objects) = (facts.program, facts.objects());
    let sends = |it: &Step| it.op == Op::Send && it.things.contains(&Thing::Sender(channel));
    if steps.steps.iter().any(sends) {
        return None;
    }
    for (_, id, block) in steps.outward(join.frame, join.block) {
        let function = program.function(id);
        if closes(function) {
            return None;
        }
        let before = Paths::of(function).to(&[block], &|_| false);
        let is_it = |place: &Place| {
            let things = objects.at(program, id, place);
            let ty = function.type_of(place).unwrap_or_default();
            things.contains(&Thing::Sender(channel)) && is_sender(ty) && !ty.is_reference()
        };
        let released = before.iter().copied().find(|at| {
            let Some(it) = function.body.block(*at).filter(|it| !it.cleanup) else { return false };
            match &it.terminator {
                Terminator::Drop { place, .. } => is_it(place),
                Terminator::Call(call) => {
                    let drops = function.callee(*at).is_named_drop();
                    drops && call.places().any(is_it)
                }
                _ => false,
            }
        });
        if let Some(block) = released {
            return Some(CallSite { function: id, block });
        }
    }
    None
}

fn made(program: &Program, it: CallSite) -> (CodeRef, String) {
    (call_ref(program, it.function, it.block), "the channel is made here".to_owned())
}
