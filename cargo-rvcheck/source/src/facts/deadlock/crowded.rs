//! Waits for room that nobody makes: who could take messages waits itself, for that room or for the end of who waits for it.
//!
//! An agent that fills a channel before it gives its receiver away, or joins who fills one that only it could empty: it takes the first
//! message later, or takes no more since something has failed.

use super::execution_count::{ExecutionCount, execution_count, execution_count_avoiding};
use super::problem::{escaping, reaches, site};
use super::spawned::is_spawned_later;
use super::{Deadlock, Move, What};
use crate::body::provenance::is_given;
use crate::body::{Definition, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit, only};
use crate::facts::agents::steps::{Step, StepId, Steps};
use crate::facts::objects::{CallSite, Capacity, Thing, limited_by_constants};
use crate::facts::termination::{loop_of, receiver_at};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use std::collections::BTreeSet;

/// Such waits of a program.
pub(super) fn crowded(facts: &Facts<'_>) -> Vec<Deadlock> {
    let escaping = escaping(facts.program, facts.objects());
    let mut found: Vec<Deadlock> = Vec::new();
    for (agent, steps) in facts.agents() {
        let of = Waiter { facts, escaping: &escaping, agent: *agent, steps };
        for (at, step) in steps.steps.iter().enumerate() {
            // Who takes the messages may be polled together with who sends them.
            let mut around = steps.outward(step.frame, step.block);
            let is_beside_others = around.any(|(frame, ..)| steps.frames[frame].is_beside_others);
            if step.wait_limit != WaitLimit::Unlimited || step.select.is_some() || is_beside_others {
                continue;
            }
            let waits = match step.op {
                Op::Join => of.joins(at),
                Op::Send => of.fills(at),
                _ => None,
            };
            let Some(waits) = waits else { continue };
            let place = |it: &Deadlock| it.waits.first().map(|it| (it.function, it.block));
            let new = Deadlock { waits, before: Vec::new() };
            if found.iter().all(|it| place(it) != place(&new)) {
                found.push(new);
            }
        }
    }
    found
}

/// An agent that waits.
struct Waiter<'a, 'p> {
    facts: &'a Facts<'p>,
    /// Channels whose receivers go to code that is not understood.
    escaping: &'a BTreeSet<CallSite>,
    agent: Agent,
    steps: &'a Steps,
}

impl Waiter<'_, '_> {
    /// It waits for the end of an agent that waits for room.
    fn joins(&self, at: StepId) -> Option<Vec<Move>> {
        let step = &self.steps.steps[at];
        // What a scope waits for in the end may have been waited for before.
        let is_known = |task: &CallSite| {
            let joins = |it: &Step| it.op == Op::Join && it.things.contains(&Thing::Task(*task));
            let all = (0..self.steps.steps.len()).filter(|it| joins(&self.steps.steps[*it]));
            all.into_iter()
                .any(|it| reaches(self.steps, it, at, &|_| false) && !reaches(self.steps, at, it, &|_| false))
        };
        let tasks = step.things.iter().filter_map(site).filter(|it| !is_known(it));
        let joined = tasks.flat_map(|task| {
            let of_task = move |it: &&(Agent, Steps)| matches!(it.0, Agent::Spawned(it, _) if it == task);
            self.facts.agents().iter().filter(of_task).map(move |it| (task, it))
        });
        for (task, (other, of_other)) in joined {
            let full = of_other.steps.iter().find(|send| {
                send.op == Op::Send
                    && send.wait_limit == WaitLimit::Unlimited
                    && send.select.is_none()
                    && only(&send.things).is_some_and(|channel| {
                        self.facts.may_be_full(channel)
                            && self.takes_no_more(at, channel)
                            && self.is_only_taker(at, channel)
                            && !fits(self.facts, self.steps, task, of_other, send, channel)
                    })
            });
            let Some(send) = full else { continue };
            let Some(channel) = only(&send.things) else { continue };
            let join = a_move(self.agent, self.steps, step, What::Joins(task));
            return Some(vec![join, a_move(*other, of_other, send, What::Sends(channel))]);
        }
        None
    }

