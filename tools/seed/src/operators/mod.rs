//! Operators: each puts one sort of bug into a source.
//!
//! What an operator makes is a bug wherever it applies, as `docs/properties/` says: it asks for what makes it one. Few exceptions remain,
//! which a person has to sort out; the lines of those that were missed say where to look.

mod blocking;
mod locks;
mod results;
mod signals;
mod syntax;
mod tasks;

use ra_ap_syntax::SyntaxNode;
use std::ops::Range;

/// A file of a crate.
#[derive(Clone, Debug)]
pub(crate) struct Source<'a> {
    /// Its text.
    pub(crate) text: &'a str,
    /// Its syntax.
    pub(crate) root: &'a SyntaxNode,
    /// The text of all files of the crate.
    pub(crate) crate_text: &'a str,
}

/// What is replaced by what.
pub(crate) type Edits = Vec<(Range<usize>, String)>;

/// The changes that an operator can make in a file.
type Places = fn(&Source<'_>) -> Vec<Edits>;

/// An operator.
#[derive(Debug)]
pub(crate) struct Operator {
    /// What it is called.
    pub(crate) id: &'static str,
    /// The properties that its bugs violate: one of them is expected.
    pub(crate) properties: &'static [&'static str],
    /// The changes that it can make in a file.
    pub(crate) places: Places,
}

const fn operator(id: &'static str, properties: &'static [&'static str], places: Places) -> Operator {
    Operator { id, properties, places }
}

const HELD: &[&str] = &["guard-across-await", "double-lock", "lock-order", "channel-deadlock"];
const ENDLESS: &[&str] = &["task-leak", "cancel-unresponsive", "blocking-in-async", "channel-deadlock"];

/// All operators.
pub(crate) const OPERATORS: &[Operator] = &[
    operator("lock-again", &["double-lock"], locks::lock_again),
    operator("lock-in-callee", &["double-lock"], locks::lock_in_callee),
    operator("write-under-read", &["double-lock"], locks::write_under_read),
    operator("swap-acquisitions", &["lock-order"], locks::swap_acquisitions),
    operator("cross-acquisitions", &["lock-order"], locks::cross_acquisitions),
    operator("keep-guard", HELD, locks::keep_guard),
    operator("keep-guard-until-next", HELD, locks::keep_guard_until_next),
    operator("keep-sender", &["channel-deadlock", "task-leak"], tasks::keep_sender),
    operator("forget-permit", &["semaphore"], tasks::forget_permit),
    operator("keep-permits", &["semaphore"], tasks::keep_permits),
    operator("leave-out-abort", &["task-leak"], tasks::leave_out_abort),
    operator("ignore-close", ENDLESS, tasks::ignore_close),
    operator("leave-out-yield", &["cancel-unresponsive", "blocking-in-async"], tasks::leave_out_yield),
    operator("leave-out-notification", &["lost-wakeup"], signals::leave_out_notification),
    operator("notify-before-change", &["lost-wakeup"], signals::notify_before_change),
    operator("wait-without-loop", &["lost-wakeup"], signals::wait_without_loop),
    operator("keep-waker", &["lost-wakeup"], signals::keep_waker),
    operator("leave-out-registration", &["lost-wakeup"], signals::leave_out_registration),
    operator("leave-out-second-look", &["lost-wakeup"], signals::leave_out_second_look),
    operator("discard-sibling", &["lost-error"], results::discard_sibling),
    operator("leave-out-report", &["lost-error"], results::leave_out_report),
    operator("retry-half-way", &["cancel-unsafe"], results::retry_half_way),
    operator("block-in-async", &["blocking-in-async"], blocking::block_in_async),
    operator("block-in-helper", &["blocking-in-async"], blocking::block_in_helper),
];
