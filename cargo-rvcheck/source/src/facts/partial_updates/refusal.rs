//! Whether a state that a dropped future leaves behind refuses, blocks or starves later callers.

use super::droppable::is_for_anybody;
use super::effect::{Change, Effect, Effects};
use super::presumed::spares;
use super::state::{State, of_operand, of_place};
use super::{PartialUpdate, made_of};
use crate::body::paths::Paths;
use crate::body::provenance::decided_by;
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::mir::{Block, BlockId, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::callers::maker;
use crate::program::library::mentions;
use crate::ty::{Ty, last};
use rvcheck_primitives::{Action, Failure, Holds, Is, holds};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{self, Continue};

/// How a state is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    /// The body that asks.
    pub(crate) body: FunctionId,
    /// The block that decides.
    pub(crate) at: BlockId,
    /// What becomes of who asks.
    pub(crate) how: How,
}

/// What becomes of somebody who finds the state as it was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// They do not come to do what the dropped future began.
    TurnedAway,
    /// They get an error.
    Fails,
    /// They panic: what they find should not be there.
    Panics,
    /// They wait until it changes.
    Waits,
    /// They find less, or more, than there is.
    Starves,
}

/// How later callers of the function that makes a partial update are refused by what it leaves.
pub(crate) fn refusal(effects: &Effects<'_>, update: &PartialUpdate) -> Option<Refusal> {
    let found = refused(effects, update)?;
    let is_turned = found.how == How::TurnedAway;
    Some(if is_turned {
        Refusal { how: turned_away(effects.program, update, &found), ..found }
    } else {
        found
    })
}

/// What becomes of those who are turned away: of all, or of those who find what is left.
fn turned_away(program: &Program, update: &PartialUpdate, refusal: &Refusal) -> How {
    let function = program.function(refusal.body);
    let ends: Vec<Option<AtOnce>> =
        match way_of_what_is_left(program, function, refusal.at, &update.effect.change) {
            Some(way) => vec![ends_at_once(function, way)],
            None => {
                let ways = targets(function, refusal.at).into_iter();
                ways.filter_map(|it| ends_at_once(function, it)).map(Some).collect()
            }
        };
    let all = |how| !ends.is_empty() && ends.iter().all(|it| *it == Some(how));
    if all(AtOnce::Panics) {
        How::Panics
    } else if all(AtOnce::Fails) {
        How::Fails
    } else {
        How::TurnedAway
    }
}

/// Where a branch on the variant of a state leads for the variant that is left.
fn way_of_what_is_left(
    program: &Program,
    function: &Function,
    at: BlockId,
    change: &Change,
) -> Option<BlockId> {
    let Change::Set(Some(value)) = change else { return None };
    let block = function.body.block(at)?;
    let ty = function.type_of(block.discriminated()?)?;
    let variants = program.variants(ty.name())?;
    let number = variants.iter().position(|it| it == last(value))?;
    let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
    let case = cases.iter().find(|(it, _)| usize::try_from(*it) == Ok(number)).map(|(_, to)| *to);
    case.or(*otherwise)
}

fn refused(effects: &Effects<'_>, update: &PartialUpdate) -> Option<Refusal> {
    let effect = &update.effect;
    if effect.change.takes() {
        return without_it(effects, update);
    }
    let (maker, made) = effect.at;
    let turned = |body: FunctionId, block: BlockId, undoing: &BTreeSet<BlockId>| {
        gate(effects, body, block, &effect.state, &effect.change, undoing).map(|at| Refusal {
            body,
            at,
            how: How::TurnedAway,
        })
    };
    turned(update.body, effect.block, &update.undoing)
        .or_else(|| if maker == update.body { None } else { turned(maker, made, &BTreeSet::new()) })
        .or_else(|| elsewhere(effects, update))
        .or_else(|| goes_by(effects, update))
}

/// A branch that goes by a count which a value is to count back when it is dropped: it goes by how many of these there are.
fn goes_by(effects: &Effects<'_>, update: &PartialUpdate) -> Option<Refusal> {
    let counts = counts(&update.effect.change);
    let function = effects.program.function(update.body);
    let at = switches(function).into_iter().filter(|_| counts && update.by_drop).find(|at| {
        reads(effects, function, *at, &update.effect.state, true)
            .is_some_and(|it| it.iter().any(|it| *it == update.effect.block || !update.undoing.contains(it)))
    })?;
    Some(Refusal { body: update.body, at, how: How::Starves })
}

