//! The problems that a program is taken apart into: agents that share channels, with what outside may do to these.

use super::execution_count::{ExecutionCount, execution_count};
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit, only};
use crate::facts::agents::steps::{Step, StepId, Steps};
use crate::facts::objects::{CallSite, Capacity, Kinds, Node, Objects, Thing, is_receiver};
use crate::facts::termination::is_given_alone;
use crate::mir::{BlockId, Local};
use crate::program::Program;
use rvcheck_primitives::{Action, Operation as Primitive};
use std::collections::{BTreeMap, BTreeSet};

/// How many agents and operations a problem has at most.
const AGENTS: usize = 6;
const OPERATIONS: usize = 72;

/// A channel as a problem knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counter {
    /// How much fits in, if sends may find it full, and nobody from outside takes messages.
    pub(crate) room: Option<u8>,
    /// Outside sends.
    pub(crate) is_fed: bool,
}

/// Agents that share channels.
#[derive(Debug)]
pub(crate) struct Problem<'a> {
    /// The program.
    pub(crate) program: &'a Program,
    /// Its objects.
    pub(crate) objects: &'a Objects,
    /// The agents with their steps.
    pub(crate) agents: Vec<(Agent, Steps)>,
    /// The channels.
    pub(crate) channels: BTreeMap<CallSite, Counter>,
}

/// Whether a call does no more to a receiver than is known.
fn is_known(callee: Callee) -> bool {
    let of_receiver = |it: &Primitive| {
        matches!(it.action, Action::Receive | Action::Receiving | Action::Close | Action::Limit)
    };
    callee.asks()
        || callee.tells()
        || callee.views()
        || callee.shares()
        || callee.wraps()
        || callee.opens()
        || callee.drops()
        || callee.iterates()
        || callee.locks()
        || callee.takes_out()
        || callee.stores()
        || callee.may(of_receiver)
        || callee.drains()
        || matches!(
            callee.name(),
            "next" | "drain" | "map" | "poll" | "poll_fn" | "into_future" | "borrow_mut"
        )
}

/// The problems of a program.
pub(super) fn problems<'a>(facts: &'a Facts<'_>) -> Vec<Problem<'a>> {
    let mut found = problems_with(facts, None);
    for (agent, steps) in facts.agents() {
        let alone = taken_alone(facts, (*agent, steps));
        if !alone.is_empty() {
            found.extend(problems_with(facts, Some((*agent, &alone))));
        }
    }
    found
}

/// The channels out of which only that caller can take messages while it runs, if it waits for something else as well.
fn taken_alone(facts: &Facts<'_>, (agent, steps): (Agent, &Steps)) -> BTreeSet<CallSite> {
    let (program, objects, all) = (facts.program, facts.objects(), facts.agents());
    let Agent::Caller(root) = agent else { return BTreeSet::new() };
    let is_filled = |channel: CallSite| {
        let fills = |it: &Step| it.op == Op::Send && it.things.contains(&Thing::Sender(channel));
        let mut spawned = all.iter().filter(|(it, _)| matches!(it, Agent::Spawned(..)));
        facts.may_be_full(channel) && spawned.any(|(_, it)| it.steps.iter().any(fills))
    };
    let takes = |it: &&Step| it.op == Op::Receive;
    let found: BTreeSet<CallSite> =
        steps.steps.iter().filter(takes).filter_map(|it| only(&it.things)).collect();
    let has_other = |channel: CallSite| {
        let mut waits = steps.steps.iter().filter(|it| it.wait_limit == WaitLimit::Unlimited);
        waits.any(|it| {
            let may_wait = |of: CallSite| match it.op {
                Op::Receive => true,
                Op::Send => facts.may_be_full(of),
                Op::Drain | Op::Join => false,
            };
            only(&it.things).is_some_and(|it| it != channel && may_wait(it))
        })
    };
    let found: BTreeSet<CallSite> = found
        .into_iter()
        .filter(|it| {
            is_filled(*it) && is_given_alone(program, objects, root, *it) && !is_cloned(program, objects, *it)
        })
        .collect();
    if found.iter().any(|it| has_other(*it)) { found } else { BTreeSet::new() }
}

/// Whether a receiver of a channel is cloned anywhere.
fn is_cloned(program: &Program, objects: &Objects, channel: CallSite) -> bool {
    program.functions().any(|(id, function)| {
        function.calls().any(|(_, call, callee)| {
            let on = call.place(0);
            callee.clones()
                && on.is_some_and(|it| {
                    function.type_of(it).is_some_and(is_receiver)
                        && objects.at(program, id, it).contains(&Thing::Receiver(channel))
                })
        })
    })
}

