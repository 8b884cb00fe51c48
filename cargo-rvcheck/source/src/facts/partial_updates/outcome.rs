//! What a call gives where it did something, and which way a branch goes by that: `if tokens.spend(n) { return }` leaves where the tokens are
//! spent, so nothing behind it has them.

use super::change::constant;
use super::effect::Effect;
use crate::body::paths::Paths;
use crate::body::provenance::carried;
use crate::body::walk;
use crate::body::{Definition, Function, Kind, Slot};
use crate::mir::{BlockId, Local, Made, Operand, Place, Rvalue, Statement, Terminator};
use crate::ty::Ty;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// The constant or variant that a body gives whenever it has an effect, if that is always the same.
pub(super) fn outcome(function: &Function, effect: &Effect) -> Option<String> {
    let paths = Paths::of(function);
    let behind = walk::reached(next(function, effect.block, effect), |at| next(function, at, effect));
    let results = results(function);
    let mut given: BTreeSet<String> = BTreeSet::new();
    for (at, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        if at != effect.block && !behind.contains(&at) && !paths.leads(at, effect.block) {
            continue;
        }
        for (into, value) in block.assignments() {
            if results.contains(&Slot::at(into)) && !hands_on(value, &results) {
                given.insert(constant(function, value)?);
            }
        }
        if let Terminator::Call(call) = &block.terminator
            && results.contains(&Slot::at(&call.into))
        {
            given.insert(effect.outcome.clone().filter(|_| at == effect.block)?);
        }
    }
    let only = given.pop_first()?;
    given.is_empty().then_some(only)
}

/// Whether a result is put into another one.
fn hands_on(value: &Rvalue, results: &BTreeSet<Slot>) -> bool {
    matches!(value, Rvalue::Use(Operand::Place(from)) if results.contains(&Slot::at(from)))
}

/// Where a block can lead to behind an effect: what the effect's call gave may decide which way a branch goes.
pub(super) fn next(function: &Function, at: BlockId, effect: &Effect) -> Vec<BlockId> {
    let only = only_way(function, at, effect);
    let next = Paths::of(function).next(at).iter().copied();
    next.filter(|it| only.is_none_or(|only| only == *it)).collect()
}

fn only_way(function: &Function, at: BlockId, effect: &Effect) -> Option<BlockId> {
    let outcome = effect.outcome.as_deref()?;
    let block = function.body.block(at)?;
    let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
        return None;
    };
    let case = match block.discriminated() {
        Some(of) => {
            let number = variant(function.type_of(of)?.name(), outcome)?;
            gave(function, of, effect.block).filter(|it| *it).map(|_| number)
        }
        None => {
            let value: bool = outcome.parse().ok()?;
            gave(function, on, effect.block).map(|straight| i128::from(value == straight))
        }
    }?;
    cases.iter().find(|(it, _)| *it == case).map(|(_, to)| *to).or(*otherwise)
}

/// The number of a variant, as the type that a branch looks at has it.
fn variant(of: &str, outcome: &str) -> Option<i128> {
    match (of, outcome) {
        ("Option", "None") | ("Result", "Ok") | ("ControlFlow", "Ok" | "Some") => Some(0),
        ("Option", "Some") | ("Result", "Err") | ("ControlFlow", "Err" | "None") => Some(1),
        _ => None,
    }
}

/// Whether a value is what the call at the end of a block gave, or the opposite of it; `None` where it is anything else.
fn gave(function: &Function, place: &Place, call: BlockId) -> Option<bool> {
    let key = |(place, _): &(Place, bool)| Slot::at(place);
    walk::search_by([(place.clone(), true)], key, |(place, mut straight)| {
        let mut slot = Slot::at(&place);
        let root = function.root(&slot);
        if slot.steps.len() > root && !place.is_of_variant("Ready") {
            return Continue(None);
        }
        slot.steps.truncate(root);
        let from = match function.definition(&slot) {
            Some(Definition::Called(at)) if at == call => return Break(straight),
            Some(Definition::Called(at)) => {
                function.call(at).filter(|(_, callee)| callee.is_branch()).and_then(|(call, _)| call.place(0))
            }
            Some(assigned) => function.assigned(assigned).and_then(|it| carried(it, &mut straight)),
            None => None,
        };
        Continue(from.map(|it| (it.clone(), straight)))
    })
}

/// Where a body has what it gives: a state machine puts it into a `Poll::Ready` in the end.
pub(super) fn results(function: &Function) -> BTreeSet<Slot> {
    let mut found = BTreeSet::from([Slot::of(Local(0))]);
    if function.kind != Kind::Coroutine {
        return found;
    }
    let statements = || function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
    walk::fixpoint(|| {
        let before = found.len();
        for statement in statements() {
            let Statement::Assign(into, value) = statement else { continue };
            if !found.contains(&Slot::at(into)) {
                continue;
            }
            match value {
                Rvalue::Made(Made::Value(by), parts) if by.name() == "Ready" => {
                    found.extend(parts.iter().filter_map(Operand::place).map(Slot::at));
                }
                Rvalue::Use(Operand::Place(from)) => {
                    found.insert(Slot::at(from));
                }
                _ => {}
            }
        }
        found.len() != before
    });
    found.remove(&Slot::of(Local(0)));
    found
}

/// What may be in what a body gives: also what is put into it, or what a method makes a `Result` of.
pub(super) fn returned(function: &Function) -> BTreeSet<Slot> {
    let mut found = results(function);
    let is_result = |it: &&Place| function.type_of(it).is_some_and(Ty::is_outcome);
    walk::fixpoint(|| {
        let before = found.len();
        for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (_, value) in
                block.assignments().filter(|(into, _)| found.contains(&Slot::at(into))).collect::<Vec<_>>()
            {
                found.extend(value.places().map(Slot::at));
            }
            if let Terminator::Call(call) = &block.terminator
                && found.contains(&Slot::at(&call.into))
            {
                found.extend(call.places().filter(is_result).map(Slot::at));
            }
        }
        found.len() != before
    });
    found
}