/// Whether a change is one of a number.
const fn counts(change: &Change) -> bool {
    matches!(change, Change::Up(_) | Change::Down(_))
}

/// Whether a branch goes by whether there is an entry, and so not by what is counted in it.
fn is_of_entry(function: &Function, at: BlockId) -> bool {
    let of = function.body.block(at).and_then(Block::discriminated).and_then(|it| function.type_of(it));
    of.is_some_and(|it| it.holds() == Some(Holds::Entry))
}

/// A branch before an effect, or on what it gives, that leads past it, and past what undoes it.
pub(crate) fn gate(
    effects: &Effects<'_>,
    id: FunctionId,
    effect: BlockId,
    state: &State,
    change: &Change,
    undoing: &BTreeSet<BlockId>,
) -> Option<BlockId> {
    let function = effects.program.function(id);
    let paths = Paths::of(function);
    // What an awaited future gives says whether it has failed. Whether it refuses anybody, it decides itself.
    let is_awaited = function.callee(effect).is_poll();
    switches(function).into_iter().find(|at| {
        let targets = targets(function, *at);
        if counts(change) && is_of_entry(function, *at)
            || *change == Change::Put && fails_on_none(function, *at)
        {
            return false;
        }
        if targets.len() < 2 || !(*at == effect || paths.leads(*at, effect) || paths.leads(effect, *at)) {
            return false;
        }
        // What the branch leads to without coming back to it.
        let beyond: Vec<BTreeSet<BlockId>> =
            targets.iter().map(|it| paths.from(&[*it], &|it| it == *at)).collect();
        let undoes = |it: &BTreeSet<BlockId>| undoing.iter().any(|at| it.contains(at));
        let serves = |it: BlockId, beyond: &BTreeSet<BlockId>| gives_what_is_there(function, *at, it, beyond);
        let ways: Vec<(BlockId, &BTreeSet<BlockId>)> = targets.iter().copied().zip(&beyond).collect();
        let turns_away = |(to, it): &(BlockId, &BTreeSet<BlockId>)| {
            !it.contains(&effect) && !undoes(it) && !serves(*to, it)
        };
        let goes_on = |it: &BTreeSet<BlockId>| it.contains(&effect);
        let before = beyond.iter().any(goes_on) && ways.iter().any(turns_away);
        let behind = paths.leads(effect, *at)
            && (undoing.is_empty() || beyond.iter().any(undoes) && !beyond.iter().all(undoes));
        let elects = *change == Change::Put;
        if !before && !behind && !elects {
            return false;
        }
        let Some(reads) = reads(effects, function, *at, state, true) else { return false };
        let reaches = |from: BlockId| from == effect || paths.leads(from, effect);
        before && !reads.contains(&effect)
            || behind && reads.contains(&effect) && !is_awaited
            || elects && reads.iter().any(|it| asks_for_none(function, *it) && reaches(*it))
    })
}

/// Whether who goes this way from a branch takes what is inside the value that the branch looks at, as out of a cache, and neither waits nor
/// fails: that is what they came for.
fn gives_what_is_there(function: &Function, at: BlockId, to: BlockId, beyond: &BTreeSet<BlockId>) -> bool {
    let Some(of) = function.body.block(at).and_then(Block::discriminated) else { return false };
    let is_inside = |it: &Place| {
        it.local == of.local
            && it.projections.starts_with(&of.projections)
            && it.projections[of.projections.len()..].iter().any(|it| matches!(it, Projection::Variant(_)))
    };
    let takes = beyond.iter().filter_map(|it| function.body.block(*it)).any(|it| {
        it.statements
            .iter()
            .any(|it| matches!(it, Statement::Assign(_, value) if value.places().any(is_inside)))
            || matches!(&it.terminator, Terminator::Call(call)
            if call.places().any(is_inside))
    });
    let waits = function.suspensions.iter().any(|it| beyond.contains(&it.block));
    takes && !waits && !fails_at_once(function, to)
}