/// The problems of a program; with one of the callers, those that it has a part in.
fn problems_with<'a>(facts: &'a Facts<'_>, with: Option<(Agent, &BTreeSet<CallSite>)>) -> Vec<Problem<'a>> {
    let (program, objects) = (facts.program, facts.objects());
    let mut all = facts.agents().to_vec();
    let (mut fed, mut taken) = (BTreeSet::new(), escaping(program, objects));
    fed.extend(escaping_senders(program, objects));
    all.retain(|(agent, steps)| {
        if with.is_some_and(|(it, _)| it == *agent) {
            return true;
        }
        let is_own = |it: &CallSite| steps.frames.iter().any(|frame| frame.function == it.function);
        let fills_own = steps.steps.iter().any(|it| {
            it.op == Op::Send
                && it.wait_limit == WaitLimit::Unlimited
                && only(&it.things).is_some_and(|it| is_own(&it) && facts.may_be_full(it))
        });
        let serves = own_mailbox(objects, steps).is_some();
        if matches!(agent, Agent::Caller(_)) && !serves {
            for step in &steps.steps {
                let others = step.things.iter().filter_map(site).filter(|it| !is_own(it) || !fills_own);
                match step.op {
                    Op::Send => fed.extend(others),
                    Op::Receive | Op::Drain => taken.extend(others),
                    Op::Join => {}
                }
            }
            return fills_own;
        }
        true
    });
    if let Some((_, alone)) = with {
        taken.retain(|it| !alone.contains(it));
    }
    let has_part =
        |group: &BTreeSet<usize>| with.is_none_or(|(it, _)| group.iter().any(|number| all[*number].0 == it));
    let groups = groups(&all).into_iter().filter(has_part);
    let mut found = Vec::new();
    for group in groups {
        let members: Vec<(Agent, Steps)> = group.iter().map(|it| all[*it].clone()).collect();
        let operations: usize = members.iter().map(|(_, it)| it.steps.len()).sum();
        if members.len() > AGENTS || operations > OPERATIONS || members.iter().any(|(_, it)| it.is_unknown) {
            continue;
        }
        let sites: BTreeSet<CallSite> = members
            .iter()
            .flat_map(|(_, it)| &it.steps)
            .filter(|it| it.op != Op::Join)
            .flat_map(|it| it.things.iter().filter_map(site))
            .collect();
        let waits = Waits { facts, members: &members, fed: &fed };
        let channels = sites.iter().map(|it| {
            let received = members.iter().flat_map(|(_, it)| &it.steps).any(|step| {
                matches!(step.op, Op::Receive | Op::Drain)
                    && step.things.iter().any(|thing| site(thing) == Some(*it))
            });
            let counter = Counter {
                room: waits
                    .room(*it)
                    .filter(|_| !taken.contains(it) && received && is_one(program, &members, *it)),
                is_fed: fed.contains(it),
            };
            (*it, counter)
        });
        found.push(Problem { program, objects, channels: channels.collect(), agents: members.clone() });
    }
    found
}

/// The channel that an agent takes messages out of and waits for room in, where a struct has both ends of it since it is made.
fn own_mailbox(objects: &Objects, steps: &Steps) -> Option<CallSite> {
    let mut sends =
        steps.steps.iter().filter(|it| it.op == Op::Send && it.wait_limit == WaitLimit::Unlimited);
    let takes = |it: &Step| matches!(it.op, Op::Receive | Op::Drain);
    sends.find_map(|send| {
        let channel = only(&send.things).filter(|it| has_both_ends(objects, *it))?;
        let is_taken = |it: &Step| takes(it) && only(&it.things) == Some(channel);
        steps.steps.iter().any(is_taken).then_some(channel)
    })
}

/// Whether the function that makes a channel puts both ends of it into one struct, whose fields have no others.
pub(super) fn has_both_ends(objects: &Objects, channel: CallSite) -> bool {
    let maker = BTreeSet::from([channel.function]);
    objects.fields.iter().any(|(name, fields)| {
        let has = |end: Thing| {
            fields.keys().any(|number| {
                objects.in_node(&Node::Field(name.clone(), *number)).iter().eq([&end])
                    && objects.filled.get(&(name.clone(), *number)) == Some(&maker)
            })
        };
        has(Thing::Sender(channel)) && has(Thing::Receiver(channel))
    })
}

