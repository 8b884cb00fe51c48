//! Rules: defects that the compiler's view of the code shows without running it.
//!
//! Each rule is one file, with its `mod`, and one row in [`RULES`]. It sees [`Facts`] and nothing else, and is silent when it does not
//! know.

mod affinity;
mod blocking_in_async;
mod cancel_unresponsive;
mod cancel_unsafe;
mod channel_deadlock;
mod counted_late;
mod double_lock;
mod futurelock;
mod guard_across_await;
mod held_meanwhile;
mod kept_open;
mod left_barrier;
mod lock_order;
mod lost_error;
mod lost_wakeup;
mod message_deadlock;
mod panic_as_result;
mod protocol;
mod self_join;
mod semaphore;
mod stale_write;
mod task_leak;
mod unheard;

use crate::facts::Facts;
use crate::program::Program;
use std::borrow::Cow;
use std::cmp::Reverse;

pub use crate::program::code_ref::CodeRef;
pub use cancel_unsafe::{CrossTarget, cross_target};

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What it is called in reports and in comments that allow what it finds. Of all rules the only one.
    pub id: &'static str,
    /// The id of the property that it finds violated.
    pub property: &'static str,
    /// What it finds, in one sentence.
    pub doc: &'static str,
    /// What makes a suspicion certain.
    pub shown_by: ShownBy,
    /// Finds it.
    pub check: fn(&Facts<'_>) -> Vec<Hit>,
}

/// What makes a suspicion certain, as it goes on behind "where".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownBy {
    /// A run in which this happens.
    Run(&'static str),
    /// This, but no run is monitored for it.
    Nothing(&'static str),
}

impl ShownBy {
    /// What has to happen.
    pub const fn event(self) -> &'static str {
        match self {
            ShownBy::Run(it) | ShownBy::Nothing(it) => it,
        }
    }

    /// It as a sentence, without its end.
    pub fn sentence(self) -> String {
        match self {
            ShownBy::Run(it) => format!("a run confirms it when {it}"),
            ShownBy::Nothing(it) => format!("it does harm when {it}; runs do not check for that"),
        }
    }
}

/// All rules, in the order of their properties.
pub const RULES: &[Rule] = &[
    affinity::RULE,
    blocking_in_async::RULE,
    cancel_unresponsive::RULE,
    cancel_unsafe::RULE,
    channel_deadlock::RULE,
    double_lock::RULE,
    double_lock::FOREIGN,
    futurelock::RULE,
    guard_across_await::RULE,
    held_meanwhile::RULE,
    kept_open::RULE,
    left_barrier::RULE,
    lock_order::RULE,
    lost_error::RULE,
    lost_wakeup::RULE,
    panic_as_result::RULE,
    protocol::RULE,
    self_join::RULE,
    semaphore::RULE,
    message_deadlock::RULE,
    counted_late::RULE,
    stale_write::RULE,
    task_leak::RULE,
    task_leak::NOT_STOPPED,
    unheard::RULE,
];

/// How sure a hit is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// Too much in doubt to be told, unless a run shows that it happens.
    Unseen,
    /// In doubt: a note.
    Doubt,
    /// Wrong on some path, or a pattern that is usually wrong: a warning.
    Usually,
    /// Wrong whenever it runs: an error.
    Definite,
}

/// A violation that was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// How sure it is.
    pub certainty: Certainty,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The place that a person would change, and what it has to do with it.
    pub primary: (CodeRef, String),
    /// The other places that the message speaks of, each with what it has to do with it.
    pub related: Vec<(CodeRef, String)>,
    /// What to do, in one or two sentences.
    pub advice: String,
}

impl Hit {
    /// Says names as the user spells them.
    fn say(&mut self, program: &Program) {
        let labels = std::iter::once(&mut self.primary).chain(&mut self.related).map(|it| &mut it.1);
        for text in labels.chain([&mut self.message, &mut self.advice]) {
            if let Cow::Owned(said) = program.said(text) {
                *text = said;
            }
        }
    }
}

/// A hit and the rule that made it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The rule.
    pub rule: &'static Rule,
    /// What it found.
    pub hit: Hit,
}

/// What all rules find in a program: each hit once, in the order of their places. Among them is what only a run can
/// [show](Certainty::Unseen).
pub fn check(program: &Program) -> Vec<Found> {
    let facts = Facts::of(program);
    let hits =
        RULES.iter().flat_map(|rule| (rule.check)(&facts).into_iter().map(move |hit| Found { rule, hit }));
    let mut found: Vec<Found> = hits.collect();
    for it in &mut found {
        it.hit.say(program);
    }
    // Where rules of one property find the same, the surest stays.
    let place = |it: &Found| {
        (it.hit.primary.0.clone(), it.rule.property, Reverse(it.hit.certainty), it.hit.related.clone())
    };
    found.sort_by_cached_key(|it| (place(it), it.hit.clone(), it.rule.id));
    found.dedup_by(|a, b| {
        a.rule.property == b.rule.property
            && a.hit.primary.0 == b.hit.primary.0
            && (a.hit.related == b.hit.related || a.rule.id != b.rule.id)
    });
    found
}
