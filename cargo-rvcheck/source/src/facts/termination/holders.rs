//! Holders of senders: values that keep a channel open while their body waits.
//!
//! A value is kept at a wait if it was there before, nothing on the way moves or drops it, and it is dropped or moved after. So what is left
//! of a struct that was taken apart counts: the compiler drops its remaining fields one by one.

use super::optional::{has_behind_option, is_whole_sender, lent, one_sender, was_put_in};
use crate::body::paths::Paths;
use crate::body::provenance::leads_into;
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::facts::objects::{CallSite, Kinds, Node, Objects, is_sender, kinds};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::{Holds, Is, holds, owners_named};
use std::collections::BTreeSet;

/// How deep types are looked into.
pub(super) const DEEPEST: usize = 5;

/// A value that keeps a channel open.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Holder {
    /// The value.
    pub(crate) slot: Slot,
    /// What it is called in the source.
    pub(crate) name: Option<String>,
    /// Where it is dropped or moved in the end, if that is in this body.
    pub(crate) until: Option<BlockId>,
    /// It is behind a reference that the body was given.
    pub(crate) is_given: bool,
}

/// The value of a body that keeps a channel open at the end of a block, if there is one for sure.
pub(crate) fn kept_at(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    wait: BlockId,
    channel: CallSite,
) -> Option<Holder> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let around = paths.loop_around(wait);
    let after: BTreeSet<BlockId> = &paths.after(wait) - &around;
    for block in &after {
        let Some(it) = function.body.block(*block).filter(|it| !it.cleanup) else { continue };
        let dropped = match &it.terminator {
            Terminator::Drop { place, .. } => Some(place),
            Terminator::Call(call) => {
                let is_drop = function.call(*block).is_some_and(|(_, callee)| callee.is_drop());
                let given = call.place(0).filter(|_| is_drop);
                given.map(|it| moved_from(function, it))
            }
            _ => None,
        };
        let Some(place) = dropped else { continue };
        if !owns_at(program, objects, id, place).contains(&channel)
            && !was_put_in(program, objects, (id, wait), place, channel)
        {
            continue;
        }
        if was_there(function, paths, place, wait, &around) {
            let slot = Slot::at(place);
            let name = name_of(function, place);
            return Some(Holder { slot, name, until: Some(*block), is_given: false });
        }
    }
    given(program, objects, id, wait, channel)
}

/// A reference that the body was given, to a value that keeps the channel open.
fn given(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    wait: BlockId,
    channel: CallSite,
) -> Option<Holder> {
    let function = program.function(id);
    let before = Paths::of(function).to(&[wait], &|_| false);
    if before.iter().any(|it| takes_senders(function, *it)) {
        return None;
    }
    let places = function.body.variables.iter().map(|(name, place)| (name, place));
    places.into_iter().find_map(|(name, place)| {
        let ty = function.type_of(place)?;
        let inner = ty.pointee();
        let slot = Slot::at(place);
        let is_given =
            function.is_argument(&slot) || function.captured(&slot).is_some_and(|(_, rest)| rest.is_empty());
        let of_own = program.knows_type(inner.name());
        let owns = || {
            inner != ty && owns(program, objects, inner, DEEPEST).contains(&channel)
                || has_behind_option(program, objects, id, inner.name(), channel)
                || ty.is_exclusive() && lent(program, objects, (id, wait), (name, inner.name()), channel)
        };
        (is_given && of_own && owns()).then(|| Holder {
            slot,
            name: Some(name.clone()),
            until: None,
            is_given: true,
        })
    })
}

/// Whether a block may take a sender out of where it is, or what has one.
pub(super) fn takes_senders(function: &Function, block: BlockId) -> bool {
    let Some(it) = function.body.block(block).filter(|it| !it.cleanup) else { return false };
    let may_be = |place: &Place| {
        let ty = function.type_of(place).unwrap_or_default();
        let inner = ty.pointee();
        mentions(ty, |it| matches!(it, Is::End(end) if end.sends))
            || !mentions(inner, |it| matches!(it, Is::Handle(_) | Is::Tasks(_)))
    };
    match &it.terminator {
        Terminator::Drop { place, .. } => function.type_of(place).is_some_and(is_sender),
        Terminator::Call(call) => {
            // An iterator that is cut short has nothing taken out of it.
            let takes =
                function.call(block).is_some_and(|(_, callee)| removes(callee) && !callee.is_of_iterator());
            takes && call.place(0).is_some_and(may_be)
        }
        _ => false,
    }
}

