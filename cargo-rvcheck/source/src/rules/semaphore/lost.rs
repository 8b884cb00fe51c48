//! A permit that is forgotten before the value that gives it back exists: in between the function fails, or its future is dropped.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::{FunctionId, Kind};
use crate::facts::partial_updates::droppable::droppable;
use crate::facts::partial_updates::effect::{Change, Effects};
use crate::facts::partial_updates::restored::{Restorers, made_restorers};
use crate::facts::partial_updates::{failure, is_absence, partial_updates};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::{await_ref, call_or_await, call_ref};
use std::collections::BTreeSet;

/// Finds such permits.
pub(super) fn check(effects: &Effects<'_>) -> Vec<Hit> {
    let program = effects.program;
    let restorers = Restorers::default();
    let forgets = program.functions().any(|(_, it)| it.calls().any(|(.., callee)| callee.forgets_permits()));
    if !forgets {
        return Vec::new();
    }
    let droppers = droppable(program);
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let all = effects.in_body(id);
        let partial_updates = partial_updates(effects, &restorers, id);
        for effect in all.iter().filter(|it| it.change == Change::Forget && it.at.0 == id) {
            let update = partial_updates.iter().find(|it| it.effect.block == effect.block);
            let mut ends: BTreeSet<BlockId> = all
                .iter()
                .filter(|it| it.change.undoes(&effect.change) && it.state.is_same(&effect.state))
                .map(|it| it.block)
                .collect();
            ends.extend(made_restorers(effects, &restorers, function, effect));
            let Some(end) = ends.first().copied() else { continue };
            let fails = failure(function, effect.block, &ends);
            let dropped = update.map(|it| it.between);
            if fails.is_none() && dropped.is_none() {
                continue;
            }
            let surely = fails.is_some_and(|it| !is_absence(function, it))
                || dropped.is_some() && droppers.contains_key(&id);
            hits.push(hit(program, (id, effect.shown), fails, dropped, end, surely));
        }
    }
    hits
}

fn hit(
    program: &Program,
    (id, forgotten): (FunctionId, BlockId),
    fails: Option<BlockId>,
    dropped: Option<BlockId>,
    end: BlockId,
    surely: bool,
) -> Hit {
    let mut related: Vec<(CodeRef, String)> = Vec::new();
    related
        .extend(dropped.map(|it| {
            (await_ref(program, id, it), "a future dropped here does not give it back".to_owned())
        }));
    related
        .extend(fails.map(|it| (call_ref(program, id, it), "fails here without giving it back".to_owned())));
    related.push((call_or_await(program, id, end), "given back from here on".to_owned()));
    Hit {
        certainty: if surely { Certainty::Usually } else { Certainty::Doubt },
        message: "this permit is forgotten before anything can give it back: an error or a dropped future in between loses it forever"
            .to_owned(),
        primary: (call_ref(program, id, forgotten), "forgotten here".to_owned()),
        related,
        advice: "keep the permit until the value that gives it back exists, and forget it then; or store it in that value".to_owned(),
    }
}
