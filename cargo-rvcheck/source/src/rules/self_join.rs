//! `channel-deadlock`: a thread waits for its own end, since it may itself be the last owner of a value whose `Drop` joins it.

use super::{Certainty, Hit, Rule, ShownBy};
use crate::body::provenance::source;
use crate::body::walk;
use crate::body::{Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::disposition::{At, Task, is_thread_join};
use crate::facts::partial_updates::made_of;
use crate::facts::partial_updates::state::{of_operand, of_place};
use crate::mir::{BlockId, Operand, Rvalue};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::drops::{drops, last_drops};
use crate::program::runs::may_run;
use crate::ty::is_of_std;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "self-join",
    property: "channel-deadlock",
    doc: "A thread drops a value whose `Drop` joins that same thread.",
    shown_by: ShownBy::Run("the thread still owns the value when every other owner has dropped it"),
    check,
};

/// A field: the type that has it, and its number.
type Field = (String, u32);

/// Finds such threads.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    facts.dispositions.tasks(facts.program).iter().filter_map(|it| self_join(facts.program, it)).collect()
}

fn self_join(program: &Program, thread: &Task) -> Option<Hit> {
    let body = thread.body?;
    let kept = kept_in(program, thread.at);
    let own_join = |id: FunctionId| joins(program, id).find(|(_, field)| kept.contains(field));
    if kept.is_empty() {
        return None;
    }
    // Each body that the thread runs, with the place where a value is dropped if that runs it.
    walk::search([(body, None)], |(id, from): (FunctionId, Option<At>)| {
        let function = program.function(id);
        if asks_who_it_is(function) {
            return Continue(Vec::new());
        }
        if let Some(from) = from
            && let Some((block, _)) = own_join(id)
        {
            return Break(hit(program, thread.at, (id, block), from));
        }
        let called = function.calls().flat_map(|(at, ..)| may_run(program, function, at));
        let called = called.map(|it| (it.body, from));
        let falls = |(at, body): (BlockId, FunctionId)| (body, from.or(Some((id, at))));
        let owned = drops(program, function).into_iter().map(|(at, it)| falls((at, it.body)));
        let shared = last_drops(program, function).into_iter().map(falls);
        Continue(called.chain(owned).chain(shared).collect())
    })
}

/// The fields that the handle is put into which a call gives.
fn kept_in(program: &Program, (id, spawned): At) -> BTreeSet<Field> {
    let function = program.function(id);
    let made = made_of(function, spawned);
    let is_made = |it: &Operand| it.place().is_some_and(|it| made.contains(&function.whole(&Slot::at(it))));
    let mut found = BTreeSet::new();
    for (at, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        for (into, value) in block.assignments() {
            match value {
                Rvalue::Made(_, parts) => {
                    let of = function.type_of(into).map(|it| it.name().to_owned()).unwrap_or_default();
                    let its = (0..).zip(parts).filter(|(_, it)| program.knows_type(&of) && is_made(it));
                    found.extend(its.map(|(number, _)| (of.clone(), number)));
                }
                Rvalue::Use(it) if is_made(it) && !into.projections.is_empty() => {
                    found.extend(of_place(program, function, into).and_then(|it| it.field));
                }
                _ => {}
            }
        }
        if let Some((call, _)) = function.call(at)
            && let [on, given @ ..] = call.arguments.as_slice()
            && given.iter().any(is_made)
        {
            found.extend(of_operand(program, function, on).and_then(|it| it.field));
        }
    }
    found
}

/// The calls of a body that join a thread, each with the field that has the handle.
fn joins(program: &Program, id: FunctionId) -> impl Iterator<Item = (BlockId, Field)> + '_ {
    let function = program.function(id);
    let calls = function.calls().filter(move |(at, ..)| is_thread_join(function, *at));
    calls.filter_map(move |(at, call, _)| {
        let handle = call.arguments.first()?;
        let taken = source(function, &Slot::at(handle.place()?))
            .and_then(|it| function.call(it)?.0.arguments.first());
        let state = taken.and_then(|it| of_operand(program, function, it));
        let field = state.or_else(|| of_operand(program, function, handle))?.field?;
        Some((at, field))
    })
}

/// Whether a body looks at the thread that it runs on, and may leave itself out.
fn asks_who_it_is(function: &Function) -> bool {
    let asked = function.calls().filter(|(_, _, callee)| callee.name() == "current");
    // The compiler may write the name alone.
    let mut paths = asked.map(|(.., callee)| callee.path());
    paths.any(|it| is_of_std(it) || !it.contains("::"))
}

fn hit(program: &Program, spawned: At, join: At, at: At) -> Hit {
    let dropped = (CodeRef::of_body(program, at.0), "the thread drops the value in here".to_owned());
    Hit {
        certainty: Certainty::Usually,
        message: "a thread that drops the last handle to this value joins itself here, and waits for its own end"
            .to_owned(),
        primary: (call_ref(program, join.0, join.1), "joined here".to_owned()),
        related: vec![(call_ref(program, spawned.0, spawned.1), "the thread is spawned here".to_owned()), dropped],
        advice: "join only if `thread::current().id()` is a different one, or keep the handle in a value that the thread does not own"
            .to_owned(),
    }
}