    /// It waits for room in a channel that it has made, and has filled itself.
    fn fills(&self, at: StepId) -> Option<Vec<Move>> {
        let step = &self.steps.steps[at];
        let channel = only(&step.things).filter(|it| self.facts.may_be_full(*it))?;
        let makers = self.steps.frames.iter().filter(|it| it.function == channel.function);
        if makers.count() != 1 || !self.is_only_taker(at, channel) {
            return None;
        }
        // The first send that is done again and again, or the last one of several.
        let before = self.sends_before(at, channel);
        let count = before.iter().map(|it| self.sent(*it, channel)).reduce(ExecutionCount::and)?;
        let is_first =
            before.iter().all(|it| *it >= at || self.sent(*it, channel) == ExecutionCount::AtMost(1));
        let repeats = self.sent(at, channel) != ExecutionCount::AtMost(1);
        let is_full = match self.facts.objects().channels.get(&channel)? {
            Capacity::Constant(room) => count.is_more_than(*room),
            Capacity::Given => count == ExecutionCount::Endless && !sizes_more(self.facts.program, channel),
            _ => false,
        };
        let is_it = is_first && (repeats || before.iter().all(|it| *it <= at));
        (is_full && is_it).then(|| vec![a_move(self.agent, self.steps, step, What::Sends(channel))])
    }

    /// The sends on a channel that are done one after the other with this one, while nobody takes any.
    fn sends_before(&self, at: StepId, channel: CallSite) -> Vec<StepId> {
        let steps = self.steps;
        let is_receive = |it: StepId| takes(&steps.steps[it], channel);
        let in_turn = |it: StepId| {
            it == at || reaches(steps, it, at, &is_receive) || reaches(steps, at, it, &is_receive)
        };
        let sends = |it: &Step| {
            it.op == Op::Send && it.wait_limit == WaitLimit::Unlimited && only(&it.things) == Some(channel)
        };
        let all = (0..steps.steps.len()).filter(|it| sends(&steps.steps[*it]) && in_turn(*it));
        all.filter(|it| self.is_only_taker(*it, channel)).collect()
    }

    /// How often a send is done, at most, with no receive in between.
    fn sent(&self, at: StepId, channel: CallSite) -> ExecutionCount {
        let step = &self.steps.steps[at];
        let without = |frame: usize| {
            let receives = self.steps.steps.iter().filter(|it| takes(it, channel));
            let outward = receives.flat_map(|it| self.steps.outward(it.frame, it.block));
            let mut found: BTreeSet<BlockId> =
                outward.filter(|it| it.0 == frame).map(|(_, _, block)| block).collect();
            // Each iteration of a loop that makes the channel has another one.
            let of_maker =
                self.steps.frames.iter().enumerate().filter(|it| it.1.function == channel.function);
            let made = of_maker.flat_map(|(at, _)| self.steps.outward(at, channel.block));
            found.extend(made.filter(|it| it.0 == frame).map(|(_, _, block)| block));
            // A call that both sends and receives is not avoided.
            let own: BTreeSet<(usize, BlockId)> =
                self.steps.outward(step.frame, step.block).map(|(frame, _, block)| (frame, block)).collect();
            found.retain(|it| !own.contains(&(frame, *it)));
            found
        };
        execution_count_avoiding(self.facts.program, self.steps, (step.frame, step.block), &without)
    }

    fn own_receives(&self, channel: CallSite) -> Vec<StepId> {
        let steps = &self.steps.steps;
        (0..steps.len()).filter(|it| takes(&steps[*it], channel)).collect()
    }

    /// Whether the agent itself has the receiver while it is at a step.
    fn keeps_receiver(&self, at: StepId, channel: CallSite) -> bool {
        let (program, objects) = (self.facts.program, self.facts.objects());
        let step = &self.steps.steps[at];
        let mut outward = self.steps.outward(step.frame, step.block);
        outward.any(|(_, id, block)| receiver_at(program, objects, id, block, channel).is_some())
    }

