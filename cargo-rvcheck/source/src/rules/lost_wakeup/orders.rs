//! Waits for a stop signal: the notified waiter leaves, and waits for that signal no more.

use crate::body::paths::Paths;
use crate::body::select::{Select, selects};
use crate::body::{Function, FunctionId};
use crate::facts::signals::{Operation, Signals};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;
use crate::rules::CodeRef;

/// A branch of a `select!` whose future is made anew in each iteration of a loop, and that leaves the loop.
#[derive(Debug)]
pub(super) struct Stopping {
    /// The invocation.
    pub(super) select: Select,
    /// Which branch it is.
    pub(super) number: usize,
    /// The call that makes the future.
    pub(super) made: BlockId,
}

/// Such branches of a body.
pub(super) fn stopping(function: &Function) -> Vec<Stopping> {
    let paths = Paths::of(function);
    let mut found = Vec::new();
    for select in selects(function) {
        let around = paths.loop_around(select.made);
        let stops = |arm: BlockId| !paths.from(&[arm], &|_| false).contains(&select.made);
        for (number, branch) in select.branches.iter().enumerate() {
            let Some(made) = branch.call.filter(|it| around.contains(it)) else { continue };
            if !branch.is_kept() && branch.arm.is_some_and(stops) {
                found.push(Stopping { select: select.clone(), number, made });
            }
        }
    }
    found
}

/// All notifications of an object, each where it is made.
pub(super) fn notifications(signals: &Signals<'_>, object: &AbstractObject) -> Vec<Operation> {
    let functions = signals.program.functions();
    let all = functions.flat_map(|(id, _)| {
        let operations = signals.operations(id);
        let own = operations.iter().filter(|it| it.notifies() && it.made == (id, it.block)).cloned();
        own.collect::<Vec<_>>()
    });
    all.filter(|it| it.object.as_ref() == Some(object)).collect()
}

/// Where they are, with what they do.
pub(super) fn places(signals: &Signals<'_>, given: &[Operation], label: &str) -> Vec<(CodeRef, String)> {
    let at = |it: &Operation| call_ref(signals.program, it.made.0, it.made.1);
    given.iter().map(|it| (at(it), label.to_owned())).collect()
}

/// Whether one call of a body, or of one that calls it, may be one of several.
pub(super) fn is_repeated(signals: &Signals<'_>, (id, block): (FunctionId, BlockId)) -> bool {
    let mut open = vec![(id, block, 0)];
    while let Some((id, block, depth)) = open.pop() {
        if Paths::of(signals.program.function(id)).repeats(block) {
            return true;
        }
        if depth < 3 {
            open.extend(signals.callers(id).into_iter().map(|(it, at)| (it, at, depth + 1)));
        }
    }
    false
}