/// Whether the call at the end of a block asks whether a collection is empty, by `is_empty` or by comparing its length with none.
fn asks_for_none(function: &Function, block: BlockId) -> bool {
    let Some((call, callee)) = function.call(block) else { return false };
    let is_length = |it: &Operand| {
        let mut slot = it.place().map(Slot::at);
        for _ in 0..6 {
            let Some(at) = &slot else { return false };
            match function.definition(at) {
                Some(Definition::Called(from)) if from == block => return true,
                Some(definition) => match function.assigned(definition) {
                    Some(Rvalue::Use(from)) => slot = from.place().map(Slot::at),
                    _ => return false,
                },
                None => return false,
            }
        }
        false
    };
    let is_none = |it: &Operand| it.is_nought();
    match callee.name() {
        "is_empty" => true,
        "len" if call.arguments.len() == 1 => {
            function.blocks().filter(|(_, it)| !it.cleanup).any(|(_, it)| {
                let compared = it.statements.iter().any(|it| {
                    matches!(it, Statement::Assign(_, Rvalue::Made(_, parts))
                    if parts.iter().any(is_none) && parts.iter().any(is_length))
                });
                compared
                    || matches!(&it.terminator, Terminator::Switch { on, cases, .. }
                    if is_length(on) && cases.iter().any(|(value, _)| *value == 0))
            })
        }
        _ => false,
    }
}

/// Whether a branch on whether a collection is empty fails where it is: whoever finds something in it goes on.
pub(crate) fn fails_on_none(function: &Function, at: BlockId) -> bool {
    let Some(Terminator::Switch { cases, otherwise: Some(yes), .. }) =
        function.body.block(at).map(|it| &it.terminator)
    else {
        return false;
    };
    let asked = decided_by(function, at).and_then(|it| function.call(it));
    asked.is_some_and(|(_, callee)| callee.name() == "is_empty")
        && cases.iter().all(|(value, to)| *value == 0 && to != yes)
        && fails_at_once(function, *yes)
}

/// A branch of any body that waits for the state to change, or fails because of it.
fn elsewhere(effects: &Effects<'_>, update: &PartialUpdate) -> Option<Refusal> {
    let program = effects.program;
    let keyed = matches!(update.effect.change, Change::Put);
    program.functions().filter(|(_, it)| it.kind != Kind::Constant).find_map(|(id, function)| {
        let decisive = switches(function);
        if decisive.is_empty() {
            return None;
        }
        let paths = Paths::of(function);
        decisive.into_iter().find_map(|at| {
            let waits = || {
                let around = paths.loop_around(at);
                let suspends = function.suspensions.iter().any(|it| around.contains(&it.block));
                let blocks = around.iter().any(|it| {
                    function.call(*it).is_some_and(|(_, it)| {
                        it.may(|it| {
                            matches!(
                                it.action,
                                Action::Wait | Action::WaitReleasing | Action::Sleep | Action::Enlist
                            )
                        })
                    })
                });
                let leaves = paths.next(at).iter().any(|it| !around.contains(it));
                (suspends || blocks) && leaves
            };
            let fails = || !keyed && paths.next(at).iter().any(|it| fails_at_once(function, *it));
            let how = if id != update.body && waits() {
                How::Waits
            } else if fails() {
                How::TurnedAway
            } else {
                return None;
            };
            let reads = reads(effects, function, at, &update.effect.state, id == update.body)?;
            let own = id == update.body
                && reads.iter().any(|it| {
                    paths.leads(update.effect.block, *it) && !paths.leads(*it, update.effect.block)
                });
            (!own && !reads.is_empty()).then_some(Refusal { body: id, at, how })
        })
    })
}

/// What a straight way comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtOnce {
    /// It makes an error.
    Fails,
    /// It panics.
    Panics,
}

/// Whether a straight way from there makes an error or panics.
pub(crate) fn fails_at_once(function: &Function, from: BlockId) -> bool {
    ends_at_once(function, from).is_some()
}

fn ends_at_once(function: &Function, from: BlockId) -> Option<AtOnce> {
    let mut at = from;
    for _ in 0..12 {
        let block = function.body.block(at)?;
        let made =
            block.statements.iter().any(|it| matches!(it, Statement::Assign(_, value) if value.is_error()));
        let constant = block.statements.iter().any(|it| {
            matches!(it, Statement::Assign(_, Rvalue::Use(Operand::Constant(text))) if text.contains("::Err("))
        });
        if made || constant {
            return Some(AtOnce::Fails);
        }
        let next = function.successors(at);
        match next.as_slice() {
            [one] => at = *one,
            [] => {
                let panics = matches!(&block.terminator, Terminator::Call(call) if call.target.is_none());
                return panics.then_some(AtOnce::Panics);
            }
            _ => return None,
        }
    }
    None
}

