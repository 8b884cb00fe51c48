//! Agents: what runs by itself. Tasks and threads that are spawned, and callers from outside.

pub(crate) mod operation;
pub(crate) mod order;
mod origins;
pub(crate) mod outcome;
mod shown;
pub(crate) mod steps;

use crate::body::{FunctionId, Kind};
use crate::facts::objects::{CallSite, Objects};
use crate::program::Program;
use std::collections::BTreeSet;

/// Who runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Agent {
    /// What is spawned there, with that body.
    Spawned(CallSite, FunctionId),
    /// A function that nobody in the program calls, or that others may call.
    Caller(FunctionId),
}

impl Agent {
    /// The body that it begins with.
    pub(crate) const fn root(self) -> FunctionId {
        match self {
            Agent::Spawned(_, root) | Agent::Caller(root) => root,
        }
    }
}

/// The agents of a program.
pub(crate) fn agents(program: &Program, objects: &Objects) -> Vec<Agent> {
    let spawned =
        objects.spawns.iter().flat_map(|(site, it)| it.roots.iter().map(|root| Agent::Spawned(*site, *root)));
    let mut found: Vec<Agent> = spawned.collect();
    let mut called: BTreeSet<FunctionId> = objects.calls.values().flatten().copied().collect();
    for (_, function) in program.functions() {
        let calls = function.calls().filter_map(|(block, ..)| program.called(function, block));
        called.extend(calls);
    }
    let roots: BTreeSet<FunctionId> = found.iter().map(|it| it.root()).collect();
    for (id, _) in program.functions().filter(|(_, it)| it.kind == Kind::Function) {
        let is_open = !called.contains(&id) || program.is_open(id);
        if is_open && !roots.contains(&id) {
            found.push(Agent::Caller(id));
            // Who calls an `async fn` runs its state machine.
        }
    }
    found
}