/// Whether a function takes what there is out of what it is given.
fn removes(callee: Callee) -> bool {
    callee.shrinks() || callee.takes_out() || callee.closes() || callee.name() == "swap"
}

/// The channels that a place keeps open, each for sure.
fn owns_at(program: &Program, objects: &Objects, id: FunctionId, place: &Place) -> BTreeSet<CallSite> {
    let function = program.function(id);
    let Some(ty) = function.type_of(place) else { return BTreeSet::new() };
    if ty.is_pointer() {
        return BTreeSet::new();
    }
    if is_whole_sender(ty) && !is_own(program, ty) {
        let things = objects.at(program, id, place);
        return one_sender(things.iter()).into_iter().collect();
    }
    if let Some(body) = program.body_of(ty).filter(|_| ty.is_body()) {
        // A closure that is dropped whole keeps what it captured.
        let is_closure = program.function(body).kind == Kind::Closure;
        return if is_closure { captured(program, objects, body) } else { BTreeSet::new() };
    }
    if is_collection(ty) {
        let things = objects.at(program, id, place);
        return one_sender(things.iter()).filter(|_| stays_filled(program, ty)).into_iter().collect();
    }
    owns(program, objects, ty, DEEPEST)
}

/// Whether a type is a collection of senders.
fn is_collection(ty: Ty) -> bool {
    ty.holds().is_some_and(Holds::is_collection) && ty.arguments().iter().any(|it| is_whole_sender(*it))
}

/// Whether nothing takes anything out of collections of that type again.
fn stays_filled(program: &Program, ty: Ty) -> bool {
    let takes =
        |it: Callee| it.shrinks() || it.takes_out() || matches!(it.name(), "entry" | "into_iter" | "swap");
    program.functions().all(|(_, function)| {
        function.calls().all(|(_, call, callee)| {
            let on = function.type_given(call, 0);
            !takes(callee) || !on.is_some_and(|it| it.has(|it| it == ty))
        })
    })
}

fn captured(program: &Program, objects: &Objects, body: FunctionId) -> BTreeSet<CallSite> {
    let function = program.function(body);
    let mut found = BTreeSet::new();
    for (_, place) in &function.body.variables {
        let Some((number, [])) = function.captured(&Slot::at(place)) else { continue };
        let ty = place.stated_type().unwrap_or_default();
        if is_whole_sender(ty) && !ty.is_reference() {
            found.extend(one_sender(objects.in_node(&Node::Captured(body, number)).iter()));
        }
    }
    found
}

/// The channels that values of a type keep open by their fields.
pub(crate) fn owns(program: &Program, objects: &Objects, ty: Ty, depth: usize) -> BTreeSet<CallSite> {
    let mut found = BTreeSet::new();
    let name = ty.name();
    if depth == 0
        || ty.is_pointer()
        || ty.is_body()
        || name.starts_with("Weak")
        || name == "Option"
        || ty.is_object()
    {
        return found;
    }
    let is_one = holds(name).is_some_and(|it| it.is_one() && it != Holds::Variant);
    if is_one || ty.is_tuple() {
        for inner in ty.arguments() {
            found.extend(owns(program, objects, *inner, depth - 1));
        }
        return found;
    }
    if !program.knows_type(name) {
        return found;
    }
    let variants = program.variants(name).unwrap_or_default().iter().map(|it| format!("{name}::{it}"));
    for key in std::iter::once(name.to_owned()).chain(variants) {
        for (number, &ty) in objects.fields.get(&key).into_iter().flatten() {
            if is_whole_sender(ty) && !is_own(program, ty) {
                let things = objects.in_node(&Node::Field(key.clone(), *number));
                found.extend(one_sender(things.iter().filter(|it| it.kind().meets(Kinds::SENDER))));
            } else if is_collection(ty) && stays_filled(program, ty) {
                found.extend(one_sender(objects.in_node(&Node::Field(key.clone(), *number)).iter()));
            } else if !kinds(ty, &|_| false).meets(Kinds::SENDER)
                || program.knows_type(ty.name())
                || ty.text().starts_with("rvstd")
                || ty.names("Arc")
            {
                found.extend(owns(program, objects, ty, depth - 1));
            }
        }
    }
    found
}