/// The refusal of whoever finds nothing where the update has taken something out.
fn without_it(effects: &Effects<'_>, update: &PartialUpdate) -> Option<Refusal> {
    let function = effects.program.function(update.body);
    let paths = Paths::of(function);
    let taken = update.effect.block;
    let made = made_of(function, taken);
    let refused = |at| Some(Refusal { body: update.body, at, how: How::TurnedAway });
    let (call, _) = function.call(taken)?;
    let is_option = function.type_of(&call.into).is_some_and(Ty::is_option);
    if !is_option {
        // What was there is gone, whoever comes next.
        return refused(taken);
    }
    let whole = |it: &Slot| Slot { local: it.local, steps: it.steps[..function.root(it)].to_vec() };
    let insists = function.calls().find(|(block, call, callee)| {
        matches!(callee.name(), "unwrap" | "expect" | "ok_or" | "ok_or_else" | "context" | "branch")
            && paths.leads(taken, *block)
            && call.place(0).is_some_and(|it| made.contains(&whole(&Slot::at(it))))
            && paths.leads(*block, update.between)
    });
    if let Some((at, ..)) = insists {
        return refused(at);
    }
    let reaches = |from: BlockId| from == update.between || paths.leads(from, update.between);
    let at = switches(function).into_iter().find(|at| {
        let of_it = function.body.block(*at).is_some_and(|it| {
            it.statements.iter().any(|it| {
                matches!(it, Statement::Assign(_, Rvalue::Discriminant(of)) if made.contains(&whole(&Slot::at(of))))
            })
        });
        of_it
            && paths.leads(taken, *at)
            && reaches(*at)
            && targets(function, *at).iter().any(|it| !reaches(*it))
    })?;
    refused(at)
}

/// Where a branch leads, but for what the compiler knows not to happen.
pub(crate) fn targets(function: &Function, at: BlockId) -> Vec<BlockId> {
    let mut found = function.successors(at);
    found.retain(|it| function.body.block(*it).is_some_and(|it| it.terminator != Terminator::Nowhere));
    found
}

/// The blocks that end in a branch on a value, but for those on whether a future is ready and on what the compiler has put in.
pub(crate) fn switches(function: &Function) -> Vec<BlockId> {
    let blocks =
        function.blocks().filter(|(id, it)| !it.cleanup && (id.0 != 0 || function.kind != Kind::Coroutine));
    let decides = blocks.filter(|(_, block)| {
        if !matches!(&block.terminator, Terminator::Switch { on: Operand::Place(_), .. }) {
            return false;
        }
        let Some(ty) = block.discriminated().and_then(|it| function.type_of(it)) else { return true };
        let name = ty.name();
        let of_lock = mentions(ty, |it| {
            matches!(it, Is::Guard(_) | Is::Permits | Is::Error(Failure::Time | Failure::Closed))
        });
        !(name == "Poll" || of_lock && holds(name) == Some(Holds::Variant))
    });
    decides.map(|(id, _)| id).collect()
}

/// How many values are followed back from a branch.
const MOST: usize = 96;

/// The blocks that read a state for the branch at the end of a block; `None` if none does.
pub(crate) fn reads(
    effects: &Effects<'_>,
    function: &Function,
    at: BlockId,
    state: &State,
    here: bool,
) -> Option<BTreeSet<BlockId>> {
    let program = effects.program;
    let block = function.body.block(at)?;
    let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else { return None };
    // In the terms of this body, or in those of another one.
    let is_it = |it: &State| if here { it.is_same(state) } else { it.is_of_one_field(state) };
    let mut left = MOST + 1;
    let mut found = BTreeSet::new();
    let key = |it: &(Place, BlockId)| Slot::at(&it.0);
    walk::search_by([(on.clone(), at)], key, |(place, from)| -> ControlFlow<(), Vec<_>> {
        let slot = Slot::at(&place);
        let mut next = Vec::new();
        if left == 0 {
            return Continue(next);
        }
        left -= 1;
        let is_read =
            place.projections.iter().any(|it| matches!(it, Projection::Deref | Projection::Field(..)))
                && of_place(program, function, &place).is_some_and(|it| is_it(&it));
        if is_read && slot.steps.len() > function.root(&slot) {
            found.insert(from);
            return Continue(next);
        }
        for definition in function.definitions(&function.whole(&slot)) {
            match definition {
                Definition::Assigned(block, _) => {
                    next.extend(function.places_of(*definition).map(|it| (it.clone(), *block)));
                }
                Definition::Called(block) => {
                    let Some((call, callee)) = function.call(*block) else { continue };
                    let on = call.arguments.first();
                    let own = program.called(function, *block).is_none()
                        && on
                            .is_some_and(|it| of_operand(program, function, it).is_some_and(|it| is_it(&it)));
                    if own && !callee.leads_on() {
                        found.insert(*block);
                        continue;
                    }
                    let runs = effects.run_at(function, *block);
                    if runs.iter().any(|(it, _)| touches(effects, *it, state)) {
                        found.insert(*block);
                        continue;
                    }
                    if callee.is_poll() {
                        continue;
                    }
                    next.extend(call.places().map(|it| (it.clone(), *block)));
                }
            }
        }
        Continue(next)
    });
    (!found.is_empty()).then_some(found)
}

