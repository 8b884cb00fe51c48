//! What the operations of an agent are done to, by what its callers and those that spawn it gave.

use super::operation::{Operation, sites};
use super::steps::{DEEPEST, Finder, OUTSIDE, Steps};
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::objects::{CallSite, Node, Thing};
use crate::mir::{Call, Made, Place, Rvalue};
use crate::program::library::mentions;
use rvcheck_primitives::Is;
use std::collections::BTreeSet;

impl<'a> Finder<'a> {
    /// The threads that are spawned in scopes of the item that a body is of.
    pub(super) fn scoped(&self, id: FunctionId) -> BTreeSet<Thing> {
        let of_scope = |it: &CallSite| {
            let function = self.program.function(it.function);
            let on = function.call(it.block).and_then(|(call, _)| call.place(0));
            let ty = on.and_then(|it| function.type_of(it));
            ty.is_some_and(|it| mentions(it, |it| it == Is::Scope))
                && self.program.item(it.function) == self.program.item(id)
        };
        self.objects.spawns.keys().filter(|it| of_scope(it)).map(|it| Thing::Task(*it)).collect()
    }

    /// What an operation may be done to, by what its callers gave where that says more.
    pub(super) fn things(&self, found: &Steps, frame: usize, it: &Operation<'_>) -> BTreeSet<Thing> {
        let id = found.frames[frame].function;
        let all: BTreeSet<Thing> = sites(self.objects, self.program, id, it).into_iter().collect();
        if all.len() <= 1 {
            return all;
        }
        let node = self.objects.node_of(self.program, id, it.on);
        let seen = self.seen_from(found, frame, &node, DEEPEST);
        let narrowed: BTreeSet<Thing> =
            all.iter().filter(|it| seen.as_ref().is_none_or(|seen| seen.contains(*it))).cloned().collect();
        if narrowed.is_empty() { all } else { narrowed }
    }

    /// What is in a node of a frame, in the terms of those who called it; `None` where that is not known.
    fn seen_from(&self, found: &Steps, frame: usize, node: &Node, depth: usize) -> Option<BTreeSet<Thing>> {
        let id = function_of(found, frame);
        let mut all = BTreeSet::new();
        for origin in self.objects.origins(self.program, id, node) {
            let given = self.given(found, frame, &origin).filter(|_| depth > 0);
            match given {
                Some((outer, place)) => {
                    let node = self.objects.node_of(self.program, function_of(found, outer), place);
                    all.extend(self.seen_from(found, outer, &node, depth - 1)?);
                }
                None => all.extend(self.objects.in_node(&origin).iter().cloned()),
            }
        }
        Some(all)
    }

    /// What the caller of a frame gave for an argument or a captured value.
    fn given(&self, found: &Steps, frame: usize, origin: &Node) -> Option<(usize, &'a Place)> {
        let (outer, block) = match frame.checked_sub(OUTSIDE) {
            Some(number) => (frame + 1, found.context.get(number + 1)?.block),
            None => match found.frames[frame].from {
                Some(from) => from,
                None => (OUTSIDE, found.context.first()?.block),
            },
        };
        let function = self.program.function(function_of(found, outer));
        let (call, callee) = function.call(block)?;
        let id = function_of(found, frame);
        if outer == OUTSIDE && frame < OUTSIDE {
            return self.given_to_spawned(function, call, id, origin).map(|it| (outer, it));
        }
        match origin {
            Node::Slot(of, slot) if *of == id && self.program.function(id).is_argument(slot) => {
                let direct = self
                    .program
                    .called(function, block)
                    .or_else(|| self.program.only_implementation(function, block))
                    == Some(id);
                let argument =
                    call.arguments.get((slot.local.0 as usize).checked_sub(1)?).filter(|_| direct)?;
                Some((outer, argument.place()?))
            }
            Node::Captured(of, number) if *of == id && callee.is_poll() => {
                let polled = function.polled(block)?;
                let made = function.producer(&polled)?;
                Some((outer, self.captured_from(function, made, id, *number)?))
            }
            _ => None,
        }
    }

    /// What the closure or state machine has captured that a call spawns.
    fn given_to_spawned(
        &self,
        function: &'a Function,
        call: &'a Call,
        root: FunctionId,
        origin: &Node,
    ) -> Option<&'a Place> {
        let Node::Captured(of, number) = origin else { return None };
        if *of != root {
            return None;
        }
        call.places().find_map(|it| {
            let slot = Slot::at(it);
            let made = function.producer(&slot).or_else(|| function.definition(&slot))?;
            self.captured_from(function, made, root, *number)
        })
    }

    /// What a closure or state machine has captured under this number, in the body that makes it or calls what makes it.
    fn captured_from(
        &self,
        function: &'a Function,
        made: Definition,
        machine: FunctionId,
        number: u32,
    ) -> Option<&'a Place> {
        match made {
            Definition::Called(block) => {
                let maker = self.program.called(function, block)?;
                let (_, captured) = self.program.machine_made_by(maker).filter(|(it, _)| *it == machine)?;
                let inside = captured.get(number as usize)?.place()?;
                let inside = self.objects.node_of(self.program, maker, inside);
                let origins = self.objects.origins(self.program, maker, &inside);
                let [Node::Slot(_, slot)] = origins.iter().collect::<Vec<_>>()[..] else { return None };
                let (call, _) = function.call(block)?;
                call.arguments.get((slot.local.0 as usize).checked_sub(1)?)?.place()
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Made(Made::Body(_), parts) => parts.get(number as usize)?.place(),
                _ => None,
            },
        }
    }
}

/// The body of a frame, or of one of those who spawn the agent.
pub(super) fn function_of(found: &Steps, frame: usize) -> FunctionId {
    match frame.checked_sub(OUTSIDE) {
        Some(number) => found.context[number].function,
        None => found.frames[frame].function,
    }
}
