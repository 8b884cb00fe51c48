//! Which bodies belong to something that can be gone while the program goes on, and what is done only when its owner asks for it.

use crate::body::walk;
use crate::body::{Function, FunctionId, Kind};
use crate::facts::Facts;
use crate::facts::objects::CallSite;
use crate::program::Program;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// Whether a body belongs to a value or task that can be gone while the program goes on: itself, or one of those that call it. `filling`
/// are the bodies that fill statics, which stay.
pub(crate) fn has_owner(program: &Program, filling: &BTreeSet<FunctionId>, id: FunctionId) -> bool {
    let stays = |it: &FunctionId| program.is_main(*it) || filling.contains(it);
    let is_owned = |it: &FunctionId| program.is_method(*it) || program.function(*it).kind != Kind::Function;
    let callers = |id| {
        let calls = move |it: &Function| it.calls().any(|(at, ..)| program.called(it, at) == Some(id));
        program.functions().filter(move |(_, it)| calls(it)).map(|it| it.0).filter(|it| !stays(it))
    };
    walk::reaches(Some(id).filter(|it| !stays(it)), callers, is_owned)
}

/// Whether a body is that of `main`, or of a function that `main` alone runs, itself or through others of that sort.
pub(crate) fn is_of_main(facts: &Facts<'_>, id: FunctionId) -> bool {
    let program = facts.program;
    let otherwise = walk::search([id], |id| {
        if program.is_main(id) {
            return Continue(Vec::new());
        }
        let callers = facts.callers().get(&id).filter(|_| !program.is_method(id));
        callers.map_or(Break(()), |it| Continue(it.iter().copied().collect()))
    });
    otherwise.is_none()
}

/// Whether these calls are made only where others ask for it: by methods, and not where a value is dropped, by a task or thread, by `main`, or
/// by a function that makes the value.
pub(crate) fn only_when_asked(facts: &Facts<'_>, calls: &BTreeSet<CallSite>) -> bool {
    let program = facts.program;
    let is_asked = |id: FunctionId| has_self(program.function(id)) || program.is_test(id);
    is_left_to_callers(facts, calls, &is_asked)
}

/// Whether these calls are made only where somebody calls what makes them: not where a value is dropped, by a task or thread, or by `main`.
pub(crate) fn only_by_calls(facts: &Facts<'_>, calls: &BTreeSet<CallSite>) -> bool {
    is_left_to_callers(facts, calls, &|_| true)
}

/// `is_outermost` says whether it is left to others if a body that nothing calls makes such a call.
fn is_left_to_callers(
    facts: &Facts<'_>,
    calls: &BTreeSet<CallSite>,
    is_outermost: &dyn Fn(FunctionId) -> bool,
) -> bool {
    let program = facts.program;
    let spawned: BTreeSet<FunctionId> =
        facts.objects().spawns.values().flat_map(|it| it.roots.iter().copied()).collect();
    let otherwise = walk::search(calls.iter().map(|it| it.function), |id| {
        let is_by_itself = program.is_drop(id) || spawned.contains(&id) || program.is_main(id);
        let callers = facts.callers().get(&id);
        if is_by_itself || callers.is_none() && !is_outermost(id) {
            return Break(());
        }
        Continue(callers.into_iter().flatten().copied().collect::<Vec<_>>())
    });
    otherwise.is_none()
}

/// Whether a body is that of a method that has a value of its type.
fn has_self(function: &Function) -> bool {
    function.body.variables.iter().any(|(name, _)| name == "self")
}