/// Whether a channel is one and not several: its call is not made in a loop, and neither by an agent that is spawned, whatever it does
/// again and again.
fn is_one(program: &Program, members: &[(Agent, Steps)], it: CallSite) -> bool {
    let again = |function: FunctionId, block: BlockId| {
        let function = program.function(function);
        let suspended: BTreeSet<BlockId> = function.suspensions.iter().map(|it| it.block).collect();
        let paths = Paths::of(function);
        paths.from(paths.next(block), &|it| suspended.contains(&it)).contains(&block)
    };
    if again(it.function, it.block) {
        return is_made_for_one(program, members, it);
    }
    let mut makers = members.iter().flat_map(|(agent, steps)| {
        (0..steps.frames.len())
            .filter(|at| steps.frames[*at].function == it.function)
            .map(move |at| (agent, steps, at))
    });
    let Some((agent, steps, mut at)) = makers.next() else { return true };
    if makers.next().is_some() || matches!(agent, Agent::Spawned(..)) {
        return false;
    }
    while let Some((outer, block)) = steps.frames[at].from {
        if again(steps.frames[outer].function, block) {
            return false;
        }
        at = outer;
    }
    true
}

/// Whether each iteration of the loop that makes a channel also spawns the one that receives from it: a loop that goes round once is enough.
fn is_made_for_one(program: &Program, members: &[(Agent, Steps)], it: CallSite) -> bool {
    let around = Paths::of(program.function(it.function)).loop_around(it.block);
    let mut takers = members.iter().filter(|(_, steps)| {
        steps.steps.iter().any(|step| {
            matches!(step.op, Op::Receive | Op::Drain) && step.things.contains(&Thing::Receiver(it))
        })
    });
    let is_spawned_with_it = takers.next().is_some_and(|(agent, _)| {
        matches!(agent, Agent::Spawned(site, _) if site.function == it.function && around.contains(&site.block))
    });
    is_spawned_with_it && takers.next().is_none()
}

/// The channel or task that a thing is of.
pub(crate) const fn site(thing: &Thing) -> Option<CallSite> {
    match thing {
        Thing::Sender(it) | Thing::Receiver(it) | Thing::Task(it) => Some(*it),
        _ => None,
    }
}

/// The agents that are connected by channels, or by waiting for each other's end.
fn groups(all: &[(Agent, Steps)]) -> Vec<BTreeSet<usize>> {
    let touched = |(agent, steps): &(Agent, Steps)| {
        let mut found: BTreeSet<CallSite> =
            steps.steps.iter().flat_map(|it| it.things.iter().filter_map(site)).collect();
        if let Agent::Spawned(it, _) = agent {
            found.insert(*it);
        }
        found
    };
    let touched: Vec<BTreeSet<CallSite>> = all.iter().map(touched).collect();
    let mut group: Vec<usize> = (0..all.len()).collect();
    walk::fixpoint(|| {
        let mut changed = false;
        for one in 0..all.len() {
            for other in 0..one {
                if group[one] != group[other] && !touched[one].is_disjoint(&touched[other]) {
                    let (low, high) = (group[one].min(group[other]), group[one].max(group[other]));
                    group.iter_mut().filter(|it| **it == high).for_each(|it| *it = low);
                    changed = true;
                }
            }
        }
        changed
    });
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (at, number) in group.iter().enumerate() {
        found.entry(*number).or_default().insert(at);
    }
    found.into_values().collect()
}

/// The channels whose receivers others than the program may use: they are returned, or given to what is not understood.
pub(super) fn escaping(program: &Program, objects: &Objects) -> BTreeSet<CallSite> {
    let mut found = BTreeSet::new();
    let receivers = |things: BTreeSet<Thing>| {
        things.into_iter().filter_map(|it| match it {
            Thing::Receiver(site) => Some(site),
            _ => None,
        })
    };
    for (id, function) in program.functions() {
        if is_open(program, id, function) {
            found.extend(receivers(objects.at(program, id, &crate::mir::Place::of(Local(0)))));
        }
        for (block, call, callee) in function.calls() {
            if is_known(callee)
                || callee.spawns()
                || callee.invokes()
                || callee.hands_on()
                || !super::super::agents::steps::bodies(program, objects, id, function, block).is_empty()
            {
                continue;
            }
            for argument in call.places() {
                let ty = function.type_of(argument).unwrap_or_default();
                if crate::facts::objects::kinds(ty, &|it| program.is_parameter(it)).meets(Kinds::RECEIVER) {
                    found.extend(receivers(objects.at(program, id, argument)));
                }
            }
        }
    }
    found
}

