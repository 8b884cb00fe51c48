//! A condition that is checked under one acquisition of a lock, and relied on under a later one, after the task has suspended: others may have
//! passed the same check in between.
//!
//! Not reported where the state is looked at again before the change, where a lock or permit is held from the check to the change, and where
//! whoever finds something there is given that, as by a cache: who fills it twice does no harm.

use super::super::{Certainty, Hit};
use super::{held, left_open, looks, ways};
use crate::body::paths::Paths;
use crate::body::provenance::carried;
use crate::body::{Callee, Definition, Function, FunctionId, Kind, Slot};
use crate::facts::partial_updates::effect::{Change, Effect, Effects};
use crate::facts::partial_updates::made_of;
use crate::facts::partial_updates::refusal::{fails_at_once, fails_on_none, gate};
use crate::facts::partial_updates::state::Reach;
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use rvcheck_primitives::Leaves;
use std::collections::BTreeSet;

/// Finds such changes in a body.
pub(super) fn check(effects: &Effects<'_>, id: FunctionId, function: &Function) -> Vec<Hit> {
    let program = effects.program;
    if function.kind != Kind::Coroutine {
        return Vec::new();
    }
    let paths = Paths::of(function);
    let mut hits = Vec::new();
    let all = effects.in_body(id);
    for act in all.iter() {
        let relies = matches!(act.change, Change::Put | Change::Up(_) | Change::Set(_));
        if !relies
            || act.state.whose() != Reach::Shared
            || act.state.field.is_none()
            || asks_itself(effects, id, act)
        {
            continue;
        }
        let looks = looks(effects, function, &act.state);
        let made = made_of(function, act.block);
        let asks_what_it_gave = |at: BlockId| {
            let given = function.call(at).and_then(|(call, _)| call.place(0));
            given.is_some_and(|it| made.contains(&function.whole(&Slot::at(it))))
        };
        let stale = looks.iter().find_map(|(branch, read)| {
            let begins = refuses(function, *branch, act.block)?;
            let over = left_open(program, id, function, (begins, act.block))?;
            let behind = paths.from(paths.next(over), &|it| it == *branch);
            let is_again = |at: &BlockId| {
                *at == act.block
                    || asks_what_it_gave(*at)
                    || behind.contains(at) && paths.leads(*at, act.block)
            };
            let read = read.first().copied().filter(|_| !looks.iter().any(|it| it.1.iter().any(is_again)))?;
            // Whoever marks the state when they have checked it keeps others out.
            let marks = |it: &Effect| {
                let is_early = it.block == read
                    || it.block == begins
                    || paths.leads(begins, it.block) && paths.leads(it.block, over);
                it.state.field == act.state.field && is_early && it.block != act.block
            };
            let is_held =
                all.iter().any(marks) || !held(program, id, read).is_disjoint(&held(program, id, act.block));
            (!is_held).then_some((read, over))
        });
        hits.extend(stale.map(|(read, over)| hit(program, id, act, (read, over))));
    }
    hits
}

/// Whether a called function that makes the change looks at the state for itself, or gives what it found there.
fn asks_itself(effects: &Effects<'_>, id: FunctionId, act: &Effect) -> bool {
    let (inside, at) = act.at;
    let function = effects.program.function(inside);
    let by_itself = |callee: Callee| {
        callee.keeps_first()
            || callee.row().is_some_and(|it| it.operation.leaves == Some(Leaves::Argument(2)))
    };
    let is_atomic = function.call(at).is_some_and(|(_, callee)| by_itself(callee));
    let within = effects.in_body(inside);
    let own = within.iter().find(|it| it.at == act.at && it.change == act.change);
    is_atomic
        || inside != id
            && own.is_some_and(|it| {
                gate(effects, inside, at, &it.state, &it.change, &BTreeSet::new()).is_some()
            })
}

/// Where a branch goes on to the change, if its other way fails at once.
fn refuses(function: &Function, branch: BlockId, act: BlockId) -> Option<BlockId> {
    let (on, off) = ways(function, branch, act);
    let refuses = !off.is_empty() && off.iter().all(|it| fails_at_once(function, *it));
    on.first().copied().filter(|_| refuses && off.iter().all(|it| !is_of_absence(function, branch, *it)))
}

/// Whether a branch goes this way where something is not there: that is no reason for others to stay out.
fn is_of_absence(function: &Function, branch: BlockId, way: BlockId) -> bool {
    if fails_on_none(function, branch) {
        return true;
    }
    let Some(block) = function.body.block(branch) else { return false };
    let Terminator::Switch { on: Operand::Place(on), cases, .. } = &block.terminator else { return false };
    let is_nought = cases.iter().any(|(value, to)| *value == 0 && *to == way);
    match block.discriminated().and_then(|it| function.type_of(it)) {
        Some(ty) => ty.is_option() && is_nought,
        None => {
            let mut straight = true;
            let mut slot = Slot::at(on);
            while let Some(from) = function
                .definition(&slot)
                .and_then(|it| function.assigned(it))
                .and_then(|it| carried(it, &mut straight))
            {
                slot = Slot::at(from);
            }
            let asked = function.definition(&slot).is_some_and(|it| matches!(it, Definition::Called(_)));
            asked && is_nought == straight
        }
    }
}

fn hit(program: &Program, id: FunctionId, act: &Effect, (read, over): (BlockId, BlockId)) -> Hit {
    let object = act.state.field.clone().map(|(of, number)| AbstractObject::Field(of, number));
    let state = object.map_or_else(|| "the state".to_owned(), |it| it.called(program, "the state"));
    let mut related = vec![
        (call_or_await(program, id, read), "checked here".to_owned()),
        (call_or_await(program, id, over), "other tasks can run here".to_owned()),
    ];
    if act.at.0 != id {
        related.push((call_ref(program, act.at.0, act.shown), "changed here".to_owned()));
    }
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "{state} is checked before an await and changed after it: other tasks can pass the same check in between"
        ),
        primary: (
            call_or_await(program, id, if act.at.0 == id { act.shown } else { act.block }),
            "relies on the check".to_owned(),
        ),
        related,
        advice: "check again under the lock under which the change is made".to_owned(),
    }
}
