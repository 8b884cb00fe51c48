//! A waker that is taken out of a queue for one notification, and belongs to a future that was dropped meanwhile.
//!
//! Hand-written futures queue their wakers; each notification takes one out and wakes it. One that is dropped after that, and before it
//! is polled, has the notification and does not use it: its `Drop` has to pass it on to the next.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::body::provenance::decided_by;
use crate::facts::signals::{Act, Given, Operation, Signals, Sort, takes_next};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;
use crate::ty::Ty;

/// Finds such futures.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let program = signals.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions() {
        let polls = program.trait_of(id).is_some_and(|it| it == "Future" || it == "Stream");
        let Some(given) = Given::of(function).filter(|_| polls) else { continue };
        let Some(ty) = program.type_of(id) else { continue };
        let operations = signals.operations(id);
        let queued = operations.iter().filter(|it| it.act == Act::Register && it.sort == Sort::Waker);
        for it in queued.filter(|it| given.uses.contains(&it.block)) {
            let Some(queue) = it.object.as_ref().filter(|_| puts_into_queue(signals, it.made)) else {
                continue;
            };
            let Some(taken) = taken_one(signals, queue) else { continue };
            let dropped = program.drop_of(Ty::read(ty));
            if dropped.is_some_and(|it| passes_on(signals, it)) {
                continue;
            }
            let place = dropped
                .map_or_else(|| call_ref(program, id, it.block), |drop| dropped_at(signals, drop, queue));
            let mut related = vec![(
                call_ref(program, taken.0, taken.1),
                "one waiter is taken out and woken here".to_owned(),
            )];
            related.push((call_ref(program, id, it.block), "queued here".to_owned()));
            related.extend(dropped.into_iter().flat_map(|it| looks_at(signals, it)));
            hits.push(Hit {
                certainty: if dropped.is_some() { Certainty::Usually } else { Certainty::Doubt },
                message: "a waiter that is woken but dropped before its next poll takes the notification with it: nothing wakes the \
                          next waiter"
                    .to_owned(),
                primary: (place, "its drop does not pass the notification on".to_owned()),
                related,
                advice: "wake the next waiter in `Drop` if this one is no longer in the queue".to_owned(),
            });
            break;
        }
    }
    hits
}

/// Whether a waker is kept there in a queue, and not in a slot.
fn puts_into_queue(signals: &Signals<'_>, (id, block): (FunctionId, BlockId)) -> bool {
    let function = signals.program.function(id);
    function.callee(block).grows() && signals.operations(id).iter().any(|it| it.made == (id, block))
}

/// Where one waker alone is taken out of a queue to be woken.
fn taken_one(signals: &Signals<'_>, queue: &AbstractObject) -> Option<(FunctionId, BlockId)> {
    signals.program.functions().find_map(|(id, function)| {
        let takes = function.calls().find(|(block, call, _)| {
            let on = call.place(0);
            takes_next(function, *block)
                && on.and_then(|it| signals.based(id, it)).as_ref() == Some(queue)
                && !Paths::of(function).repeats(*block)
        });
        takes.map(|(block, ..)| (id, block))
    })
}

/// Whether what runs where a future is dropped wakes somebody, or hands the waker of the next to somebody who does.
fn passes_on(signals: &Signals<'_>, id: FunctionId) -> bool {
    signals.operations(id).iter().any(Operation::notifies)
}

/// What a `Drop` decides by, such as whether its own waker is still there.
fn looks_at(signals: &Signals<'_>, id: FunctionId) -> Vec<(CodeRef, String)> {
    let program = signals.program;
    let function = program.function(id);
    let decided =
        function.blocks().filter(|(_, it)| !it.cleanup).filter_map(|(at, _)| decided_by(function, at));
    let places = decided.map(|at| call_ref(program, id, at)).filter(|it| !matches!(it, CodeRef::Item(_)));
    places.map(|it| (it, "checked when it is dropped".to_owned())).collect()
}

/// Where a `Drop` takes its own waker out, or begins.
fn dropped_at(signals: &Signals<'_>, id: FunctionId, queue: &AbstractObject) -> CodeRef {
    let program = signals.program;
    let function = program.function(id);
    let places = function.calls().filter_map(|(block, call, callee)| {
        let on = call.place(0)?;
        let own = (callee.shrinks() || callee.takes_out()) && signals.based(id, on).as_ref() == Some(queue);
        own.then(|| call_ref(program, id, block)).filter(|it| !matches!(it, CodeRef::Item(_)))
    });
    let lock = || {
        function
            .calls()
            .map(|(block, ..)| call_ref(program, id, block))
            .find(|it| !matches!(it, CodeRef::Item(_)))
    };
    places.into_iter().next().or_else(lock).unwrap_or_else(|| CodeRef::of_body(program, id))
}
