//! Futures by hand that do not keep the waker of the task that polls them, or keep it too late.
//!
//! - `Poll::Pending` comes back, and the context was not looked at: nobody can wake the task.
//! - The waker is replaced only where it would wake the same task anyway.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::polling::{context, made, uses};
use crate::body::provenance::carried;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::library::mentions_waker;
use std::collections::BTreeSet;

/// Finds such futures.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let Some(context) = context(function) else { continue };
        let pending: BTreeSet<BlockId> = made(function, "Pending").collect();
        if pending.is_empty() {
            continue;
        }
        if !uses(function, context) {
            hits.extend(never_kept(program, id, function));
            continue;
        }
        let paths = Paths::of(function);
        hits.extend(inverted(program, id, function, paths, &pending));
    }
    hits
}

/// A body that is done at some time, and does not look at its context before.
fn never_kept(program: &Program, id: FunctionId, function: &Function) -> Option<Hit> {
    let done = made(function, "Ready").next().is_some();
    // What else is polled or woken may wake the task in its own way.
    let by_others = function.calls().any(|(_, call, callee)| {
        let name = callee.name();
        name.contains("poll")
            || name.contains("wake")
            || name.contains("register")
            || call.arguments.iter().any(|it| wakes(function, it))
    });
    (done && !by_others).then(|| Hit {
        certainty: Certainty::Usually,
        message: "this says `Poll::Pending` and keeps no waker: nobody can wake the task once it is done"
            .to_owned(),
        primary: (CodeRef::of_body(program, id), "the context is not looked at".to_owned()),
        related: Vec::new(),
        advice:
            "keep `cx.waker().clone()` where whoever makes it ready finds it, before looking whether it is"
                .to_owned(),
    })
}

/// Whether a value is a waker, or of a type that has one in its name.
fn wakes(function: &Function, operand: &Operand) -> bool {
    operand.place().and_then(|it| function.type_of(it)).is_some_and(mentions_waker)
}

/// The calls by which the waker of the context is kept.
fn keeps(function: &Function) -> Vec<BlockId> {
    let kept = function.calls().filter(|(_, call, callee)| {
        let on = call.arguments.first().is_some_and(|it| wakes(function, it));
        on && (callee.is_trait("Clone", "clone") || callee.name() == "register")
    });
    kept.map(|(block, ..)| block).collect()
}

/// A waker that is replaced where it is the same, and left where it is another one.
fn inverted(
    program: &Program,
    id: FunctionId,
    function: &Function,
    paths: &Paths,
    pending: &BTreeSet<BlockId>,
) -> Option<Hit> {
    let keeps = keeps(function);
    let (asked, kept) = function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let [(0, when_false)] = cases.as_slice() else { return None };
        let (asked, same_when_true) = says_the_same(program, function, &Slot::at(on), 3)?;
        let when_true = (*otherwise)?;
        let (same, other) = if same_when_true { (when_true, *when_false) } else { (*when_false, when_true) };
        let reached = |from: BlockId| paths.from(&[from], &|it| it == at);
        let (of_same, of_other) = (reached(same), reached(other));
        let kept = keeps.iter().find(|it| of_same.contains(it) && !of_other.contains(it))?;
        let leaves = of_other.iter().any(|it| pending.contains(it));
        leaves.then_some((asked, *kept))
    })?;
    Some(Hit {
        certainty: Certainty::Usually,
        message: "the waker is replaced where it would wake the same task, and kept where it wakes another one: the test is the wrong way \
                  round"
            .to_owned(),
        primary: (call_ref(program, id, kept), "replaced here, where it need not be".to_owned()),
        related: vec![(call_ref(program, id, asked), "asked here".to_owned())]
            .into_iter()
            .filter(|(at, _)| !matches!(at, CodeRef::Item(_)))
            .collect(),
        advice: "keep the waker of this poll unless the one that is there `will_wake` the same task".to_owned(),
    })
}

/// The block that asks whether two wakers wake the same task for a flag, and whether they do where the flag is set.
fn says_the_same(
    program: &Program,
    function: &Function,
    slot: &Slot,
    depth: usize,
) -> Option<(BlockId, bool)> {
    let (mut slot, mut straight) = (slot.clone(), true);
    for _ in 0..16 {
        slot.steps.truncate(function.root(&slot));
        let definition = function.definition(&slot)?;
        let from = match definition {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                match callee.name() {
                    "will_wake" => return Some((block, straight)),
                    "map" | "is_some_and" | "map_or" | "is_none_or" | "and_then" if depth > 0 => {
                        let inner = call.arguments.iter().find_map(|it| program.closure_of(function, it))?;
                        let (_, same) = says_the_same(
                            program,
                            program.function(inner),
                            &Slot::of(crate::mir::Local(0)),
                            depth - 1,
                        )?;
                        return Some((block, same == straight));
                    }
                    "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
                        call.arguments.first()?.place()?
                    }
                    _ if callee.hands_on() => call.arguments.first()?.place()?,
                    _ => return None,
                }
            }
            definition @ Definition::Assigned(..) => carried(function.assigned(definition)?, &mut straight)?,
        };
        slot = Slot::at(from);
    }
    None
}
