//! Changes by the only thread that ever waits: while it makes one, nothing waits.

use super::Change;
use crate::body::paths::Paths;

use crate::body::{Definition, FunctionId, Slot, walk};
use crate::facts::disposition::body_of;
use crate::mir::{BlockId, Operand};
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::drops::drops;
use std::collections::BTreeSet;

/// The start of a task or thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spawn {
    /// The closure or state machine that it runs.
    started: FunctionId,
    /// The body that starts it.
    by: FunctionId,
    /// The block whose call does.
    at: BlockId,
}

impl Change<'_> {
    /// Whether the change is made by a thread or task that is started once for each object, and nobody else waits.
    pub(super) fn is_by_the_only_waiter(&self) -> bool {
        let Some(waiting) = self.runners(self.waiter.id) else { return false };
        let mut spawns = waiting.iter();
        let (Some(&spawn), None) = (spawns.next(), spawns.next()) else { return false };
        self.is_started_once(spawn) && self.runners(self.id).is_some_and(|it| it == waiting)
    }

    /// The spawns of what runs a body, by calls and drops; `None` where it is not known what runs it.
    fn runners(&self, id: FunctionId) -> Option<BTreeSet<Spawn>> {
        let program = self.signals.program;
        let mut found = BTreeSet::new();
        let mut is_known = true;
        walk::reached([id], |id| {
            let starts = self.starts_of(id);
            let mut by: Vec<FunctionId> = Vec::new();
            if starts.is_empty() {
                let is_drop = program.is_drop(id);
                by.extend(self.signals.callers(id).into_iter().map(|(caller, _)| caller));
                let dropping = |function| drops(program, function).iter().any(|(_, it)| it.body == id);
                let droppers = program.functions().filter(|(_, it)| is_drop && dropping(it));
                by.extend(droppers.map(|(it, _)| it));
                // That other crates could call it, too, makes nobody wait who is known.
                is_known &= !by.is_empty();
            }
            found.extend(starts);
            by
        });
        is_known.then_some(found)
    }

    /// The starts of a task or thread that runs a closure or state machine.
    fn starts_of(&self, started: FunctionId) -> Vec<Spawn> {
        let program = self.signals.program;
        let mut found = Vec::new();
        for (by, function) in program.functions() {
            let calls = function.calls().filter(|(_, _, callee)| callee.spawns());
            let is_it = |it: &Operand| body_of(program, function, it) == Some(started);
            let starts = calls.filter(|(_, call, _)| call.arguments.iter().any(is_it));
            found.extend(starts.map(|(at, ..)| Spawn { started, by, at }));
        }
        found
    }

    /// Whether a spawn comes once for each signal: the body that spawns has made what the signal is in, and does not spawn in a loop.
    fn is_started_once(&self, spawn: Spawn) -> bool {
        let program = self.signals.program;
        let function = program.function(spawn.by);
        let AbstractObject::Field(owner, _) = &self.waiter.object else { return false };
        let objects = AbstractObjects::of(program);
        let captured = (0..).map_while(|number| objects.captured(spawn.started, number));
        let mut made = captured.filter_map(|(maker, of)| match objects.object(maker, of)? {
            AbstractObject::Value(by, slot) if by == spawn.by => Some(slot),
            _ => None,
        });
        let is_owner = |slot: &Slot| {
            let ty = program.type_named(function.body.type_of(slot.local).head());
            ty == *owner && matches!(function.definition(slot), Some(Definition::Called(_)))
        };
        !Paths::of(function).repeats(spawn.at) && made.any(|it| is_owner(&it))
    }
}
