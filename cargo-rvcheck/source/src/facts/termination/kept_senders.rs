//! Collections and options in which senders are kept for others: where one is put in, and where some may be taken out or dropped.

use crate::body::{Callee, Function, FunctionId};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::objects::{CallSite, Thing, inside};
use crate::mir::{BlockId, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::{Holds, Is};
use std::collections::{BTreeMap, BTreeSet};

/// What is done with one collection or option.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// By channel: where a sender of it is put in.
    pub(crate) puts: BTreeMap<CallSite, BTreeSet<CallSite>>,
    /// Where some may be taken out or dropped.
    pub(crate) removes: BTreeSet<CallSite>,
}

type Places = BTreeMap<AbstractObject, Kept>;

/// The collections and options into which senders are put, with what is done with each.
pub(crate) fn kept_senders(facts: &Facts<'_>) -> Vec<Kept> {
    let mut found = Places::new();
    for (id, function) in facts.program.functions() {
        for (block, body) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (into, value) in body.assignments() {
                let values = value.places().filter(|_| is_kept_option(function, into));
                put(facts, (id, block), into, values, &mut found);
            }
            let Some((call, callee)) = function.call(block) else { continue };
            let mut given = call.places();
            let Some(into) = given.next().filter(|_| callee.stores()) else { continue };
            let is_holder = function.type_of(into).and_then(holder).is_some();
            if is_holder && bodies(facts.program, facts.objects(), id, function, block).is_empty() {
                put(facts, (id, block), into, given, &mut found);
            }
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    for (id, function) in facts.program.functions() {
        for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for object in removed(facts, id, function, block, &found) {
                found.entry(object).or_default().removes.insert(CallSite { function: id, block });
            }
        }
    }
    found.into_values().collect()
}

/// Notes which senders one of these values puts into a place.
fn put<'a>(
    facts: &Facts<'_>,
    (id, block): (FunctionId, BlockId),
    into: &Place,
    values: impl Iterator<Item = &'a Place>,
    found: &mut Places,
) {
    let channels: BTreeSet<CallSite> = values.flat_map(|it| senders(facts, id, it)).collect();
    if channels.is_empty() {
        return;
    }
    for object in facts.signals().seen_in_callers(id, into) {
        for channel in &channels {
            let sites = found.entry(object.clone()).or_default().puts.entry(*channel).or_default();
            sites.insert(CallSite { function: id, block });
        }
    }
}

/// The places out of which a block may take or drop senders.
fn removed(
    facts: &Facts<'_>,
    id: FunctionId,
    function: &Function,
    block: BlockId,
    all: &Places,
) -> BTreeSet<AbstractObject> {
    let signals = facts.signals();
    let mut found = BTreeSet::new();
    let mut is_at = |place: &Place| found.extend(signals.seen_in_callers(id, place));
    let mut whole = BTreeSet::new();
    for statement in function.body.block(block).into_iter().flat_map(|it| &it.statements) {
        let Statement::Assign(into, value) = statement else { continue };
        let Some(ty) = function.type_of(into).filter(|_| into.projections.contains(&Projection::Deref))
        else {
            continue;
        };
        let has_more = value.places().any(|it| !senders(facts, id, it).is_empty());
        if is_kept_option(function, into) && !has_more || ty.holds().is_some_and(Holds::is_collection) {
            is_at(into);
        } else if facts.program.knows_type(ty.name()) && !matches!(value, Rvalue::Reference(..)) {
            whole.insert(facts.program.type_named(ty.head()));
        }
    }
    if let Some(Terminator::Call(call)) = function.body.block(block).map(|it| &it.terminator)
        && let Some((_, callee)) = function.call(block)
        && !callee.hands_on()
    {
        let given = call.places().enumerate();
        let may_remove = given.filter(|(number, place)| {
            let is_put = *number == 0 && callee.stores();
            !is_put
                && !leads_to(callee)
                && function.type_of(place).and_then(holder).is_some_and(|it| may_have_senders(facts, it))
        });
        let places: Vec<&Place> = may_remove.map(|(_, it)| it).collect();
        if !places.is_empty() && bodies(facts.program, facts.objects(), id, function, block).is_empty() {
            places.into_iter().for_each(is_at);
        }
    }
    let of_whole = |it: &AbstractObject| matches!(it, AbstractObject::Field(of, _) if whole.contains(of));
    found.extend(all.keys().filter(|it| of_whole(it)).cloned());
    found.retain(|it| all.contains_key(it));
    found
}

/// Whether a function of that name only leads to what is kept, or asks about it.
fn leads_to(callee: Callee) -> bool {
    let leads = callee.leads_on() || callee.asks() || callee.tells();
    leads || callee.finds() || callee.reaches() || callee.iterates() || callee.wraps() || callee.requests()
}

/// Whether a place is an option behind a pointer.
fn is_kept_option(function: &Function, place: &Place) -> bool {
    let is_behind = place.projections.contains(&Projection::Deref);
    is_behind && function.type_of(place).is_some_and(|it| it.holds() == Some(Holds::Variant))
}

/// The collection that a type is or leads to, or the option that it refers to.
fn holder(mut ty: Ty) -> Option<Ty> {
    let mut is_shared = false;
    for _ in 0..10 {
        let is_guard = || ty.is_of(|it| matches!(it, Is::Guard(_)));
        match ty.holds() {
            Some(it) if it.is_collection() || it == Holds::Entry => return Some(ty),
            Some(Holds::Variant) if is_shared => return Some(ty),
            Some(it) if it.is_one() && it != Holds::Variant => ty = ty.arguments().last().copied()?,
            _ if is_guard() => ty = ty.arguments().last().copied()?,
            _ => ty = ty.referent()?,
        }
        is_shared = true;
    }
    None
}

/// Whether senders may be in a value of a type, as far as its words say.
fn may_have_senders(facts: &Facts<'_>, ty: Ty) -> bool {
    let is_own = |it: &str| facts.program.knows_type(it) || facts.program.is_parameter(it);
    mentions(ty, |it| matches!(it, Is::End(end) if end.sends)) || ty.words().any(is_own)
}

/// The channels whose senders are in a place.
fn senders(facts: &Facts<'_>, id: FunctionId, place: &Place) -> BTreeSet<CallSite> {
    let function = facts.program.function(id);
    let Some(ty) = function.type_of(place).filter(|it| may_have_senders(facts, *it)) else {
        return BTreeSet::new();
    };
    let objects = facts.objects();
    let (fields, _) = inside(facts.program, objects, ty);
    let all = objects.at(facts.program, id, place).into_iter().chain(fields);
    all.filter_map(|it| match it {
        Thing::Sender(site) => Some(site),
        _ => None,
    })
    .collect()
}
