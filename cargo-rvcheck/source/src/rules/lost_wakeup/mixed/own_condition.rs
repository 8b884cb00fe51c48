//! A notification that wakes one waiter, although each waits for something of its own: a condition or a key that its caller passes.

use super::{Certainty, Hit, is_shared, of_signal};
use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::signals::{Operation, Signals, Sort, Waiter};
use crate::mir::{BlockId, Operand, Place, Terminator};
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such a notification, of one waiter, in a body.
pub(super) fn check(
    signals: &Signals<'_>,
    id: FunctionId,
    notification: &Operation,
    waiters: &[Waiter],
) -> Option<Hit> {
    let program = signals.program;
    let of_it = |it: &&Waiter| {
        matches!(it.operation.sort, Sort::Condvar | Sort::Notify)
            && notification.object.as_ref() == Some(&it.object)
            && !it.is_ended_otherwise
            && it.operation.made.0 == it.id
            && is_shared(program, it)
    };
    // Whoever is woken may wake the next one.
    let passes_on = |it: &Waiter| signals.operations(it.id).iter().any(Operation::notifies);
    let operations = signals.operations(id);
    let repeats = Paths::of(program.function(id)).repeats(notification.block);
    let given = operations.iter().filter(|it| it.notifies() && it.object == notification.object).count();
    if repeats || given != 1 {
        return None;
    }
    let (waiter, own) = waiters.iter().filter(of_it).filter(|it| !passes_on(it)).find_map(|it| {
        let own = conditions(program, it).map(Own::Conditions);
        Some((it, own.or_else(|| goes_by_key(program, it).map(Own::Key))?))
    })?;
    let mut related = vec![(call_ref(program, waiter.id, waiter.wait), "each waiter waits here".to_owned())];
    let what = match own {
        Own::Conditions(calls) => {
            let place = |(caller, block)| {
                (call_or_await(program, caller, block), "with a condition of its own".to_owned())
            };
            related.extend(calls.into_iter().map(place));
            "a condition of its own"
        }
        Own::Key(look) => {
            related.push((call_ref(program, waiter.id, look), "for what its caller names".to_owned()));
            "what its caller names"
        }
    };
    Some(Hit {
        certainty: Certainty::Usually,
        message: format!(
            "this wakes one waiter{}, but each waits for {what}: it may wake one that cannot go on, and the notification is lost",
            of_signal(program, waiter)
        ),
        primary: (call_ref(program, id, notification.block), "wakes any one of them".to_owned()),
        related,
        advice: "notify all waiters, so that each checks its own condition".to_owned(),
    })
}

/// What a waiter has of its own.
enum Own {
    /// Closures by which callers say what they wait for, two of them.
    Conditions(Vec<(FunctionId, BlockId)>),
    /// A key that its branch looks up.
    Key(BlockId),
}

/// The calls of a waiting helper that pass it different closures, if its branch goes by what the closure gives.
fn conditions(program: &Program, waiter: &Waiter) -> Option<Vec<(FunctionId, BlockId)>> {
    let function = program.function(waiter.id);
    let asks = |function: &Function, within: &dyn Fn(BlockId) -> bool| {
        let is_asked = |block: BlockId| within(block) && program.called(function, block).is_none();
        function.calls().any(|(block, _, callee)| callee.invokes() && is_asked(block))
    };
    let around = Paths::of(function).loop_around(waiter.wait);
    let predicate = function
        .call(waiter.wait)
        .and_then(|(call, _)| call.arguments.iter().find_map(|it| program.closure_of(function, it)));
    let is_asked = asks(function, &|it| around.contains(&it))
        || predicate.is_some_and(|it| asks(program.function(it), &|_| true));
    if !is_asked {
        return None;
    }
    let helper = super::method(program, waiter.id)?;
    let mut calls: BTreeMap<FunctionId, (FunctionId, BlockId)> = BTreeMap::new();
    for (caller, function) in program.functions() {
        for (block, call, _) in function.calls() {
            if program.called(function, block) == Some(helper) {
                let closure = call.arguments.iter().find_map(|it| program.closure_of(function, it));
                calls.extend(closure.map(|it| (it, (caller, block))));
            }
        }
    }
    let callers: BTreeSet<FunctionId> = calls.values().map(|it| it.0).collect();
    (callers.len() > 1).then(|| calls.into_values().take(2).collect())
}

/// The call in the loop around a wait that looks up an argument of the waiter, if the branch that leads to the wait goes by it.
fn goes_by_key(program: &Program, waiter: &Waiter) -> Option<BlockId> {
    let function = program.function(waiter.id);
    let paths = Paths::of(function);
    let around = paths.loop_around(waiter.wait);
    around.iter().copied().find_map(|at| {
        let Terminator::Switch { on: Operand::Place(on), .. } = &function.body.block(at)?.terminator else {
            return None;
        };
        let leaves = paths
            .next(at)
            .iter()
            .any(|it| !around.contains(it) || !paths.reach(&[*it], &|it| it == at, &|it| it == waiter.wait));
        let Definition::Called(look) = function.definition(&Slot::at(on))? else { return None };
        let (call, callee) = function.call(look).filter(|_| leaves)?;
        let is_lookup = callee.finds() || callee.says_nothing();
        let key = call.place(1).filter(|_| is_lookup)?;
        is_argument(function, key).then_some(look)
    })
}

/// Whether a value is an argument other than the receiver, also through references and moves.
fn is_argument(function: &Function, place: &Place) -> bool {
    let start = function.whole(&Slot::at(place));
    walk::reaches(
        [start],
        |slot| {
            let definitions = function.definitions(&slot);
            let places = definitions.iter().flat_map(|it| match it {
                Definition::Assigned(..) => function.places_of(*it).cloned().collect::<Vec<_>>(),
                Definition::Called(block) => function
                    .call(*block)
                    .filter(|(_, it)| it.views() || it.carries())
                    .and_then(|(call, _)| call.place(0))
                    .cloned()
                    .into_iter()
                    .collect(),
            });
            places.map(|it| function.whole(&Slot::at(&it))).collect::<Vec<_>>()
        },
        |slot| {
            let captured = function.captured(slot).is_some_and(|(number, _)| number > 0);
            captured || (2..=function.body.arguments).contains(&(slot.local.0 as usize))
        },
    )
}
