//! One slot for the wakers of several futures: each replaces the previous waker, which is never woken any more.
//!
//! Reported if a hand-written future keeps its waker in a slot of what it shares, and a method that takes what is shared by `&self` makes
//! any number of these futures.

use super::super::{Certainty, CodeRef, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::{Definition, Function, FunctionId, Kind, Selector, Slot};
use crate::facts::objects::peeled;
use crate::facts::signals::{Act, Given, Operation, Signals, Sort};
use crate::mir::{BlockId, Local, Place};
use crate::program::Program;
use crate::program::fills::fills_of;
use crate::program::library::{mentions_guard, mentions_waker};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Holds};

/// Finds such slots.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let program = signals.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let polls = program.trait_of(id).is_some_and(|it| it == "Future" || it == "Stream");
        let Some(given) = Given::of(function).filter(|_| polls) else { continue };
        let Some(ty) = program.type_of(id) else { continue };
        let operations = signals.operations(id);
        let kept = operations.iter().filter(|it| it.act == Act::Register && it.sort == Sort::Waker);
        let slot = kept.filter(|it| given.uses.contains(&it.block)).find_map(|it| {
            let field = shared_field(program, it, id)?;
            (!wakes_the_other(signals, id, it)).then_some((it, field))
        });
        let Some((kept, field)) = slot else { continue };
        let Some(maker) = made_for_many(program, ty, field) else { continue };
        hits.push(Hit {
            certainty: Certainty::Usually,
            message: "one slot keeps only the waker of the last poll: if two of these futures wait, nothing wakes the first"
                .to_owned(),
            primary: (
                place(signals, id, Paths::of(function), kept.block),
                "replaces the waker of another future".to_owned(),
            ),
            related: vec![(maker, "created here, any number of times".to_owned())],
            advice: "keep a waker for each waiting future and wake them all, or allow only one such future".to_owned(),
        });
    }
    hits
}

/// The field of a future through which it reaches the slot, where nothing on the way chooses one of several slots.
fn shared_field(program: &Program, kept: &Operation, id: FunctionId) -> Option<u32> {
    let (made, at) = kept.made;
    let function = program.function(made);
    let into = slot_of(function, at)?;
    let (mut argument, mut field) = reached_through(program, function, &into)?;
    if made != id {
        // A helper that is given what the future shares, or the future.
        let outer = program.function(id);
        let (call, _) = outer.call(kept.block).filter(|_| program.called(outer, kept.block) == Some(made))?;
        let given = call.arguments.get((argument.0 as usize).checked_sub(1)?)?.place()?;
        let (own, of_future) = reached_through(program, outer, given)?;
        argument = own;
        field = of_future.or(field);
    }
    (argument == Local(1)).then_some(field).flatten()
}

/// The place of the slot that a block keeps a waker in; `None` for a collection.
fn slot_of(function: &Function, at: BlockId) -> Option<Place> {
    if let Some((call, callee)) = function.call(at) {
        let on = call.place(0)?;
        let ty = function.type_of(on).unwrap_or_default();
        let enlists = callee.may(|it| matches!(it.action, Action::Enlist | Action::Store));
        let is_one = mentions_waker(ty) && !peeled(ty).holds().is_some_and(Holds::is_collection);
        if is_one && (enlists || callee.stores()) {
            return Some(on.clone());
        }
    }
    let statements = &function.body.block(at)?.statements;
    statements.iter().find_map(|it| match it {
        crate::mir::Statement::Assign(into, _)
            if into.projections.contains(&crate::mir::Projection::Deref)
                && function.type_of(into).is_some_and(|it| it.is_option() && mentions_waker(it)) =>
        {
            Some(into.clone())
        }
        _ => None,
    })
}

/// The argument through which a place is reached, and the first field of it on the way, where no element is chosen.
fn reached_through(program: &Program, function: &Function, place: &Place) -> Option<(Local, Option<u32>)> {
    let (mut slot, mut field) = (Slot::at(place), None);
    for _ in 0..32 {
        let steps = slot.steps.split_off(function.root(&slot));
        if steps.contains(&Selector::Element) {
            return None;
        }
        // The first one counts, and it is found last.
        if let Some(Selector::Field(first)) = steps.iter().find(|it| matches!(it, Selector::Field(_))) {
            field = Some(*first);
        }
        if function.is_argument(&slot) {
            return Some((slot.local, field));
        }
        let from = match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                let through = callee.hands_on()
                    || callee.leads_on()
                    || callee.requests()
                    || matches!(callee.name(), "project" | "into_inner")
                    || program.called(function, block).is_some_and(|it| gives_guard(program.function(it)));
                // `get_mut` of a collection chooses an element.
                let whole = callee.name() != "get_mut" || call.arguments.len() == 1;
                call.arguments.first().filter(|_| through && whole)?.place()?
            }
            definition @ Definition::Assigned(..) => function.assigned(definition)?.alias_of()?,
        };
        slot = Slot::at(from);
    }
    None
}

/// Whether a function gives a guard of what it is given.
fn gives_guard(function: &Function) -> bool {
    function.body.arguments == 1 && mentions_guard(function.body.type_of(Local(0)))
}

/// Whether a body, or a helper that keeps the waker for it, wakes somebody: the one whose waker it replaces.
fn wakes_the_other(signals: &Signals<'_>, id: FunctionId, kept: &Operation) -> bool {
    [id, kept.made.0].iter().any(|it| signals.operations(*it).iter().any(Operation::notifies))
}

/// Where a type is made out of what a `&self` shares, by a function that others may call as often as they like.
fn made_for_many(program: &Program, ty: &str, field: u32) -> Option<CodeRef> {
    let made = fills_of(program, ty).filter(|it| it.field == field);
    let mut found = None;
    for it in made {
        if shares(program, it.function, it.from, 4)? {
            found = Some(CodeRef::of_body(program, it.function));
        }
    }
    found
}

/// Whether a value is a handle to what a method is given by `&self`. `None` where that is not known.
fn shares(program: &Program, id: FunctionId, from: &Place, depth: usize) -> Option<bool> {
    let function = program.function(id);
    if function.kind != Kind::Function {
        return None;
    }
    let mut slot = Slot::at(from);
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        if function.is_argument(&slot) {
            let ty = function.body.type_of(slot.local);
            let of_self =
                || function.body.variables.iter().any(|(name, it)| name == "self" && it.local == slot.local);
            let is_mutable = ty.has(Ty::is_exclusive);
            if ty.referent().is_some() && of_self() && (is_mutable || program.is_open(id)) {
                return Some(!is_mutable);
            }
            return given_for_many(program, id, slot.local, depth);
        }
        let from = match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                let through = callee.shares() || callee.views() || callee.hands_on();
                if !through {
                    // It is made here.
                    return Some(false);
                }
                call.place(0)?
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)?.alias_of() {
                Some(from) => from,
                None => return Some(false),
            },
        };
        slot = Slot::at(from);
    }
    None
}

/// Whether what callers give for an argument is shared by many.
fn given_for_many(program: &Program, id: FunctionId, argument: Local, depth: usize) -> Option<bool> {
    let mut many = false;
    for (caller, function) in program.functions().filter(|_| depth > 0) {
        for (block, call, _) in function.calls() {
            if program.called(function, block) != Some(id) {
                continue;
            }
            let given = call.arguments.get((argument.0 as usize).checked_sub(1)?)?.place()?;
            many |= shares(program, caller, given, depth - 1)?;
        }
    }
    Some(many)
}
