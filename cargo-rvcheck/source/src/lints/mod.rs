//! Lints: defects that the compiler's own view of the code shows without running it.
//!
//! Each lint is one file, with its `mod`, and one row in [`LINTS`]. It sees a [`Program`] and nothing else, and is silent where it does not know.

mod affinity;
mod blocking_in_async;
mod cancel_unresponsive;
mod cancel_unsafe;
mod channel_deadlock;
mod double_lock;
mod futurelock;
mod guard_across_await;
mod lock_order;
mod lost_error;
mod lost_wakeup;
mod panic_as_result;
mod protocol;
mod semaphore;
mod task_leak;

use crate::flow::Program;

pub use crate::flow::code_ref::CodeRef;
pub use cancel_unsafe::{Halves, halves};

/// A lint.
#[derive(Clone, Copy, Debug)]
pub struct Lint {
    /// The id of the property that it finds violated.
    pub property: &'static str,
    /// Finds the violations.
    pub check: fn(&Program) -> Vec<Hit>,
}

/// All lints, in the order of their properties.
pub const LINTS: &[Lint] = &[
    Lint { property: affinity::PROPERTY, check: affinity::check },
    Lint { property: blocking_in_async::PROPERTY, check: blocking_in_async::check },
    Lint { property: cancel_unresponsive::PROPERTY, check: cancel_unresponsive::check },
    Lint { property: cancel_unsafe::PROPERTY, check: cancel_unsafe::check },
    Lint { property: channel_deadlock::PROPERTY, check: channel_deadlock::check },
    Lint { property: double_lock::PROPERTY, check: double_lock::check },
    Lint { property: futurelock::PROPERTY, check: futurelock::check },
    Lint { property: guard_across_await::PROPERTY, check: guard_across_await::check },
    Lint { property: lock_order::PROPERTY, check: lock_order::check },
    Lint { property: lost_error::PROPERTY, check: lost_error::check },
    Lint { property: lost_wakeup::PROPERTY, check: lost_wakeup::check },
    Lint { property: panic_as_result::PROPERTY, check: panic_as_result::check },
    Lint { property: protocol::PROPERTY, check: protocol::check },
    Lint { property: semaphore::PROPERTY, check: semaphore::check },
    Lint { property: task_leak::PROPERTY, check: task_leak::check },
];

/// How sure a hit is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
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
    /// The id of the property.
    pub property: &'static str,
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

/// What all lints find in a program: each hit once, in the order of their places.
pub fn check(program: &Program) -> Vec<Hit> {
    let mut hits: Vec<Hit> = LINTS.iter().flat_map(|lint| (lint.check)(program)).collect();
    hits.sort_by(|a, b| (&a.primary, a.property, &a.related).cmp(&(&b.primary, b.property, &b.related)));
    hits.dedup_by(|a, b| a.property == b.property && a.primary.0 == b.primary.0 && a.related == b.related);
    hits
}
