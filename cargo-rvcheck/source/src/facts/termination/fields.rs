//! The order in which the fields of a value are dropped, which is that of their declaration: a field whose `Drop` waits for the end of a receive
//! loop, before one that keeps a sender of that loop.

use super::holders::{DEEPEST, owns, takes_senders};
use super::optional::one_sender;
use crate::body::FunctionId;
use crate::body::walk;
use crate::facts::objects::{CallSite, Kinds, Node, Objects, kinds};
use crate::program::Program;
use crate::program::runs::may_run;
use crate::ty::Ty;
use rvcheck_primitives::Holds;

/// Two fields of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DropOrder {
    /// The type that has them.
    pub(crate) of: String,
    /// The one that is dropped first, and waits; a number where it has no name.
    pub(crate) waits: String,
    /// The one that keeps the sender meanwhile.
    pub(crate) keeps: String,
}

/// The fields of a type, of which one is dropped by this implementation of `Drop` while a later one keeps a sender of the channel.
pub(crate) fn kept_by_later_field(
    program: &Program,
    objects: &Objects,
    drop: FunctionId,
    channel: CallSite,
) -> Option<DropOrder> {
    let dropped = program.type_of(drop).filter(|_| program.is_drop(drop))?;
    objects.fields.iter().find_map(|(of, fields)| {
        let (waits, _) = fields.iter().find(|(_, ty)| has_one(**ty, dropped))?;
        let mut later = fields.range(waits + 1..);
        let (keeps, _) = later.find(|(number, ty)| {
            let ty = **ty;
            let things = objects.in_node(&Node::Field(of.clone(), **number));
            let is_sender = kinds(ty, &|_| false).meets(Kinds::SENDER) && !ty.has(Ty::is_pointer);
            is_sender && one_sender(things.iter()) == Some(channel)
                || owns(program, objects, ty, DEEPEST).contains(&channel)
        })?;
        let name = |number: u32| {
            let names = program.fields_of(of).and_then(|it| it.get(number as usize));
            names.map_or_else(|| number.to_string(), Clone::clone)
        };
        let found = DropOrder { of: of.clone(), waits: name(*waits), keeps: name(*keeps) };
        (!lets_go_first(program, of)).then_some(found)
    })
}

/// Whether a type is that one, or has one of it at once.
fn has_one(ty: Ty, of: &str) -> bool {
    let is_one = ty.holds().is_some_and(Holds::is_one);
    ty.name() == of || is_one && ty.arguments().iter().any(|it| has_one(*it, of))
}

/// Whether the type has a `Drop` of its own, which runs before its fields are dropped, and may take senders out of them.
fn lets_go_first(program: &Program, of: &str) -> bool {
    let own = program.functions().map(|it| it.0);
    let own = own.filter(|it| program.is_drop(*it) && program.type_of(*it) == Some(of));
    let called = |id: FunctionId| {
        let function = program.function(id);
        let runs = function.calls().flat_map(|(block, ..)| may_run(program, function, block));
        runs.map(|it| it.body).collect::<Vec<_>>()
    };
    let takes = |id: &FunctionId| {
        let function = program.function(*id);
        function.blocks().any(|(block, _)| takes_senders(function, block))
    };
    walk::reaches(own.collect::<Vec<_>>(), called, takes)
}
