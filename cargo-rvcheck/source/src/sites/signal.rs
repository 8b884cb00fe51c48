//! Sites at condition variables, notifies, barriers, cells that are set once, and watches.

use super::rule::{Arguments, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule::method_of(
        &["Barrier", "Condvar", "Notify", "Receiver"],
        &[
            "borrow_and_update",
            "changed",
            "notified",
            "notified_owned",
            "notify_all",
            "notify_last",
            "notify_one",
            "notify_waiters",
            "wait",
        ],
        Arguments::None,
    ),
    Rule::method_of(
        &["Condvar", "Once", "OnceCell", "OnceLock", "Receiver", "Sender"],
        &[
            "call_once",
            "call_once_force",
            "get_or_init",
            "get_or_try_init",
            "send_if_modified",
            "send_modify",
            "send_replace",
            "wait",
            "wait_for",
            "wait_timeout",
            "wait_timeout_ms",
            "wait_timeout_while",
            "wait_until",
            "wait_while",
        ],
        Arguments::Some,
    ),
];
