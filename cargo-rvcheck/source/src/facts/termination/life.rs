//! How a task or thread can end: not at all, where it goes round a loop whose exits nobody can bring.

use super::{kept_at, loop_of, only_when_asked, order_at};
use crate::body::paths::Paths;
use crate::body::select::selects;
use crate::body::walk;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, only};
use crate::facts::agents::steps::bodies;
use crate::facts::objects::{CallSite, Node, Thing};
use crate::mir::{BlockId, Local, Statement};
use crate::program::Program;
use crate::program::endless::may_end;
use crate::program::library::mentions_guard;
use rvcheck_primitives::{Action, Is};
use std::collections::{BTreeMap, BTreeSet};

/// A life that cannot end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unending {
    /// The orders that would end it, and that nobody gives.
    pub(crate) asked: BTreeSet<CallSite>,
    /// Where one is given, in the `Drop` of a value that it keeps alive itself.
    pub(crate) keeper: Option<CallSite>,
    /// Where one is given, by methods that somebody has to call.
    pub(crate) on_request: Option<CallSite>,
    /// Where it waits for the end of a channel that it keeps open itself.
    pub(crate) own_channel: Option<(FunctionId, BlockId)>,
}

/// How deep calls are followed.
const DEEPEST: usize = 5;

/// The life of what is spawned there with that body, if it cannot end.
pub(crate) fn unending(facts: &Facts<'_>, site: CallSite, root: FunctionId) -> Option<Unending> {
    unending_unless(facts, site, root, &|given| given.is_empty() || only_when_asked(facts, given))
}

/// Such a life, where an order does not come if `is_missing` says so of the places that give it from outside the life.
pub(crate) fn unending_unless(
    facts: &Facts<'_>,
    site: CallSite,
    root: FunctionId,
    is_missing: &dyn Fn(&BTreeSet<CallSite>) -> bool,
) -> Option<Unending> {
    let mut found = Unending::default();
    let life = Life { facts, root, closed: own_channels(facts, site, root), is_missing };
    life.never_ends(root, &mut found, &mut BTreeSet::new(), DEEPEST).then_some(found)
}

/// What is asked of the life of a task or thread.
struct Life<'a, 'p> {
    facts: &'a Facts<'p>,
    root: FunctionId,
    closed: BTreeMap<FunctionId, Vec<Closed>>,
    is_missing: &'a dyn Fn(&BTreeSet<CallSite>) -> bool,
}

/// The way from a block to one that comes next.
type Edge = (BlockId, BlockId);

/// A loop that ends when a channel is closed which the agent keeps open itself.
struct Closed {
    /// How it leaves the loop.
    exits: Vec<Edge>,
    /// Where it waits for messages.
    wait: BlockId,
    /// Where a message is sent that may end it, too, by a method that somebody has to call.
    on_request: Option<CallSite>,
}

fn own_channels(facts: &Facts<'_>, site: CallSite, root: FunctionId) -> BTreeMap<FunctionId, Vec<Closed>> {
    let (program, objects) = (facts.program, facts.objects());
    let mut found: BTreeMap<FunctionId, Vec<Closed>> = BTreeMap::new();
    let of_task = facts.agents().iter().filter(|(agent, _)| *agent == Agent::Spawned(site, root));
    for (_, steps) in of_task {
        for step in steps.steps.iter().filter(|it| it.op == Op::Receive) {
            let Some(channel) = only(&step.things) else { continue };
            let Some((frame, wait, exits)) = loop_of(program, steps, step) else { continue };
            let body = steps.frames[frame].function;
            // One that sends there itself has its sender on purpose.
            let sends =
                steps.steps.iter().any(|it| it.op == Op::Send && it.things.contains(&Thing::Sender(channel)));
            if sends || exits.otherwise || !exits.by_closing {
                continue;
            }
            let on_request = sent_on_request(facts, channel).filter(|_| !exits.by_message.is_empty());
            if on_request.is_none() && !exits.by_message.is_empty() {
                continue;
            }
            let mut open =
                steps.outward(step.frame, step.block).take_while(|it| !closes(program.function(it.1)));
            let keeps =
                |(_, id, block)| kept_at(program, objects, id, block, channel).is_some_and(|it| !it.is_given);
            if open.any(keeps) {
                let paths = Paths::of(program.function(body));
                let exits = paths.exits(&exits.around);
                found.entry(body).or_default().push(Closed { exits, wait, on_request });
            }
        }
    }
    found
}

