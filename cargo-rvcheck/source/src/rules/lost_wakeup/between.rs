//! Orders to stop by `notify_waiters` to a loop that makes a `Notified` anew for each `select!`.
//!
//! While the arm of another branch is suspended nobody waits for the notification, and it is not stored. Nothing is reported where the loop
//! also looks at a flag or another signal, or where the notification is no order to stop.

use super::super::{Certainty, Hit};
use super::{Given, places};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::body::select::selects;
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::branch_ref;
use crate::program::suspending::suspends_at;

/// Functions that tell about an order to stop in another way.
const LOOKS: [&str; 9] = [
    "load",
    "is_cancelled",
    "borrow",
    "borrow_and_update",
    "has_changed",
    "try_recv",
    "is_closed",
    "is_finished",
    "enable",
];

/// The loop around a `select!` in which the `Notified` that the call at the end of a block makes is the future of a branch.
pub(super) fn check(program: &Program, id: FunctionId, made: BlockId, given: &Given) -> Option<Hit> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let selects = selects(function);
    let (select, number) = selects.iter().find_map(|it| {
        Some((it, it.branches.iter().position(|it| it.call == Some(made) && !it.is_kept())?))
    })?;
    let around = paths.loop_around(select.made);
    let stops = |arm: BlockId| !paths.from(&[arm], &|_| false).contains(&select.made);
    if !around.contains(&made) || !select.branches[number].arm.is_some_and(stops) {
        return None;
    }
    let looks = around.iter().filter_map(|it| function.call(*it)).any(|(_, it)| LOOKS.contains(&it.name()));
    let others = select.branches.iter().enumerate().filter(|(at, _)| *at != number);
    // What is awaited in an arm, before the next `Notified` is made.
    let works = others.filter_map(|(_, it)| it.arm).find_map(|arm| {
        let behind = paths.from(&[arm], &|it| it == made);
        let comes_back = paths.before(made).iter().any(|it| behind.contains(it));
        behind.into_iter().find(|it| comes_back && suspends_at(program, function, *it))
    })?;
    let mut related = vec![(
        crate::program::code_ref::await_ref(program, id, works),
        "a notification that comes while this is awaited is lost".to_owned(),
    )];
    related.extend(places(program, given, "notifies those who wait already"));
    (!looks).then(|| Hit {
        certainty: Certainty::Usually,
        message: "this order to stop is lost when it is given while another branch is at work: `notify_waiters` stores none".to_owned(),
        primary: (branch_ref(program, id, select, number), "begins to wait anew in each round".to_owned()),
        related,
        advice: "make the `Notified` once before the loop, pin it and poll it by `&mut`; or use `CancellationToken` or a `watch` channel"
            .to_owned(),
    })
}
