//! `futures-channel`.

use crate::action::{Action, Capacity};
use crate::operation::{Cancel, Failure, channel, to};
use crate::owner::{End, Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("futures_channel::mpsc", Object::Channel)
        .does(&[channel("channel", Capacity::Argument(0)), channel("unbounded", Capacity::Unbounded)]),
    Owner::of("futures_channel::mpsc::Receiver", Is::End(End { may_be_bounded: true, ..End::QUEUE })).does(
        &[
            to(Action::Close, "close"),
            to(Action::Receive, "recv").task().cancel(Cancel::Safe).ok().fails(&[Failure::Closed]),
            to(Action::Receive, "try_next").ok().fails(&[Failure::Busy, Failure::Closed]).no_site(),
            to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
        ],
    ),
    Owner::of("futures_channel::mpsc::Sender", Is::End(End::SENDER))
        .does(&[
            to(Action::Close, "close_channel"),
            to(Action::Close, "disconnect"),
            to(Action::Reserve, "poll_ready").poll().no_site().ok().arguments(1).fails(&[Failure::Closed]),
            to(Action::Send, "start_send").no_site().fails(&[Failure::Closed]),
            to(Action::Send, "try_send").fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["hash_receiver", "is_closed", "is_connected_to", "same_receiver"])]),
    Owner::of("futures_channel::mpsc::TrySendError", Is::Error(Failure::Busy)).inert(&[
        (Inert::Asks, &["is_disconnected", "is_full"]),
        (Inert::Alone, &["into_inner"]),
        (Inert::Sets, &["into_send_error"]),
    ]),
    Owner::of("futures_channel::mpsc::UnboundedReceiver", Is::End(End::QUEUE)).does(&[
        to(Action::Close, "close"),
        to(Action::Receive, "recv").task().cancel(Cancel::Safe).ok().fails(&[Failure::Closed]),
        to(Action::Receive, "try_next").ok().fails(&[Failure::Busy, Failure::Closed]).no_site(),
        to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
    ]),
    Owner::of(
        "futures_channel::mpsc::UnboundedSender",
        Is::End(End { sends: true, is_shared: true, ..End::QUEUE }),
    )
    .does(&[
        to(Action::Close, "close_channel"),
        to(Action::Close, "disconnect"),
        to(Action::Reserve, "poll_ready").poll().no_site().ok().arguments(1).fails(&[Failure::Closed]),
        to(Action::Send, "start_send").no_site().fails(&[Failure::Closed]),
        to(Action::Send, "unbounded_send").no_site().fails(&[Failure::Closed]),
    ])
    .inert(&[(
        Inert::Asks,
        &["hash_receiver", "is_closed", "is_connected_to", "is_empty", "len", "same_receiver"],
    )]),
    Owner::module("futures_channel::oneshot", Object::Channel)
        .does(&[channel("channel", Capacity::Constant(1))]),
    Owner::of("futures_channel::oneshot::Receiver", Is::End(End { is_once: true, ..End::QUEUE })).does(&[
        to(Action::Close, "close"),
        to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
    ]),
    Owner::of("futures_channel::oneshot::Sender", Is::End(End { sends: true, is_once: true, ..End::QUEUE }))
        .does(&[
            to(Action::WaitClosed, "cancellation").task().cancel(Cancel::Safe).no_site(),
            to(Action::WaitClosed, "poll_canceled").poll().no_site().arguments(1),
            to(Action::Send, "send").fails(&[Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["is_canceled", "is_connected_to"])]),
    Owner::of("futures_channel::oneshot::Canceled", Is::Error(Failure::Closed)),
    Owner::of("futures_channel::mpsc::SendError", Is::Error(Failure::Closed)),
    Owner::of("futures_channel::mpsc::TryRecvError", Is::Error(Failure::Busy)),
];
