//! Two locks of one class, of two objects of one type passed to a function: called with the objects swapped, it takes them in the other
//! order.
//!
//! An object made for another one, such as a child in a tree, never changes places with it. So it is reported only if the function does
//! the same to both, and any code may call it. Code that compares the objects decides by that which lock comes first.

use super::super::{Certainty, CodeRef, Hit};
use super::{is_alone, name_of};
use crate::body::paths::Paths;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Local, Made, Operand, Operator, Place, Projection, Rvalue, Statement};
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::locks::{BodyDependency, Mode, Waits, acquired, kept_at};
use crate::program::{GuardId, Program};
use crate::ty::last;
use std::collections::{BTreeMap, BTreeSet};

/// Through how many callers the locks are followed.
const DEEPEST: usize = 3;

/// Finds such functions among the bodies that request a lock while they hold another one.
pub(super) fn check(
    program: &Program,
    makers: &BTreeMap<FunctionId, FunctionId>,
    of_bodies: &[(FunctionId, BodyDependency)],
) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, it) in of_bodies {
        let lasts = [&it.held.lock, &it.request.lock].map(|it| it.hops.iter().rev().find(is_field));
        if lasts[0].is_none() || lasts[0] != lasts[1] || it.held.lock.root == it.request.lock.root {
            continue;
        }
        let is_confined = it.request.waits == Waits::Thread
            && lasts[0].is_some_and(|hop| matches!(hop, Hop::Field(of, _) if program.is_confined(last(of))));
        if excludes(it)
            && !is_confined
            && exchangeable(program, makers, (*id, it.block), [&it.held.lock, &it.request.lock], DEEPEST)
        {
            hits.extend(hit(program, *id, it));
        }
    }
    hits.sort();
    hits.dedup();
    hits
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "iterators of hops ask it so")]
const fn is_field(hop: &&Hop) -> bool {
    matches!(hop, Hop::Field(..))
}

/// Whether both locks are the same part of two arguments of a function, which anybody may exchange; or what calls that has them so.
fn exchangeable(
    program: &Program,
    makers: &BTreeMap<FunctionId, FunctionId>,
    (id, block): (FunctionId, BlockId),
    locks: [&AccessPath; 2],
    depth: usize,
) -> bool {
    let owner = makers.get(&id).copied().unwrap_or(id);
    let function = program.function(owner);
    let captured: Vec<Option<AccessPath>> = match program.machine_made_by(owner).filter(|_| owner != id) {
        Some((_, values)) => values.iter().map(|it| AccessPaths::of(program, function).operand(it)).collect(),
        None => Vec::new(),
    };
    let seen = |it: &AccessPath| if owner == id { Some(it.clone()) } else { it.seen_from(&[], &captured) };
    let [Some(held), Some(requested)] = locks.map(seen) else { return false };
    let (Root::Argument(one), Root::Argument(other)) = (&held.root, &requested.root) else { return false };
    let ty = |it: u32| {
        let ty = function.body.type_of(Local(it));
        program.head(ty.pointee())
    };
    let fields = |it: &AccessPath| it.hops.iter().filter(is_field).cloned().collect::<Vec<_>>();
    let are_alike = one != other
        && [&held, &requested].iter().all(|it| it.is_one() && !is_alone(function, it))
        && fields(&held) == fields(&requested)
        && ty(*one) == ty(*other);
    if !are_alike || decides(program, program.function(id), block, locks.map(|it| &it.root).into()) {
        return false;
    }
    let calls =
        program.functions().flat_map(|(caller, it)| it.calls().map(move |(block, ..)| (caller, block)));
    let calls: Vec<(FunctionId, BlockId)> = calls
        .filter(|(caller, block)| program.called(program.function(*caller), *block) == Some(owner))
        .collect();
    if calls.iter().any(|(caller, block)| decides(program, program.function(*caller), *block, None)) {
        return false;
    }
    if program.is_public(last(&program.item(owner))) && program.is_open(owner) {
        return true;
    }
    depth > 0
        && calls.into_iter().any(|(caller, block)| {
            let outer = program.function(caller);
            let access_paths = AccessPaths::of(program, outer);
            let Some((call, _)) = outer.call(block) else { return false };
            let given = access_paths.arguments(call);
            let lifted = [&held, &requested].map(|it| access_paths.seen(it, &given, &[]));
            let is_gated = !kept_at(program, caller, block).is_empty();
            matches!(&lifted, [Some(held), Some(requested)]
                if !is_gated && exchangeable(program, makers, (caller, block), [held, requested], depth - 1))
        })
}

/// Whether two that wait like this for each other's lock wait forever, and nothing keeps others out.
fn excludes(found: &BodyDependency) -> bool {
    let modes = (found.held.mode, found.request.mode);
    (modes.0 == Mode::Write || modes.1 == Mode::Write || modes == (Mode::Upgradable, Mode::Upgradable))
        && found.besides.is_empty()
        && !found.one_of_several
}