/// Whether a type is one of the workspace, whatever its name says.
fn is_own(program: &Program, ty: Ty) -> bool {
    program.knows_type(ty.name()) && owners_named(ty.name()).is_empty()
}

/// Where a value is moved from to be given to a call.
fn moved_from<'a>(function: &'a Function, place: &'a Place) -> &'a Place {
    let definition = function.definition(&Slot::at(place));
    match definition.and_then(|it| function.assigned(it)) {
        Some(Rvalue::Use(Operand::Place(from))) => from,
        _ => place,
    }
}

/// Whether a value that is dropped after a wait was there before it, and is still.
pub(super) fn was_there(
    function: &Function,
    paths: &Paths,
    place: &Place,
    wait: BlockId,
    around: &BTreeSet<BlockId>,
) -> bool {
    let slot = Slot::at(place);
    let mut root = slot.clone();
    root.steps.truncate(function.root(&slot));
    let definitions = function.definitions(&root);
    let defined: Vec<BlockId> = definitions
        .iter()
        .map(|it| match it {
            crate::body::Definition::Assigned(block, _) | crate::body::Definition::Called(block) => *block,
        })
        .collect();
    let is_kept = function.is_argument(&root) || function.captured(&slot).is_some();
    let leads = |it: BlockId| it == wait || paths.leads(it, wait);
    let before = defined.iter().all(|it| !around.contains(it) && leads(*it) && !paths.leads(wait, *it));
    if !(before && (is_kept || !defined.is_empty())) {
        return false;
    }
    // Moved or dropped on some way to the wait.
    let gone = function.blocks().filter(|(_, it)| !it.cleanup).any(|(block, it)| {
        let at_wait = block == wait || paths.leads(block, wait);
        at_wait && (it.statements.iter().any(|it| moves(it, &slot)) || ends(&it.terminator, &slot))
    });
    !gone && !loses_a_sender(function, paths, &slot, wait)
}

/// Whether a sender in a value is dropped on some way to the wait, also through a reference: another one takes its place.
fn loses_a_sender(function: &Function, paths: &Paths, of: &Slot, wait: BlockId) -> bool {
    let is_lost = |place: &Place, ty: Ty| is_sender(ty) && leads_into(function, place, of);
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(block, it)| {
        let loses = match &it.terminator {
            Terminator::Drop { place, .. } => function.type_of(place).is_some_and(|it| is_lost(place, it)),
            Terminator::Call(call) => {
                let replaces = function
                    .call(block)
                    .is_some_and(|(_, callee)| removes(callee) && callee.of_trait().is_none());
                call.places().filter(|_| replaces).any(|it| {
                    let ty = function.type_of(it).and_then(Ty::referent);
                    ty.is_some_and(|ty| is_lost(it, ty))
                })
            }
            _ => false,
        };
        loses && paths.leads(block, wait)
    })
}

/// Whether a place is all of a value. Of what has lost a part, the compiler drops the other parts one by one.
fn covers(moved: &Place, slot: &Slot) -> bool {
    slot.within(&Slot::at(moved)).is_some()
}

fn moves(it: &Statement, slot: &Slot) -> bool {
    let Statement::Assign(_, value) = it else { return false };
    match value {
        Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => covers(from, slot),
        Rvalue::Made(_, parts) => parts.iter().filter_map(Operand::place).any(|it| covers(it, slot)),
        _ => false,
    }
}

fn ends(it: &Terminator, slot: &Slot) -> bool {
    match it {
        Terminator::Drop { place, .. } => covers(place, slot),
        Terminator::Call(call) => call.places().any(|it| covers(it, slot)),
        _ => false,
    }
}

fn name_of(function: &Function, place: &Place) -> Option<String> {
    let slot = Slot::at(place);
    let mut named = function.body.variables.iter().filter(|(_, it)| slot.within(&Slot::at(it)).is_some());
    named.next().map(|(name, _)| name.clone())
}
