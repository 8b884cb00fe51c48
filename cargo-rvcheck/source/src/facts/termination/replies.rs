//! Replies that nobody gives any more: the sender is kept where it stays, and the only one who takes it out has ended.
//!
//! Who waits has put the sender into a collection or an option that others share, or has somebody put it there. One task or thread takes it
//! out, in a loop. Where the loop ends on a path that drops no senders, the wait has nobody left who could end it.

use super::holders::owns;
use super::kept_senders::{Kept, kept_senders};
use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, source};
use crate::body::select::selects;

use crate::body::walk;
use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit, only, operation, sites};
use crate::facts::agents::outcome::goes_by_outcome;
use crate::facts::agents::steps::{Step, Steps, bodies};
use crate::facts::objects::{CallSite, Thing};
use crate::facts::termination::order_at;
use crate::mir::{BlockId, Local};
use crate::program::drops::drops;
use std::collections::{BTreeMap, BTreeSet};

/// How deep types are looked into for senders.
const DEEPEST: usize = 4;

/// A wait for a reply that may come no more.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Unanswered {
    /// The wait.
    pub(crate) wait: CallSite,
    /// Where the sender is put away.
    pub(crate) put: CallSite,
    /// Where it would be taken out.
    pub(crate) take: CallSite,
    /// Who takes it out ends only by what it is sent: somebody may order it to.
    pub(crate) is_by_message: bool,
}

/// The waits for replies that may come no more.
pub(crate) fn unanswered(facts: &Facts<'_>) -> BTreeSet<Unanswered> {
    let kept = kept_senders(facts);
    let mut found = BTreeSet::new();
    for (agent, steps) in facts.agents() {
        for step in &steps.steps {
            let waits = step.op == Op::Receive
                && step.wait_limit == WaitLimit::Unlimited
                && !step.select.is_some_and(|(_, others)| others);
            let Some(channel) = only(&step.things).filter(|_| waits) else { continue };
            let all = kept.iter().filter_map(|it| Some((it, it.puts.get(&channel)?)));
            found.extend(all.filter_map(|(kept, puts)| {
                Wait { facts, agent: *agent, steps, step, channel, kept, puts }.unanswered()
            }));
        }
    }
    found
}

/// An agent that waits for a reply.
struct Wait<'a, 'p> {
    facts: &'a Facts<'p>,
    agent: Agent,
    steps: &'a Steps,
    step: &'a Step,
    channel: CallSite,
    kept: &'a Kept,
    /// Where its sender is put in.
    puts: &'a BTreeSet<CallSite>,
}

/// How a loop ends, the more certain first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Exit {
    /// By itself, or by what comes from elsewhere.
    Open,
    /// By what it is sent.
    ByMessage,
}

impl Wait<'_, '_> {
    fn unanswered(&self) -> Option<Unanswered> {
        let own = self.runs(self.agent.root());
        if !own.contains(&self.channel.function) || self.is_limited() {
            return None;
        }
        let put = self.puts.iter().find(|it| own.contains(&it.function))?;
        let (taker, takes) = self.only_taker(&own)?;
        if self.runs(taker).contains(&put.function) {
            return None;
        }
        let exit = self.ends(taker, &takes, &self.held(), &mut BTreeSet::new())?;
        let function = self.steps.frames[self.step.frame].function;
        let wait = CallSite { function, block: self.step.block };
        let take = *takes.iter().find(|it| self.repeats(**it)).or_else(|| takes.first())?;
        Some(Unanswered { wait, put: *put, take, is_by_message: exit == Exit::ByMessage })
    }

    /// Whether somebody gives up a body on the way to the wait after some time; tests do so to come to an end.
    fn is_limited(&self) -> bool {
        let program = self.facts.program;
        let own: BTreeSet<FunctionId> =
            self.steps.outward(self.step.frame, self.step.block).map(|it| it.1).collect();
        program.functions().filter(|(id, _)| !program.is_test(*id)).any(|(_, function)| {
            let limits = function.calls().any(|(_, _, it)| it.limits());
            let is_raced = |it: BlockId| {
                selects(function).iter().any(|select| select.branches.iter().any(|of| of.call == Some(it)))
            };
            (limits || !selects(function).is_empty())
                && function.calls().any(|(block, ..)| {
                    let called = program.called(function, block).and_then(|it| program.machine_made_by(it));
                    called.is_some_and(|(it, _)| own.contains(&it)) && (limits || is_raced(block))
                })
        })
    }

