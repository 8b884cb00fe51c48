//! Where a value comes from inside a body.

use crate::body::walk;
use crate::body::{Callee, Definition, Function, Kind, Selector, Slot};
use crate::mir::{BlockId, Call, Local, Made, Operand, Place, Projection, Rvalue, Terminator};
use crate::ty::TyKind;
use rvcheck_primitives::{Holds, holds};
use std::collections::BTreeSet;

/// The call that a value is the result of, or a part of that: followed back through moves, references, marks and iterators, and through
/// the await of the future that the call gave.
pub(crate) fn source(function: &Function, slot: &Slot) -> Option<BlockId> {
    let mut slot = slot.clone();
    for _ in 0..64 {
        let part = slot.steps.get(function.root(&slot)).copied();
        slot.steps.truncate(function.root(&slot));
        match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if callee.is_poll() {
                    slot = function.polled(block)?;
                    continue;
                }
                let through = callee.hands_on()
                    || callee.is_of_iterator() && ends_with_it(callee)
                    || callee.is_into_iter() && is_iter(function, call)
                    || matches!(callee.name(), "new_unchecked" | "branch" | "pin");
                if !through {
                    return Some(block);
                }
                slot = Slot::at(call.place(0)?);
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from))
                | Rvalue::Cast(Operand::Place(from), _)
                | Rvalue::Reference(from, _)
                | Rvalue::Discriminant(from) => slot = Slot::at(from),
                Rvalue::Made(Made::Parts, parts) => {
                    let Some(Selector::Field(at)) = part else { return None };
                    slot = Slot::at(parts.get(at as usize)?.place()?);
                }
                _ => return None,
            },
        }
    }
    None
}

/// Whether the result of a method of an iterator comes to an end where the iterator does.
fn ends_with_it(callee: Callee) -> bool {
    callee.adapts_iterator() && !matches!(callee.name(), "chain" | "cycle" | "flat_map" | "flatten")
        || callee.is_next()
}

/// Whether a call is given what an `iter()` gave: to make an iterator of that does nothing.
fn is_iter(function: &Function, call: &Call) -> bool {
    let given = function.type_given(call, 0);
    given.is_some_and(|it| it.holds() == Some(Holds::Views))
}

/// The values that what a call took is moved to, in parts or as a whole, and those that are made of them without a call, or by one that
/// does no more than to put them into something.
pub(crate) fn items(function: &Function, taken: BlockId) -> BTreeSet<Slot> {
    let mut found = moved_items(function, taken);
    walk::fixpoint(|| {
        let before = found.len();
        for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (into, value) in block.assignments() {
                let made = match value {
                    Rvalue::Made(_, parts) => {
                        parts.iter().filter_map(Operand::place).any(|it| is_part(&found, it))
                    }
                    Rvalue::Use(Operand::Place(from)) => is_part(&found, from),
                    _ => false,
                };
                if !made || is_plain(function, into) {
                    continue;
                }
                let to = Slot::at(into);
                if to.steps.len() == function.root(&to) {
                    found.insert(to);
                } else {
                    found.extend(owner_behind(function, &to));
                }
            }
            if let Some((call, callee)) = function.call(id)
                && puts_in(callee)
                && call.place(0).is_some_and(|it| is_part(&found, it))
            {
                let to = Slot::at(&call.into);
                found.extend((to.steps.len() == function.root(&to)).then_some(to));
            }
        }
        found.len() != before
    });
    found
}

/// Whether a call does nothing but to put its argument into something: `Box::new`, or what `vec!` becomes.
fn puts_in(callee: Callee) -> bool {
    match callee.name() {
        "new" | "pin" | "from" => holds(callee.owner()).is_some_and(|it| it.is_one() && it != Holds::Pinned),
        // What the compiler's library calls so has changed with its versions.
        "into_vec" | "box_assume_init_into_vec_unsafe" => true,
        _ => false,
    }
}

/// The value that owns what a place behind a raw pointer is a part of, where the pointer is made of it: the elements of `vec![a]` are
/// written so.
fn owner_behind(function: &Function, to: &Slot) -> Option<Slot> {
    if to.steps.first() != Some(&Selector::Deref) || function.is_kept(to) {
        return None;
    }
    let mut slot = Slot::of(to.local);
    let is_raw = matches!(function.body.type_of(to.local).kind(), TyKind::Pointer { .. });
    for _ in 0..8 {
        let from = Slot::at(function.assigned(function.definition(&slot).filter(|_| is_raw)?)?.moved_from()?);
        let root = function.root(&from);
        let is_part = from.steps.len() > root;
        slot = Slot { local: from.local, steps: from.steps[..root].to_vec() };
        if is_part {
            return Some(slot);
        }
    }
    None
}

/// Whether a place is one of these values, or a part of one.
pub(crate) fn is_part(values: &BTreeSet<Slot>, place: &Place) -> bool {
    let slot = Slot::at(place);
    (0..=slot.steps.len())
        .any(|length| values.contains(&Slot { local: slot.local, steps: slot.steps[..length].to_vec() }))
}

/// Whether nobody misses a value: flags, and what only tells how it goes on.
fn is_plain(function: &Function, place: &Place) -> bool {
    let ty = function.type_of(place).unwrap_or_default();
    ["bool", "isize", "usize", "()"].contains(&ty.head()) || ty.names("Poll") || ty.names("ControlFlow")
}