/// The channels whose senders others than the program may use.
pub(in crate::facts) fn escaping_senders(program: &Program, objects: &Objects) -> BTreeSet<CallSite> {
    let open = program.functions().filter(|(id, function)| is_open(program, *id, function));
    let things = open.flat_map(|(id, _)| objects.in_node(&Node::Slot(id, Slot::of(Local(0)))));
    things
        .filter_map(|it| match it {
            Thing::Sender(site) => Some(*site),
            _ => None,
        })
        .collect()
}

fn is_open(program: &Program, id: FunctionId, function: &Function) -> bool {
    function.kind == Kind::Function && program.is_open(id)
}

struct Waits<'a, 'p> {
    facts: &'a Facts<'p>,
    members: &'a [(Agent, Steps)],
    fed: &'a BTreeSet<CallSite>,
}

impl Waits<'_, '_> {
    /// How much fits into a channel that sends may find full. What an argument decides may be one. A constant stands for two: what one
    /// agent sends before it receives again fits, but not what comes without end.
    fn room(&self, it: CallSite) -> Option<u8> {
        let capacity = self.facts.objects().channels.get(&it).filter(|_| self.facts.may_be_full(it))?;
        let room = match capacity {
            Capacity::Unbounded | Capacity::Computed => return None,
            Capacity::Constant(0) => return Some(0),
            Capacity::Given | Capacity::Constant(1) => 1,
            Capacity::Constant(_) => 2,
        };
        let limit = match capacity {
            Capacity::Constant(it) => *it,
            _ => 0,
        };
        self.is_fed(it, limit, &mut BTreeSet::new()).then_some(room)
    }

    /// Whether messages come without end, or more than fit.
    fn is_fed(&self, it: CallSite, limit: u64, seen: &mut BTreeSet<CallSite>) -> bool {
        if self.fed.contains(&it) {
            return true;
        }
        if !seen.insert(it) {
            return false;
        }
        self.members.iter().any(|(_, steps)| {
            let mut sends = (0..steps.steps.len()).filter(|at| {
                let step = &steps.steps[*at];
                step.op == Op::Send && step.things.iter().any(|thing| site(thing) == Some(it))
            });
            sends.any(|at| self.comes_without_end(steps, at, limit, seen))
        })
    }

    fn comes_without_end(
        &self,
        steps: &Steps,
        at: StepId,
        limit: u64,
        seen: &mut BTreeSet<CallSite>,
    ) -> bool {
        // A loop without a receive.
        let is_receive = |it: StepId| {
            let step = &steps.steps[it];
            matches!(step.op, Op::Receive | Op::Drain)
        };
        if reaches(steps, at, at, &is_receive) {
            return self.runs_more_often(steps, &steps.steps[at], limit);
        }
        let all: Vec<StepId> = (0..steps.steps.len()).filter(|it| is_receive(*it)).collect();
        all.into_iter().any(|receive| {
            let around = reaches(steps, at, receive, &|_| false) && reaches(steps, receive, at, &|_| false);
            let things = &steps.steps[receive].things;
            let is_from_outside =
                || !things.is_empty() && things.iter().all(|it| matches!(it, Thing::Foreign(..)));
            around && only(things).map_or_else(is_from_outside, |it| self.is_fed(it, 0, seen))
        })
    }

    /// Whether a step is done more often than the limit: not so where the loops around it count to less, or where they count at all.
    fn runs_more_often(&self, steps: &Steps, step: &Step, limit: u64) -> bool {
        match execution_count(self.facts.program, steps, step.frame, step.block) {
            ExecutionCount::AtMost(it) => limit > 0 && it > limit,
            ExecutionCount::Endless => true,
            ExecutionCount::Unknown => false,
        }
    }
}

/// Whether one step is followed by the other without one to avoid in between.
pub(crate) fn reaches(steps: &Steps, from: StepId, to: StepId, avoid: &dyn Fn(StepId) -> bool) -> bool {
    let next = |it: StepId| steps.steps[it].next.0.iter().chain(&steps.steps[it].closed.0).copied();
    let after = |at: StepId| (!avoid(at)).then(|| next(at)).into_iter().flatten();
    walk::reaches(next(from), after, |it| *it == to)
}
