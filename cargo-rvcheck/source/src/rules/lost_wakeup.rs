//! `lost-wakeup`: a wait that can miss the signal that it waits for.
//!
//! - A [condition variable](condvars) is waited for outside a loop over its condition.
//! - What is not stored does not reach a loop that begins to wait anew for each `select!`, and is at work [between two](between).
//! - An order to end goes to [one of many](one_of_many) tasks, and the others wait on.
//! - A waiter is [known too late](late): the state may change between its look and that.
//! - A waiter [says that it waits](announced) after its last look, to those who notify only where somebody waits.
//! - The state that a waiter looks at changes after the last notification, or [without one](unnotified).
//! - A signal is waited for that [nobody gives](silent).
//! - One notification is given where waiters [wait for different things](mixed), or all are to end.
//! - A notification goes to a waiter that [is gone](handed_over), and not to the next.
//! - The only one who would open a gate [ends with an error](given_up) before it does.
//! - A receiver of `watch` is [made late](subscribed), and waits for a change that was there before.
//! - A value is sent on a `watch` [without a receiver](unsent), and not kept.
//! - A future by hand does not keep the [waker](wakers) of the task that polls it, keeps it too late, or keeps [an old one](stale).
//! - [One slot](one_slot) keeps the waker of several futures by hand, and so of the last one.
//! - A future by hand says `Poll::Pending` behind what was ready, and [polls nothing again](unpolled).
//! - A future by hand that has left its queue is dropped, and its notification is not [passed on](passed_on).
//! - `notify_one` stores one notification whatever came, so a consumer that takes one item for each is [left with items](left_over).

mod announced;
mod between;
mod condvars;
mod given_up;
mod handed_over;
mod late;
mod left_over;
mod mixed;
mod one_of_many;
mod one_slot;
mod orders;
mod passed_on;
mod silent;
mod stale;
mod subscribed;
mod unnotified;
mod unpolled;
mod unsent;
mod wakers;

use super::{Certainty, Hit, Rule, ShownBy};
use crate::facts::Facts;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "lost-wakeup",
    property: "lost-wakeup",
    doc: "A waiter can miss the signal that it waits for.",
    shown_by: ShownBy::Run(
        "the signal is given before the waiter is registered, and no other signal follows",
    ),
    check,
};

/// Finds such waits.
fn check(of: &Facts<'_>) -> Vec<Hit> {
    let mut hits = condvars::check(of.program);
    let signals = of.signals();
    hits.extend(wakers::check(signals));
    if signals.are_any {
        let waiters = signals.waiters();
        hits.extend(between::check(signals));
        hits.extend(left_over::check(signals, waiters));
        hits.extend(one_of_many::check(signals, of.objects(), waiters));
        hits.extend(late::but_known(late::check(signals), &hits));
        hits.extend(late::but_known(unnotified::check(signals, waiters), &hits));
        hits.extend(late::but_known(silent::check(signals, waiters), &hits));
        hits.extend(late::but_known(mixed::check(signals, of.objects(), waiters), &hits));
        let announced = announced::check(signals, waiters);
        let is_known = |it: &Hit| announced.iter().any(|other| other.primary.0 == it.primary.0);
        hits.retain(|it| it.certainty != Certainty::Doubt || !is_known(it));
        hits.extend(late::but_known(announced, &hits));
        hits.extend(handed_over::check(signals));
        hits.extend(late::but_known(given_up::check(signals, of.objects(), waiters), &hits));
        hits.extend(subscribed::check(signals));
        hits.extend(unsent::check(signals));
        hits.extend(stale::check(signals));
        hits.extend(one_slot::check(signals));
        hits.extend(unpolled::check(signals));
        hits.extend(passed_on::check(signals));
    }
    hits
}