/// Whether a body compares two objects by an order before it comes to a block: those that it was given as these, if that is known.
pub(super) fn decides(
    program: &Program,
    function: &Function,
    block: BlockId,
    given: Option<[&Root; 2]>,
) -> bool {
    let before = Paths::of(function).to(&[block], &|_| false);
    let access_paths = AccessPaths::of(program, function);
    // What is compared with a number, or with another part of the same object, says nothing of two objects.
    let are_two = |parts: &[Operand]| {
        let roots = parts.iter().filter_map(|it| access_paths.operand(it)).map(|it| it.root);
        let roots: Vec<Root> = roots.collect();
        let is_same = matches!(&roots[..], [one, other] if one == other);
        let are_these = |given: [&Root; 2]| roots.iter().all(|it| given.contains(&it));
        !is_same && given.is_none_or(are_these) && !parts.iter().any(|it| matches!(it, Operand::Constant(_)))
    };
    let is_operator = |it: &Statement| {
        matches!(it, Statement::Assign(_, Rvalue::Made(Made::By(it), parts))
            if (it.orders() || *it == Operator::Cmp) && are_two(parts))
    };
    let is_trait = |it: Option<&str>| matches!(it, Some("Ord" | "PartialOrd"));
    function.blocks().any(|(at, it)| before.contains(&at) && it.statements.iter().any(is_operator))
        || function.calls().filter(|(at, ..)| before.contains(at)).any(|(_, call, it)| {
            is_trait(it.of_trait()) && are_two(&call.arguments)
                || it.name().starts_with("sort")
                || matches!(it.name(), "min" | "max")
        })
}

/// What is done to what a lock guards: to which field, and by which method or by an assignment.
pub(super) type Use = (Vec<u32>, String);

/// A hit where the same is done to what is in both locks.
fn hit(program: &Program, id: FunctionId, found: &BodyDependency) -> Option<Hit> {
    let holding = program.holding(id);
    let of = |lock: &AccessPath| -> BTreeSet<GuardId> {
        holding.ids().filter(|it| acquired(program, id, *it).is_some_and(|it| it.lock == *lock)).collect()
    };
    let [held, requested] = [&found.held.lock, &found.request.lock].map(|it| changes(program, id, &of(it)));
    if held.is_disjoint(&requested) {
        return None;
    }
    Some(said(program, found.held.place.as_ref()?, found.request.place.as_ref()?))
}

/// What is said of the places where the first and the second one of two such locks are requested.
pub(super) fn said(program: &Program, first: &CodeRef, second: &CodeRef) -> Hit {
    let name = name_of(program, second);
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "{name} is locked while the same lock of another object is held: two concurrent calls with the objects swapped deadlock"
        ),
        primary: (second.clone(), "requested here".to_owned()),
        related: vec![(first.clone(), "the other object's lock is held from here".to_owned())],
        advice: "lock both in an order that does not depend on the order of the arguments, such as by id, or release the first before \
                 locking the second"
            .to_owned(),
    }
}

/// What a body does to change what is behind some guards.
pub(super) fn changes(program: &Program, id: FunctionId, guards: &BTreeSet<GuardId>) -> BTreeSet<Use> {
    let function = program.function(id);
    let holding = program.holding(id);
    let mut found = BTreeSet::new();
    for (block, call, callee) in function.calls() {
        if !callee.dereferences_mutably() {
            continue;
        }
        let Some(on) = call.place(0).map(Slot::at) else { continue };
        let of = function.definition(&on).and_then(|it| function.assigned(it));
        let Some(Rvalue::Reference(of, _)) = of else { continue };
        let is_of =
            holding.at(block).is_some_and(|it| it.within(&Slot::at(of)).iter().any(|it| guards.contains(it)));
        if is_of {
            found.extend(uses_of(function, &Slot::at(&call.into), &[], 4));
        }
    }
    found
}

/// What is done to what a reference leads to.
fn uses_of(function: &Function, reference: &Slot, before: &[u32], depth: usize) -> BTreeSet<Use> {
    let mut found = BTreeSet::new();
    let part = |place: &Place| -> Option<Vec<u32>> {
        Slot::at(place).within(reference)?;
        let fields = place.projections.iter().filter_map(|it| match it {
            Projection::Field(number, _) => Some(*number),
            _ => None,
        });
        Some(before.iter().copied().chain(fields.skip(reference.steps.len())).collect())
    };
    for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            if into.projections.contains(&Projection::Deref)
                && let Some(fields) = part(into)
            {
                found.insert((fields, "=".to_owned()));
            }
            let (Rvalue::Reference(from, _) | Rvalue::Use(Operand::Place(from))) = value else { continue };
            if let Some(fields) = part(from).filter(|_| depth > 0 && Slot::at(into) != *reference)
                && function.type_of(into).is_some_and(|it| it.referent().is_some())
            {
                found.extend(uses_of(function, &Slot::at(into), &fields, depth - 1));
            }
        }
    }
    for (block, call, callee) in function.calls() {
        let given = call.places();
        let is_own = function.definition(reference) == Some(Definition::Called(block));
        for fields in given.filter(|_| !is_own).filter_map(part) {
            let of = callee.self_type().unwrap_or_default().head();
            found.insert((fields, format!("{}::{}", last(of), callee.name())));
        }
    }
    found
}
