//! Flume.

use crate::action::{Action, Capacity};
use crate::operation::{Cancel, Failure, channel, receive_in_time, select_in_time, send_in_time, to};
use crate::owner::{End, Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("flume", Object::Channel)
        .does(&[channel("bounded", Capacity::Argument(0)), channel("unbounded", Capacity::Unbounded)]),
    Owner::of("flume::Receiver", Is::End(End::RECEIVER))
        .does(&[
            to(Action::Receiving, "drain"),
            to(Action::Receive, "into_recv_async")
                .task()
                .cancel(Cancel::Safe)
                .ok()
                .fails(&[Failure::Closed])
                .no_site(),
            to(Action::Receiving, "into_stream").task(),
            to(Action::Receiving, "iter").thread(),
            to(Action::Receive, "recv").thread().ok().fails(&[Failure::Closed]),
            to(Action::Receive, "recv_async").task().cancel(Cancel::Safe).ok().fails(&[Failure::Closed]),
            receive_in_time("recv_deadline"),
            receive_in_time("recv_timeout"),
            to(Action::Receiving, "stream").task(),
            to(Action::Receiving, "try_iter"),
            to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(
            Inert::Asks,
            &[
                "capacity",
                "is_disconnected",
                "is_empty",
                "is_full",
                "len",
                "receiver_count",
                "same_channel",
                "sender_count",
            ],
        )]),
    Owner::of("flume::Selector", Is::End(End { may_be_bounded: true, ..End::QUEUE }))
        .does(&[
            to(Action::Receive, "wait").no_site().thread(),
            select_in_time("wait_deadline"),
            select_in_time("wait_timeout"),
        ])
        .inert(&[(Inert::Collects, &["new", "recv", "send"])]),
    Owner::of("flume::Sender", Is::End(End::SENDER))
        .does(&[
            to(Action::Handle, "downgrade"),
            to(Action::Send, "into_send_async")
                .task()
                .cancel(Cancel::LosesValue)
                .fails(&[Failure::Closed])
                .no_site(),
            to(Action::Send, "send").thread().fails(&[Failure::Closed]),
            to(Action::Send, "send_async").task().cancel(Cancel::LosesValue).fails(&[Failure::Closed]),
            send_in_time("send_deadline"),
            send_in_time("send_timeout"),
            to(Action::Send, "try_send").fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[
            (
                Inert::Asks,
                &[
                    "capacity",
                    "is_disconnected",
                    "is_empty",
                    "is_full",
                    "len",
                    "receiver_count",
                    "same_channel",
                    "sender_count",
                ],
            ),
            (Inert::Collects, &["into_sink", "sink"]),
        ]),
    Owner::of("flume::WeakSender", Is::End(End { is_weak: true, ..End::SENDER })).does(&[to(
        Action::Handle,
        "upgrade",
    )
    .some()]),
    Owner::of("flume::async::RecvFut", Is::Waiting)
        .inert(&[(Inert::Asks, &["capacity", "is_disconnected", "is_empty", "is_full", "len"])]),
    Owner::of("flume::async::RecvStream", Is::Messages).inert(&[(
        Inert::Asks,
        &["capacity", "is_disconnected", "is_empty", "is_full", "len", "same_channel"],
    )]),
    Owner::of("flume::async::SendFut", Is::Waiting)
        .inert(&[(Inert::Asks, &["capacity", "is_disconnected", "is_empty", "is_full", "len"])]),
    Owner::of("flume::async::SendSink", Is::End(End::SENDER)).inert(&[
        (Inert::Asks, &["capacity", "is_disconnected", "is_empty", "is_full", "len", "same_channel"]),
        (Inert::GivesPart, &["sender"]),
    ]),
    Owner::of("flume::Drain", Is::Waiting),
    Owner::of("flume::IntoIter", Is::Messages),
    Owner::of("flume::Iter", Is::Messages),
    Owner::of("flume::TryIter", Is::Waiting),
    Owner::of("flume::SendError", Is::Error(Failure::Closed)),
    Owner::of("flume::TrySendError", Is::Error(Failure::Busy)),
    Owner::of("flume::SendTimeoutError", Is::Error(Failure::Time)),
    Owner::of("flume::RecvError", Is::Error(Failure::Closed)),
    Owner::of("flume::TryRecvError", Is::Error(Failure::Busy)),
    Owner::of("flume::RecvTimeoutError", Is::Error(Failure::Time)),
];
