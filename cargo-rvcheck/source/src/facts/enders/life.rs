//! How a task or thread can end: not at all, where it goes round a loop whose exits nobody can bring.

use super::{exits_of, kept_at, order_at};
use crate::body::by_name::{self, takes_out};
use crate::body::paths::Paths;
use crate::body::text::{arguments, head, last};
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Deed, Patience, only};
use crate::facts::agents::steps::bodies;
use crate::facts::objects::{CallSite, Thing};
use crate::mir::{BlockId, Operand, Statement};
use crate::program::Program;
use crate::program::endless::may_end;
use crate::program::library::mentions_guard;
use std::collections::{BTreeMap, BTreeSet};

/// A life that cannot end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unending {
    /// The orders that would end it, and that nobody gives.
    pub(crate) asked: BTreeSet<CallSite>,
    /// Where one is given, in the `Drop` of a value that it keeps alive itself.
    pub(crate) keeper: Option<CallSite>,
    /// Where it waits for the end of a channel that it keeps open itself.
    pub(crate) own_channel: Option<(FunctionId, BlockId)>,
}

/// How deep calls are followed.
const DEEPEST: usize = 5;

/// The life of what is spawned there with that body, if it cannot end.
pub(crate) fn unending(facts: &Facts<'_>, site: CallSite, root: FunctionId) -> Option<Unending> {
    let mut found = Unending::default();
    let closed = own_channels(facts, site, root);
    never_ends(facts, root, root, &closed, &mut found, &mut BTreeSet::new(), DEEPEST).then_some(found)
}

/// By body: the blocks behind loops that end when a channel is closed which the agent keeps open itself, each with the wait.
type Closed = BTreeMap<FunctionId, Vec<(BlockId, BlockId)>>;

fn own_channels(facts: &Facts<'_>, site: CallSite, root: FunctionId) -> Closed {
    let (program, objects) = (facts.program, facts.objects());
    let mut found = Closed::new();
    let of_task = facts.agents().iter().filter(|(agent, _)| *agent == Agent::Spawned(site, root));
    for (_, steps) in of_task {
        for step in &steps.steps {
            let receives = step.deed == Deed::Receive && step.patience == Patience::Unlimited;
            let Some(channel) = only(&step.things).filter(|_| receives) else { continue };
            let body = steps.frames[step.frame].function;
            let function = program.function(body);
            let paths = Paths::of(function);
            let Some(exits) = exits_of(function, paths, step.block) else { continue };
            // One that sends there itself has its sender on purpose.
            let sends = steps
                .steps
                .iter()
                .any(|it| it.deed == Deed::Send && it.things.contains(&Thing::Sender(channel)));
            if sends || exits.otherwise || !exits.by_closing || !exits.by_message.is_empty() {
                continue;
            }
            let mut open =
                steps.outward(step.frame, step.block).take_while(|it| !closes(program.function(it.1)));
            let keeps =
                |(_, id, block)| kept_at(program, objects, id, block, channel).is_some_and(|it| !it.is_given);
            if open.any(keeps) {
                let behind = paths.exits(&exits.around).into_iter().map(|(_, to)| (to, step.block));
                found.entry(body).or_default().extend(behind);
            }
        }
    }
    found
}

fn closes(function: &Function) -> bool {
    function
        .calls()
        .any(|(.., it)| by_name::closes(it.name()) || takes_out(it.name()) || it.name() == "downgrade")
}

/// Whether a body never comes to its end.
fn never_ends(
    facts: &Facts<'_>,
    root: FunctionId,
    id: FunctionId,
    closed: &Closed,
    found: &mut Unending,
    seen: &mut BTreeSet<FunctionId>,
    depth: usize,
) -> bool {
    let (program, objects) = (facts.program, facts.objects());
    let function = program.function(id);
    if depth == 0 || function.body.unknown.is_some() || !seen.insert(id) {
        return false;
    }
    let paths = Paths::of(function);
    let mut left: BTreeSet<BlockId> = BTreeSet::new();
    let mut stuck: BTreeSet<BlockId> = BTreeSet::new();
    let mut here = Unending::default();
    for (behind, wait) in closed.get(&id).into_iter().flatten() {
        left.insert(*behind);
        here.own_channel = Some((id, *wait));
    }
    for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
        if let Some(order) = order_at(program, objects, id, block) {
            let Some(uses) = facts.orders().get(&order).filter(|it| !it.escapes) else { continue };
            let kept =
                uses.given.iter().all(|it| is_in_own_drop(program, program.function(root), it.function));
            let around = paths.loop_around(block);
            if around.is_empty() || !kept {
                continue;
            }
            here.keeper = here.keeper.or(uses.given.first().copied());
            here.asked.insert(order);
            left.extend(paths.next(block).iter().filter(|it| !around.contains(it)).copied());
        }
        if let Some(inner) = run_by(program, objects, id, function, block)
            && never_ends(facts, root, inner, closed, &mut here, seen, depth - 1)
        {
            stuck.insert(block);
        }
    }
    let reached = paths.from(&[BlockId(0)], &|it| left.contains(&it) || stuck.contains(&it));
    let is_stuck =
        stuck.iter().any(|it| it.0 == 0 || paths.before(*it).iter().any(|it| reached.contains(it)));
    let goes_round = reached.iter().any(|it| paths.repeats(*it) && !polls_only(function, paths, *it));
    let unending = (is_stuck || goes_round) && !reached.iter().any(|it| ends(function, *it));
    if unending {
        found.asked.extend(here.asked);
        found.keeper = found.keeper.or(here.keeper);
        found.own_channel = found.own_channel.or(here.own_channel);
    }
    unending
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
    if callee.is_trait("Future", "poll") {
        return function.polled(block).and_then(|it| program.machine_in(function, &it));
    }
    let known = program.called(function, block).or_else(|| program.only_implementation(function, block));
    let is_invoked = matches!(callee.of_trait.as_deref(), Some("Fn" | "FnMut" | "FnOnce"));
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
        let inner = arguments(ty).first().copied().filter(|_| matches!(last(&head(ty)), "Arc" | "Rc"));
        inner.and_then(|it| program.drop_of(it)) == Some(given)
    })
}

/// Whether the body may be over at the end of a block.
fn ends(function: &Function, block: BlockId) -> bool {
    let Some(it) = function.body.block(block) else { return true };
    let completes = it.statements.iter().any(|it| matches!(it, Statement::State(_, 1)));
    let fallible = function.call(block).is_some_and(|(call, callee)| {
        let of_lock = call
            .arguments
            .first()
            .and_then(Operand::place)
            .and_then(|it| function.type_of(it))
            .is_some_and(mentions_guard);
        matches!(callee.name(), "unwrap" | "expect") && !of_lock
    });
    completes
        || fallible
        || may_end(function, block)
        || function.kind != Kind::Coroutine && function.returns_at(block)
}
