//! Whether a lock may be there for what is done from an await on: `let turn = lock(); …; write(file).await` has one file written at a time.

use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{Callee, Function, FunctionId, Suspension};
use crate::mir::BlockId;
use crate::program::code_ref::call_ref;
use crate::program::{GuardId, GuardKind, Origin, Program};
use crate::rules::CodeRef;
use rvcheck_primitives::Action;

/// Whether something from the awaits on, at which the guard that is acquired there is kept, may need that others are kept out. A borrow of
/// a cell keeps nobody out, since whoever meets it panics.
pub(super) fn relied_on(program: &Program, acquired: &CodeRef) -> bool {
    let is_there = |id: FunctionId, origin: &Origin| match origin {
        Origin::Call(block) if call_ref(program, id, *block) == *acquired => true,
        _ => program.acquisition(id, origin).is_some_and(|it| CodeRef::Site(it) == *acquired),
    };
    let mut found = false;
    for (id, function) in program.functions() {
        let holding = program.holding(id);
        for number in holding.ids() {
            let Some(guard) = holding.guard(number) else { continue };
            if !is_there(id, &guard.origin) {
                continue;
            }
            found = true;
            let keeps_out = !guard.kinds.contains(GuardKind::Cell)
                || [GuardKind::Blocking, GuardKind::Watch].iter().any(|it| guard.kinds.contains(*it));
            if keeps_out && acts_behind(program, id, function, number) {
                return true;
            }
        }
    }
    !found
}

/// Whether a body does anything from the awaits on at which it keeps a guard, while it does, that others could notice.
fn acts_behind(program: &Program, id: FunctionId, function: &Function, guard: GuardId) -> bool {
    let holding = program.holding(id);
    let keeps = |at: BlockId| holding.at(at).is_none_or(|it| it.guards().contains_key(&guard));
    let kept: Vec<&Suspension> = function.suspensions.iter().filter(|it| keeps(it.block)).collect();
    let resumed: Vec<BlockId> = kept.iter().map(|it| it.resume).collect();
    let behind = Paths::of(function).from(&resumed, &|it| !keeps(it));
    let acts = |at: &BlockId| function.call(*at).is_some_and(|(_, callee)| !is_harmless(callee));
    !kept.iter().all(|it| makes_way(function, it)) || behind.iter().any(acts)
}

/// Whether an await does nothing but to let others go on.
fn makes_way(function: &Function, at: &Suspension) -> bool {
    let made = at.awaited.as_ref().and_then(|it| source(function, it)).and_then(|it| function.call(it));
    made.is_some_and(|(_, callee)| callee.may(|it| it.action == Action::Yield))
}

/// Whether a call is a part of an await, a mark, or lets others go on.
fn is_harmless(callee: Callee) -> bool {
    callee.hands_on()
        || callee.is_poll()
        || matches!(callee.name(), "new_unchecked" | "get_context")
        || callee.may(|it| it.action == Action::Yield)
}
