//! What a task or thread keeps where it waits: the ends of channels, the signals, semaphores and handles by which it could still let somebody
//! else go on.
//!
//! A value is kept by a body from where it comes there until it is moved or dropped, as the MIR has it. What it could do for others is read
//! off its type, taken apart down to what is known. A thread keeps what all the functions keep that it is in. Of a task the run
//! tells at which awaits it is; each of these has an entry of its own here.

mod alive;
mod class;
mod hidden;
mod reach;

pub use self::class::Class;
pub use self::hidden::{Hidden, hidden};

use self::alive::{Alive, Value};
use self::reach::Reach;
use super::Facts;
use crate::body::Slot;
use crate::body::{Function, FunctionId, Kind};
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::program::blocking::{Wait, in_full, wait_of};
use crate::program::code_ref::{CodeRef, await_ref, call_ref};
use crate::program::runs::runs;
use std::collections::{BTreeMap, BTreeSet};

/// A place where a body may wait, and what it keeps there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Waiting {
    /// The await, or the call that blocks its thread.
    pub at: CodeRef,
    /// The function that it is in.
    pub item: String,
    /// The classes of what is kept there, and in all callers where a thread waits; `None` where that is not known.
    pub keeps: Option<BTreeSet<Class>>,
    /// The `async fn` or block that is awaited there, if it is of the workspace, and what is kept beside it.
    pub beside: Option<(String, Option<BTreeSet<Class>>)>,
    /// Nothing of the workspace is around the body: it is what is spawned, or `main`.
    pub is_root: bool,
    /// A thread waits there, and no task.
    pub blocks: bool,
}

/// A place where channels are made, and of which classes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Making {
    /// The call.
    pub at: CodeRef,
    /// The classes.
    pub classes: BTreeSet<Class>,
}

/// All places where bodies wait.
pub fn waitings(facts: &Facts<'_>) -> Vec<Waiting> {
    let program = facts.program;
    let keepers = Keepers::of(facts);
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        if function.kind == Kind::Coroutine {
            found.extend(keepers.suspensions(id, function));
        }
        for (block, ..) in function.calls().filter(|it| blocks(function, it.0).is_some()) {
            found.push(Waiting {
                at: call_ref(program, id, block),
                item: program.item(id),
                keeps: keepers.above(id, block, &mut BTreeSet::new()),
                beside: None,
                is_root: true,
                blocks: true,
            });
        }
    }
    found
}

/// All places where channels are made.
pub fn makings(program: &Program) -> Vec<Making> {
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let is_made = function
                .callee(block)
                .row()
                .is_some_and(|it| matches!(it.operation.action, rvcheck_primitives::Action::Make(_)));
            let Some(ty) = function.type_of(&call.into).filter(|_| is_made) else { continue };
            if let Some(classes) = Reach::of(program, [ty])
                && classes.iter().any(|it| matches!(it, Class::Channel(_)))
            {
                found.push(Making { at: call_ref(program, id, block), classes });
            }
        }
    }
    found
}

/// What the call at the end of a block blocks its thread for, if it does.
fn blocks(function: &Function, block: BlockId) -> Option<Wait> {
    let path = function.callee(block).path();
    wait_of(in_full(path).as_deref().unwrap_or(path))
}

struct Keepers<'p> {
    program: &'p Program,
    alive: BTreeMap<FunctionId, Alive>,
    callers: BTreeMap<FunctionId, BTreeSet<(FunctionId, BlockId)>>,
    /// What is spawned.
    roots: BTreeSet<FunctionId>,
}

impl<'p> Keepers<'p> {
    fn of(facts: &Facts<'p>) -> Keepers<'p> {
        let program = facts.program;
        let mut callers: BTreeMap<FunctionId, BTreeSet<(FunctionId, BlockId)>> = BTreeMap::new();
        for (id, function) in program.functions() {
            for (block, ..) in function.calls() {
                for run in runs(program, function, block) {
                    callers.entry(run.body).or_default().insert((id, block));
                }
            }
        }
        let roots = facts.objects().spawns.values().flat_map(|it| it.roots.iter().copied()).collect();
        let alive = program.functions().map(|(id, it)| (id, Alive::of(it))).collect();
        Keepers { program, alive, callers, roots }
    }

    /// Whether a body is what is spawned, or `main`.
    fn is_root(&self, id: FunctionId) -> bool {
        self.roots.contains(&id) || self.program.is_main(id)
    }

    fn suspensions(&self, id: FunctionId, function: &Function) -> Vec<Waiting> {
        let waiting = |it: &crate::body::Suspension| {
            let poll = it.poll?;
            let values = self.alive.get(&id)?.before(poll);
            let awaited = it.awaited.as_ref().map(|it| function.whole(it));
            let inner = awaited.as_ref().and_then(|it| self.program.machine_in(function, it));
            let beside = inner.map(|inner| {
                let others =
                    values.clone().into_iter().flatten().filter(|it| Some(&it.slot) != awaited.as_ref());
                (self.program.item(inner), values.as_ref().and_then(|_| self.reach(others)))
            });
            Some(Waiting {
                at: await_ref(self.program, id, poll),
                item: self.program.item(id),
                keeps: values.and_then(|it| self.reach(it)),
                beside,
                is_root: self.is_root(id),
                blocks: false,
            })
        };
        function.suspensions.iter().filter_map(waiting).collect()
    }

    /// What is kept by a thread that is in the call at the end of a block: there, and in everybody who has called that.
    fn above(
        &self,
        id: FunctionId,
        block: BlockId,
        seen: &mut BTreeSet<(FunctionId, BlockId)>,
    ) -> Option<BTreeSet<Class>> {
        if !seen.insert((id, block)) {
            return Some(BTreeSet::new());
        }
        let function = self.program.function(id);
        if function.kind == Kind::Coroutine {
            return None;
        }
        // What it drives is a task of its own.
        let (call, _) = function.call(block)?;
        let is_driven = |it: &Operand| {
            let ty = it.place().and_then(|it| function.type_of(it)).unwrap_or_default();
            blocks(function, block) == Some(Wait::Future) && self.program.body_of(ty).is_some()
        };
        let driven = call.arguments.iter().filter(|it| is_driven(it)).filter_map(Operand::place);
        let driven: Vec<Slot> = driven.map(|it| function.whole(&Slot::at(it))).collect();
        let values = self.alive.get(&id)?.before(block)?;
        let mut found = self.reach(values.into_iter().filter(|it| !driven.contains(&it.slot)))?;
        let callers = self.callers.get(&id);
        if callers.is_none() && !self.is_root(id) {
            return None;
        }
        for (caller, at) in callers.into_iter().flatten() {
            found.extend(self.above(*caller, *at, seen)?);
        }
        Some(found)
    }

    fn reach(&self, values: impl IntoIterator<Item = Value>) -> Option<BTreeSet<Class>> {
        Reach::of(self.program, values.into_iter().flat_map(|it| it.types()))
    }
}