    /// Whether nobody but the agent takes messages out of a channel while it is at a step, and somebody still could.
    fn is_only_taker(&self, at: StepId, channel: CallSite) -> bool {
        let program = self.facts.program;
        let own = self.own_receives(channel);
        let is_later = |of: &Agent| *of != self.agent && is_spawned_later(program, self.steps, at, *of);
        let functions = |steps: &Steps| -> BTreeSet<FunctionId> {
            let takes = steps.steps.iter().filter(|it| takes(it, channel));
            takes.map(|it| steps.frames[it.frame].function).collect()
        };
        let later: BTreeSet<FunctionId> = self
            .facts
            .agents()
            .iter()
            .filter(|(of, _)| is_later(of))
            .flat_map(|(_, it)| functions(it))
            .collect();
        // Others that run the same functions are the same agent, entered further in.
        let entered = &functions(self.steps) | &later;
        let others = self.facts.agents().iter().filter(|(of, _)| *of != self.agent && !is_later(of));
        let is_only =
            others.flat_map(|(_, it)| it.steps.iter().map(move |step| (it, step))).all(|(of, step)| {
                !takes(step, channel)
                    || entered.contains(&of.frames[step.frame].function) && only(&step.things).is_none()
            });
        let keeps = || self.keeps_receiver(at, channel);
        let is_known = !self.escaping.contains(&channel);
        is_only && (is_known && !(own.is_empty() && later.is_empty()) || keeps())
    }

    /// Whether the agent takes messages only behind a step, or has stopped taking any before it since something has failed.
    fn takes_no_more(&self, at: StepId, channel: CallSite) -> bool {
        let own = self.own_receives(channel);
        let steps = self.steps;
        let is_behind =
            |it: &StepId| reaches(steps, at, *it, &|_| false) && !reaches(steps, *it, at, &|_| false);
        let is_receive = |it: StepId| own.contains(&it);
        let has_failed = |it: &StepId| {
            let next = &steps.steps[*it].next.0;
            (next.contains(&at)
                || next.iter().any(|it| !is_receive(*it) && reaches(steps, *it, at, &is_receive)))
                && self.stops_by_failing(*it)
        };
        let is_before = |it: &StepId| reaches(steps, *it, at, &|_| false);
        own.iter().all(is_behind) && !own.is_empty()
            || own.iter().filter(|it| is_before(it)).any(has_failed) && self.keeps_receiver(at, channel)
    }

    /// Whether the loop around a receive can end by the failure of what is done with a message.
    fn stops_by_failing(&self, receive: StepId) -> bool {
        loop_of(self.facts.program, self.steps, &self.steps.steps[receive])
            .is_some_and(|(.., it)| it.by_failure)
    }
}

fn takes(it: &Step, channel: CallSite) -> bool {
    matches!(it.op, Op::Receive | Op::Drain) && it.things.iter().any(|it| site(it) == Some(channel))
}

fn a_move(agent: Agent, steps: &Steps, step: &Step, what: What) -> Move {
    Move { agent, function: steps.frames[step.frame].function, block: step.block, what, from: None }
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
    let spawned = execution_count(program, steps, spawned, task.block);
    let count = match (spawned, execution_count(program, of_other, send.frame, send.block)) {
        (ExecutionCount::AtMost(one), ExecutionCount::AtMost(other)) => one.checked_mul(other),
        (ExecutionCount::Unknown, _) | (_, ExecutionCount::Unknown) => return true,
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
    let mut limits = BTreeSet::new();
    while let Some(definition) = function.definition(&slot) {
        if let (Some(limited), Definition::Called(block)) =
            (limited_by_constants(function, definition), definition)
        {
            limits.insert(block);
            slot = limited;
            if !copies.insert(slot.clone()) {
                break;
            }
            continue;
        }
        let Some(Rvalue::Use(Operand::Place(from))) = function.assigned(definition) else { return true };
        slot = Slot::at(from);
        if !copies.insert(slot.clone()) {
            break;
        }
    }
    let is_it = |it: &Place| copies.contains(&Slot::at(it));
    let uses = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(block, it)| {
        let stated = it.statements.iter().filter(|it| match it {
            Statement::Assign(into, value) => !is_it(into) && value.places().any(is_it),
            _ => false,
        });
        let called = match &it.terminator {
            Terminator::Call(call) if !limits.contains(&block) => {
                call.places().filter(|it| is_it(it)).count()
            }
            _ => 0,
        };
        vec![(); stated.count() + called]
    });
    uses.count() > 1
}