/// Whether a body reads or changes a field, or calls what does.
fn touches(effects: &Effects<'_>, id: FunctionId, state: &State) -> bool {
    let Some(field) = &state.field else { return false };
    let program = effects.program;
    let function = program.function(id);
    let is_it = |it: Option<State>| it.is_some_and(|it| it.field.as_ref() == Some(field));
    let find = || {
        function.blocks().filter(|(_, it)| !it.cleanup).any(|(id, block)| {
            let mut places = block.assignments().flat_map(|(_, value)| value.places());
            let stated = places.any(|it| {
                it.projections.iter().any(|it| matches!(it, Projection::Field(..)))
                    && is_it(of_place(program, function, it))
            });
            stated || effects.run_at(function, id).iter().any(|(it, _)| touches(effects, *it, state))
        })
    };
    effects.touched(id, field, &find)
}

/// By field: the bodies that undo an effect on it without being asked to by who made it.
pub(crate) fn repairers(effects: &Effects<'_>, update: &PartialUpdate) -> Vec<FunctionId> {
    let program = effects.program;
    let effect = &update.effect;
    // To count the other way is somebody else's count.
    if matches!(effect.change, Change::Up(_) | Change::Down(_)) {
        return Vec::new();
    }
    let mine = [update.body, update.undone_at.0, effect.at.0];
    let repairs = |id: FunctionId| {
        let all = effects.in_body(id);
        let begins = |undone: &Effect| {
            all.iter().any(|it| {
                let by_future = program.function(id).callee(it.block).is_poll();
                it.change == effect.change
                    && it.state.is_of_one_field(&effect.state)
                    && undone.undoes(it)
                    && !by_future
            })
        };
        all.iter().any(|it| {
            it.at.0 == id
                && it.state.is_of_one_field(&effect.state)
                && it.change.undoes(&effect.change)
                && !begins(it)
                && !spares(program, it, effect)
        })
    };
    let others = program.functions().filter(|(id, function)| {
        !mine.contains(id) && function.kind != Kind::Constant && !program.is_drop(*id)
    });
    others
        .map(|(id, _)| id)
        .filter(|it| {
            repairs(*it)
                && !program.is_unused(*it)
                && !ends_what_others_begin(effects, update, (*it, *it), DEEPEST)
        })
        .collect()
}

/// How deep callers are followed.
const DEEPEST: usize = 4;

/// Whether a body is the other half of one that its callers, or who makes it, begin: it repairs nothing that they did not do.
fn ends_what_others_begin(
    effects: &Effects<'_>,
    update: &PartialUpdate,
    (repairer, id): (FunctionId, FunctionId),
    depth: usize,
) -> bool {
    let program = effects.program;
    if depth == 0 || program.function(id).kind == Kind::Function && is_for_anybody(program, id) {
        return false;
    }
    let begins = |id: FunctionId| {
        id == update.body
            || effects
                .in_body(id)
                .iter()
                .any(|it| it.change == update.effect.change && it.state.is_of_one_field(&update.effect.state))
    };
    let users: Vec<FunctionId> = if program.function(id).kind == Kind::Function {
        let calls = |function: &Function| {
            function.calls().any(|(block, ..)| program.called(function, block) == Some(id))
        };
        program.functions().filter(|(_, it)| calls(it)).map(|(id, _)| id).collect()
    } else {
        maker(program, id).into_iter().map(|it| it.0).collect()
    };
    !users.is_empty()
        && users
            .iter()
            .all(|it| begins(*it) || ends_what_others_begin(effects, update, (repairer, *it), depth - 1))
}
