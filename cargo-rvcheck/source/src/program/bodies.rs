//! The bodies of closures and state machines: by their types, by what makes them, and by what gives them.

use crate::body::{Definition, Function, FunctionId, Slot, identity};
use crate::mir::{Local, Operand, Place, Rvalue, Statement};
use crate::program::Program;
use crate::program::access::AccessPaths;
use crate::ty::Ty;

impl Program {
    /// The body of the closure that an operand is.
    pub(crate) fn closure_of(&self, function: &Function, operand: &Operand) -> Option<FunctionId> {
        Some(AccessPaths::of(self, function).closure_in(operand)?.0)
    }

    /// The function of the workspace that an operand is, as a value.
    pub(crate) fn function_in(&self, operand: &Operand) -> Option<FunctionId> {
        let Operand::Constant(text) = operand else { return None };
        let text = text.strip_prefix("ZeroSized: ").unwrap_or(text);
        let is_path = text.starts_with(|it: char| it.is_alphabetic() || matches!(it, '_' | '<'));
        is_path.then(|| self.function_named(text)).flatten()
    }

    /// The body of the closure or state machine of that type.
    pub fn body_of(&self, ty: Ty) -> Option<FunctionId> {
        self.body_written(ty.text())
    }

    /// The body of the closure or state machine that is put into a place, and what it captures; `None` where that is something else.
    pub(crate) fn body_made<'a>(
        &self,
        function: &Function,
        into: &Place,
        value: &'a Rvalue,
    ) -> Option<(FunctionId, &'a [Operand])> {
        let (ty, captured) = value.body()?;
        let body = self.body_of(ty).or_else(|| self.body_of(function.type_of(into)?));
        Some((body?, captured))
    }

    /// The body of the closure or state machine of the type that a text says.
    pub(crate) fn body_written(&self, text: &str) -> Option<FunctionId> {
        let known = identity(text)?;
        // The body of a function has its name alone where that is unique, and a type has the module before it.
        let alone = || known.strip_prefix('|')?.split_once('|').map(|(name, _)| format!("|{name}"));
        let found = self.by_identity.get(&known).or_else(|| self.by_identity.get(&alone()?));
        match found?.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The state machine that calling an `async fn` makes, or a function that gives a boxed one, with what it captures.
    pub fn machine_made_by(&self, id: FunctionId) -> Option<(FunctionId, &[Operand])> {
        let function = self.function(id);
        let mut slot = Slot::of(Local(0));
        for _ in 0..8 {
            let from = match function.definition(&slot)? {
                Definition::Called(block) => {
                    let (call, callee) = function.call(block)?;
                    let boxes = callee.name() == "pin" && callee.owner() == "Box"
                        || matches!(callee.name(), "boxed" | "boxed_local");
                    call.arguments.first().filter(|_| boxes)?.place()?
                }
                definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                    Rvalue::Made(_, captured) => {
                        let ty = function.body.type_of(slot.local);
                        return Some((self.body_of(ty)?, captured));
                    }
                    Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => from,
                    _ => return None,
                },
            };
            slot = Slot::at(from);
        }
        None
    }

    /// Where the value that a slot holds was made as a closure or state machine of the workspace, followed through moves and
    /// pinning, and through the call of an `async fn`.
    pub fn machine_in(&self, function: &Function, slot: &Slot) -> Option<FunctionId> {
        match function.producer(slot)? {
            Definition::Called(block) => Some(self.machine_made_by(self.called(function, block)?)?.0),
            definition @ Definition::Assigned(block, at) => {
                let Rvalue::Made(..) = function.assigned(definition)? else { return None };
                let Statement::Assign(into, _) = function.body.block(block)?.statements.get(at)? else {
                    return None;
                };
                self.body_of(function.type_of(into)?)
            }
        }
    }
}
