//! Partial updates: an effect on state that outlives a future, and what undoes it, with a suspension between them.
//!
//! A future that is dropped at that suspension leaves the state as it is. Nothing is left where a value that lives at the suspension
//! undoes the effect in its `Drop`.

mod change;
pub(crate) mod droppable;
pub(crate) mod effect;
mod entry;
mod failed;
pub(crate) mod machine;
mod outcome;
mod presumed;
pub(crate) mod refusal;
pub(crate) mod restored;
pub(crate) mod state;

use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, items, source};
use crate::body::walk;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{Block, BlockId, Operand, Place, Rvalue, Terminator};
use crate::program::suspending::suspends_at;
use crate::ty::Ty;
pub(crate) use effect::{Change, Effect, Effects};
pub(crate) use failed::left_by_failing;
use restored::{Restorers, is_restored_at, made_restorers};
use state::Reach;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::ops::ControlFlow::{Break, Continue};

/// An effect that a body leaves when its future is dropped.
#[derive(Clone, Debug)]
pub(crate) struct PartialUpdate {
    /// The body.
    pub(crate) body: FunctionId,
    /// The effect.
    pub(crate) effect: Effect,
    /// The block that polls what is awaited while it stands.
    pub(crate) between: BlockId,
    /// The block that undoes it.
    pub(crate) undone: BlockId,
    /// All blocks that undo it.
    pub(crate) undoing: BTreeSet<BlockId>,
    /// The body that undoes it itself, and the block there, if that is another one.
    pub(crate) undone_at: (FunctionId, BlockId),
    /// It is undone by a value's `Drop`, but that is made only behind the suspension.
    pub(crate) by_drop: bool,
    /// A path on which the function fails after it, and does not undo it.
    pub(crate) fails: Option<BlockId>,
}

/// The partial updates that a state machine makes.
pub(crate) fn partial_updates(
    effects: &Effects<'_>,
    restorers: &Restorers,
    id: FunctionId,
) -> Vec<PartialUpdate> {
    let program = effects.program;
    let function = program.function(id);
    if function.kind != Kind::Coroutine || function.suspensions.is_empty() {
        return Vec::new();
    }
    let all = effects.in_body(id);
    let mut found: Vec<PartialUpdate> = Vec::new();
    for effect in all.iter().filter(|it| it.state.whose() > Reach::Owned) {
        if let Some(update) = partial_update(effects, restorers, id, effect, &all)
            && !found.iter().any(|it| it.effect.at == update.effect.at && it.between == update.between)
        {
            found.push(update);
        }
    }
    found
}

fn partial_update(
    effects: &Effects<'_>,
    restorers: &Restorers,
    id: FunctionId,
    effect: &Effect,
    all: &[Effect],
) -> Option<PartialUpdate> {
    let function = effects.program.function(id);
    let undoing: Vec<&Effect> = all
        .iter()
        .filter(|it| it.undoes(effect) && it.block != effect.block)
        .filter(|it| !effect.change.takes() || effect.is_given && puts_back(function, effect, it))
        .collect();
    let mut ends: BTreeSet<BlockId> = undoing.iter().map(|it| it.block).collect();
    if !effect.change.takes() {
        ends.extend(made_restorers(effects, restorers, function, effect));
        ends.remove(&effect.block);
    }
    if ends.is_empty() || !comes_first(function, effect.block, &ends) {
        return None;
    }
    let late: BTreeSet<BlockId> = undoing.iter().filter(|it| it.is_late).map(|it| it.block).collect();
    let next = |from: BlockId, between: Option<BlockId>| {
        let next = outcome::next(function, from, effect).into_iter();
        next.filter(|it| *it != effect.block).map(move |it| (it, between))
    };
    let mut found = None;
    let key = |it: &(BlockId, Option<BlockId>)| (it.0, it.1.is_some());
    walk::search_by(next(effect.block, None), key, |(block, mut between)| -> ControlFlow<(), Vec<_>> {
        let suspends = || {
            suspends_at(effects.program, function, block)
                && !is_restored_at(effects, restorers, function, block, effect)
        };
        if ends.contains(&block) {
            if between.is_none() && late.contains(&block) && suspends() {
                between = Some(block);
            }
            if let Some(between) = between {
                found = found.or(Some((between, block)));
            }
            return Continue(Vec::new());
        }
        if between.is_none() && suspends() {
            between = Some(block);
        }
        Continue(next(block, between).collect())
    });
    let (between, undone) = found?;
    let undone_at = undoing.iter().find(|it| it.block == undone).map_or((id, undone), |it| it.at);
    let by_drop = undoing.iter().all(|it| it.block != undone);
    let fails = failure(function, between, &ends);
    Some(PartialUpdate {
        body: id,
        effect: effect.clone(),
        between,
        undone,
        undoing: ends,
        undone_at,
        by_drop,
        fails,
    })
}

