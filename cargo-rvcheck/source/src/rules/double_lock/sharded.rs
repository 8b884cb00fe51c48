//! A sharded map is accessed while one of its entries is held, or an iterator that has reached one.
//!
//! Such a map is many maps with a lock each, chosen by the key. An entry keeps the lock of its shard, so the next access waits forever if
//! its key falls into the same shard: always for the same key, now and then for another one. So does an iterator after its current entry
//! is gone, and a collection of entries.

use super::super::{Certainty, CodeRef, Hit};
use super::conflict;
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::call_ref;
use crate::program::library::mentions;
use crate::program::locks::Request;
use crate::program::locks::maps::{Iterated, asked, iterated};
use rvcheck_primitives::{GuardOf, Holds, Is};
use std::collections::BTreeSet;

/// Finds such calls.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let uses = |it: &Function| it.body.locals.iter().any(|it| mentions(*it, |it| it == Is::Map));
    if !program.functions().any(|(_, it)| uses(it)) {
        return Vec::new();
    }
    let mut hits: Vec<Hit> = Vec::new();
    for (id, function) in program.functions() {
        for it in program.locks().dependencies(program, id) {
            let is_one = it.held.is_part && it.request.is_part && it.held.lock == it.request.lock;
            let (Some(held), Some(asked)) = (it.held.place, it.request.place) else { continue };
            if is_one && conflict(it.held.mode, it.request.mode).is_some() && held != asked {
                let found = hit(held, asked, it.certain, "the entry is held from here");
                hits.push(through(program, found, it.requested_through));
            }
        }
        for (block, request) in program.locks().requests(id) {
            hits.extend(under_iterator(program, (id, function), *block, request));
            hits.extend(under_entries(program, (id, function), *block, request));
        }
    }
    let mut reported = BTreeSet::new();
    hits.retain(|it| reported.insert(it.primary.0.clone()));
    hits
}

/// A request while an iterator of the same map has come to an entry, and is still there: what a body asks between two calls of `next`, and
/// what closures ask that run for each entry.
fn under_iterator(
    program: &Program,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    request: &Request,
) -> Option<Hit> {
    if !request.is_part {
        return None;
    }
    let paths = Paths::of(function);
    function.calls().find_map(|(next, call, _)| {
        let Iterated { from, mode, map } = asked(program, function, next)?;
        if map != request.lock || conflict(mode, request.mode).is_none() || from == block {
            return None;
        }
        let is_there = || {
            let iterator = borrowed(function, call.arguments.first()?)?;
            let ended = exhausted(function, next);
            let is_over = |at: BlockId| Some(at) == ended || ends(function, at, &iterator);
            paths.from(paths.next(next), &is_over).contains(&block).then_some(())
        };
        if next != block {
            is_there()?;
        }
        let asked = request.place.clone()?;
        let label = "this iterator keeps the shard of its current entry locked";
        let found = hit(call_ref(program, id, from), asked, true, label);
        Some(through(program, found, request.is_inner.then_some((id, block))))
    })
}

/// A request while a collection has entries of the same map in it.
fn under_entries(
    program: &Program,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    request: &Request,
) -> Option<Hit> {
    if !request.is_part {
        return None;
    }
    function.calls().find_map(|(collected, call, _)| {
        let ty = function.type_of(&call.into)?;
        let has_entries = ty.holds().is_some_and(Holds::is_collection)
            && mentions(ty, |it| it == Is::Guard(GuardOf::Thread));
        let over = call.place(0).filter(|_| has_entries)?;
        let Iterated { mode, map, .. } = iterated(program, function, &Slot::at(over))?;
        if map != request.lock || conflict(mode, request.mode).is_none() {
            return None;
        }
        let asked = request.place.clone().filter(|_| is_kept(function, collected, block))?;
        let label = "the entries in here keep their shards locked";
        let found = hit(call_ref(program, id, collected), asked, true, label);
        Some(through(program, found, request.is_inner.then_some((id, block))))
    })
}

/// Whether what a call gave may be there at a later block, wherever it was moved to inside the body.
fn is_kept(function: &Function, made: BlockId, until: BlockId) -> bool {
    let paths = Paths::of(function);
    let Some((call, _)) = function.call(made) else { return false };
    let next =
        |at: BlockId, slot: &Slot| paths.next(at).iter().map(|it| (*it, slot.clone())).collect::<Vec<_>>();
    walk::reaches(
        next(made, &Slot::at(&call.into)),
        |(at, mut slot)| {
            for statement in function.body.block(at).into_iter().flat_map(|it| &it.statements) {
                match statement {
                    Statement::Assign(into, Rvalue::Use(Operand::Place(from))) if Slot::at(from) == slot => {
                        slot = Slot::at(into);
                    }
                    _ => {}
                }
            }
            if ends(function, at, &slot) { Vec::new() } else { next(at, &slot) }
        },
        |(at, _)| *at == until,
    )
}

/// What a reference is to.
fn borrowed(function: &Function, reference: &Operand) -> Option<Slot> {
    let made = function.definition(&Slot::at(reference.place()?))?;
    match function.assigned(made)? {
        Rvalue::Reference(of, _) => Some(Slot::at(of)),
        _ => None,
    }
}

/// Where a branch leads that goes by whether a call of `next` gave something, if it gave nothing.
fn exhausted(function: &Function, next: BlockId) -> Option<BlockId> {
    function.blocks().find_map(|(_, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let Rvalue::Discriminant(of) = function.assigned(function.definition(&Slot::at(on))?)? else {
            return None;
        };
        let is_of_it = function.definition(&Slot::at(of)) == Some(Definition::Called(next));
        let none = cases.iter().find(|(it, _)| *it == 0).map(|(_, to)| *to).or(*otherwise);
        none.filter(|_| is_of_it)
    })
}

/// Whether a value is gone, or elsewhere, after a block.
fn ends(function: &Function, at: BlockId, value: &Slot) -> bool {
    let Some(block) = function.body.block(at) else { return true };
    match &block.terminator {
        Terminator::Drop { place, .. } => Slot::at(place) == *value,
        Terminator::Call(call) => call.places().any(|it| Slot::at(it) == *value),
        _ => false,
    }
}

/// The finding with the call by which another function accesses the map.
fn through(program: &Program, mut found: Hit, call: Option<(FunctionId, BlockId)>) -> Hit {
    let call = call.map(|(id, block)| call_ref(program, id, block)).filter(|it| *it != found.primary.0);
    found.related.extend(call.map(|it| (it, "this call accesses it again".to_owned())));
    found
}

fn hit(held: CodeRef, asked: CodeRef, certain: bool, label: &str) -> Hit {
    Hit {
        certainty: if certain { Certainty::Usually } else { Certainty::Doubt },
        message: "a map is accessed while one of its entries is held: this waits forever if both keys are \
                  in the same shard"
            .to_owned(),
        primary: (asked, "the map is accessed here".to_owned()),
        related: vec![(held, label.to_owned())],
        advice: "copy what is needed out of the entry and drop the entry before accessing the map again"
            .to_owned(),
    }
}