/// Where messages are sent, if all are by methods that somebody has to call.
fn sent_on_request(facts: &Facts<'_>, channel: CallSite) -> Option<CallSite> {
    let program = facts.program;
    let given = |id: FunctionId| facts.objects().in_node(&Node::Slot(id, Slot::of(Local(0))));
    let mut functions = program.functions().filter(|(id, _)| program.is_open(*id));
    if functions.any(|(id, _)| given(id).contains(&Thing::Sender(channel))) {
        return None;
    }
    let sends = facts.agents().iter().flat_map(|(_, steps)| {
        let sends = steps
            .steps
            .iter()
            .filter(|it| it.op == Op::Send && it.things.iter().any(|it| *it == Thing::Sender(channel)));
        sends.map(|it| CallSite { function: steps.frames[it.frame].function, block: it.block })
    });
    let sends: BTreeSet<CallSite> = sends.collect();
    sends.first().copied().filter(|_| only_when_asked(facts, &sends))
}

fn closes(function: &Function) -> bool {
    function.calls().any(|(.., it)| it.closes() || it.takes_out() || it.name() == "downgrade")
}

impl Life<'_, '_> {
    /// Whether a body never comes to its end.
    fn never_ends(
        &self,
        id: FunctionId,
        found: &mut Unending,
        seen: &mut BTreeSet<FunctionId>,
        depth: usize,
    ) -> bool {
        let facts = self.facts;
        let (program, objects) = (facts.program, facts.objects());
        let function = program.function(id);
        if depth == 0 || function.body.unknown.is_some() || !seen.insert(id) {
            return false;
        }
        let paths = Paths::of(function);
        // Others may lead to the same blocks: a count that is over, or an error.
        let mut barred: BTreeSet<Edge> = BTreeSet::new();
        let mut stuck: BTreeSet<BlockId> = BTreeSet::new();
        let mut here = Unending::default();
        for loop_ in self.closed.get(&id).into_iter().flatten() {
            barred.extend(&loop_.exits);
            here.own_channel = Some((id, loop_.wait));
            here.on_request = here.on_request.or(loop_.on_request);
        }
        for asked in asked(facts, id) {
            let Some(uses) = facts.orders().get(&asked.order).filter(|it| !it.escapes) else { continue };
            let (kept, others): (BTreeSet<CallSite>, BTreeSet<CallSite>) = uses
                .given
                .iter()
                .partition(|it| is_in_own_drop(program, program.function(self.root), it.function));
            if !(self.is_missing)(&others) {
                continue;
            }
            here.on_request = here.on_request.or(others.first().copied());
            here.keeper = here.keeper.or(kept.first().copied());
            here.asked.insert(asked.order);
            barred.extend(asked.exits);
        }
        for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            if let Some(inner) = run_by(program, objects, id, function, block)
                && self.never_ends(inner, &mut here, seen, depth - 1)
            {
                stuck.insert(block);
            }
        }
        let next = |from: BlockId| {
            let leads = |to: &BlockId| !barred.contains(&(from, *to)) && !stuck.contains(to);
            paths.next(from).iter().copied().filter(leads).collect::<Vec<_>>()
        };
        let reached = walk::reached([BlockId(0)].into_iter().filter(|it| !stuck.contains(it)), next);
        let is_stuck =
            stuck.iter().any(|it| it.0 == 0 || paths.before(*it).iter().any(|it| reached.contains(it)));
        let keeps_looping = reached.iter().any(|it| paths.repeats(*it) && !polls_only(function, paths, *it));
        let unending = (is_stuck || keeps_looping) && !reached.iter().any(|it| ends(function, *it));
        if unending {
            found.asked.extend(here.asked);
            found.keeper = found.keeper.or(here.keeper);
            found.on_request = found.on_request.or(here.on_request);
            found.own_channel = found.own_channel.or(here.own_channel);
        }
        unending
    }
}