/// Whether a body comes to a block before it comes to any of the others.
fn comes_first(function: &Function, block: BlockId, others: &BTreeSet<BlockId>) -> bool {
    let paths = Paths::of(function);
    let others = |it: BlockId| others.contains(&it) && it != block;
    paths.from(&[BlockId(0)], &others).contains(&block)
}

/// A block that makes an error that is returned without coming to one of these.
pub(crate) fn failure(function: &Function, from: BlockId, ends: &BTreeSet<BlockId>) -> Option<BlockId> {
    let paths = Paths::of(function);
    failure_along(function, from, ends, |at| paths.next(at).to_vec(), |_| true)
}

/// The same where a block leads to these blocks alone, and where something is left when the error is made there.
fn failure_along(
    function: &Function,
    from: BlockId,
    ends: &BTreeSet<BlockId>,
    next: impl Fn(BlockId) -> Vec<BlockId>,
    is_left: impl Fn(BlockId) -> bool,
) -> Option<BlockId> {
    let returned = OnceCell::new();
    let is_returned =
        |it: &Place| returned.get_or_init(|| outcome::returned(function)).contains(&Slot::at(it));
    walk::search(next(from), |at| {
        if ends.contains(&at) {
            Continue(Vec::new())
        } else if is_error_made(function, at, is_returned) && ends_without(function, at, ends) && is_left(at)
        {
            Break(at)
        } else {
            Continue(next(at))
        }
    })
}

/// The call that has failed where a block makes an error of what it gave; the block itself where that is not known.
pub(crate) fn failed_at(function: &Function, at: BlockId) -> BlockId {
    let given = function.call(at).and_then(|(call, _)| call.arguments.first()?.place());
    given.and_then(|it| source(function, &Slot::at(it))).unwrap_or(at)
}

/// Whether a block makes an error that the function returns: by `?`, or as it is.
fn is_error_made(function: &Function, at: BlockId, is_returned: impl Fn(&Place) -> bool) -> bool {
    let called = function.callee(at).is_residual();
    let mut made = function.body.block(at).into_iter().flat_map(Block::assignments);
    called || made.any(|(into, value)| value.is_error() && is_returned(into))
}

/// Whether what has failed, where a block makes an error of it, only looked for a value: that there is one may be known for another reason, as that
/// a pool has as many values as permits.
pub(crate) fn is_absence(function: &Function, at: BlockId) -> bool {
    let paths = Paths::of(function);
    let before = |it: &BlockId| if let [one] = paths.before(*it) { Some(*one) } else { None };
    let mut branch = std::iter::successors(Some(at), before).take(function.body.blocks.len());
    let asked = branch.find_map(|it| decided_by(function, it));
    let given = |it: BlockId| source(function, &Slot::at(function.call(it)?.0.place(0)?));
    let looked = asked.and_then(|it| if function.callee(it).opens() { given(it) } else { Some(it) });
    looked.and_then(|it| function.call(it)).is_some_and(|(call, callee)| {
        let is_option = function.type_of(&call.into).is_some_and(Ty::is_option);
        is_option && (callee.shrinks() || callee.finds())
    })
}

/// Whether a body ends from there on without coming to one of these, whichever way it goes.
fn ends_without(function: &Function, from: BlockId, ends: &BTreeSet<BlockId>) -> bool {
    let all = Paths::of(function).from(&[from], &|_| false);
    all.is_disjoint(ends) && all.iter().any(|it| function.returns_at(*it))
}

/// Whether an effect puts back what another one took, or what is made of that.
fn puts_back(function: &Function, taken: &Effect, put: &Effect) -> bool {
    let made = made_of(function, taken.block);
    let is_made = |it: &Operand| it.place().is_some_and(|it| made.contains(&function.whole(&Slot::at(it))));
    let Some(block) = function.body.block(put.block) else { return false };
    let called = match &block.terminator {
        Terminator::Call(call) => call.arguments.iter().any(is_made),
        _ => false,
    };
    called
        || block.assignments().any(|(into, value)| {
            !into.projections.is_empty()
                && value.places().any(|it| made.contains(&function.whole(&Slot::at(it))))
        })
}

/// The values that are made of what a call gives, also by other calls.
pub(crate) fn made_of(function: &Function, call: BlockId) -> BTreeSet<Slot> {
    let mut found = items(function, call);
    if let Some((call, _)) = function.call(call) {
        found.insert(function.whole(&Slot::at(&call.into)));
    }
    walk::fixpoint(|| {
        let before = found.len();
        for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (into, value) in block.assignments() {
                if matches!(value, Rvalue::Discriminant(_)) {
                    continue;
                }
                if value.places().any(|it| found.contains(&function.whole(&Slot::at(it)))) {
                    found.insert(function.whole(&Slot::at(into)));
                }
            }
            if let Terminator::Call(call) = &block.terminator
                && call.places().any(|it| found.contains(&function.whole(&Slot::at(it))))
            {
                found.insert(function.whole(&Slot::at(&call.into)));
            }
        }
        found.len() != before
    });
    found
}
