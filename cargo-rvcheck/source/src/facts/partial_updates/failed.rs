//! What a function leaves when it fails: an effect on state that outlives it, which it undoes on the path on which all goes well.

use super::effect::{Effect, Effects};
use super::restored::{Restorers, is_restored_at, made_restorers};
use super::state::Reach;
use super::{PartialUpdate, comes_first, failure_along, outcome, partial_updates};
use crate::body::paths::Paths;
use crate::body::provenance::is_from;
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Terminator};
use std::collections::BTreeSet;

/// The effects that a body leaves on a path that fails, each with the block that makes the error as what is between. Not those that it also leaves
/// when its future is dropped.
pub(crate) fn left_by_failing(
    effects: &Effects<'_>,
    restorers: &Restorers,
    id: FunctionId,
) -> Vec<PartialUpdate> {
    let function = effects.program.function(id);
    let all = effects.in_body(id);
    let dropped = partial_updates(effects, restorers, id);
    let is_dropped = |it: &&Effect| dropped.iter().any(|update| update.effect.block == it.block);
    let lasting = all
        .iter()
        .filter(|it| !is_dropped(it))
        .filter(|it| it.state.whose() > Reach::Owned && !it.change.takes());
    let left = |effect: &Effect| {
        let undoing: Vec<&Effect> =
            all.iter().filter(|it| it.undoes(effect) && it.block != effect.block).collect();
        let mut ends: BTreeSet<BlockId> = undoing.iter().map(|it| it.block).collect();
        let undone = ends.first().copied()?;
        ends.extend(made_restorers(effects, restorers, function, effect));
        if ends.contains(&effect.block) || !comes_first(function, effect.block, &ends) {
            return None;
        }
        let fails = failure(effects, restorers, function, effect, &ends)?;
        let undone_at = undoing.iter().find(|it| it.block == undone).map_or((id, undone), |it| it.at);
        Some(PartialUpdate {
            body: id,
            effect: effect.clone(),
            between: fails,
            undone,
            undoing: ends,
            undone_at,
            by_drop: false,
            fails: Some(fails),
        })
    };
    lasting.filter_map(left).collect()
}

/// A block behind an effect that makes an error which is returned, while nothing undoes the effect: neither on the way nor by its `Drop`.
fn failure(
    effects: &Effects<'_>,
    restorers: &Restorers,
    function: &Function,
    effect: &Effect,
    ends: &BTreeSet<BlockId>,
) -> Option<BlockId> {
    let paths = Paths::of(function);
    let leads_back = |it: BlockId| ends.contains(&it) || ends.iter().any(|end| paths.leads(it, *end));
    // Of a branch on what the effect's own call gave, the way on which it was had is the one that gives it back.
    let next = |from: BlockId| {
        let is_its_own = decides(function, from, effect.block);
        let next = outcome::next(function, from, effect).into_iter();
        next.filter(|it| *it != effect.block && (!is_its_own || leads_back(*it))).collect()
    };
    let is_left = |at| !is_restored_at(effects, restorers, function, at, effect);
    failure_along(function, effect.block, ends, next, is_left)
}

/// Whether what a call gave decides a branch, also through `map_err` and its like.
fn decides(function: &Function, branch: BlockId, call: BlockId) -> bool {
    let on = function.body.block(branch).map(|it| &it.terminator);
    matches!(on, Some(Terminator::Switch { on: Operand::Place(on), .. }) if is_from(function, &Slot::at(on), call))
}
