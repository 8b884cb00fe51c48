//! `cancel-unresponsive`: a loop that does not notice that it is to stop.
//!
//! Either the [look](read_once) comes once and too early, or a loop that [tries](tries) again and again has none, or a loop [spins](spins),
//! or it spins once a channel is [closed](closed), or sees the order to stop and [goes on](goes_on), or is on a [blocking](blocking)
//! thread, which an abort does not end.

mod blocking;
mod closed;
mod goes_on;
mod read_once;
mod spins;
mod tries;

use super::{CodeRef, Hit, Rule};
use crate::body::by_name;
use crate::body::paths::Paths;
use crate::body::provenance::flag;
use crate::body::{Function, Kind, Slot};
use crate::facts::Facts;
use crate::mir::{BlockId, Local};
use crate::program::Program;
use crate::program::abstract_object::AbstractObjects;
use crate::program::library::{is_path_of, operation_of};
use rvcheck_primitives::{Action, Is, Word};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "cancel-unresponsive",
    property: "cancel-unresponsive",
    doc: "A task that is asked to stop goes on without noticing.",
    shown_by: "the task goes on after it was asked to stop",
    check,
};

/// Finds such loops.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits = closed::check(facts);
    let objects = AbstractObjects::of(program);
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let paths = Paths::of(function);
        let once = read_once::check(program, id, paths);
        if function.kind == Kind::Coroutine {
            let primaries: Vec<&CodeRef> = once.iter().map(|it| &it.primary.0).collect();
            let others = tries::check(program, id, paths);
            let is_reported = |it: &Hit| it.related.iter().any(|(mark, _)| primaries.contains(&mark));
            hits.extend(others.into_iter().filter(|it| !is_reported(it)));
            hits.extend(spins::check(program, id, paths));
            hits.extend(goes_on::check(program, id, paths));
        }
        if function.kind != Kind::Coroutine {
            hits.extend(tries::on_threads(facts, id, paths));
        }
        hits.extend(blocking::check(program, &objects, id));
        hits.extend(once);
    }
    hits
}

/// Whether the call at the end of a block asks whether to stop, itself or by a function that gives the answer.
fn asks_to_stop(program: &Program, function: &Function, block: BlockId) -> bool {
    let through = || {
        let inner = program.function(program.called(function, block)?);
        let asked = flag(inner, &Slot::of(Local(0))).filter(|_| inner.body.type_of(Local(0)) == "bool")?;
        Some(asks(program, inner, asked) || compared(inner, asked).is_some_and(|it| asks(program, inner, it)))
    };
    asks(program, function, block) || through() == Some(true)
}

/// What gave the value that a call compares with something.
fn compared(function: &Function, block: BlockId) -> Option<BlockId> {
    let (call, callee) = function.call(block).filter(|(_, it)| matches!(it.name(), "eq" | "ne"))?;
    callee.of_trait.as_ref().filter(|it| *it == "PartialEq")?;
    flag(function, &Slot::at(call.arguments.first()?.place()?))
}

fn asks(program: &Program, function: &Function, block: BlockId) -> bool {
    let path = program.callee_path(function, block);
    let (of, name) = path.rsplit_once("::").unwrap_or_default();
    let looks = operation_of(path).is_some_and(|(owner, it)| match owner.is {
        Is::Flag(Word::Bool) => it.action == Action::Load,
        Is::End(end) => !end.queues && !end.sends && matches!(it.action, Action::Request(_)),
        _ => false,
    });
    looks || by_name::asks(name) && is_path_of(of, |it| it == Is::Token)
}
