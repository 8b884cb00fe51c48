//! `notify_one` as an order to end, where a task that waits for it once is spawned in a loop: it ends one of them.

use super::super::{Certainty, Hit};
use super::{Given, places};
use crate::body::paths::Paths;
use crate::body::text::{head, last};
use crate::body::{Function, FunctionId};
use crate::mir::{BlockId, Operand, Rvalue, Statement};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;

/// The wait of a body that many tasks run, if all notifications that there are reach one of them.
pub(super) fn check(
    program: &Program,
    object: &AbstractObject,
    id: FunctionId,
    waits: BlockId,
    given: &Given,
) -> Option<Hit> {
    let AbstractObject::Field(of, _) = object else { return None };
    let function = program.function(id);
    // One that waits again does so for something else than an end, and one that notifies hands it on.
    let hands_on = given.iter().any(|(giver, ..)| *giver == id);
    if hands_on || Paths::of(function).repeats(waits) {
        return None;
    }
    let [(giver, gives, _)] = given.as_slice() else { return None };
    if Paths::of(program.function(*giver)).repeats(*gives) {
        return None;
    }
    let (spawner, spawn) = program.functions().find_map(|(spawner, function)| {
        let spawn = spawned_in_loop(program, function, id, of)?;
        Some((spawner, spawn))
    })?;
    let mut related = places(program, given, "wakes one of them");
    related.push((call_ref(program, spawner, spawn), "many are spawned here".to_owned()));
    Some(Hit {
        certainty: Certainty::Usually,
        message: "many tasks wait for this, and one notification wakes one of them: the others wait for ever".to_owned(),
        primary: (call_ref(program, id, waits), "each of them waits here".to_owned()),
        related,
        advice: "use `CancellationToken`, a `watch` channel, or `notify_waiters` with `Notified`s that exist before it".to_owned(),
    })
}

/// Where a body is spawned in a loop that does not make a struct of that name anew.
fn spawned_in_loop(program: &Program, function: &Function, body: FunctionId, of: &str) -> Option<BlockId> {
    let paths = Paths::of(function);
    let (spawn, ..) = function.calls().find(|(block, call, callee)| {
        let runs = |it: &Operand| {
            it.place().and_then(|it| function.type_of(it)).and_then(|it| program.body_of(it)) == Some(body)
        };
        callee.name().starts_with("spawn") && call.arguments.iter().any(runs) && paths.repeats(*block)
    })?;
    let around = paths.loop_around(spawn);
    let anew = around.iter().filter_map(|it| function.body.block(*it)).any(|block| {
        block.statements.iter().any(|it| match it {
            Statement::Assign(into, Rvalue::Made(..)) => {
                function.type_of(into).is_some_and(|it| last(&head(it)) == of)
            }
            _ => false,
        })
    });
    (!anew).then_some(spawn)
}
