//! Paths that the flags of a body allow: what was set or tested on a path is not tested otherwise on the rest of it.

use super::paths::Paths;
use super::provenance::carried;
use super::{Function, walk};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Terminator};
use crate::ty::Ty;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::{Break, Continue};

/// How many blocks, each with what is known there, are looked at before flags are left out of account.
const MOST: usize = 4096;

/// The flags whose value is known.
type Known = BTreeMap<Local, bool>;

/// The blocks that are reached from these, themselves included, without going through one to avoid.
pub(crate) fn from(
    function: &Function,
    starts: &[BlockId],
    avoid: &dyn Fn(BlockId) -> bool,
) -> BTreeSet<BlockId> {
    let paths = Paths::of(function);
    let borrowed = borrowed(function);
    let mut found = BTreeSet::new();
    let mut iterations = 0;
    let starts_knowing = starts.iter().copied().filter(|it| !avoid(*it)).map(|it| (it, Known::new()));
    let too_many = walk::search(starts_knowing, |(at, known)| {
        found.insert(at);
        iterations += 1;
        if iterations > MOST {
            return Break(());
        }
        let next = leave(function, paths, at, known, &borrowed);
        Continue(next.into_iter().filter(|(it, _)| !avoid(*it)).collect::<Vec<_>>())
    });
    if too_many.is_some() { paths.from(starts, avoid) } else { found }
}

/// The locals that may be changed through a reference.
fn borrowed(function: &Function) -> BTreeSet<Local> {
    let assignments = function.blocks().flat_map(|(_, it)| it.assignments());
    let of = assignments
        .filter_map(|(_, value)| if let Rvalue::Reference(of, _) = value { Some(of.local) } else { None });
    of.collect()
}

/// The local that a place is as a whole.
fn whole(place: &Place) -> Option<Local> {
    place.projections.is_empty().then_some(place.local)
}

/// Where a block leads, and what is known then.
fn leave(
    function: &Function,
    paths: &Paths,
    at: BlockId,
    mut known: Known,
    borrowed: &BTreeSet<Local>,
) -> Vec<(BlockId, Known)> {
    let all = |known: &Known| paths.next(at).iter().map(|it| (*it, known.clone())).collect();
    let Some(block) = function.body.block(at) else { return all(&known) };
    for (into, value) in block.assignments() {
        let Some(into) = whole(into) else { continue };
        match value_of(value, &known).filter(|_| !borrowed.contains(&into)) {
            Some(value) => known.insert(into, value),
            None => known.remove(&into),
        };
    }
    match &block.terminator {
        Terminator::Switch { on: Operand::Place(on), cases, otherwise } if is_flag(function, on) => {
            let Some(flag) = whole(on).filter(|it| !borrowed.contains(it)) else { return all(&known) };
            let side = |value: bool| {
                let case = cases.iter().find(|(it, _)| *it == i128::from(value)).map(|(_, to)| *to);
                case.or(*otherwise)
            };
            let sides = match known.get(&flag) {
                Some(value) => vec![*value],
                None => vec![false, true],
            };
            let next = sides.into_iter().filter_map(|value| {
                let to = side(value).filter(|it| paths.next(at).contains(it))?;
                let mut known = known.clone();
                known.insert(flag, value);
                Some((to, known))
            });
            next.collect()
        }
        Terminator::Call(call) => {
            if let Some(into) = whole(&call.into) {
                known.remove(&into);
            }
            all(&known)
        }
        _ => all(&known),
    }
}

fn is_flag(function: &Function, place: &Place) -> bool {
    function.type_of(place).is_some_and(Ty::is_bool)
}

fn value_of(value: &Rvalue, known: &Known) -> Option<bool> {
    if let Rvalue::Use(Operand::Constant(text)) = value {
        return text.parse().ok();
    }
    let mut straight = true;
    let from = whole(carried(value, &mut straight)?)?;
    Some(*known.get(&from)? == straight)
}
