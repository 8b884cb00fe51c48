//! Senders behind an `Option` of a struct, which methods put there and take out again.

use crate::body::paths::Paths;
use crate::body::provenance::leads_into;
use crate::body::{Function, FunctionId, Slot, walk};
use crate::facts::objects::{CallSite, Kinds, Node, Objects, Thing, is_sender};
use crate::mir::{BlockId, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::Is;
use std::collections::BTreeSet;

/// Whether values of a struct have a sender behind an `Option` that no other body than this one takes out, or only together with a handle
/// that this one takes: then there is nothing left to wait for.
pub(super) fn has_behind_option(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    name: &str,
    channel: CallSite,
) -> bool {
    let handles = objects.fields.get(name).into_iter().flatten().filter(|(number, ty)| {
        mentions(**ty, |it| matches!(it, Is::Handle(_)))
            && takes_field(program.function(id), (name, **number))
    });
    let handles: Vec<u32> = handles.map(|(number, _)| *number).collect();
    let with_handle = |function| handles.iter().any(|it| takes_field(function, (name, *it)));
    optional_senders(objects, name, channel).any(|field| {
        let takes = |function| takes_field(function, (name, field)) && !with_handle(function);
        !program.functions().any(|(it, function)| it != id && takes(function))
    })
}

/// The fields of a struct with a sender of a channel, and of no other one, behind an `Option`.
fn optional_senders(objects: &Objects, name: &str, channel: CallSite) -> impl Iterator<Item = u32> {
    objects.fields.get(name).into_iter().flatten().filter_map(move |(number, ty)| {
        let of_sender = ty.is_option() && ty.argument(0).is_some_and(is_whole_sender);
        let things = || objects.in_node(&Node::Field(name.to_owned(), *number));
        (of_sender && one_sender(things().iter()) == Some(channel)).then_some(*number)
    })
}

/// Whether a body may take out what is in a field.
fn takes_field(function: &Function, (name, number): (&str, u32)) -> bool {
    let is_it = |place: &Place| {
        (0..place.projections.len()).any(|at| {
            let front = Place { local: place.local, projections: place.projections[..at].to_vec() };
            matches!(&place.projections[at], Projection::Field(it, _) if *it == number)
                && function.type_of(&front).is_some_and(|it| it.name() == name)
        })
    };
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(_, block)| {
        let lent = block
            .statements
            .iter()
            .any(|it| matches!(it, Statement::Assign(_, Rvalue::Reference(of, true)) if is_it(of)));
        let is_dropped = matches!(&block.terminator, Terminator::Drop { place, .. } if is_it(place));
        lent || is_dropped && !puts_another(function, &is_it)
    })
}

/// Whether a body gives a sender to a method of a value that it was lent as this variable, and calls nothing that takes it out before a wait.
/// The value keeps it behind an `Option`.
pub(super) fn lent(
    program: &Program,
    objects: &Objects,
    (id, wait): (FunctionId, BlockId),
    (variable, name): (&str, &str),
    channel: CallSite,
) -> bool {
    let function = program.function(id);
    let paths = Paths::of(function);
    // Across a suspension it is kept elsewhere.
    let places = function.body.variables.iter().filter(|(name, _)| name == variable);
    let values: Vec<Slot> = places.map(|(_, place)| Slot::at(place)).collect();
    let is_sender = |it: &Place| {
        function.type_of(it).is_some_and(is_whole_sender)
            && one_sender(objects.at(program, id, it).iter()) == Some(channel)
    };
    let given: Vec<(BlockId, FunctionId, bool)> = function
        .calls()
        .filter_map(|(at, call, _)| {
            let mut places = call.places();
            let is_on =
                places.next().is_some_and(|place| values.iter().any(|it| leads_into(function, place, it)));
            Some((at, program.called(function, at).filter(|_| is_on)?, places.any(is_sender)))
        })
        .collect();
    optional_senders(objects, name, channel).any(|field| {
        let takes = |at: FunctionId| {
            let inner = walk::reached([at], |it| {
                let function = program.function(it);
                function.calls().filter_map(|(at, ..)| program.called(function, at)).collect::<Vec<_>>()
            });
            inner.into_iter().any(|it| takes_field(program.function(it), (name, field)))
        };
        !takes_field(function, (name, field))
            && given.iter().any(|(put, _, is_put)| {
                let mut between = given
                    .iter()
                    .filter(|it| paths.leads(*put, it.0) && (it.0 == wait || paths.leads(it.0, wait)));
                *is_put && paths.leads(*put, wait) && !between.any(|it| takes(it.1))
            })
    })
}

/// Whether all that a body assigns to a place is `Some`.
fn puts_another(function: &Function, is_it: &dyn Fn(&Place) -> bool) -> bool {
    let statements = function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
    let mut assigned = statements.filter_map(|it| match it {
        Statement::Assign(into, value) if is_it(into) => Some(value),
        _ => None,
    });
    let is_some = |value: &Rvalue| match value {
        Rvalue::Use(Operand::Place(from)) => {
            let made = function.definition(&Slot::at(from)).and_then(|it| function.assigned(it));
            made.is_some_and(|it| it.variant("Some").is_some())
        }
        it => it.variant("Some").is_some(),
    };
    assigned.next().is_some_and(is_some) && assigned.all(is_some)
}

/// Whether a method has put a sender of a channel into a value of a body on a way to a wait, behind an `Option` that nobody empties.
pub(super) fn was_put_in(
    program: &Program,
    objects: &Objects,
    (id, wait): (FunctionId, BlockId),
    kept: &Place,
    channel: CallSite,
) -> bool {
    let function = program.function(id);
    let ty = function.type_of(kept).unwrap_or_default();
    if !kept.projections.is_empty() || !has_behind_option(program, objects, id, ty.name(), channel) {
        return false;
    }
    let paths = Paths::of(function);
    let is_lent = |it: &Operand| {
        let lent = it.place().and_then(|it| function.definition(&Slot::at(it)));
        let lent = lent.and_then(|it| function.assigned(it));
        matches!(lent, Some(Rvalue::Reference(of, true)) if of == kept)
    };
    let is_sender = |it: &Operand| {
        it.place().is_some_and(|it| {
            function.type_of(it).is_some_and(is_whole_sender)
                && one_sender(objects.at(program, id, it).iter()) == Some(channel)
        })
    };
    function.calls().any(|(at, call, _)| {
        program.called(function, at).is_some()
            && paths.leads(at, wait)
            && call.arguments.first().is_some_and(is_lent)
            && call.arguments.iter().skip(1).any(is_sender)
    })
}

/// Whether a value of a type is a sender, and not only perhaps.
pub(super) fn is_whole_sender(ty: Ty) -> bool {
    is_sender(ty) && !ty.is_pointer() && !ty.is_option()
}

/// The channel of all senders among these, if they are of one.
pub(super) fn one_sender<'a>(things: impl Iterator<Item = &'a Thing>) -> Option<CallSite> {
    let all: BTreeSet<Option<CallSite>> = things
        .filter(|it| it.kind().meets(Kinds::SENDER))
        .map(|it| match it {
            Thing::Sender(site) => Some(*site),
            _ => None,
        })
        .collect();
    match all.into_iter().collect::<Vec<_>>().as_slice() {
        [Some(one)] => Some(*one),
        _ => None,
    }
}
