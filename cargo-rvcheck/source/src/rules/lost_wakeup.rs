//! `lost-wakeup`: a wait that can miss the signal that it waits for.
//!
//! - A [condition variable](condvars) is waited for outside a loop over its condition.
//! - A signal that is not stored misses a loop that starts a new wait for each `select!`, and is busy [between two](between).
//! - A request to end wakes [one of many](one_of_many) tasks, and the others wait on.
//! - A waiter is [registered too late](late): the state may change between its check and that.
//! - A waiter [announces](announced) its wait after its last check, to notifiers that notify only if there are waiters.
//! - The state that a waiter checks changes after the last notification, or [without one](unnotified).
//! - A signal is waited for that [nothing gives](silent).
//! - One notification is given although waiters [wait for different things](mixed), or all should end.
//! - A notification goes to a waiter that [is gone](handed_over), and not to the next.
//! - The only code that would open a gate [ends with an error](given_up) before it does.
//! - A receiver of `watch` is [made late](subscribed), and waits for a change that was there before.
//! - A value is sent on a `watch` [without a receiver](unsent), and not kept.
//! - A hand-written future does not store the [waker](wakers) of the task that polls it, stores it too late, or keeps [a stale
//!   one](stale).
//! - [One slot](one_slot) keeps the waker of several hand-written futures, and so only the last one.
//! - A hand-written future returns `Poll::Pending` after something was ready, and [polls nothing again](unpolled).
//! - A hand-written future that has left its queue is dropped, and its notification is not [passed on](passed_on).
//! - `notify_one` stores one notification at most, so a consumer that takes one item per notification is [left with items](left_over).

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
