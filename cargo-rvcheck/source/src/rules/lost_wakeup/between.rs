//! Stop signals that nothing stores, for a loop that starts a new wait for each `select!`.
//!
//! While the arm of another branch is suspended, nothing waits for the notification. Nothing is reported if the loop also checks a flag,
//! another signal, or what the notifier has changed; nor if the notification is not a stop signal.

use super::super::{Certainty, Hit};
use super::orders::{Stopping, notifications, places, stopping};
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId};
use crate::facts::signals::{Act, How, Operation, Signals, Sort};
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{await_ref, branch_ref};
use crate::program::suspending::suspends_at;
use rvcheck_primitives::Action;
use std::collections::BTreeSet;

/// Finds such loops.
pub(super) fn check(signals: &Signals<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in signals.program.functions() {
        for branch in stopping(function) {
            let begun = signals.begun_at(id, branch.made);
            let mut registers = begun
                .iter()
                .filter(|it| it.act == Act::Register && matches!(it.sort, Sort::Notify | Sort::Event));
            let Some(register) = registers.next().filter(|_| registers.next().is_none()) else { continue };
            let Some(object) = &register.object else { continue };
            let given = notifications(signals, object);
            let is_lost = |it: &Operation| matches!(it.act, Act::Notify { everyone: true, stored: false });
            if !given.is_empty() && given.iter().all(is_lost) && !looks_inside(signals, id, register, &given)
            {
                hits.extend(missed(signals, id, function, &branch, &given));
            }
        }
    }
    hits
}

fn missed(
    signals: &Signals<'_>,
    id: FunctionId,
    function: &Function,
    Stopping { select, number, made }: &Stopping,
    given: &[Operation],
) -> Option<Hit> {
    let paths = Paths::of(function);
    let around = paths.loop_around(select.made);
    let others = select.branches.iter().enumerate().filter(|(at, _)| at != number);
    // What is awaited in an arm, before the next wait begins.
    let works = others.filter_map(|(_, it)| it.arm).find_map(|arm| {
        let behind = paths.from(&[arm], &|it| it == *made);
        let comes_back = paths.before(*made).iter().any(|it| behind.contains(it));
        behind.into_iter().find(|it| comes_back && suspends_at(signals.program, function, *it))
    })?;
    if looks_otherwise(signals, id, function, &around, given) {
        return None;
    }
    let mut related = vec![(
        await_ref(signals.program, id, works),
        "a notification sent while this is awaited is lost".to_owned(),
    )];
    related.extend(places(signals, given, "notifies only tasks that already wait"));
    Some(Hit {
        certainty: Certainty::Usually,
        message: "a stop signal that is sent while another branch runs is lost: nothing stores it".to_owned(),
        primary: (branch_ref(signals.program, id, select, *number), "starts a new wait in each iteration".to_owned()),
        related,
        advice: "create the wait once before the loop, pin it and poll it by `&mut`; or use `CancellationToken` or a `watch` channel"
            .to_owned(),
    })
}

/// The state that those change who notify.
fn changed(signals: &Signals<'_>, given: &[Operation]) -> BTreeSet<AbstractObject> {
    let of = |it: &Operation| signals.writes(it.made.0).iter().map(|it| it.state.clone()).collect::<Vec<_>>();
    given.iter().flat_map(of).collect()
}

/// Whether the helper that waits looks at what they change.
fn looks_inside(signals: &Signals<'_>, id: FunctionId, register: &Operation, given: &[Operation]) -> bool {
    let inner = register.made.0;
    let changed = changed(signals, given);
    inner != id
        && signals.decisions(inner).iter().flat_map(|it| &it.reads).any(|it| changed.contains(&it.state))
}

/// Whether an iteration learns of the order in another way.
fn looks_otherwise(
    signals: &Signals<'_>,
    id: FunctionId,
    function: &Function,
    around: &BTreeSet<BlockId>,
    given: &[Operation],
) -> bool {
    let asked = around.iter().any(|at| {
        let Some((_, callee)) = function.call(*at) else { return false };
        let tries = |action: Action, waits: bool| match action {
            Action::Load | Action::Enlist => true,
            Action::Receive => !waits,
            _ => false,
        };
        let row = function.callee(*at).row().map(|it| it.operation);
        callee.asks() || row.is_some_and(|it| tries(it.action, it.may_wait()))
    });
    let changed = changed(signals, given);
    let decides = || {
        signals
            .decisions(id)
            .iter()
            .filter(|it| around.contains(&it.block))
            .any(|it| it.reads.iter().any(|it| it.how != How::Bare && changed.contains(&it.state)))
    };
    asked || decides()
}