/// A place in a loop that goes by an order to stop.
struct Asked {
    order: CallSite,
    /// How it goes on when the order was given.
    exits: Vec<Edge>,
}

fn asked(facts: &Facts<'_>, id: FunctionId) -> Vec<Asked> {
    let (program, objects) = (facts.program, facts.objects());
    let function = program.function(id);
    let paths = Paths::of(function);
    let mut found = Vec::new();
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Some(order) = order_at(program, objects, id, block) else { continue };
        let around = paths.loop_around(block);
        if !around.is_empty() {
            let exits = paths.next(block).iter().filter(|it| !around.contains(it));
            found.push(Asked { order, exits: exits.map(|it| (block, *it)).collect() });
        }
    }
    for select in selects(function).into_iter().filter(|it| paths.repeats(it.poll)) {
        for branch in select.branches {
            let (Some(call), Some(arm)) = (branch.call, branch.arm) else { continue };
            let waits = function
                .callee(call)
                .row()
                .is_some_and(|it| it.owner.is == Is::Token && it.operation.action == Action::Wait);
            let on = function.call(call).and_then(|(call, _)| call.place(0)).filter(|_| waits);
            let things = on.map(|it| objects.at(program, id, it)).unwrap_or_default();
            if let [Thing::Token(order)] = things.iter().collect::<Vec<_>>()[..] {
                let exits = paths.before(arm).iter().map(|it| (*it, arm)).collect();
                found.push(Asked { order: *order, exits });
            }
        }
    }
    found
}

/// Whether a block is in a loop only because an await is polled again.
fn polls_only(function: &Function, paths: &Paths, block: BlockId) -> bool {
    let around = paths.loop_around(block);
    let again = |it: BlockId| function.suspensions.iter().any(|at| at.block == it);
    let without = paths.from(paths.next(block), &again);
    around.iter().any(|it| again(*it)) && !without.contains(&block)
}

/// The one body that the call at the end of a block surely runs.
fn run_by(
    program: &Program,
    objects: &crate::facts::objects::Objects,
    id: FunctionId,
    function: &Function,
    block: BlockId,
) -> Option<FunctionId> {
    let (_, callee) = function.call(block)?;
    if callee.is_poll() {
        return function.polled(block).and_then(|it| program.machine_in(function, &it));
    }
    let known = program.one_called(function, block);
    let is_invoked = callee.invokes();
    known.or_else(|| {
        let all = bodies(program, objects, id, function, block);
        all.first().copied().filter(|_| is_invoked && all.len() == 1)
    })
}

/// Whether a body is the `Drop` of a value that the other one keeps by an `Arc` of its own.
fn is_in_own_drop(program: &Program, task: &Function, given: FunctionId) -> bool {
    let captured = task.body.variables.iter().filter_map(|(_, place)| {
        let is_captured = task.captured(&Slot::at(place)).is_some_and(|(_, rest)| rest.is_empty());
        place.stated_type().filter(|_| is_captured)
    });
    captured.into_iter().any(|ty| {
        let inner = ty.argument(0).filter(|_| ty.is_counted());
        inner.and_then(|it| program.drop_of(it)) == Some(given)
    })
}

/// Whether the body may be over at the end of a block.
fn ends(function: &Function, block: BlockId) -> bool {
    let Some(it) = function.body.block(block) else { return true };
    let completes = it.statements.iter().any(|it| matches!(it, Statement::State(_, 1)));
    let fallible = function.call(block).is_some_and(|(call, callee)| {
        let of_lock = function.type_given(call, 0).is_some_and(mentions_guard);
        callee.unwraps() && !of_lock
    });
    completes
        || fallible
        || may_end(function, block)
        || function.kind != Kind::Coroutine && function.returns_at(block)
}
