//! Gates: signals that are given once, for all who wait.

use super::{Act, Operation, Signals, Sort, Value, Waiter};
use crate::body::{Function, FunctionId};
use crate::mir::{BlockId, Operand};
use crate::program::abstract_object::AbstractObject;
use crate::program::fills::fills_of;
use rvcheck_primitives::{Action, Is};
use std::collections::{BTreeMap, BTreeSet};

/// Places in bodies.
type Places = BTreeSet<(FunctionId, BlockId)>;

/// Something that many wait for, and that is opened for all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate {
    /// Who gives its signal.
    pub(crate) gives: Places,
    /// Who changes the state by which those go who wait. A semaphore has none but its permits.
    pub(crate) changes: Places,
    /// Who waits.
    pub(crate) waits: Places,
    /// The bodies that make it, or what it is a part of.
    pub(crate) made: BTreeSet<FunctionId>,
}

impl Signals<'_> {
    /// The gates of a program: semaphores that begin without permits and are not given one for each item, and signals for whoever waits until
    /// something is said once.
    pub(crate) fn gates(&self, waiters: &[Waiter]) -> BTreeMap<AbstractObject, Gate> {
        let mut found = self.of_permits();
        found.extend(self.of_state(waiters));
        found.retain(|_, it| !it.gives.is_empty() && !it.waits.is_empty());
        found
    }

    fn of_permits(&self) -> BTreeMap<AbstractObject, Gate> {
        let mut found: BTreeMap<AbstractObject, Gate> = BTreeMap::new();
        let program = self.program;
        for (id, function) in program.functions() {
            for (block, call, _) in function.calls() {
                let empty = call.arguments.first().is_some_and(Operand::is_nought);
                let makes = || {
                    function.callee(block).row().is_some_and(|it| {
                        matches!(it.owner.is, Is::Semaphore(_))
                            && matches!(it.operation.action, Action::Make(_))
                    })
                };
                if empty && makes() {
                    let Some(object) = self.objects.object(id, &call.into) else { continue };
                    found.entry(self.same(object)).or_default().made.insert(id);
                }
            }
        }
        if found.is_empty() {
            return found;
        }
        let mut counts = BTreeSet::new();
        for (id, _) in program.functions() {
            for it in self.operations(id).iter().filter(|it| it.sort == Sort::Permits) {
                let Some((object, gate)) = it.object.as_ref().and_then(|it| Some((it, found.get_mut(it)?)))
                else {
                    continue;
                };
                match it.act {
                    Act::Register => gate.waits.insert(it.made),
                    _ => gate.gives.insert(it.made),
                };
                if it.notifies() && gives_one(program.function(it.made.0), it) {
                    counts.insert(object.clone());
                }
            }
        }
        found.retain(|object, _| !counts.contains(object));
        found
    }

    fn of_state(&self, waiters: &[Waiter]) -> BTreeMap<AbstractObject, Gate> {
        let mut found: BTreeMap<AbstractObject, Gate> = BTreeMap::new();
        let sorts = [Sort::Condvar, Sort::Notify, Sort::Event];
        let all: Vec<&Waiter> = waiters
            .iter()
            .filter(|it| sorts.contains(&it.operation.sort) && self.is_known(&it.object))
            .collect();
        for waiter in &all {
            let of_it = || all.iter().filter(|it| it.object == waiter.object);
            let ends: BTreeMap<&AbstractObject, &BTreeSet<Value>> = waiter.ends.iter().collect();
            // Where they wait for different things, some may wait for what comes again and again.
            let are_alike = of_it().all(|it| !it.is_ended_otherwise && it.ends == waiter.ends);
            let says_once =
                |it: &Value| matches!(it, Value::Flag(_) | Value::Present(true) | Value::Variant(_));
            let [(state, values)] = ends.into_iter().collect::<Vec<_>>()[..] else { continue };
            if !are_alike || !values.iter().all(says_once) || found.contains_key(&waiter.object) {
                continue;
            }
            let mut gate = Gate::default();
            gate.waits.extend(of_it().map(|it| (it.id, it.wait)));
            if let AbstractObject::Field(of, field) = &waiter.object {
                let fills = fills_of(self.program, of).filter(|it| it.field == *field);
                gate.made.extend(fills.map(|it| it.function));
            }
            for (id, _) in self.program.functions() {
                let gives = |it: &&Operation| it.notifies() && it.object.as_ref() == Some(&waiter.object);
                gate.gives.extend(self.operations(id).iter().filter(gives).map(|it| it.made));
                let written = self.writes(id);
                let changes = written.iter().filter(|it| {
                    it.state == *state && (values.contains(&it.value) || it.value == Value::Unknown)
                });
                gate.changes.extend(changes.map(|it| it.made));
            }
            if !gate.changes.is_empty() {
                found.insert(waiter.object.clone(), gate);
            }
        }
        found
    }
}

/// Whether permits are given for single items, or for as many as there are.
fn gives_one(function: &Function, operation: &Operation) -> bool {
    let Some((call, callee)) = function.call(operation.made.1) else { return true };
    match call.arguments.get(1) {
        Some(Operand::Constant(it)) => it.starts_with("1_"),
        Some(Operand::Place(_)) => true,
        None => callee.name() != "close",
    }
}
