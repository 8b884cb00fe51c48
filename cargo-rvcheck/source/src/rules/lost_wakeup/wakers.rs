//! Hand-written futures that do not store the waker of the task that polls them, or store it too late.
//!
//! - `Poll::Pending` is returned, and the context was not used: nothing can wake the task.
//! - The waker is replaced only if it would wake the same task anyway.

use super::super::{Certainty, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::polling::{context, uses};
use crate::body::{Function, FunctionId};
use crate::facts::signals::{Given, Signals, Sort, sameness};
use crate::mir::{BlockId, Operand};
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::library::mentions_waker;
use crate::ty::Ty;

/// Finds such futures.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in signals.program.functions() {
        let Some(context) = context(function) else { continue };
        let Some(given) = Given::of(function).filter(|it| !it.waits.is_empty()) else { continue };
        if uses(function, context) {
            hits.extend(inverted(signals, id, function, &given));
        } else {
            hits.extend(never_kept(signals, id, function, &given));
        }
    }
    hits
}

/// A body that is done at some time, and does not look at its context before.
fn never_kept(signals: &Signals<'_>, id: FunctionId, function: &Function, given: &Given) -> Option<Hit> {
    // What else is polled or woken may wake the task in its own way.
    let polls = |into| function.type_of(into).is_some_and(Ty::is_poll);
    let has_waker = |it: &Operand| it.place().and_then(|it| function.type_of(it)).is_some_and(mentions_waker);
    let by_others = signals.operations(id).iter().any(|it| it.sort == Sort::Waker)
        || function.calls().any(|(_, call, _)| polls(&call.into) || call.arguments.iter().any(has_waker));
    (!given.done.is_empty() && !by_others).then(|| Hit {
        certainty: Certainty::Usually,
        message: "this returns `Poll::Pending` but stores no waker: nothing can wake the task when it is ready"
            .to_owned(),
        primary: (CodeRef::of_body(signals.program, id), "the context is never used".to_owned()),
        related: Vec::new(),
        advice:
            "store `cx.waker().clone()` where the side that makes it ready finds it, before checking whether it is ready"
                .to_owned(),
    })
}

/// A waker that is replaced where it is the same, and left where it is another one.
fn inverted(signals: &Signals<'_>, id: FunctionId, function: &Function, given: &Given) -> Option<Hit> {
    let program = signals.program;
    let paths = Paths::of(function);
    let (asked, kept) = sameness(program, function).into_iter().find_map(|it| {
        let reached = |from: BlockId| paths.from(&[from], &|at| at == it.branch);
        let (of_same, of_other) = (reached(it.same), reached(it.other));
        let kept = given.uses.iter().find(|it| of_same.contains(it) && !of_other.contains(it))?;
        of_other.iter().any(|it| given.waits.contains(it)).then_some((it.asked, *kept))
    })?;
    let related = Some((call_ref(program, id, asked), "checked here".to_owned()));
    Some(Hit {
        certainty: Certainty::Usually,
        message: "this `will_wake` check is inverted: it replaces a waker of the same task, and keeps one of another task"
            .to_owned(),
        primary: (place(signals, id, paths, kept), "replaced here needlessly".to_owned()),
        related: related.into_iter().filter(|(at, _)| !matches!(at, CodeRef::Item(_))).collect(),
        advice: "store the waker of this poll unless the stored one `will_wake` the same task".to_owned(),
    })
}
