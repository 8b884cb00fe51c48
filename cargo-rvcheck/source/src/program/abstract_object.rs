//! Where something lives that several bodies use: a field of a struct, or a value of one body.

use crate::body::{Callee, Definition, Function, FunctionId, Selector, Slot};
use crate::mir::{Made, Operand, Place, Projection, Rvalue};
use crate::program::Program;
use crate::program::fills::fills_of;
use rvcheck_primitives::Holds;
use std::collections::BTreeMap;

/// Where something lives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum AbstractObject {
    /// The field of that number of the struct of that name, of whichever instance.
    Field(String, u32),
    /// A value that the body of that number makes, or is given.
    Value(FunctionId, Slot),
}

impl AbstractObject {
    /// What the source calls it, in backquotes; else the words for what it is.
    pub(crate) fn called(&self, program: &Program, otherwise: &str) -> String {
        let name = match self {
            AbstractObject::Field(of, number) => {
                program.fields_of(of).and_then(|it| it.get(*number as usize)).map(String::as_str)
            }
            AbstractObject::Value(id, slot) => {
                let variables = &program.function(*id).body.variables;
                variables.iter().find(|(_, place)| Slot::at(place) == *slot).map(|(name, _)| name.as_str())
            }
        };
        // A field without a name has a number.
        let is_name = |it: &&str| *it != "self" && !it.starts_with(|it: char| it.is_ascii_digit());
        name.filter(is_name).map_or_else(|| otherwise.to_owned(), |it| format!("`{it}`"))
    }
}

