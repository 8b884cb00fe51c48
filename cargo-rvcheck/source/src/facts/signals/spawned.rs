//! Agents that are spawned as often as a loop goes round, and whether they share what is around that loop.

use super::Signals;
use crate::body::paths::Paths;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::objects::{CallSite, Objects};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement};
use crate::program::abstract_object::AbstractObject;
use rvcheck_primitives::adapters_named;
use std::collections::BTreeSet;

/// How far callers are followed.
const FARTHEST: usize = 32;

/// A call that spawns one agent in each iteration.
#[derive(Clone, Debug)]
pub(crate) struct SpawnLoop {
    /// The call that spawns.
    pub(crate) spawn: CallSite,
    /// The body with the loop.
    pub(crate) body: FunctionId,
    /// The blocks of the loop.
    blocks: BTreeSet<BlockId>,
}

impl Signals<'_> {
    /// A body and those that come to it by calls, closures and awaits, as far as they are followed.
    pub(crate) fn runners(&self, id: FunctionId) -> BTreeSet<FunctionId> {
        let (mut found, mut open) = (BTreeSet::from([id]), vec![id]);
        while let Some(id) = open.pop() {
            for (caller, _) in self.callers(id) {
                if found.len() < FARTHEST && found.insert(caller) {
                    open.push(caller);
                }
            }
        }
        found
    }

    /// The loops that spawn agents which come to a body.
    pub(crate) fn spawned_in_loops(&self, objects: &Objects, id: FunctionId) -> Vec<SpawnLoop> {
        let runners = self.runners(id);
        let runs = |root: &FunctionId| {
            let machine = self.program.machine_made_by(*root).map(|(it, _)| it);
            runners.contains(root) || machine.is_some_and(|it| runners.contains(&it))
        };
        let sites = objects.spawns.iter().filter(|(_, it)| it.roots.iter().any(runs));
        sites.filter_map(|(site, _)| self.spawn_loop(*site)).collect()
    }

    /// The loop around a call that spawns, or around a call of the body that does.
    fn spawn_loop(&self, spawn: CallSite) -> Option<SpawnLoop> {
        let mut open = vec![(spawn.function, spawn.block, 0)];
        while let Some((body, block, depth)) = open.pop() {
            let function = self.program.function(body);
            let paths = Paths::of(function);
            if paths.repeats(block) {
                return Some(SpawnLoop { spawn, body, blocks: paths.loop_around(block) });
            }
            if function.kind == Kind::Closure && self.is_called_for_each(body) {
                return Some(SpawnLoop {
                    spawn,
                    body,
                    blocks: function.blocks().map(|(it, _)| it).collect(),
                });
            }
            if depth < 3 {
                open.extend(self.callers(body).into_iter().map(|(it, at)| (it, at, depth + 1)));
            }
        }
        None
    }

    /// Whether an iterator calls a closure for each of its elements.
    fn is_called_for_each(&self, closure: FunctionId) -> bool {
        self.program.functions().any(|(_, function)| {
            function.calls().any(|(_, call, callee)| {
                let is_it = |it: &Operand| self.program.closure_of(function, it) == Some(closure);
                adapters_named(callee.name()).iter().any(|it| it.of == "Iterator")
                    && call.arguments.iter().any(is_it)
            })
        })
    }

    /// Whether a body spawns an agent that begins with another one, and makes the struct with the object for it alone.
    pub(crate) fn makes_for_its_agent(
        &self,
        objects: &Objects,
        spawner: FunctionId,
        agent: FunctionId,
        object: &AbstractObject,
    ) -> bool {
        let AbstractObject::Field(of, _) = object else { return false };
        let begins = |root: &FunctionId| {
            *root == agent || self.program.machine_made_by(*root).is_some_and(|it| it.0 == agent)
        };
        let mut spawns =
            objects.spawns.iter().filter(|(at, it)| at.function == spawner && it.roots.iter().any(begins));
        let Some((site, _)) = spawns.next().filter(|_| spawns.next().is_none()) else { return false };
        let function = self.program.function(spawner);
        let paths = Paths::of(function);
        let makes_it = |at: BlockId| {
            makes(function, at, of)
                || self.bodies_at(spawner, at).into_iter().any(|it| {
                    let inner = self.program.function(it);
                    inner.blocks().any(|(at, _)| makes(inner, at, of))
                })
        };
        let around = paths.loop_around(site.block);
        let mut made = function.blocks().map(|it| it.0).filter(|it| makes_it(*it));
        made.any(|it| around.is_empty() && paths.leads(it, site.block) || around.contains(&it))
    }

    /// Whether all agents of a loop share an object: no iteration makes one, or takes another one.
    pub(crate) fn is_shared_in(&self, spawn_loop: &SpawnLoop, object: &AbstractObject) -> bool {
        let function = self.program.function(spawn_loop.body);
        match object {
            AbstractObject::Value(of, slot) => {
                let mut made = function.definitions(slot).iter().map(|it| match it {
                    Definition::Assigned(block, _) | Definition::Called(block) => *block,
                });
                *of != spawn_loop.body || !made.any(|it| spawn_loop.blocks.contains(&it))
            }
            AbstractObject::Field(of, _) => {
                let inside = || spawn_loop.blocks.iter().flat_map(|it| self.bodies_at(spawn_loop.body, *it));
                let makes_inside = |it: FunctionId| {
                    let function = self.program.function(it);
                    let mut blocks = function.blocks().map(|(at, _)| at);
                    blocks.any(|at| makes(function, at, of))
                };
                !spawn_loop
                    .blocks
                    .iter()
                    .any(|at| makes(function, *at, of) || takes_another(function, *at, of, spawn_loop))
                    && !inside().any(makes_inside)
            }
        }
    }
}

/// Whether a block makes a struct of that name.
fn makes(function: &Function, at: BlockId, of: &str) -> bool {
    let statements = function.body.block(at).into_iter().flat_map(|it| &it.statements);
    statements.into_iter().any(|it| match it {
        Statement::Assign(into, Rvalue::Made(..)) => function.type_of(into).is_some_and(|it| it.name() == of),
        _ => false,
    })
}

/// Whether a block of an iteration hands on a struct of that name, or a handle to one, that is an element of something.
fn takes_another(function: &Function, at: BlockId, of: &str, spawn_loop: &SpawnLoop) -> bool {
    let Some(block) = function.body.block(at) else { return false };
    let made = block.assignments().filter_map(|(_, value)| {
        if let Rvalue::Made(_, parts) = value { Some(parts.as_slice()) } else { None }
    });
    let called = function.call(at).map(|(call, _)| call.arguments.as_slice());
    let has_it = |it: &Place| function.type_of(it).is_some_and(|it| it.names(of));
    let mut handed = made.chain(called).flatten().filter_map(Operand::place);
    handed.any(|it| has_it(it) && is_element(function, it, spawn_loop))
}

/// Whether a value is taken out of something in an iteration, or a handle to what is.
fn is_element(function: &Function, place: &Place, spawn_loop: &SpawnLoop) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot) {
            Some(Definition::Called(at)) => {
                let Some((call, callee)) = function.call(at) else { return false };
                if callee.takes_element() {
                    return spawn_loop.blocks.contains(&at);
                }
                let goes_on = callee.shares() || callee.views() || callee.hands_on();
                call.place(0).filter(|_| goes_on)
            }
            Some(definition @ Definition::Assigned(..)) => {
                function.assigned(definition).and_then(Rvalue::alias_of)
            }
            None => None,
        };
        let Some(from) = from else { return false };
        slot = Slot::at(from);
    }
    false
}
