//! Locks that a body makes and that the agents it spawns acquire: identified by their names in that body, however they reached the
//! agents.

use super::{Class, Lifting, StaticDependency, class_of_static, classed, is_decided};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::Facts;
use crate::facts::agents::order::Order;
use crate::facts::objects::CallSite;
use crate::facts::objects::outside::{Outside, View, repeats};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::access::{AccessPath, Root};
use crate::program::locks::{Acquired, BodyDependency, Request, kept_at};
use rvcheck_primitives::Action;
use std::collections::BTreeSet;

/// Where a dependency stands, in the terms of a body that makes the locks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Standing {
    /// That body, and its block that leads to the dependency.
    body: FunctionId,
    block: BlockId,
    /// Where the agents are spawned through which it does, the innermost first; and by which blocks of bodies.
    spawns: Vec<CallSite>,
    begun: Vec<(FunctionId, BlockId)>,
    /// Whoever has what the body makes comes to it, too.
    is_kept: bool,
    /// The agents are over when the block is.
    is_over: bool,
}

/// How many bodies outside of each other are looked at.
const DEEPEST: usize = 8;
/// The most views of one dependency.
const MOST: usize = 200;

/// The dependencies of locks that are made in a body, as far as agents are spawned with them.
pub(super) fn dependencies(
    facts: &Facts<'_>,
    of_bodies: &[(FunctionId, BodyDependency)],
) -> Vec<StaticDependency> {
    let program = facts.program;
    if of_bodies.len() < 2 || facts.objects().spawns.is_empty() {
        return Vec::new();
    }
    let outside = Outside::of(program, facts.objects());
    let order = facts.order();
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (id, it) in of_bodies {
        // Where in the body it stands only matters if that makes the locks.
        let (held, request) = (&it.held, &it.request);
        let own = held.lock.root.is_made() || request.lock.root.is_made();
        let block = own.then_some(it.block);
        let places = (held.place.as_ref(), request.place.as_ref(), it.one_of_several);
        if seen.insert((*id, block, &held.lock, &request.lock, places, &it.besides)) {
            found.extend(of_dependency(program, &order, &outside, *id, it));
        }
    }
    // Without an agent there is nobody to meet.
    let spawning: BTreeSet<FunctionId> =
        found.iter().filter(|(it, _)| !it.spawns.is_empty()).map(|(it, _)| it.body).collect();
    found.into_iter().filter(|(it, _)| spawning.contains(&it.body)).map(|(_, it)| it).collect()
}

fn of_dependency(
    program: &Program,
    order: &Order<'_>,
    outside: &Outside<'_>,
    id: FunctionId,
    own: &BodyDependency,
) -> Vec<(Standing, StaticDependency)> {
    let origin = (id, own.block);
    let begin = Standing {
        body: id,
        block: own.block,
        spawns: Vec::new(),
        begun: Vec::new(),
        is_kept: false,
        is_over: false,
    };
    let mut open = vec![(begin, own.clone(), false)];
    let mut found = Vec::new();
    let mut seen: BTreeSet<(Standing, AccessPath, AccessPath)> = BTreeSet::new();
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for (standing, it, doubtful) in open {
            if !seen.insert((standing.clone(), it.held.lock.clone(), it.request.lock.clone())) {
                continue;
            }
            if seen.len() > MOST {
                return found;
            }
            found.extend(settled(program, origin, &standing, &it, doubtful));
            for view in outside.views(standing.body, &it.held.lock, &it.request.lock) {
                next.extend(lift(program, order, &standing, &it, doubtful, &view));
            }
        }
        open = next;
    }
    found
}

/// A dependency of locks that the body itself makes.
fn settled(
    program: &Program,
    origin: (FunctionId, BlockId),
    standing: &Standing,
    found: &BodyDependency,
    doubtful: bool,
) -> Option<(Standing, StaticDependency)> {
    let both = [&found.held.lock, &found.request.lock];
    if !both.iter().any(|it| it.root.is_made()) || !both.iter().all(|it| it.is_one()) {
        return None;
    }
    let [first, second] = both.map(|it| class(standing.body, it));
    let gates: Vec<Option<Class>> = found.besides.iter().map(|it| class(standing.body, it)).collect();
    // What else is held may keep the others out, though it is not known here what that is.
    let doubtful = doubtful || gates.iter().any(Option::is_none);
    let lifting = Lifting { at: origin, standing: Some(standing.clone()), doubtful };
    let gates = gates.into_iter().flatten().collect();
    Some((standing.clone(), classed(program, found, first?, second?, gates, lifting)?))
}

fn class(body: FunctionId, lock: &AccessPath) -> Option<Class> {
    match &lock.root {
        Root::Static(name) => Some(class_of_static(name, lock)),
        Root::Made(slot) => Some(Class::Made(body, slot.clone(), lock.hops.clone())),
        _ => None,
    }
}

