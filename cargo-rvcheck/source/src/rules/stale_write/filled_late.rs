//! A value that is loaded for a cache while its entry is removed, and stored after that: whoever reads it later gets what was removed.
//!
//! Not reported where state beside the entries is looked at before the value is stored, as a number of removals, where something marks the entry while
//! the value is loaded, and where the value is a handle, which is as good as a later one.

use super::super::{Certainty, Hit};
use super::{left_open, looks, ways};
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId, Kind};
use crate::facts::partial_updates::effect::{Change, Effect, Effects};
use crate::facts::partial_updates::state::{Reach, Root, State};
use crate::mir::{BlockId, Terminator};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::ty::Ty;
use rvcheck_primitives::Holds;

/// Finds such values in a body.
pub(super) fn check(effects: &Effects<'_>, id: FunctionId, function: &Function) -> Vec<Hit> {
    let program = effects.program;
    if function.kind != Kind::Coroutine || program.is_test(id) {
        return Vec::new();
    }
    let paths = Paths::of(function);
    let all = effects.in_body(id);
    let mut hits = Vec::new();
    for fill in all.iter().filter(|it| it.change == Change::Put && it.state.whose() == Reach::Shared) {
        let Some(field) = fill.state.field.clone().filter(|_| stores_data(program, fill)) else { continue };
        let miss = looks(effects, function, &fill.state).into_iter().find_map(|(branch, reads)| {
            let (on, off) = ways(function, branch, fill.block);
            let begins = on.first().copied().filter(|_| !off.is_empty())?;
            Some((*reads.first()?, left_open(program, id, function, (begins, fill.block))?))
        });
        let Some((read, over)) = miss else { continue };
        let marks = |it: &Effect| it.state.is_of_one_field(&fill.state) && paths.leads(it.block, over);
        if all.iter().any(marks) || is_compared(effects, id, (over, fill), &field) {
            continue;
        }
        let Some((remover, removal)) = removal(effects, id, fill) else { continue };
        hits.push(hit(program, id, fill, (read, over), (remover, &removal)));
    }
    hits
}

/// Whether an effect puts plain data into a map.
fn stores_data(program: &Program, fill: &Effect) -> bool {
    let (inside, at) = fill.at;
    let function = program.function(inside);
    let Some((call, callee)) = function.call(at) else { return false };
    let value = if callee.keeps_first() { call.place(1) } else { call.place(2) };
    let is_handle = |it: Ty| {
        it.is_pointer() || it.has_object() || it.holds() == Some(Holds::Counted) || !it.owners().is_empty()
    };
    value.and_then(|it| function.type_of(it)).is_some_and(|it| !it.has(is_handle))
}

/// Whether a branch between a suspension and the change goes by state beside the entries, or any branch of the called function that makes the change
/// leads past it.
fn is_compared(
    effects: &Effects<'_>,
    id: FunctionId,
    (over, fill): (BlockId, &Effect),
    field: &(String, u32),
) -> bool {
    let program = effects.program;
    let (inside, at) = fill.at;
    let passes = |function: &Function, branch: BlockId, act: BlockId| {
        let (on, off) = ways(function, branch, act);
        !on.is_empty() && !off.is_empty()
    };
    let within = program.function(inside);
    let is_branch = |function: &Function, it: BlockId| {
        matches!(function.body.block(it).map(|it| &it.terminator), Some(Terminator::Switch { .. }))
    };
    let asks_inside = inside != id
        && within
            .blocks()
            .filter(|(_, it)| !it.cleanup)
            .any(|(it, _)| is_branch(within, it) && passes(within, it, at));
    let fields = 0..u32::try_from(program.fields(&field.0).count()).unwrap_or(0);
    let function = program.function(id);
    let paths = Paths::of(function);
    asks_inside
        || fields.into_iter().any(|number| {
            let state = State { field: Some((field.0.clone(), number)), ..fill.state.clone() };
            let looks = looks(effects, function, &state);
            looks
                .iter()
                .any(|(branch, _)| paths.leads(over, *branch) && passes(function, *branch, fill.block))
        })
}

/// Another function that removes an entry by a key that it is given, and puts none in: one that makes room for its own removes what is old.
fn removal(effects: &Effects<'_>, id: FunctionId, fill: &Effect) -> Option<(FunctionId, Effect)> {
    let program = effects.program;
    let invalidates = |it: &Effect| {
        let by_key =
            it.key.as_ref().is_some_and(|it| matches!(it.root, Root::Argument(_) | Root::Captured(_)));
        it.state.is_of_one_field(&fill.state) && it.change == Change::Remove && by_key
    };
    let others = program
        .functions()
        .filter(|(it, function)| *it != id && function.kind != Kind::Constant && !program.is_test(*it));
    others.into_iter().find_map(|(it, _)| {
        let all = effects.in_body(it);
        let fills = all.iter().any(|it| it.change == Change::Put && it.state.is_of_one_field(&fill.state));
        let found = all.iter().find(|effect| effect.at.0 == it && invalidates(effect))?;
        (!fills).then(|| (it, found.clone()))
    })
}

fn hit(
    program: &Program,
    id: FunctionId,
    fill: &Effect,
    (read, over): (BlockId, BlockId),
    (remover, removal): (FunctionId, &Effect),
) -> Hit {
    let object = fill.state.field.clone().map(|(of, number)| AbstractObject::Field(of, number));
    let entries = object.map_or_else(|| "the cache".to_owned(), |it| it.called(program, "the cache"));
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "a value that is loaded while `{}` removes its entry is stored in {entries} after that: later readers get what was removed",
            program.item(remover)
        ),
        primary: (
            call_or_await(program, id, if fill.at.0 == id { fill.shown } else { fill.block }),
            "stored here".to_owned(),
        ),
        related: vec![
            (call_or_await(program, id, read), "not there when it was looked up here".to_owned()),
            (call_or_await(program, id, over), "the entry can be removed here".to_owned()),
            (call_ref(program, removal.at.0, removal.shown), "removed here".to_owned()),
        ],
        advice: "count the removals, and store the value only if the count has not changed since the lookup"
            .to_owned(),
    }
}
