//! `async-channel`.

use crate::action::{Action, Capacity};
use crate::operation::{Cancel, Failure, channel, to};
use crate::owner::{End, Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] =
    &[
        Owner::module("async_channel", Object::Channel)
            .does(&[channel("bounded", Capacity::Argument(0)), channel("unbounded", Capacity::Unbounded)]),
        Owner::of("async_channel::Receiver", Is::End(End::RECEIVER))
            .does(&[
                to(Action::Close, "close"),
                to(Action::Handle, "downgrade"),
                to(Action::Receive, "recv").task().cancel(Cancel::Safe).ok().fails(&[Failure::Closed]),
                to(Action::Receive, "recv_blocking").thread().ok().fails(&[Failure::Closed]),
                to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
            ])
            .inert(&[(
                Inert::Asks,
                &[
                    "capacity",
                    "is_closed",
                    "is_empty",
                    "is_full",
                    "len",
                    "receiver_count",
                    "same_channel",
                    "sender_count",
                ],
            )]),
        Owner::of("async_channel::Sender", Is::End(End::SENDER))
            .does(&[
                to(Action::Close, "close"),
                to(Action::WaitClosed, "closed").task().cancel(Cancel::Safe),
                to(Action::Handle, "downgrade"),
                to(Action::Send, "force_send").fails(&[Failure::Closed]),
                to(Action::Send, "send").task().cancel(Cancel::LosesValue).fails(&[Failure::Closed]),
                to(Action::Send, "send_blocking").thread().fails(&[Failure::Closed]),
                to(Action::Send, "try_send").fails(&[Failure::Busy, Failure::Closed]),
            ])
            .inert(&[(
                Inert::Asks,
                &[
                    "capacity",
                    "is_closed",
                    "is_empty",
                    "is_full",
                    "len",
                    "receiver_count",
                    "same_channel",
                    "sender_count",
                ],
            )]),
        Owner::of("async_channel::WeakReceiver", Is::End(End { is_weak: true, ..End::RECEIVER }))
            .does(&[to(Action::Handle, "upgrade").some()]),
        Owner::of("async_channel::WeakSender", Is::End(End { is_weak: true, ..End::SENDER })).does(&[to(
            Action::Handle,
            "upgrade",
        )
        .some()]),
        Owner::of("async_channel::SendError", Is::Error(Failure::Closed)),
        Owner::of("async_channel::TrySendError", Is::Error(Failure::Busy)),
        Owner::of("async_channel::RecvError", Is::Error(Failure::Closed)),
        Owner::of("async_channel::TryRecvError", Is::Error(Failure::Busy)),
    ];
