//! Sites that send to or receive from a channel.

use super::rule::{Arguments, Rule};

const ENDS: &[&str] = &["Receiver", "Sender", "SyncSender", "UnboundedReceiver", "UnboundedSender"];

pub(super) const RULES: &[Rule] = &[
    Rule::method_of(
        ENDS,
        &[
            "blocking_recv",
            "closed",
            "recv",
            "recv_async",
            "reserve",
            "reserve_owned",
            "resubscribe",
            "subscribe",
            "try_recv",
            "try_reserve",
            "try_reserve_owned",
        ],
        Arguments::None,
    ),
    Rule::method_of(
        ENDS,
        &[
            "blocking_recv_many",
            "blocking_send",
            "poll_recv",
            "poll_recv_many",
            "recv_deadline",
            "recv_many",
            "recv_timeout",
            "reserve_many",
            "send",
            "send_async",
            "send_timeout",
            "try_reserve_many",
            "try_send",
        ],
        Arguments::Some,
    ),
];
