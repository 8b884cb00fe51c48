//! Flags that several tasks share: atomic `bool`s, and `bool`s behind a lock.

use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Place, Projection, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::runs::runs;
use crate::ty::Ty;
use rvcheck_primitives::{Is, Word};

/// Which flag.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Flag {
    /// The atomic at the end of that path.
    Atomic(AccessPath),
    /// The one behind a lock that lives there.
    Locked(AbstractObject),
}

/// What is done to a flag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Operation {
    /// It is read.
    Load,
    /// It is set to that.
    Store(bool),
    /// It is read and set in one step, or it is not known what is done to it.
    Both,
}

/// How deep calls are followed.
const DEEPEST: usize = 4;

/// The flags of the bodies of a program.
pub(crate) struct Flags<'a> {
    program: &'a Program,
    objects: AbstractObjects<'a>,
}

impl<'a> Flags<'a> {
    /// Of this program.
    pub(crate) fn of(program: &'a Program) -> Flags<'a> {
        Flags { program, objects: AbstractObjects::of(program) }
    }

    /// What the call at the end of a block does to flags, by itself or by what it runs before it comes back.
    pub(crate) fn operations(&self, id: FunctionId, block: BlockId) -> Vec<(Flag, Operation)> {
        self.within(id, block, DEEPEST)
    }

    fn within(&self, id: FunctionId, block: BlockId, depth: usize) -> Vec<(Flag, Operation)> {
        let function = self.program.function(id);
        let mut found = Vec::new();
        let Some((call, callee)) = function.call(block) else { return found };
        let access_paths = AccessPaths::of(self.program, function);
        if callee.is_of(|it| it == Is::Flag(Word::Bool)) {
            let path =
                call.arguments.first().and_then(|it| access_paths.operand(it)).filter(AccessPath::is_one);
            let operation = match (callee.name(), call.arguments.get(1)) {
                ("load", _) => Operation::Load,
                ("store", given) => given.and_then(Operand::truth).map_or(Operation::Both, Operation::Store),
                _ => Operation::Both,
            };
            found.extend(path.map(|it| (Flag::Atomic(it), operation)));
        } else if callee.dereferences() && guards_a_flag(function, &call.into) {
            let place = call.place(0);
            let object = place.and_then(|it| self.objects.object(id, it));
            let operation = if callee.name() == "deref" {
                Operation::Load
            } else {
                Flags::through_pointer(function, &call.into)
            };
            found.extend(object.map(|it| (Flag::Locked(it), operation)));
        } else if !callee.is_poll() && depth > 0 {
            for run in runs(self.program, function, block) {
                let inner = self.program.function(run.body);
                for (flag, operation) in
                    inner.blocks().flat_map(|(at, _)| self.within(run.body, at, depth - 1))
                {
                    match flag {
                        Flag::Atomic(path) => {
                            let seen = path.seen_from(&run.arguments, &run.captured);
                            found.extend(seen.map(|it| (Flag::Atomic(it), operation)));
                        }
                        locked @ Flag::Locked(_) => found.push((locked, operation)),
                    }
                }
            }
        }
        found
    }

    /// What is done to a flag through a pointer to it that a guard gave.
    fn through_pointer(function: &Function, pointer: &Place) -> Operation {
        let statements = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
        let mut stores = statements.filter_map(|it| {
            let Statement::Assign(into, value) = it else { return None };
            let whole = into.local == pointer.local && into.projections.as_slice() == [Projection::Deref];
            whole.then(|| match value {
                Rvalue::Use(it) if it.truth().is_some() => Operation::Store(it.truth() == Some(true)),
                _ => Operation::Both,
            })
        });
        match (stores.next(), stores.next()) {
            (Some(one), None) => one,
            _ => Operation::Both,
        }
    }

    /// Whether other tasks can have the flag, too, as far as the body can know: it is behind a reference that is not the only one, or a
    /// static.
    pub(crate) fn is_shared(&self, id: FunctionId, flag: &Flag) -> bool {
        let path = match flag {
            Flag::Atomic(path) => path,
            Flag::Locked(object) => return matches!(object, AbstractObject::Field(..)),
        };
        let points = path.hops.contains(&Hop::Deref);
        match &path.root {
            Root::Static(_) => true,
            Root::Captured(number) => {
                let exclusive =
                    self.program.function(id).captured_type(*number).is_some_and(Ty::is_exclusive);
                points && !exclusive
            }
            Root::Argument(_) => points,
            Root::Made(_) => false,
        }
    }
}

/// Whether a place points to a flag that a guard gave.
fn guards_a_flag(function: &Function, place: &Place) -> bool {
    function.type_of(place).is_some_and(|it| it.is_reference() && it.pointee().is_bool())
        && function.definition(&Slot::at(place)).is_some_and(|it| match it {
            Definition::Called(block) => function
                .call(block)
                .is_some_and(|(call, _)| function.type_given(call, 0).is_some_and(|it| it.has(Ty::is_guard))),
            Definition::Assigned(..) => false,
        })
}
