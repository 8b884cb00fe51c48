//! Operators: each puts one sort of bug into a source.

mod calls;
mod statements;

use ra_ap_syntax::SyntaxNode;
use std::ops::Range;

/// What is replaced by what.
pub(crate) type Edits = Vec<(Range<usize>, String)>;

/// An operator.
#[derive(Debug)]
pub(crate) struct Operator {
    /// What it is called.
    pub(crate) id: &'static str,
    /// The properties that its bugs violate: one of them is expected.
    pub(crate) properties: &'static [&'static str],
    /// The changes that it can make in a file.
    pub(crate) places: fn(&str, &SyntaxNode) -> Vec<Edits>,
}

/// All operators.
pub(crate) const OPERATORS: &[Operator] = &[
    Operator { id: "swap-acquisitions", properties: &["lock-order"], places: statements::swap_acquisitions },
    Operator { id: "lock-again", properties: &["double-lock"], places: statements::lock_again },
    Operator {
        id: "keep-guard",
        properties: &[
            "guard-across-await",
            "double-lock",
            "lock-order",
            "channel-deadlock",
            "blocking-in-async",
        ],
        places: statements::keep_guard,
    },
    Operator {
        id: "keep-sender",
        properties: &["channel-deadlock", "task-leak"],
        places: statements::keep_sender,
    },
    Operator { id: "forget-permit", properties: &["semaphore"], places: statements::forget_permit },
    Operator { id: "leave-out-abort", properties: &["task-leak"], places: statements::leave_out_abort },
    Operator {
        id: "leave-out-notification",
        properties: &["lost-wakeup"],
        places: statements::leave_out_notification,
    },
    Operator {
        id: "notify-before-change",
        properties: &["lost-wakeup"],
        places: statements::notify_before_change,
    },
    Operator { id: "wait-without-loop", properties: &["lost-wakeup"], places: statements::wait_without_loop },
    Operator {
        id: "leave-out-yield",
        properties: &["cancel-unresponsive", "blocking-in-async"],
        places: statements::leave_out_yield,
    },
    Operator { id: "discard-awaited", properties: &["lost-error"], places: calls::discard_awaited },
    Operator { id: "discard-error", properties: &["lost-error"], places: calls::discard_error },
    Operator {
        id: "panic-to-default",
        properties: &["panic-as-result", "lost-error"],
        places: calls::panic_to_default,
    },
    Operator { id: "block-in-async", properties: &["blocking-in-async"], places: calls::block_in_async },
    Operator { id: "drop-half-way", properties: &["cancel-unsafe"], places: calls::drop_half_way },
    Operator {
        id: "wait-without-limit",
        properties: &["cancel-unresponsive", "channel-deadlock", "lost-wakeup", "blocking-in-async"],
        places: calls::wait_without_limit,
    },
];