    /// The bodies that one runs, without what it spawns.
    fn runs(&self, root: FunctionId) -> BTreeSet<FunctionId> {
        let (program, objects) = (self.facts.program, self.facts.objects());
        walk::reached([root], |id| {
            let function = program.function(id);
            let mut next: BTreeSet<FunctionId> =
                drops(program, function).into_iter().map(|it| it.1.body).collect();
            next.extend(program.machine_made_by(id).map(|it| it.0));
            next.extend(
                function.calls().flat_map(|(block, ..)| bodies(program, objects, id, function, block)),
            );
            next
        })
    }

    /// The one body besides the agent by which senders may be taken out, where it begins to run, and where it does so.
    fn only_taker(&self, own: &BTreeSet<FunctionId>) -> Option<(FunctionId, BTreeSet<CallSite>)> {
        let program = self.facts.program;
        let mut takers: BTreeMap<FunctionId, BTreeSet<CallSite>> = BTreeMap::new();
        for take in &self.kept.removes {
            let roots = self.roots(take.function);
            let of = program.function(take.function);
            let takes_one = of.callee(take.block).takes_element();
            for root in roots {
                // Who asks may take back what it has put in, or leave that to a `Drop`.
                let puts = || self.kept.puts.values().flatten();
                let asks = |runs: &BTreeSet<FunctionId>| puts().any(|it| runs.contains(&it.function));
                let waits_itself = own.contains(&root) || self.runs(root).contains(&self.wait_in());
                let takes_back = takes_one && (program.is_drop(root) || asks(&self.runs(root)));
                if takes_back || waits_itself {
                    continue;
                }
                takers.entry(root).or_default().insert(*take);
            }
        }
        let mut takers = takers.into_iter();
        let only = takers.next().filter(|_| takers.next().is_none())?;
        if !self.serves(only.0) {
            return None;
        }
        // Where it is started again, another one goes on.
        let spawns = self.facts.objects().spawns.iter().filter(|(_, it)| it.roots.contains(&only.0));
        let again = spawns.into_iter().any(|(it, _)| self.repeats(*it));
        (!again).then_some(only)
    }

    /// Whether a body is spawned, or waits for what it is to do. Whoever calls another one calls it again.
    fn serves(&self, root: FunctionId) -> bool {
        let program = self.facts.program;
        let is_spawned = self.facts.objects().spawns.values().any(|it| it.roots.contains(&root));
        let waits = |id: &FunctionId| {
            let function = program.function(*id);
            let receives = |block: BlockId| {
                operation(program, function, block).is_some_and(|it| matches!(it.op, Op::Receive | Op::Drain))
            };
            !function.suspensions.is_empty() || function.calls().any(|(block, ..)| receives(block))
        };
        is_spawned || self.runs(root).iter().any(waits)
    }

    fn repeats(&self, it: CallSite) -> bool {
        Paths::of(self.facts.program.function(it.function)).repeats(it.block)
    }

    /// The body that waits.
    fn wait_in(&self) -> FunctionId {
        self.steps.frames[self.step.frame].function
    }

    /// The bodies with which agents begin that run a body.
    fn roots(&self, id: FunctionId) -> BTreeSet<FunctionId> {
        let spawned: BTreeSet<FunctionId> =
            self.facts.objects().spawns.values().flat_map(|it| it.roots.iter().copied()).collect();
        let callers = self.facts.callers();
        let is_test = |it: &FunctionId| self.facts.program.is_test(*it);
        let next = |id: FunctionId| {
            let callers = callers.get(&id).into_iter().flatten().copied();
            callers.filter(|it| !spawned.contains(&id) && !is_test(it)).collect::<Vec<_>>()
        };
        let all = walk::reached([id], next);
        all.into_iter().filter(|it| next(*it).is_empty()).collect()
    }

    /// The channels that the one who waits keeps open meanwhile.
    fn held(&self) -> BTreeSet<CallSite> {
        let (program, objects) = (self.facts.program, self.facts.objects());
        let sends = self.steps.steps.iter().filter(|it| it.op == Op::Send).flat_map(|it| &it.things);
        let mut found: BTreeSet<CallSite> = sends
            .filter_map(|it| match it {
                Thing::Sender(site) => Some(*site),
                _ => None,
            })
            .collect();
        for (_, id, _) in self.steps.outward(self.step.frame, self.step.block) {
            let function = program.function(id);
            let given = (1..=u32::try_from(function.body.arguments).unwrap_or(0))
                .map(|it| function.body.type_of(Local(it)));
            for ty in given.chain(function.captured_types()) {
                found.extend(owns(program, objects, ty.pointee(), DEEPEST));
            }
        }
        found
    }

