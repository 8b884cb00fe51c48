//! An order to stop is seen, and obeyed in a way that leads to no end: a `break` ends a loop inside only.

use crate::body::paths::Paths;
use crate::body::provenance::carried;
use crate::body::select::{is_disabled_at, selects};
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::enders::order_at;
use crate::facts::objects::CallSite;
use crate::facts::rounds::{Look, looks};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, branch_ref, call_ref};
use crate::program::library::{is_path_of, operation_of};
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Is};
use std::collections::BTreeSet;

/// The places where an order for good is seen, and behind which the body comes back to them and never to its end.
pub(super) fn check(facts: &Facts<'_>, id: FunctionId) -> Vec<Hit> {
    let program = facts.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let mut seen: Vec<(BlockId, BlockId, CodeRef)> = Vec::new();
    for select in selects(function) {
        for (number, branch) in select.branches.iter().enumerate() {
            let waits = branch.call.is_some_and(|it| is_of_token(program, function, it, Action::Wait));
            if let Some(arm) = branch.arm.filter(|_| waits) {
                seen.push((select.made, arm, branch_ref(program, id, &select, number)));
            }
        }
    }
    for look in looks(facts, id).into_iter().filter(|it| is_for_good(facts, id, *it)) {
        let target = obeyed(function, look).filter(|_| paths.leads(look.call, look.branch));
        seen.extend(target.map(|it| (look.call, it, call_ref(program, id, look.call))));
    }
    let goes_on = seen.into_iter().filter(|(at, target, _)| {
        let beyond = paths.from(&[*target], &|_| false);
        !changes(program, function, &paths.loop_around(*at))
            && beyond.contains(at)
            && !beyond.iter().any(|it| function.returns_at(*it))
    });
    let hits = goes_on.map(|(.., place)| Hit {
        certainty: Certainty::Usually,
        message: "the order to stop is seen here, and the loop around goes on for ever all the same"
            .to_owned(),
        primary: (place, "leads back into the loop".to_owned()),
        related: Vec::new(),
        advice: "return, or leave the outer loop by its label: `break 'outer`".to_owned(),
    });
    hits.collect()
}

fn is_of_token(program: &Program, function: &Function, block: BlockId, action: Action) -> bool {
    let known = operation_of(program.callee_path(function, block));
    known.is_some_and(|(owner, it)| owner.is == Is::Token && it.action == action)
}

/// Whether an order stays once it is given: a token, or a flag that the program only ever sets.
fn is_for_good(facts: &Facts<'_>, id: FunctionId, look: Look) -> bool {
    let program = facts.program;
    let path = program.callee_path(program.function(id), look.call);
    let of = path.rsplit_once("::").map_or("", |it| it.0);
    let sets = |it: &CallSite| {
        let call = program.function(it.function).call(it.block);
        call.is_some_and(
            |(call, _)| matches!(call.arguments.get(1), Some(Operand::Constant(it)) if it == "true"),
        )
    };
    let is_set_only = || {
        let order = order_at(program, facts.objects(), id, look.branch)?;
        let uses = facts.orders().get(&order).filter(|it| !it.escapes && !it.given.is_empty())?;
        Some(uses.given.iter().all(sets))
    };
    is_path_of(of, |it| it == Is::Token) || is_set_only() == Some(true)
}

/// Where a body goes on when the order was given: where the branch is straight, what is not `false`.
fn obeyed(function: &Function, look: Look) -> Option<BlockId> {
    let Terminator::Switch { on: Operand::Place(on), cases, otherwise } =
        &function.body.block(look.branch)?.terminator
    else {
        return None;
    };
    let value = function.definition(&Slot::at(on)).and_then(|it| function.assigned(it));
    let mut straight = true;
    if let Some(value) = value {
        carried(value, &mut straight)?;
    }
    let off = cases.iter().find(|(it, _)| *it == 0).map(|(_, to)| *to);
    if straight { otherwise.filter(|_| off.is_some()) } else { off }
}

/// Whether a loop may have another token afterwards, ends the process, or turns branches off.
fn changes(program: &Program, function: &Function, around: &BTreeSet<BlockId>) -> bool {
    around.iter().any(|it| {
        let Some((_, callee)) = function.call(*it) else { return is_disabled_at(function, *it) };
        let makes = operation_of(program.callee_path(function, *it)).is_some_and(|(owner, it)| {
            owner.is == Is::Token && matches!(it.action, Action::Make(_) | Action::Handle)
        });
        let ends = callee.path.contains("process") && matches!(callee.name(), "exit" | "abort");
        makes || ends || callee.name() == "default" || is_disabled_at(function, *it)
    })
}