/// A dependency in the terms of a body outside.
fn lift(
    program: &Program,
    order: &Order<'_>,
    standing: &Standing,
    inner: &BodyDependency,
    doubtful: bool,
    view: &View<'_>,
) -> Option<(Standing, BodyDependency, bool)> {
    if is_decided(program, standing.body, inner) {
        return None;
    }
    let held = Acquired { lock: view.seen(&inner.held.lock)?, ..inner.held.clone() };
    let request = Request { lock: view.seen(&inner.request.lock)?, ..inner.request.clone() };
    if held.lock == request.lock {
        return None;
    }
    let mut besides: Vec<AccessPath> = Vec::new();
    let mut doubtful = doubtful || view.one_of_several;
    for it in &inner.besides {
        match view.seen(it) {
            Some(it) => besides.push(it),
            None => doubtful = true,
        }
    }
    // What a body holds where it spawns keeps nobody out.
    if view.spawn.is_none() && !view.is_kept && standing.spawns.is_empty() {
        besides.extend(kept_at(program, view.body, view.block).into_iter().map(|it| it.lock));
    }
    let (mut spawns, mut begun) = (standing.spawns.clone(), standing.begun.clone());
    let is_over = view.spawn.is_none()
        && !spawns.is_empty()
        && (standing.is_over || ends_within(program, order, standing, view));
    if let Some(site) = view.spawn {
        if spawns.contains(&site) {
            return None;
        }
        spawns.push(site);
        begun.push((view.body, view.block));
    }
    let standing = Standing {
        body: view.body,
        block: view.block,
        spawns,
        begun,
        is_kept: standing.is_kept || view.is_kept,
        is_over,
    };
    let found = BodyDependency {
        block: view.block,
        held,
        request,
        besides,
        one_of_several: inner.one_of_several || view.one_of_several,
        ..inner.clone()
    };
    Some((standing, found, doubtful))
}

/// Whether the agents that a body spawns are over when it is, or when the block is that runs it.
fn ends_within(program: &Program, order: &Order<'_>, standing: &Standing, view: &View<'_>) -> bool {
    let outer = program.function(view.body);
    if outer.callee(view.block).may(|it| it.action == Action::Scope) {
        return true;
    }
    let Some(site) = standing.spawns.last() else { return false };
    let function = program.function(standing.body);
    let ends: Vec<BlockId> =
        function.blocks().map(|(at, _)| at).filter(|it| function.returns_at(*it)).collect();
    order.is_over(standing.body, *site, standing.block, &ends)
}

/// Whether all of some dependencies of locks that one body makes can be come to at once: by several agents, and none is over before another
/// one begins.
pub(super) fn meet(program: &Program, order: &Order<'_>, all: &[&Standing]) -> bool {
    let mut pairs = all
        .iter()
        .enumerate()
        .flat_map(|(number, it)| all.iter().skip(number + 1).map(move |other| (it, other)));
    all.iter().any(|it| !it.spawns.is_empty())
        && pairs.all(|(one, other)| may_meet(program, order, one, other))
}

fn may_meet(program: &Program, order: &Order<'_>, one: &Standing, other: &Standing) -> bool {
    // A function may spawn what several give it.
    let is_one = one.spawns == other.spawns && one.begun == other.begun;
    if one.is_kept || other.is_kept {
        return !is_one || is_several(program, one);
    }
    if is_one {
        return !one.spawns.is_empty() && is_several(program, one);
    }
    if one.block != other.block
        && (one.is_over && !other.spawns.is_empty() || other.is_over && !one.spawns.is_empty())
    {
        return false;
    }
    follows(program, order, one, other) && follows(program, order, other, one)
}

/// Whether several agents are spawned there.
fn is_several(program: &Program, standing: &Standing) -> bool {
    let sites = standing.spawns.iter().map(|it| (it.function, it.block));
    sites.chain(standing.begun.iter().copied()).any(|(id, block)| repeats(program, id, block))
}

/// Whether the body itself may come to its own dependency while the agents of the other one run.
fn follows(program: &Program, order: &Order<'_>, own: &Standing, of_agents: &Standing) -> bool {
    if !own.spawns.is_empty() || of_agents.spawns.is_empty() || own.block == of_agents.block {
        return true;
    }
    let paths = Paths::of(program.function(own.body));
    let is_joined = || {
        let last = of_agents.spawns.last();
        last.is_some_and(|it| order.is_over(own.body, *it, of_agents.block, &[own.block]))
    };
    paths.leads(of_agents.block, own.block)
        && !of_agents.is_over
        && !is_joined()
        && !order.waits_between(own.body, of_agents.block, own.block)
}