fn moved_items(function: &Function, taken: BlockId) -> BTreeSet<Slot> {
    let mut found = BTreeSet::new();
    for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            let Rvalue::Use(Operand::Place(from)) = value else { continue };
            let to = Slot::at(into);
            if !is_plain(function, into)
                && to.steps.len() == function.root(&to)
                && is_from(function, &Slot::at(from), taken)
                && !from.is_of_variant("Err")
            {
                found.insert(to);
            }
        }
    }
    found
}

/// Whether a method gives what is in an `Option` or `Result`, what is made of that, or that as one or the other.
pub(crate) fn gives_inside(callee: Callee) -> bool {
    callee.opens() && !callee.is_branch() || matches!(callee.name(), "map" | "map_err" | "context")
}

/// Whether a value is what a call took, or what is in that.
pub(crate) fn is_from(function: &Function, slot: &Slot, taken: BlockId) -> bool {
    let mut slot = slot.clone();
    for _ in 0..8 {
        let Some(block) = source(function, &slot) else { return false };
        if block == taken {
            return true;
        }
        let inside = function.call(block).filter(|(_, callee)| gives_inside(*callee));
        let Some(from) = inside.and_then(|(call, _)| call.place(0)) else { return false };
        slot = Slot::at(from);
    }
    false
}

/// The call whose result the branch at the end of a block looks at.
pub(crate) fn decided_by(function: &Function, block: BlockId) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), .. } = &function.body.block(block)?.terminator else {
        return None;
    };
    source(function, &Slot::at(on))
}

/// The call whose result a flag is, seen through copies, negations and what it points to.
pub(crate) fn flag(function: &Function, slot: &Slot) -> Option<BlockId> {
    let mut slot = slot.clone();
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot)? {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if !callee.hands_on() && callee.name() != "deref" {
                    return Some(block);
                }
                call.place(0)?
            }
            definition @ Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _) => from,
                value => value.negated()?,
            },
        };
        slot = Slot::at(from);
    }
    None
}

/// The place whose value another one has, or the opposite of it: `straight` is changed by a `!`.
pub(crate) fn carried<'a>(value: &'a Rvalue, straight: &mut bool) -> Option<&'a Place> {
    match value {
        Rvalue::Use(Operand::Place(from)) => Some(from),
        value => {
            let from = value.negated();
            *straight ^= from.is_some();
            from
        }
    }
}

/// The block that polls the future that the call at the end of a block gives, where it is awaited by itself.
pub(crate) fn awaited_at(function: &Function, made: BlockId) -> Option<BlockId> {
    function.suspensions.iter().find_map(|it| {
        let slot = it.awaited.as_ref()?;
        (function.producer(slot)? == Definition::Called(made)).then_some(it.poll?)
    })
}

/// How many values are followed back to find out whether one was given.
const MOST: usize = 64;

/// Whether a value is made of something that the body was given or has captured.
pub(crate) fn is_given(function: &Function, operand: &Operand) -> bool {
    let mut seen = BTreeSet::new();
    let made_of = |mut slot: Slot| {
        slot.steps.truncate(function.root(&slot));
        let is_new = seen.len() <= MOST && seen.insert(slot.clone());
        let definitions = if is_new { function.definitions(&slot) } else { &[] };
        let places = definitions.iter().flat_map(|it| function.places_of(*it));
        places.map(Slot::at).collect::<Vec<_>>()
    };
    let is_given = |slot: &Slot| {
        let whole = Slot { local: slot.local, steps: slot.steps[..function.root(slot)].to_vec() };
        let is_own = matches!(function.kind, Kind::Coroutine)
            || function.kind == Kind::Closure && slot.local == Local(1);
        function.captured(slot).is_some() || function.is_argument(&whole) && !is_own
    };
    walk::reaches(operand.place().map(Slot::at), made_of, is_given)
}

/// The constant that an operand is, if it is a number: `const 8_usize`.
pub(crate) fn number(function: &Function, operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Constant(text) => {
            let digits = text.split('_').next()?;
            digits.parse().ok()
        }
        Operand::Place(place) => match function.assigned(function.definition(&Slot::at(place))?)? {
            Rvalue::Use(inner @ Operand::Constant(_)) | Rvalue::Cast(inner @ Operand::Constant(_), _) => {
                number(function, inner)
            }
            _ => None,
        },
    }
}

/// Whether a place is a part of a value, or leads to one through references.
pub(crate) fn leads_into(function: &Function, place: &Place, of: &Slot) -> bool {
    let mut place = place.clone();
    for _ in 0..8 {
        if Slot::at(&place).within(of).is_some() {
            return true;
        }
        let definition = function.definition(&Slot::of(place.local));
        match definition.and_then(|it| function.assigned(it)) {
            Some(Rvalue::Reference(from, _)) if place.projections.first() == Some(&Projection::Deref) => {
                let behind = place.projections.iter().skip(1);
                let projections = from.projections.iter().chain(behind).cloned().collect();
                place = Place { local: from.local, projections };
            }
            Some(Rvalue::Reference(from, _)) => place = from.clone(),
            Some(Rvalue::Use(Operand::Place(from))) => {
                let projections = from.projections.iter().chain(&place.projections).cloned().collect();
                place = Place { local: from.local, projections };
            }
            _ => return false,
        }
    }
    false
}