    /// How a body comes to its end from the loop in which it takes senders out, where it drops none on the way.
    fn ends(
        &self,
        id: FunctionId,
        takes: &BTreeSet<CallSite>,
        held: &BTreeSet<CallSite>,
        seen: &mut BTreeSet<FunctionId>,
    ) -> Option<Exit> {
        if !seen.insert(id) {
            return None;
        }
        let (program, objects) = (self.facts.program, self.facts.objects());
        if let Some((machine, _)) = program.machine_made_by(id) {
            return self.ends(machine, takes, held, seen);
        }
        let function = program.function(id);
        let paths = Paths::of(function);
        let functions: BTreeSet<FunctionId> = takes.iter().map(|it| it.function).collect();
        let takes_in = |it: FunctionId| !self.runs(it).is_disjoint(&functions);
        let inner = |block: BlockId| bodies(program, objects, id, function, block);
        let mut taking: BTreeSet<BlockId> =
            takes.iter().filter(|it| it.function == id).map(|it| it.block).collect();
        taking.extend(drops(program, function).into_iter().filter(|it| takes_in(it.1.body)).map(|it| it.0));
        taking.extend(
            function.calls().filter(|(block, ..)| inner(*block).into_iter().any(takes_in)).map(|it| it.0),
        );
        let returns = |from: &[BlockId]| {
            let beyond = paths.from(from, &|it| taking.contains(&it));
            beyond.iter().any(|it| function.returns_at(*it) && !taking.contains(it))
        };
        let mut found = Vec::new();
        for block in &taking {
            // An await is a loop of its own.
            let own = function.suspensions.iter().filter(|it| it.poll == Some(*block)).map(|it| it.block);
            let own: BTreeSet<BlockId> = own.collect();
            let repeats = paths.from(paths.next(*block), &|it| own.contains(&it)).contains(block);
            let around = if repeats { paths.loop_around(*block) } else { BTreeSet::new() };
            if around.is_empty() {
                let within =
                    inner(*block).into_iter().filter_map(|it| self.ends(it, takes, held, seen)).min();
                found.extend(within.filter(|_| returns(paths.next(*block))));
                continue;
            }
            let exits = paths.exits(&around).into_iter().filter(|(_, to)| returns(&[*to]));
            found.extend(exits.filter_map(|(from, _)| self.exit(id, from, held)));
        }
        found.into_iter().min()
    }

    /// By what a branch leaves the loop; `None` where it does so only when nobody waits any more.
    fn exit(&self, id: FunctionId, from: BlockId, held: &BTreeSet<CallSite>) -> Option<Exit> {
        let (program, objects) = (self.facts.program, self.facts.objects());
        let function = program.function(id);
        if let Some(order) = order_at(program, objects, id, from) {
            let given = self.facts.orders().get(&order).map(|it| &it.given);
            let by_owner = |it: &CallSite| program.is_drop(it.function);
            return (!given.is_some_and(|it| !it.is_empty() && it.iter().all(by_owner)))
                .then_some(Exit::Open);
        }
        let decides = decided_by(function, from);
        let called = decides.or_else(|| arm_of(function, from));
        let Some(call) = called.map(|it| made(function, it)) else { return Some(Exit::Open) };
        if function.callee(call).name() == "upgrade" {
            return None;
        }
        let received =
            operation(program, function, call).filter(|it| matches!(it.op, Op::Receive | Op::Drain));
        let Some(received) = received else { return Some(Exit::Open) };
        let things = sites(objects, program, id, &received);
        let is_held = things.iter().any(|it| matches!(it, Thing::Receiver(site) if held.contains(site)));
        match (is_held, goes_by_outcome(function, from)) {
            (false, _) => Some(Exit::Open),
            (true, true) => None,
            (true, false) => Some(Exit::ByMessage),
        }
    }
}

/// The call whose future a poll polls, or the call itself.
fn made(function: &Function, block: BlockId) -> BlockId {
    function.polled(block).and_then(|it| source(function, &it)).unwrap_or(block)
}

/// The branch of a `select!` to whose arm a block belongs.
fn arm_of(function: &Function, at: BlockId) -> Option<BlockId> {
    let paths = Paths::of(function);
    selects(function).into_iter().find_map(|select| {
        let branches = select.branches.iter().filter(|it| {
            it.arm.is_some_and(|arm| arm == at || paths.from(&[arm], &|it| it == select.poll).contains(&at))
        });
        let all: Vec<_> = branches.collect();
        match all.as_slice() {
            [one] => one.call,
            _ => None,
        }
    })
}