/// The abstract objects in a program.
pub(crate) struct AbstractObjects<'a> {
    program: &'a Program,
    /// By closure or state machine: the one body that makes it, and of what.
    makers: BTreeMap<FunctionId, Option<(FunctionId, &'a [Operand])>>,
    /// By function: the one call of it, with its arguments.
    callers: BTreeMap<FunctionId, Option<(FunctionId, &'a [Operand])>>,
    /// Whether what a variant of an enum has in it is an object of its own.
    by_variant: bool,
}

/// Whether functions of that name give back what they are given, or another handle to the same thing.
fn is_same(callee: Callee) -> bool {
    callee.leads_on() || matches!(callee.name(), "into_inner" | "into_iter" | "new" | "new_unchecked")
}

impl<'a> AbstractObjects<'a> {
    /// Of this program.
    pub(crate) fn of(program: &'a Program) -> AbstractObjects<'a> {
        let (mut makers, mut callers) = (BTreeMap::new(), BTreeMap::new());
        for (id, function) in program.functions() {
            for (block, call, _) in function.calls() {
                if let Some(called) = program.called(function, block) {
                    callers
                        .entry(called)
                        .and_modify(|it: &mut Option<_>| *it = None)
                        .or_insert(Some((id, call.arguments.as_slice())));
                }
            }
            for (_, block) in function.blocks() {
                for (into, value) in block.assignments() {
                    // The state machine of an `async fn` has a type that says so, and no place.
                    let Some((made, operands)) = program.body_made(function, into, value) else { continue };
                    makers
                        .entry(made)
                        .and_modify(|it: &mut Option<_>| *it = None)
                        .or_insert(Some((id, operands)));
                }
            }
        }
        AbstractObjects { program, makers, callers, by_variant: false }
    }

    /// The same, where what a variant of an enum has in it is an object of its own, and not the enum.
    pub(crate) fn by_variant(self) -> AbstractObjects<'a> {
        AbstractObjects { by_variant: true, ..self }
    }

    /// What a closure or state machine has captured under that number, in the one body that makes it.
    pub(crate) fn captured(&self, id: FunctionId, number: u32) -> Option<(FunctionId, &'a Place)> {
        let (maker, operands) = self.makers.get(&id).copied().flatten()?;
        Some((maker, operands.get(number as usize)?.place()?))
    }

    /// The abstract object of what a place is, points to, or guards; followed through clones of an `Arc`, locks, and into the body that
    /// captured it.
    pub(crate) fn object(&self, id: FunctionId, place: &Place) -> Option<AbstractObject> {
        let (mut id, mut place) = (id, place.clone());
        for _ in 0..64 {
            let function = self.program.function(id);
            let of_variant = || of_variant(self.program, function, &place).filter(|_| self.by_variant);
            if let Some(field) = of_variant().or_else(|| field(self.program, function, &place)) {
                return Some(field);
            }
            let mut slot = Slot::at(&place);
            let part = slot.steps.get(function.root(&slot)).copied();
            slot.steps.truncate(function.root(&slot));
            if let Some((number, _)) = function.captured(&Slot::at(&place)) {
                let Some((maker, operands)) = self.makers.get(&id).copied().flatten() else {
                    return Some(AbstractObject::Value(id, slot));
                };
                place = operands.get(number as usize)?.place()?.clone();
                id = maker;
                continue;
            }
            let caller = self.callers.get(&id).copied().flatten().filter(|_| function.is_argument(&slot));
            if let Some((caller, arguments)) = caller
                && let Some(argument) =
                    arguments.get((slot.local.0 as usize).wrapping_sub(1)).and_then(Operand::place)
            {
                place = argument.clone();
                id = caller;
                continue;
            }
            let Some(definition) = function.definition(&slot) else {
                return Some(AbstractObject::Value(id, slot));
            };
            place = match definition {
                Definition::Assigned(..) => match function.assigned(definition)? {
                    Rvalue::Use(Operand::Place(from))
                    | Rvalue::Cast(Operand::Place(from), _)
                    | Rvalue::Reference(from, _) => from.clone(),
                    Rvalue::Made(Made::Parts, parts) => match part {
                        Some(Selector::Field(at)) => parts.get(at as usize)?.place()?.clone(),
                        _ => return Some(AbstractObject::Value(id, slot)),
                    },
                    _ => return Some(AbstractObject::Value(id, slot)),
                },
                Definition::Called(block) => {
                    let (call, callee) = function.call(block)?;
                    // A function of the workspace that is called so makes something else of what it is given.
                    let makes = callee.name() == "new" && self.program.called(function, block).is_some();
                    let same = is_same(callee) && !makes || callee.hands_on() || callee.is_poll();
                    match call.place(0).filter(|_| same) {
                        Some(from) => from.clone(),
                        None => return Some(AbstractObject::Value(id, slot)),
                    }
                }
            };
        }
        None
    }
}

/// The abstract object of a value before it was put into its field, where that happens in one place only; else the abstract object itself.
pub(crate) fn before_field(
    program: &Program,
    objects: &AbstractObjects<'_>,
    object: AbstractObject,
) -> AbstractObject {
    let AbstractObject::Field(of, field) = &object else { return object };
    let filled = fills_of(program, of).filter(|it| it.field == *field);
    // A clone has what the other one had.
    let mut filled =
        filled.map(|it| objects.object(it.function, it.from)).filter(|it| it.as_ref() != Some(&object));
    match (filled.next(), filled.next()) {
        (Some(Some(before)), None) => before,
        _ => object,
    }
}

/// What a place is, or is behind, of what a variant of an enum of the workspace has in it, if nothing further in has a name.
fn of_variant(program: &Program, function: &Function, place: &Place) -> Option<AbstractObject> {
    let at = (1..place.projections.len()).rev().find(|at| {
        matches!(place.projections[*at], Projection::Field(..))
            && matches!(place.projections[at - 1], Projection::Variant(_))
    })?;
    let (Projection::Field(number, _), Projection::Variant(variant)) =
        (&place.projections[at], &place.projections[at - 1])
    else {
        return None;
    };
    let front = Place { local: place.local, projections: place.projections[..at - 1].to_vec() };
    let of = function.type_of(&front)?;
    if !program.variants(of.name())?.contains(variant) {
        return None;
    }
    // A field of a struct further in is what it is.
    let is_further = place.projections[at + 1..].iter().any(|it| matches!(it, Projection::Field(..)));
    (!is_further)
        .then(|| AbstractObject::Field(format!("{}::{variant}", program.type_named(of.head())), *number))
}

/// The innermost field of a struct with a name that a place is, or is behind.
pub(crate) fn field(program: &Program, function: &Function, place: &Place) -> Option<AbstractObject> {
    (0..place.projections.len()).rev().find_map(|at| {
        let Projection::Field(number, _) = place.projections[at] else { return None };
        let before = at.checked_sub(1).map(|it| &place.projections[it]);
        if matches!(before, Some(Projection::Variant(_))) {
            return None;
        }
        let front = Place { local: place.local, projections: place.projections[..at].to_vec() };
        let ty = function.type_of(&front)?;
        let head = ty.head();
        let named = !head.is_empty() && !head.starts_with(['{', '(', '[', '&', '<']) && !head.contains(' ');
        let handle =
            ty.holds().is_some_and(|it| it.is_pointer() || it == Holds::Raw) || ty.name() == "PollFn";
        (named && !handle).then(|| AbstractObject::Field(program.type_named(head), number))
    })
}
