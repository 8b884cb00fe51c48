//! Annotations: the events and propositions of a program, and formulas to be checked while it runs.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a call reads like a sentence, without a `&` before each tuple"
)]

mod check;
mod object;
#[cfg(feature = "recorder")]
pub mod observing;
#[cfg(not(rvcheck_instrumented))]
pub mod protocol;
#[cfg(feature = "recorder")]
pub mod recording;
mod sink;

use core::panic::Location;

pub use check::Check;
pub use object::{Object, Subject, Task, ViaIdentity, ViaNothing};
use protocol::Annotation;
pub use protocol::{Arguments, Observe};

// The dev-dependency of a program under test has the protocol of the recorder that it is linked with.
#[cfg(rvcheck_instrumented)]
pub use rvcheck_injected::protocol;

/// Says that an event happens: `grant(t, n)` in a formula, where a file declares `grant = ["t: task", "n: int"]`.
///
/// The name is that of the formula: letters, digits and `_`, and no other event's.
///
/// ```
/// # let free = 3;
/// rvcheck_runtime::event("grant", (rvcheck_runtime::task(), free));
/// rvcheck_runtime::event("tick", ());
/// ```
#[inline(always)]
#[track_caller]
pub fn event(name: &str, arguments: impl Arguments) {
    sink::record(Annotation::Event, name, &arguments, Location::caller());
}

/// Says that a proposition holds from here on, for these arguments, until it is [cleared](clear).
///
/// A file declares `[fluent.busy]` with its `params` alone, and a formula says `busy(t)`.
///
/// ```
/// rvcheck_runtime::set("busy", rvcheck_runtime::task());
/// // … work …
/// rvcheck_runtime::clear("busy", rvcheck_runtime::task());
/// ```
#[inline(always)]
#[track_caller]
pub fn set(name: &str, arguments: impl Arguments) {
    sink::record(Annotation::Set, name, &arguments, Location::caller());
}

/// Says that a proposition no longer holds for these arguments, which are those of [`set`].
#[inline(always)]
#[track_caller]
pub fn clear(name: &str, arguments: impl Arguments) {
    sink::record(Annotation::Clear, name, &arguments, Location::caller());
}

/// Has a formula checked from here on, under this name, until it is [removed](remove) or the test is over.
///
/// The formula is that of `logic = "ltl"` in a property file. It can use what the workspace's property files declare. Any other
/// `name(…)` is a proposition that the program sets and clears, and any other `event name(…)` one of its events.
///
/// The trace of the property begins here; see [`Check`] for one that begins earlier. What is wrong with a formula, and what
/// violates it, is in the report, and never a panic here.
///
/// ```
/// rvcheck_runtime::check("no-grant-while-busy", "forall t: task . G (event grant(t, _) -> !busy(t))");
/// rvcheck_runtime::event("grant", (rvcheck_runtime::task(), 1));
/// rvcheck_runtime::remove("no-grant-while-busy");
/// ```
#[inline(always)]
#[track_caller]
pub fn check(name: &str, formula: &str) {
    Check::new(name, formula).start();
}

/// Ends the trace of a property that [`check`] has begun. It is checked against what has happened until here.
#[inline(always)]
#[track_caller]
pub fn remove(name: &str) {
    sink::record(Annotation::Remove, name, &(), Location::caller());
}

/// The task that runs now, as an argument: an async task, or else the thread.
///
/// ```
/// rvcheck_runtime::event("begins", rvcheck_runtime::task());
/// ```
#[inline(always)]
pub fn task() -> Task {
    Task(sink::task())
}
